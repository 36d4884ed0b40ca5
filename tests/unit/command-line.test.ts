// The command line of one run: every `argv` case, what becomes of a prompt, and the length that
// each platform takes, to the unit. Real children are started in tests/process and tests/windows.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { childEnvironment } from '../../src/cursor/child-env.ts'
import {
  assertFitsCommandLine,
  assertUsablePrompt,
  buildArgv,
  LINUX_ARGUMENT_BYTES,
  MACOS_LINE_BYTES,
  quotedForWindows,
  WINDOWS_LINE_UNITS,
} from '../../src/cursor/command-line.ts'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import { extraArgsNotes } from '../../src/cursor/extra-args.ts'
import { CursorStartError } from '../../src/cursor/start-error.ts'
import {
  PERMISSION_MODE_NAMES,
  permissionArgs,
  runsOn,
  type PermissionModeName,
} from '../../src/cursor/permission-modes.ts'
import type { System } from '../../src/cursor/system.ts'
import { argvCases, type ArgvCase } from '../support/cases.ts'
import { STAND_IN } from '../support/install.ts'
import { inMemory } from '../support/layouts.ts'
import { PONG, refusal } from '../support/refusal.ts'
import { HOSTILE_PROMPTS } from '../windows/prompts.ts'
import { splitCommandLine } from '../windows/windows-argv.ts'

const { parseCommandLine } = createRequire(import.meta.url)(STAND_IN) as {
  parseCommandLine(argv: readonly string[]): { readonly action: string; readonly prompt: string }
}

const FRONT = ['-p', '--output-format', 'stream-json', '--trust']

const argvOf = (prompt: string, config: Config = {}): string[] =>
  buildArgv(resolveConfig(config), prompt)

/** What the CLI's parser makes of a prompt on the default command line. */
function received(prompt: string): { readonly action: string; readonly prompt: string } {
  const { action, prompt: understood } = parseCommandLine(argvOf(prompt))
  return { action, prompt: understood }
}

type Platform = 'linux' | 'darwin' | 'win32'

/** A machine with one install, and no process on it. */
function machine(platform: Platform): System {
  const home = platform === 'win32' ? 'C:\\Users\\u\\AppData\\Local' : '~/.local/share'
  const files = [`${home}/cursor-agent/{index.js,node,node.exe}`]
  return inMemory({ platform, files }).system
}

function windowsLine(argv: readonly string[]): string {
  return argv.map(quotedForWindows).join(' ')
}

function assertAsWritten({ prompt }: ArgvCase): void {
  assert.equal(argvOf(prompt).at(-1), prompt)
  assert.deepEqual(received(prompt), { action: 'run', prompt })
  assert.deepEqual(splitCommandLine(windowsLine(['x', ...argvOf(prompt)])), [
    'x',
    ...argvOf(prompt),
  ])
}
function assertOneSpaceInFront({ prompt }: ArgvCase): void {
  assert.equal(argvOf(prompt).at(-1), ` ${prompt}`)
  assert.deepEqual(received(prompt), { action: 'run', prompt: ` ${prompt}` })
}

describe('the argv cases', () => {
  const CHECKS: Readonly<Record<string, (item: ArgvCase) => void | Promise<void>>> = {
    'argv-order': ({ prompt }) => {
      const config: Config = {
        model: 'auto',
        permissionMode: 'plan',
        extraArgs: ['--header', 'a: b', '--x'],
      }
      assert.deepEqual(argvOf(prompt, config), [
        ...FRONT,
        '--model',
        'auto',
        '--mode',
        'plan',
        '--approve-mcps',
        '--header',
        'a: b',
        '--x',
        prompt,
      ])
    },
    'argv-dashdash-prompt': assertOneSpaceInFront,
    'argv-list-prompt': assertOneSpaceInFront,
    'argv-dash-only': assertOneSpaceInFront,
    'argv-quotes-win': assertAsWritten,
    'argv-percent-win': assertAsWritten,
    'argv-newlines': assertAsWritten,
    'argv-unicode-win': assertAsWritten,
    'argv-empty': async ({ prompt }) => {
      for (const platform of ['linux', 'darwin', 'win32'] as const) {
        const error = await refusal({ system: machine(platform), prompt })
        assert.equal(error.category, 'prompt-rejected')
        assert.match(error.message, /empty/)
      }
    },
    'argv-40k-windows': async ({ prompt }) => {
      const error = await refusal({ system: machine('win32'), prompt })
      assert.equal(error.category, 'prompt-rejected')
      assert.match(error.message, /too long/)
      assert.match(error.message, /32766/)
      assert.match(error.message, /file in the workspace/)
      assert.doesNotMatch(error.message, /ENAMETOOLONG|xxxx/)
    },
    'argv-help-word': assertOneSpaceInFront,
    'argv-model-brackets': ({ prompt, model }) => {
      assert.ok(model)
      const argv = argvOf(prompt, { model })
      assert.deepEqual(argv.slice(4, 6), ['--model', model])
    },
    'argv-sandbox-with-force': ({ prompt }) => {
      for (const permissionMode of PERMISSION_MODE_NAMES) {
        const argv = argvOf(prompt, { permissionMode })
        assert.ok(!(argv.includes('--sandbox') && argv.includes('--force')), permissionMode)
      }
      // What a person adds is passed, and told at load.
      for (const flag of ['--force', '-f', '--yolo']) {
        const config = resolveConfig({ permissionMode: 'safe', extraArgs: [flag] })
        assert.match(extraArgsNotes(config).join(), /can do more than its mode says/)
      }
    },
    'argv-env-node-options': ({ env }) => {
      const system = { ...machine('linux'), env: env ?? {} }
      const child = childEnvironment(system, {}, 'bundled-node')
      assert.ok('NODE_OPTIONS' in child, 'the inherited one is not removed')
      assert.equal(child['NODE_OPTIONS'], undefined)
    },
    // The launcher is the program where there is one, and it passes the flag: see find-cli.test.ts
    // and tests/process. Without it the flag is left out, since old bundled Nodes refuse it.
    'argv-system-ca': ({ prompt }) => {
      assert.deepEqual(argvOf(prompt), [...FRONT, '--approve-mcps', ` ${prompt}`])
    },
  }

  test('each case has a check here', () => {
    assert.deepEqual(argvCases.map(({ id }) => id).toSorted(), Object.keys(CHECKS).toSorted())
  })

  for (const item of argvCases) {
    test(`${item.id}: ${item.why}`, () => CHECKS[item.id]?.(item))
  }
})

describe('the arguments', () => {
  test('the default configuration gives exactly the documented line', () => {
    assert.deepEqual(argvOf(PONG), [...FRONT, '--approve-mcps', PONG])
  })

  const MODES = {
    trust: [],
    safe: ['--sandbox', 'enabled'],
    yolo: ['--force'],
    plan: ['--mode', 'plan'],
    ask: ['--mode', 'ask'],
  } satisfies Record<PermissionModeName, readonly string[]>
  for (const [mode, flags] of Object.entries(MODES)) {
    test(`mode ${mode} adds ${flags.join(' ') || 'nothing'}`, () => {
      const permissionMode = mode as PermissionModeName
      assert.deepEqual(permissionArgs(permissionMode), flags)
      const argv = argvOf('two words', { permissionMode, approveMcps: false })
      assert.deepEqual(argv, [...FRONT, ...flags, 'two words'])
    })
  }

  test('only safe is bound to a platform: it is refused on Windows, before any process', async () => {
    for (const mode of PERMISSION_MODE_NAMES) {
      assert.equal(runsOn(mode, 'win32'), mode !== 'safe')
      assert.ok(runsOn(mode, 'linux') && runsOn(mode, 'darwin'))
    }
    const config = { permissionMode: 'safe' } as const
    const error = await refusal({ system: machine('win32'), prompt: 'two words', config })
    assert.equal(error.category, 'unsupported-platform')
    for (const other of PERMISSION_MODE_NAMES) assert.match(error.message, new RegExp(other))
  })

  test('extraArgs stand before the prompt, verbatim and in order, whatever they are', () => {
    const extraArgs = ['--', '-p', '', '--x=y z', 'word', '--x']
    assert.deepEqual(argvOf('two words', { extraArgs }).slice(-7), [...extraArgs, 'two words'])
  })

  test('approveMcps is independent of the mode', () => {
    for (const permissionMode of PERMISSION_MODE_NAMES) {
      assert.ok(argvOf('two words', { permissionMode }).includes('--approve-mcps'))
      const without = argvOf('two words', { permissionMode, approveMcps: false })
      assert.ok(!without.includes('--approve-mcps'))
    }
  })
})

describe('the prompt', () => {
  for (const [name, prompt] of Object.entries(HOSTILE_PROMPTS)) {
    test(`passes as written, as one argument: ${name}`, () => {
      assert.deepEqual(argvOf(prompt), [...FRONT, '--approve-mcps', prompt])
      assert.deepEqual(received(prompt), { action: 'run', prompt })
    })
  }

  test("a subcommand's name, an option or any bare word is given as a prompt", () => {
    const words = ['status', 'login', 'logout', 'update', 'models', 'help', 'agent', 'mcp', 'ls']
    const options = ['--force', '-f', '--help', '-v', '--version', '--', '-', '--model=x', '-p\nx']
    for (const prompt of [...words, ...options, '修复', '🚀', '\u200B', 'a.b']) {
      assert.equal(argvOf(prompt).at(-1), ` ${prompt}`)
      assert.deepEqual(received(prompt), { action: 'run', prompt: ` ${prompt}` })
    }
  })

  test('any text reaches the CLI as a prompt and never as an option or a subcommand', () => {
    const word = fc.oneof(
      fc.constantFrom('-', '--', '-f', '--force', 'logout', 'update', ' ', '\n', '\t', '=', '"'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    )
    const prompts = fc
      .array(word, { minLength: 1, maxLength: 6 })
      .map((words) => words.join(''))
      .filter((prompt) => prompt.trim() !== '' && !prompt.includes('\0'))
    fc.assert(
      fc.property(prompts, (prompt) => {
        const argv = argvOf(prompt)
        assert.deepEqual(argv.slice(0, -1), [...FRONT, '--approve-mcps'])
        const given = argv.at(-1) ?? ''
        assert.ok(given === prompt || given === ` ${prompt}`)
        assert.deepEqual(received(prompt), { action: 'run', prompt: given })
      }),
    )
  })

  test('nothing but white space is refused, of any kind', () => {
    for (const prompt of ['', ' ', '\n', '\t\r\n', '\u00A0\u2003\u3000', '\uFEFF']) {
      assert.throws(() => assertUsablePrompt(prompt), { category: 'prompt-rejected' })
    }
    assert.doesNotThrow(() => assertUsablePrompt(' x '))
  })

  test('a NUL character is refused, wherever it stands, and its text is not shown', () => {
    for (const prompt of ['\0 secret', 'a secret\0b', 'a secret\0']) {
      assert.throws(
        () => assertUsablePrompt(prompt),
        (error) => {
          assert.ok(error instanceof CursorStartError)
          assert.equal(error.category, 'prompt-rejected')
          assert.match(error.message, /NUL/)
          assert.doesNotMatch(error.message, /secret/)
          return true
        },
      )
    }
  })
})

describe("Windows' quoting", () => {
  test('an argument is quoted only when it must be', () => {
    const QUOTED = {
      '': '""',
      plain: 'plain',
      'a b': '"a b"',
      'a\tb': '"a\tb"',
      'a\nb': 'a\nb',
      'C:\\x\\': 'C:\\x\\',
      'C:\\x y\\': '"C:\\x y\\\\"',
      'a"b': '"a\\"b"',
      'a\\"b': '"a\\\\\\"b"',
      'a\\\\"b': '"a\\\\\\\\\\"b"',
      '"': '"\\""',
      '\\': '\\',
      '\\ ': '"\\ "',
      ' \\': '" \\\\"',
    }
    for (const [argument, quoted] of Object.entries(QUOTED)) {
      assert.equal(quotedForWindows(argument), quoted)
    }
  })

  test('the reference parser follows the documented examples', () => {
    const EXAMPLES = {
      '"a b c" d e': ['a b c', 'd', 'e'],
      '"ab\\"c" "\\\\" d': ['ab"c', '\\', 'd'],
      'a\\\\\\b d"e f"g h': ['a\\\\\\b', 'de fg', 'h'],
      'a\\\\\\"b c d': ['a\\"b', 'c', 'd'],
      'a\\\\\\\\"b c" d e': ['a\\\\b c', 'd', 'e'],
      'a"b"" c d': ['ab" c d'],
    }
    for (const [line, argv] of Object.entries(EXAMPLES)) {
      assert.deepEqual(splitCommandLine(`x ${line}`), ['x', ...argv])
    }
    assert.deepEqual(splitCommandLine('"C:\\a b\\" c'), ['C:\\a b\\', 'c'])
  })

  test('whatever is joined is split into the same arguments', () => {
    const argument = fc.oneof(
      fc.string({
        unit: fc.constantFrom('"', '\\', ' ', '\t', '\n', 'a', '%', '^'),
        maxLength: 12,
      }),
      fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\0', '')),
      fc.constantFrom(...Object.values(HOSTILE_PROMPTS)),
    )
    const program = fc.constantFrom('C:\\x\\node.exe', 'C:\\张 三\\node.exe')
    fc.assert(
      fc.property(program, fc.array(argument, { maxLength: 5 }), (first, rest) => {
        assert.deepEqual(splitCommandLine(windowsLine([first, ...rest])), [first, ...rest])
      }),
      { numRuns: 1000 },
    )
  })
})

function fits(platform: NodeJS.Platform, argv: readonly string[]): boolean {
  try {
    assertFitsCommandLine(platform, argv)
    return true
  } catch (error) {
    assert.ok(error instanceof CursorStartError)
    assert.equal(error.category, 'prompt-rejected')
    return false
  }
}

describe('the length of the command line', () => {
  const program = ['C:\\Users\\张 三\\node.exe', 'C:\\Users\\张 三\\index.js']

  /** `piece` repeated to the longest prompt that fits on Windows, by the rules and not by trying. */
  const PIECES = {
    'plain words': { piece: 'ab c', units: 4 },
    quotes: { piece: 'a" b', units: 5 },
    'backslashes before quotes': { piece: 'a \\"', units: 6 },
    'backslashes that stay': { piece: 'a \\b', units: 4 },
    emoji: { piece: '🚀 ', units: 3 },
    Chinese: { piece: '总 结', units: 3 },
  }
  for (const [name, { piece, units }] of Object.entries(PIECES)) {
    test(`Windows takes 32,766 UTF-16 units and not one more, with ${name}`, () => {
      const front = [...program, ...FRONT, '--approve-mcps']
      // The front with blanks between, one blank before the prompt, and its two quotes.
      const quotes = 2 * program.length
      const used = front.join(' ').length + quotes + 1 + 2
      const times = Math.floor((32_766 - used) / units)
      const rest = 'x'.repeat(32_766 - used - times * units)
      const prompt = piece.repeat(times) + rest
      assert.ok(fits('win32', [...front, prompt]))
      assert.ok(!fits('win32', [...front, `${prompt}x`]))
      assert.deepEqual(splitCommandLine(windowsLine([...front, prompt])), [...front, prompt])
    })
  }

  test('a backslash at the end of a quoted prompt counts twice', () => {
    const used = program.join(' ').length + 4 + 1 + 2
    const room = 32_766 - used
    assert.ok(fits('win32', [...program, ` ${'x'.repeat(room - 3)}\\`]))
    assert.ok(!fits('win32', [...program, ` ${'x'.repeat(room - 2)}\\`]))
  })

  test('Linux takes 131,071 bytes and the terminator in one argument and not one more', () => {
    assert.ok(fits('linux', ['node', 'x'.repeat(131_071)]))
    assert.ok(!fits('linux', ['node', 'x'.repeat(131_072)]))
    // Three bytes each.
    assert.ok(fits('linux', ['node', '总'.repeat(43_690) + 'x']))
    assert.ok(!fits('linux', ['node', '总'.repeat(43_690) + 'xx']))
    // Four bytes each.
    assert.ok(fits('linux', ['node', '🚀'.repeat(32_767) + 'xxx']))
    assert.ok(!fits('linux', ['node', '🚀'.repeat(32_768)]))
    // Not the line: several long ones fit.
    assert.ok(fits('linux', ['node', 'x'.repeat(100_000), 'y'.repeat(100_000)]))
  })

  test('macOS takes 460,000 bytes of arguments with their terminators and not one more', () => {
    const front = ['node', 'index.js']
    const room = 460_000 - 'node\0index.js\0'.length - 1
    assert.ok(fits('darwin', [...front, 'x'.repeat(room)]))
    assert.ok(!fits('darwin', [...front, 'x'.repeat(room + 1)]))
    const thirds = Math.floor(room / 3)
    assert.ok(fits('darwin', [...front, '总'.repeat(thirds)]))
    assert.ok(!fits('darwin', [...front, '总'.repeat(thirds + 1)]))
  })

  test('a start refuses what is too long with size, limit and advice, and shows no text of it', async () => {
    const limits = {
      win32: WINDOWS_LINE_UNITS,
      linux: LINUX_ARGUMENT_BYTES,
      darwin: MACOS_LINE_BYTES,
    }
    for (const platform of ['win32', 'linux', 'darwin'] as const) {
      const prompt = 'secret '.repeat(70_000)
      const { category, message } = await refusal({ system: machine(platform), prompt })
      assert.equal(category, 'prompt-rejected')
      const [size, limit] = /(\d+) [^,]*, and the limit is (\d+)/.exec(message)?.slice(1) ?? []
      assert.equal(Number(limit), limits[platform])
      assert.ok(Number(size) > Number(limit))
      assert.match(message, /file in the workspace/)
      assert.doesNotMatch(message, /secret/)
    }
  })

  test('the space in front of a bare word counts', async () => {
    const prompt = 'x'.repeat(131_071)
    assert.ok(fits('linux', ['node', prompt]))
    const error = await refusal({ system: machine('linux'), prompt })
    assert.match(error.message, /131073/)
  })
})
