/**
 * Keeps the tool registered, in the way of the host's generation and described by the configuration
 * in force.
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
   * @param row describes the tool while the settings cannot be used.
   * @param settings throws while what is stored is not valid.
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

  /** Registers the tool, or describes it anew when that has changed. */
  update(): void {
    const contract = this.#contractInForce()
    if (this.#unregister !== undefined && contract.description === this.#described.description) {
      return
    }
    this.#unregister?.()
    this.#described = contract
    this.#unregister = this.#ctx.tools.register(
      activationTool(this.#ctx, contract) ?? foregroundTool(this.#ctx, contract),
    )
  }

  /** Settings that cannot be used refuse every delegation with the reason; the tool stays as it is. */
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
