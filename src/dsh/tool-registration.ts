/**
 * Registers the tool, in the form that the host's generation needs, and again when a change of the
 * configuration changes its description. Each delivery knows its hosts by the function that it calls.
 * A name that several services share is not enough: dsh-agent's registry has `register` everywhere.
 */

import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-tools'
import type { ResolvedConfig } from '../config/config.ts'
import { foregroundTool } from './delivery-0.1.ts'
import { activationTool } from './delivery-0.2.ts'
import type { RunRegistry } from './runs.ts'
import { toolContract, type ToolContract } from './tool.ts'

export class ToolRegistration {
  readonly #ctx: Context
  readonly #settings: () => ResolvedConfig
  readonly #runs: RunRegistry
  #described: ToolContract
  #unregister: (() => void) | undefined

  /**
   * @param row describes the tool while the settings are invalid.
   * @param settings throws while the settings are invalid.
   */
  constructor(
    ctx: Context,
    row: ResolvedConfig,
    settings: () => ResolvedConfig,
    runs: RunRegistry,
  ) {
    this.#ctx = ctx
    this.#settings = settings
    this.#runs = runs
    this.#described = this.#contract(row)
  }

  /** Registers the tool, or replaces it if its description has changed. */
  update(): void {
    const contract = this.#contractInForce()
    if (this.#unregister !== undefined && contract.description === this.#described.description) {
      return
    }
    this.#unregister?.()
    this.#described = contract
    const tool = activationTool(this.#ctx, contract) ?? foregroundTool(this.#ctx, contract)
    if (tool === undefined) {
      this.#ctx.logger.error(
        `${contract.name} is not offered: this host's subagents have neither \`startActivation\` nor ` +
          '`start`, and this version of the plugin knows no other way to delegate',
      )
    }
    this.#unregister = tool === undefined ? () => {} : this.#ctx.tools.register(tool)
  }

  /** Keeps the last description while the settings are invalid; delegations then fail with the reason. */
  #contractInForce(): ToolContract {
    try {
      return this.#contract(this.#settings())
    } catch {
      return this.#described
    }
  }

  #contract(config: ResolvedConfig): ToolContract {
    return toolContract(config, { settings: this.#settings, runs: this.#runs })
  }
}
