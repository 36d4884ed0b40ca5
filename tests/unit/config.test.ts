// The configuration: defaults, and the error that each bad value gets at load.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAX_TIMER_DELAY_MS as HOSTS_MAX_TIMER_DELAY_MS } from '@deepseek-ai/dsh-timeout'
import { Config, ConfigError, resolveConfig } from '../../src/config/config.ts'
import { FIELD_NAMES, FIELDS, LIVE_FIELDS } from '../../src/config/fields.ts'
import { extraArgsNotes } from '../../src/cursor/extra-args.ts'
import { MAX_TIMER_DELAY_MS } from '../../src/cursor/options.ts'

/** As the host applies a schema, through the Standard Schema interface. */
function hostLoads(config: unknown): Record<string, unknown> {
  const result = Config['~standard'].validate(config)
  assert.ok(!(result instanceof Promise))
  if (result.issues) throw new Error(result.issues.map(({ message }) => message).join('\n'))
  return result.value as Record<string, unknown>
}

/** As YAML may bring it. */
function load(config: unknown): unknown {
  return resolveConfig(config as Config)
}

describe('the defaults', () => {
  it('are as documented', () => {
    assert.deepEqual(resolveConfig(undefined), {
      providerName: 'cursor',
      toolName: 'subagent_cursor',
      model: undefined,
      env: {},
      permissionMode: 'trust',
      approveMcps: true,
      approvesMcpsExplicitly: false,
      extraArgs: [],
      disposeGraceMs: 3000,
      cliPath: undefined,
      readOnlySessions: 'refuse',
      timeoutMs: undefined,
      stallTimeoutMs: undefined,
    })
  })

  it('hold for fields that are left empty', () => {
    const mayBeEmpty = FIELD_NAMES.filter(
      (name) => name !== 'permissionMode' && name !== 'readOnlySessions',
    )
    const empty = Object.fromEntries(mayBeEmpty.map((name) => [name, null]))
    assert.deepEqual(load(empty), resolveConfig(undefined))
    const undefinedFields = Object.fromEntries(FIELD_NAMES.map((name) => [name, undefined]))
    assert.deepEqual(load(undefinedFields), resolveConfig(undefined))
  })

  it('are filled in by the schema that the host applies', () => {
    const loaded = hostLoads({ permissionMode: 'ask' })
    assert.deepEqual(resolveConfig(loaded), resolveConfig({ permissionMode: 'ask' }))
  })
})

describe('a bad value', () => {
  const BAD_DELAYS = [0, -1, Number.NaN, Infinity, MAX_TIMER_DELAY_MS + 1, '3000']
  const BAD: Readonly<Record<string, readonly unknown[]>> = {
    providerName: ['', '  ', 7, 'a\0b'],
    toolName: ['', 'a b', 'ü', 'x'.repeat(65), 7],
    model: ['', '-x', '--force', 7, 'a\0b'],
    env: ['X=1', [], { A: 1 }, { 'A=B': 'x' }, { A: 'a\0b' }],
    permissionMode: ['yollo', 'Trust', '', 1, true, null],
    approveMcps: ['true', 1],
    extraArgs: ['--x', [1], { 0: 'x' }],
    disposeGraceMs: BAD_DELAYS,
    cliPath: ['', 'cursor-agent', './x', '~', 7],
    readOnlySessions: ['deny', true, null],
    timeoutMs: BAD_DELAYS,
    stallTimeoutMs: BAD_DELAYS,
  }

  it('is known for every field', () => {
    assert.deepEqual(Object.keys(BAD).toSorted(), [...FIELD_NAMES].toSorted())
  })

  for (const [field, values] of Object.entries(BAD)) {
    for (const value of values) {
      it(`${field}: ${JSON.stringify(value) ?? String(value)} is refused, naming field, value and what is allowed`, () => {
        assert.throws(
          () => load({ [field]: value }),
          (error: Error) => {
            assert.ok(error.message.startsWith('subagent-cursor: '), error.message)
            assert.ok(error.message.includes(`\`${field}\``), error.message)
            assert.match(error.message, /allowed: ./)
            if (field !== 'env' && field !== 'extraArgs') {
              const shown = typeof value === 'number' ? String(value) : JSON.stringify(value)
              assert.ok(error.message.includes(shown.slice(0, 20)), error.message)
            }
            return true
          },
        )
        assert.throws(() => hostLoads({ [field]: value }), new RegExp(`\`${field}\`.*allowed: `))
      })
    }
  }

  it('that may be a secret is not repeated, but its place is named', () => {
    assert.throws(
      () => load({ env: { OK: 'x', CURSOR_API_KEY: ['hunter2'] } }),
      (error: Error) =>
        !error.message.includes('hunter2') && /`CURSOR_API_KEY` is a list/.test(error.message),
    )
    assert.throws(
      () => load({ extraArgs: ['--api-key', 'hunter2', 5] }),
      (error: Error) =>
        !error.message.includes('hunter2') && /entry 3 is a number/.test(error.message),
    )
  })

  it('of the wrong type is described by its type if it may contain a secret', () => {
    const options = { '--api-key': 'hunter2' }
    for (const extraArgs of ['--api-key hunter2', [options], options]) {
      assert.throws(
        () => load({ extraArgs }),
        (error: Error) => !error.message.includes('hunter2') && /extraArgs/.test(error.message),
      )
    }
    assert.throws(
      () => load({ 'CURSOR_API_KEY=hunter2': true }),
      (error: Error) =>
        !error.message.includes('hunter2') && error.message.includes('no field `CURSOR_API_KEY`'),
    )
  })

  it('is not repeated where a level too many or too few puts `env` in its place', () => {
    const env = { CURSOR_API_KEY: 'hunter2' }
    for (const config of [
      { model: { env } },
      { model: [env] },
      [{ env }],
      'CURSOR_API_KEY=hunter2',
    ]) {
      assert.throws(
        () => resolveConfig(config),
        ({ message }: Error) =>
          !message.includes('hunter2') && / (?:a map|a list|a string)/.test(message),
      )
    }
  })

  it('under a name with escapes in it is named without them', () => {
    for (const config of [{ 'model\u001b[2J': 'x' }, { env: { 'A\u001b[2J': 5 } }]) {
      // eslint-disable-next-line no-control-regex -- this is what it is about
      assert.throws(
        () => resolveConfig(config),
        ({ message }: Error) => !/[\u0000-\u001f]/.test(message),
      )
    }
  })

  it('is told together with every other one', () => {
    assert.throws(
      () => load({ model: 7, timeoutMs: -1, modle: 'x' }),
      (error: unknown) =>
        error instanceof ConfigError &&
        error.problems.length === 3 &&
        /`model` is 7.*`timeoutMs` is -1.*no field `modle`/.test(error.message),
    )
  })

  it('is any name with a line break or an escape, because names are printed to logs and terminals', () => {
    for (const field of ['providerName', 'model', 'cliPath']) {
      assert.throws(() => load({ [field]: '/a\u001b[2Jb' }), /allowed/)
    }
  })

  it('that holds itself, as a YAML anchor can make it, is named all the same', () => {
    const model: Record<string, unknown> = {}
    model['self'] = model
    assert.throws(() => load({ model }), /`model` is a map/)
  })

  it('leaves what it was given unchanged', () => {
    const config = Object.freeze({
      env: Object.freeze({ A: 'a' }),
      extraArgs: Object.freeze(['-x']),
    })
    assert.deepEqual(load(config), resolveConfig({ env: { A: 'a' }, extraArgs: ['-x'] }))
  })

  it('does not include the limits themselves', () => {
    const delays = FIELD_NAMES.filter((name) => FIELDS[name].kind === 'delay')
    assert.ok(delays.length > 0)
    for (const field of delays) {
      for (const value of [0.5, 1, MAX_TIMER_DELAY_MS]) {
        assert.equal(resolveConfig({ [field]: value })[field], value)
      }
    }
  })

  it('is bounded by the longest delay of a timer, the host’s own number', () => {
    assert.equal(MAX_TIMER_DELAY_MS, HOSTS_MAX_TIMER_DELAY_MS)
  })
})

describe('env', () => {
  it('leaves out variables without a value, as an expression for an unset one gives', () => {
    const env = { A: 'a', B: undefined, C: null } as unknown as Record<string, string>
    assert.deepEqual(resolveConfig({ env }).env, { A: 'a' })
  })
})

describe('an unknown field', () => {
  it('is refused with the closest name', () => {
    assert.throws(() => load({ permisionMode: 'ask' }), /did you mean `permissionMode`/)
    assert.throws(() => load({ timeout: 5 }), /did you mean `timeoutMs`/)
    assert.throws(() => load({ permissionmode: 'ask' }), /did you mean `permissionMode`/)
    assert.throws(() => load({ __proto__x: 1 }), /config has no field `__proto__x`/)
    assert.throws(() => load({ permisionMode: null }), /did you mean `permissionMode`/)
  })

  it('is none of those that every object has', () => {
    assert.throws(() => load(JSON.parse('{"toString": 1}')), /config has no field `toString`/)
    assert.throws(() => load(JSON.parse('{"__proto__": 1}')), /config has no field `__proto__`/)
  })

  it('cannot hide in a config that is no map', () => {
    for (const config of ['trust', ['trust'], 7, true]) {
      assert.throws(() => load(config), /config must be a map of fields/)
    }
  })
})

describe('extraArgs', () => {
  function notes(extraArgs: string[], permissionMode: 'trust' | 'safe' = 'trust'): string[] {
    return extraArgsNotes(resolveConfig({ extraArgs, permissionMode }))
  }

  it('are never refused', () => {
    const extraArgs = ['--output-format', 'text', '--', '', '\u{1f389}']
    assert.deepEqual(resolveConfig({ extraArgs }).extraArgs, extraArgs)
  })

  it('that break the run are told', () => {
    for (const entry of [
      '--output-format',
      '--output-format=text',
      '--stream-partial-output',
      '-p',
      '--print',
      '--',
      '--resume',
      '--resume=x',
      'word',
    ]) {
      assert.equal(notes([entry]).length, 1, entry)
    }
    assert.equal(notes(['--endpoint', 'x', 'word']).length, 1, 'the second of two words')
  })

  it('that do not are not', () => {
    assert.deepEqual(notes(['--background-shell-timeout', '30', '-H', 'x: y', '--browser']), [])
  })

  it('that widen what the mode allows are told', () => {
    assert.match(notes(['--force'], 'safe')[0] ?? '', /--force .*safe can do more/)
    assert.match(notes(['--header', 'x', '--yolo'], 'trust')[0] ?? '', /--yolo/)
  })
})

describe('a live field', () => {
  it('is one of these, and reaches the plugin in a box that is read anew', () => {
    assert.deepEqual(LIVE_FIELDS, [
      'model',
      'permissionMode',
      'approveMcps',
      'disposeGraceMs',
      'timeoutMs',
      'stallTimeoutMs',
    ])
    const loaded = hostLoads({ model: 'auto' })
    for (const name of FIELD_NAMES) {
      const box = loaded[name] as { get?: unknown } | undefined
      assert.equal(typeof box?.get === 'function', 'live' in FIELDS[name], name)
    }
    let mode = 'ask'
    const config = { ...loaded, permissionMode: { get: () => mode } }
    assert.equal(resolveConfig(config).permissionMode, 'ask')
    mode = 'plan'
    assert.equal(resolveConfig(config).permissionMode, 'plan')
  })

  it('in a box that cannot be opened is refused', () => {
    assert.throws(() => load({ permissionMode: Object.freeze({}) }), /`permissionMode` is {}/)
  })
})

describe('approveMcps', () => {
  it('says whether it is written out, through the schema too', () => {
    assert.equal(resolveConfig(hostLoads({})).approvesMcpsExplicitly, false)
    assert.equal(resolveConfig(hostLoads({ approveMcps: true })).approvesMcpsExplicitly, true)
    assert.equal(resolveConfig(hostLoads({})).approveMcps, true)
  })
})
