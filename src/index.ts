/**
 * The plugin: registers the provider `cursor` and the tool `subagent_cursor`.
 *
 * What knows the Cursor CLI is in `cursor/`, and uses no DSH; what knows DSH is in `dsh/`;
 * `doctor/` is the self-check, on the command line and behind the settings card of `web/`.
 *
 * @module dsh-subagent-cursor
 */

import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-subagent'
import type {} from '@deepseek-ai/dsh-tools'
import { resolveConfig } from './config/config.ts'
import { extraArgsNotes } from './cursor/extra-args.ts'
import { CursorProvider } from './dsh/provider.ts'
import { RunRegistry } from './dsh/runs.ts'
import { liveSettings } from './dsh/settings.ts'
import { messageOf } from './error-message.ts'
import { ToolRegistration } from './dsh/tool-registration.ts'

export { Config } from './config/config.ts'
export { CursorProvider } from './dsh/provider.ts'

export const name = 'subagent-cursor'
export const inject = ['subagents', 'subprocess', 'tools']

/**
 * Registers provider and tool for as long as `ctx` lives. Runs in flight outlive it: they belong
 * to whoever started them.
 * @param config as the host's schema gives it, with live fields in boxes.
 * @throws {Error} for a bad value and for a name that is taken, naming the field to change.
 */
export function apply(ctx: Context, config: unknown): void {
  const row = resolveConfig(config)
  if (ctx.subagents.getProvider(row.providerName) !== undefined) {
    throw taken('providerName', row.providerName, 'a subagent provider')
  }
  if (ctx.tools.get(row.toolName) !== undefined) {
    throw taken('toolName', row.toolName, 'a tool')
  }
  for (const note of extraArgsNotes(row)) ctx.logger.info(note)

  const { read, onChange } = liveSettings(ctx, () => resolveConfig(config))
  const runs = new RunRegistry()
  const tool = new ToolRegistration(ctx, row, read, runs)
  tool.update()
  onChange(() => tool.update())
  ctx.subagents.registerProvider(new CursorProvider(row.providerName, ctx, read, runs))
  ctx.inject(['connection', 'webServer'], async (page) => {
    try {
      // Loaded where there is a page, and nowhere else.
      const { servePage } = await import('./web/serve-page.ts')
      servePage(page, {
        toolName: row.toolName,
        settings: read,
        view: (callId) => runs.view(callId),
      })
    } catch (error) {
      // A page that offers something else than expected goes without; delegations do not need it.
      ctx.logger.info(`nothing is served to the page: ${messageOf(error)}`)
    }
  })
}

function taken(field: 'providerName' | 'toolName', value: string, what: string): Error {
  return new Error(
    `subagent-cursor: ${what} named "${value}" is already registered; ` +
      `set the config field \`${field}\` of this instance to another name`,
  )
}
