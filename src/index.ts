/**
 * The plugin: registers the provider `cursor` and the tool `subagent_cursor`.
 *
 * `cursor/` knows the Cursor CLI and does not use DSH. `dsh/` knows DSH. `doctor/` is the self-check,
 * for the command line and for the settings card in `web/`.
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
 * Registers the provider and the tool for as long as `ctx` lives. Runs in flight outlive it, because
 * they belong to whoever started them.
 * @param config from the host's schema; live fields are boxes with `get()`.
 * @throws {Error} for a bad value or a name that is taken; it names the field to change.
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
      // Imported lazily, because most hosts have no page.
      const { servePage } = await import('./web/serve-page.ts')
      servePage(page, {
        toolName: row.toolName,
        settings: read,
        view: (callId) => runs.view(callId),
      })
    } catch (error) {
      // The page's services may differ from what we expect. Delegations work without the page.
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
