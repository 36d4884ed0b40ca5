// doctor must work where no DSH is, so it has the host's rules of composing a profile once more. Here
// they are held to the host's own `--dump-config`, on profiles made by hand: nothing is booted.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test, type TestContext } from 'node:test'
import { parse } from 'yaml'
import { thisSystem } from '../../src/cursor/system.ts'
import { checkProfile } from '../../src/doctor/checks/profile.ts'
import { PACKAGE_NAME } from '../../src/doctor/own-package.ts'
import { readProfile } from '../../src/doctor/read-profile.ts'
import { shareModules } from '../support/dsh-host.ts'

const DSH = join(
  dirname(createRequire(import.meta.url).resolve('@deepseek-ai/dsh/package.json')),
  'lib',
  'bin.js',
)

interface Layers {
  /** `cordis.patch.yml` of the profile, and of the home. */
  readonly own?: string
  readonly home?: string
  readonly bundles?: readonly string[]
  /** Layers of further bundles, by package. */
  readonly others?: Readonly<Record<string, string>>
}

const ROW = 'id: subagent-cursor'
const second = (id: string, config: string): string =>
  `- insert: [{ id: ${id}, name: ${PACKAGE_NAME}, config: ${config} }]\n`

const profiles: Readonly<Record<string, Layers>> = {
  'nothing of the user': {},
  'a template that the host has written': { own: '# Your patch layer\n[]\n' },
  'a patch of the profile': { own: `- { ${ROW}, config: { permissionMode: ask, model: m } }\n` },
  'a patch of the home over it': {
    own: `- { ${ROW}, config: { permissionMode: yolo, env: { A: b } } }\n`,
    home: `- { ${ROW}, config: { permissionMode: ask } }\n`,
  },
  'one row patched twice': {
    own: `- { ${ROW}, config: { env: { A: b } } }\n- { ${ROW}, config: { model: m } }\n`,
  },
  'rows in both layers': { own: second('two', '{ toolName: t }'), home: second('three', '{}') },
  'a row of the profile, patched in the home': {
    own: second('two', '{ toolName: t }'),
    home: '- { id: two, disabled: true, config: { model: m } }\n',
  },
  'groups, one of them disabled': {
    own: `
- insert:
    - { id: on, group: true, config: [{ id: in, name: ${PACKAGE_NAME} }] }
    - { id: off, group: true, disabled: true, config: [{ id: out, name: ${PACKAGE_NAME} }] }
- { id: on, insert: [{ id: late, name: ${PACKAGE_NAME}, config: { model: m } }] }
- { id: in, config: { permissionMode: plan } }
- { id: nothing, insert: [{ id: lost, name: ${PACKAGE_NAME} }] }
- { id: subagent-cursor, insert: [{ id: lost-too, name: ${PACKAGE_NAME} }] }
`,
  },
  'a group whose content is replaced': {
    own: `
- insert: [{ id: g, group: true, config: [{ id: in, name: ${PACKAGE_NAME} }] }]
- { id: g, config: [{ id: new, name: ${PACKAGE_NAME}, config: { model: m } }] }
- { id: new, config: { model: unseen } }
`,
  },
  'names that fit and names that do not': {
    own: `
- { ${ROW}, name: ${PACKAGE_NAME}, config: { model: a } }
- { ${ROW}, name: another, config: { model: b } }
- { config: { model: c } }
`,
  },
  'expressions, anchors and merge keys': {
    own: `
- insert: [{ id: base, name: another, config: &base { permissionMode: ask, model: m } }]
- { ${ROW}, config: { <<: *base, model: !!js process.env.M, extraArgs: [!!js process.env.M, !!js "'x'"], env: { A: !!js "'x'", B: yes } } }
- insert: [{ id: two, name: ${PACKAGE_NAME}, disabled: !!js true, config: *base }]
`,
  },
  'other values than text': {
    own: `- { ${ROW}, config: { timeoutMs: 0x10, extraArgs: [1, ~, on, 2026-01-01], model: ~ } }\n`,
  },
  'numbers as the host spells them': {
    own: `- { ${ROW}, config: { timeoutMs: 60_000, extraArgs: [0o17, 017, +1, -1, 1e3, .5, 1., 1_0.5_0, .inf, -.INF, .NaN, True, FALSE, Null, _1, 1_, 0x_f] } }\n`,
  },
  'a layer of another bundle': {
    bundles: ['@deepseek-ai/dsh-base', PACKAGE_NAME, 'house-rules'],
    others: { 'house-rules': `- { ${ROW}, config: { permissionMode: plan } }\n` },
  },
  'a bundle before the one that it patches': {
    bundles: ['house-rules', PACKAGE_NAME],
    others: { 'house-rules': `- { ${ROW}, config: { permissionMode: plan } }\n` },
  },
  'a home layer that is empty': { home: '[]\n', own: '' },
  'rows below the template': { own: `[]\n- { ${ROW}, config: { model: m } }\n` },
  'a list that holds more than maps': { own: `- ${ROW}\n- text\n` },
  'a key twice': { own: `- { ${ROW}, config: { model: a, model: b } }\n` },
  'a tag that nobody knows': { home: `- { ${ROW}, config: !!python x }\n` },
  'a bundle that is gone': { bundles: [PACKAGE_NAME, 'house-rules'] },
}

/** A home in which the host has made its links to its own packages. */
const first = await mkdtemp(join(tmpdir(), 'dsh-profiles-'))
after(() => rm(first, { recursive: true, force: true }))

async function homeOf(t: TestContext, layers: Layers): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'dsh-profiles-'))
  t.after(() => rm(home, { recursive: true, force: true }))
  const { bundles = ['@deepseek-ai/dsh-base', PACKAGE_NAME], others = {} } = layers
  const profile = join(home, 'profiles', 'web')
  const layerOf = {
    [PACKAGE_NAME]: `- insert: [{ ${ROW}, name: ${PACKAGE_NAME} }]\n`,
    ...others,
  }
  for (const [name, layer] of Object.entries(layerOf)) {
    const directory = join(profile, 'node_modules', name)
    const manifest = { name, version: '0.1.1', dsh: { bundle: { patch: './layer.yml' } } }
    await mkdir(join(directory, 'lib'), { recursive: true })
    await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(directory, 'layer.yml'), layer)
    await writeFile(join(directory, 'lib', 'index.js'), '')
  }
  await shareModules(first, home)
  const manifest = { dependencies: { [PACKAGE_NAME]: '0.1.1' }, dsh: { profile: { bundles } } }
  await writeFile(join(profile, 'package.json'), JSON.stringify(manifest))
  if (layers.own !== undefined) await writeFile(join(profile, 'cordis.patch.yml'), layers.own)
  if (layers.home !== undefined) await writeFile(join(home, 'cordis.patch.yml'), layers.home)
  return home
}

interface Row {
  readonly id: unknown
  readonly enabled: boolean
  readonly config: unknown
}

/** A `!!js` value in the dump that doctor leaves out; a variable is read, and none is set here. */
const LEFT_OUT = Symbol('expression')

function withoutExpressions(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => item !== LEFT_OUT).map(withoutExpressions)
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const entries = Object.entries(value).filter(([, item]) => item !== LEFT_OUT)
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutExpressions(item)]))
}

/** The plugin's rows in what the host prints. */
function rowsIn(entries: readonly Record<string, unknown>[], groupEnabled = true): Row[] {
  return entries.flatMap(({ id, name, group, disabled, config }) => {
    const enabled = groupEnabled && (disabled === LEFT_OUT || !disabled)
    if (group) return rowsIn((config ?? []) as Record<string, unknown>[], enabled)
    return name === PACKAGE_NAME ? [{ id, enabled, config: withoutExpressions(config ?? {}) }] : []
  })
}

async function dumped(home: string): Promise<readonly Row[] | undefined> {
  const child = spawn(process.execPath, [DSH, '--profile', 'web', '--dump-config'], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, DSH_HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, code] = await Promise.all([text(child.stdout), closed])
  if (code !== 0) return undefined
  const resolve = (source: string): unknown =>
    /^process\.env\.\w+$/.test(source) ? undefined : LEFT_OUT
  const customTags = [{ tag: 'tag:yaml.org,2002:js', resolve }]
  return rowsIn(parse(stdout, { customTags: customTags as never, schema: 'core' }) as never)
}

describe('doctor reads a profile as the host composes it', { concurrency: 2 }, () => {
  before(() => dumped(first))

  for (const [what, layers] of Object.entries(profiles)) {
    test(what, async (t) => {
      const home = await homeOf(t, layers)
      const system = { ...thisSystem(), home, env: { DSH_HOME: home } }
      const host = await dumped(home)
      const reading = readProfile(system, 'web')
      if (host === undefined) {
        const { findings } = checkProfile(system, reading)
        assert.deepEqual(
          findings.map(({ state, nextStep }) => [
            state,
            /DSH does not start/.test(`${nextStep?.en}`),
          ]),
          [['failed', true]],
        )
        return
      }
      assert.deepEqual(reading.problems, [])
      assert.deepEqual(
        reading.rows.map(({ id, enabled, config }) => ({ id, enabled, config })),
        host,
      )
      assert.ok(host.length > 0)
    })
  }
})
