// A start that must end before any process: the error of it.
import assert from 'node:assert/strict'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import { startCursorRun } from '../../src/cursor/run.ts'
import { CursorStartError } from '../../src/cursor/start-error.ts'
import type { System } from '../../src/cursor/system.ts'

export const PONG = 'Reply with exactly: PONG'

export interface Start {
  readonly system: System
  readonly prompt?: string
  readonly config?: Config
  /** As no configuration is: any path, checked or not. */
  readonly cliPath?: string | undefined
}

export async function refusal(start: Start): Promise<CursorStartError> {
  const { system, prompt = PONG, config = {}, cliPath } = start
  const started = startCursorRun({
    prompt,
    cwd: system.home || '/work',
    config: { ...resolveConfig(config), cliPath },
    system,
    spawn: () => assert.fail('a process was started'),
    stderr: process.stderr,
    log: () => {},
  })
  const error = await started.then(
    () => assert.fail('the start was not refused'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof CursorStartError, String(error))
  return error
}
