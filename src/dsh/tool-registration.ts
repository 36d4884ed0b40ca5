/**
 * Keeps the tool registered, in the way of the host's generation and described by the permission
 * mode in force.
 */

import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-tools'
import type { ResolvedConfig } from '../cursor/config.ts'
import { foregroundTool } from './delivery-0.1.ts'
import { activationTool } from './delivery-0.2.ts'
import { toolContract } from './tool.ts'

export class ToolRegistration {
  readonly #ctx: Context
  readonly #row: ResolvedConfig
  readonly #settings: () => ResolvedConfig
  #described: ResolvedConfig['permissionMode'] | undefined
  #unregister: (() => void) | undefined

  /** @param settings throws while the user's stored settings are not valid. */
  constructor(ctx: Context, row: ResolvedConfig, settings: () => ResolvedConfig) {
    this.#ctx = ctx
    this.#row = row
    this.#settings = settings
  }

  /** Registers the tool, or describes it anew when the mode has changed. */
  update(): void {
    const mode = this.#mode()
    if (mode === this.#described) return
    this.#unregister?.()
    this.#described = mode
    const contract = toolContract(this.#row, mode, this.#settings)
    this.#unregister = this.#ctx.tools.register(
      activationTool(this.#ctx, contract) ?? foregroundTool(this.#ctx, contract),
    )
  }

  /** Settings that cannot be used refuse every delegation with the reason; the tool stays as it is. */
  #mode(): ResolvedConfig['permissionMode'] {
    try {
      return this.#settings().permissionMode
    } catch {
      return this.#described ?? this.#row.permissionMode
    }
  }
}
