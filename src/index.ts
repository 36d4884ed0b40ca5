/**
 * The plugin: registers the provider `cursor` and the tool `subagent_cursor`.
 *
 * What knows the Cursor CLI is in `cursor/`, and uses no DSH; what knows DSH is in `dsh/`;
 * `doctor/` is the command-line self-check.
 *
 * @module dsh-subagent-cursor
 */

import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-subagent'
import type {} from '@deepseek-ai/dsh-tools'
import { extraArgsNotes, resolveConfig, type Config as ConfigFields } from './cursor/config.ts'
import { foregroundTool } from './dsh/delivery-0.1.ts'
import { activationTool } from './dsh/delivery-0.2.ts'
import { CursorProvider } from './dsh/provider.ts'
import { toolContract } from './dsh/tool.ts'

export { Config } from './cursor/config.ts'
export { CursorProvider } from './dsh/provider.ts'

export const name = 'subagent-cursor'
export const inject = ['subagents', 'subprocess', 'tools']

/**
 * Registers provider and tool for as long as `ctx` lives. Runs in flight outlive it: they belong
 * to whoever started them.
 * @throws {Error} for a bad value and for a name that is taken, naming the field to change.
 */
export function apply(ctx: Context, config: ConfigFields): void {
  const resolved = resolveConfig(config)
  const settings = () => resolved
  if (ctx.subagents.getProvider(resolved.providerName) !== undefined) {
    throw taken('providerName', resolved.providerName, 'a subagent provider')
  }
  if (ctx.tools.get(resolved.toolName) !== undefined) {
    throw taken('toolName', resolved.toolName, 'a tool')
  }
  for (const note of extraArgsNotes(resolved)) ctx.logger.info(`subagent-cursor: ${note}`)
  ctx.subagents.registerProvider(new CursorProvider(resolved.providerName, ctx, settings))
  const contract = toolContract(settings)
  ctx.tools.register(activationTool(ctx, contract) ?? foregroundTool(ctx, contract))
}

function taken(field: 'providerName' | 'toolName', value: string, what: string): Error {
  return new Error(
    `subagent-cursor: ${what} named "${value}" is already registered; ` +
      `set the config field \`${field}\` of this instance to another name`,
  )
}
