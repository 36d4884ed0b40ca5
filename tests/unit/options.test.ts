// What each field of the configuration changes about the process of a run, and that the CLI takes
// the command line of every value.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import type { FieldName } from '../../src/config/fields.ts'
import { buildArgv } from '../../src/cursor/command-line.ts'
import { extraArgsFaults } from '../../src/cursor/extra-args.ts'
import { optionsOf, PERMISSION_MODE_NAMES } from '../../src/cursor/permission-modes.ts'
import type { SpawnSpec } from '../../src/cursor/process.ts'
import { startCursorRun } from '../../src/cursor/run.ts'
import type { TimeLimitName } from '../../src/cursor/time-limits.ts'
import { STAND_IN } from '../support/install.ts'
import { inMemory } from '../support/layouts.ts'
import { PONG } from '../support/refusal.ts'

const { parseCommandLine } = createRequire(import.meta.url)(STAND_IN) as {
  parseCommandLine(argv: readonly string[]): { readonly action: string; readonly prompt: string }
}

/** The side of the host reads these. */
type HostField = 'providerName' | 'toolName' | 'readOnlySessions'

const CLIS = ['/one/index.js', '/two/index.js'] as const

/**
 * Values of every other field; a time limit's row in `time-limits.ts` has its effect already. A
 * field without a row here does not compile, and one that no code reads fails below.
 */
const VALUES = {
  model: ['auto', 'gpt-5[effort=high]'],
  env: [{ SOME: 'a' }, { SOME: 'b' }],
  permissionMode: PERMISSION_MODE_NAMES,
  approveMcps: [true, false],
  extraArgs: [[], ['--header', 'a: b'], ['-H', 'a: b'], ['--background-shell-timeout', '30']],
  disposeGraceMs: [10, 20],
  cliPath: CLIS,
} satisfies { [Name in Exclude<FieldName, HostField | TimeLimitName>]: readonly Config[Name][] }

const { system } = inMemory({ platform: 'linux', files: CLIS })

/** What a run with this configuration hands to the host's subprocess service. */
async function spawned(config: Config): Promise<SpawnSpec> {
  const { promise, resolve } = Promise.withResolvers<SpawnSpec>()
  const started = startCursorRun({
    prompt: PONG,
    cwd: '/',
    config: resolveConfig({ cliPath: CLIS[0], ...config }),
    system,
    spawn(spec) {
      resolve(spec)
      throw new Error('enough')
    },
    stderr: process.stderr,
    log: () => {},
  })
  await assert.rejects(started, /enough/)
  return promise
}

for (const [name, values] of Object.entries(VALUES)) {
  describe(`the field ${name}`, () => {
    const configs = values.map((value): Config => ({ [name]: value }))

    it('starts another process with each value', async () => {
      assert.ok(values.length > 1)
      const specs = await Promise.all(configs.map(spawned))
      const different = new Set(specs.map((spec) => JSON.stringify(spec)))
      assert.equal(different.size, values.length)
    })

    it('makes a command line that the CLI takes', () => {
      for (const config of configs) {
        const { action, prompt } = parseCommandLine(buildArgv(resolveConfig(config), PONG))
        assert.deepEqual({ action, prompt }, { action: 'run', prompt: PONG })
      }
    })

    it('passes no valued option that would swallow the prompt unnoticed in extraArgs', () => {
      for (const config of configs) {
        const args = buildArgv(resolveConfig(config), PONG).slice(0, -1)
        for (const [option, value] of optionsOf({ args })) {
          if (value === undefined) continue
          const faults = extraArgsFaults({ extraArgs: [option], permissionMode: 'yolo' })
          assert.deepEqual(faults, [{ kind: 'fatal', option }])
        }
      }
    })
  })
}
