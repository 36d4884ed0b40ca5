/**
 * Registers the tool, in the form that the host's generation needs, and again when a change of the
 * configuration changes its description. Each delivery knows its hosts by the function that it calls.
 * A name that several services share is not enough: dsh-agent's registry has `register` everywhere.
 */

import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-tools'
import type { ResolvedConfig } from '../config/config.ts'
import { foregroundDelivery } from './delivery-0.1.ts'
import { activationDelivery } from './delivery-0.2.ts'
import type { RunRegistry } from './runs.ts'
import { toolContract, type Delivery, type ToolContract } from './tool.ts'

/** Newest first, because a host may keep an old way beside a new one. */
export const DELIVERIES: readonly Delivery[] = [activationDelivery, foregroundDelivery]

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
    const offered = this.#ctx.subagents as unknown as Record<string, unknown>
    const delivery = DELIVERIES.find(({ calls }) => typeof offered[calls] === 'function')
    if (delivery !== undefined) {
      this.#unregister = this.#ctx.tools.register(delivery.toolFor(this.#ctx, contract))
    } else {
      this.#unregister = () => {}
      const known = DELIVERIES.map(({ calls }) => `\`${calls}\``).join(', ')
      this.#ctx.logger.error(
        `${contract.name} is not offered: this host's subagents have none of ${known}, and this ` +
          'version of the plugin knows no other way to delegate',
      )
    }
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
