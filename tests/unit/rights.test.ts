// What a run may do: read off the whole command line, and narrowed by the session that asks for it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resolveConfig, type Config, type ResolvedConfig } from '../../src/config/config.ts'
import { buildArgv } from '../../src/cursor/command-line.ts'
import {
  optionsOf,
  PERMISSION_MODE_NAMES,
  PERMISSION_MODES,
} from '../../src/cursor/permission-modes.ts'
import { canWrite, wideningArgs } from '../../src/cursor/rights.ts'
import { RunRegistry } from '../../src/dsh/runs.ts'
import { configForSession, isInPlanMode } from '../../src/dsh/session-policy.ts'
import { toolContract } from '../../src/dsh/tool.ts'

/** Each makes a run that can write out of one that cannot. */
const WIDENING: readonly (readonly string[])[] = [
  ['--force'],
  ['--force=true'],
  ['-f'],
  ['-pf'],
  ['-fp'],
  ['--yolo'],
  ['--auto-review'],
  ['--mode', 'agent'],
  ['--mode=agent'],
  ['--sandbox', 'disabled'],
  ['--sandbox=disabled'],
  ['--header', 'a: b', '--force'],
]

const HARMLESS: readonly (readonly string[])[] = [
  [],
  ['--background-shell-timeout', '30'],
  ['-H', 'x: force'],
  ['-Hforce: f'],
  ['--sandbox', 'enabled'],
  ['--forceful'],
  ['--header', 'X-Mode: fast'],
]

const session = (mode: unknown): never =>
  ({
    get: (name: string) => (name === 'sandboxPolicy' ? { resolve: () => ({ mode }) } : undefined),
  }) as never

const admitted = (mode: unknown, config: Config, readOnly = false): ResolvedConfig =>
  configForSession(session(mode), {} as never, resolveConfig(config), readOnly)

const argv = (config: ResolvedConfig): string[] => buildArgv(config, 'Do something useful')

const READING = PERMISSION_MODE_NAMES.filter((name) => !PERMISSION_MODES[name].writes)

it("a mode's options are told from their values", () => {
  const args = ['--one', '--two', 'value', '--three']
  const mode = { ...PERMISSION_MODES.trust, args }
  assert.deepEqual(optionsOf(mode), [['--one'], ['--two', 'value'], ['--three']])
})

describe('whether a run can write', () => {
  it('is what the mode says, where extraArgs leave it alone', () => {
    for (const extraArgs of HARMLESS) {
      assert.deepEqual(wideningArgs(extraArgs), [], extraArgs.join(' '))
      for (const [mode, { writes }] of Object.entries(PERMISSION_MODES)) {
        const permissionMode = mode as keyof typeof PERMISSION_MODES
        assert.equal(
          canWrite({ permissionMode, extraArgs }),
          writes,
          `${mode} ${extraArgs.join(' ')}`,
        )
      }
    }
  })

  for (const extraArgs of WIDENING) {
    it(`is true of every mode with ${extraArgs.join(' ')}, told to the policy and the model`, () => {
      for (const permissionMode of READING) {
        assert.ok(canWrite({ permissionMode, extraArgs }))
        assert.throws(
          () => admitted('read-only', { permissionMode, extraArgs: [...extraArgs] }),
          /policy-refused: .*read-only.* in extraArgs/,
        )
        const config = resolveConfig({ permissionMode, extraArgs: [...extraArgs] })
        const { description } = toolContract(config, {
          settings: () => config,
          runs: new RunRegistry(),
        })
        assert.doesNotMatch(description, /It is read-only/)
        assert.match(description, /can write files/)
      }
    })
  }
})

describe('a read-only session', () => {
  it('refuses each mode that can write, and lets the others pass', () => {
    for (const [mode, { writes }] of Object.entries(PERMISSION_MODES)) {
      const config = { permissionMode: mode as keyof typeof PERMISSION_MODES }
      if (writes) assert.throws(() => admitted('read-only', config), /policy-refused/)
      else assert.ok(admitted('read-only', config))
    }
  })

  it('approves no MCP server that the row does not name', () => {
    for (const permissionMode of READING) {
      assert.ok(!argv(admitted('read-only', { permissionMode })).includes('--approve-mcps'))
      const named = admitted('read-only', { permissionMode, approveMcps: true })
      assert.ok(argv(named).includes('--approve-mcps'))
    }
    assert.ok(
      argv(admitted('workspace-write', { permissionMode: 'ask' })).includes('--approve-mcps'),
    )
  })

  it('is left to the row that says readOnlySessions: allow', () => {
    const config = admitted('read-only', { readOnlySessions: 'allow' })
    assert.equal(config.permissionMode, 'trust')
  })
})

describe('read_only', () => {
  it('makes a run in ask without MCP approval, whatever is configured, in every session', () => {
    for (const policy of ['read-only', 'workspace-write', 'danger-full-access']) {
      for (const permissionMode of PERMISSION_MODE_NAMES) {
        const args = argv(admitted(policy, { permissionMode, approveMcps: true }, true))
        assert.deepEqual(args.slice(4, -1), ['--mode', 'ask'], `${policy} ${permissionMode}`)
      }
    }
  })

  it('is refused where extraArgs would undo it', () => {
    for (const extraArgs of [...WIDENING, ['--approve-mcps']]) {
      assert.throws(
        () => admitted('danger-full-access', { extraArgs: [...extraArgs] }, true),
        /policy-refused: .*read-only run.*extraArgs/,
      )
    }
  })
})

describe('the plan mode of the host', () => {
  const planMode = (get: unknown): boolean =>
    isInPlanMode({ get: () => ({ get }) } as never, {} as never)

  for (const [what, mode, counts] of [
    ['is on', { active: true }, true],
    ['has been chosen for the next step', { active: false, pending: true }, true],
    ['is on until it has ended', { active: true, pending: false }, true],
    ['is off', { active: false }, false],
    ['is not told', undefined, false],
  ] as const) {
    it(`${counts ? 'counts' : 'does not count'} when it ${what}`, () =>
      assert.equal(
        planMode(() => mode),
        counts,
      ))
  }

  it('is off on a host without the service, or with a service that throws', () => {
    assert.equal(isInPlanMode({ get: () => undefined } as never, {} as never), false)
    assert.equal(planMode(undefined), false)
    const throwing = planMode(() => assert.fail('no plan'))
    assert.equal(throwing, false)
  })
})
