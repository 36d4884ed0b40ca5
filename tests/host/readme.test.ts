// The instructions of the READMEs, run from their text by a user's shell on the real host, in the
// order in which a user does them, the mistakes that they warn of included. `web` stands for the
// user's profile there; here it is `headless`, which needs no browser. What the two pins need of npm
// is not in this project's lock file, so that test alone is left out where no registry answers.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { textOf } from '../../scripts/docs.ts'
import { packageVersion, PACKAGE_NAME } from '../../src/doctor/own-package.ts'
import { examplesIn, shellLines, uncommented } from '../support/documents.ts'
import {
  assertHostSucceeded,
  copyCheckout,
  packPlugin,
  runHost,
  scratchDirectory,
  testPath,
  TOOL_NAME,
  type HostOptions,
} from '../support/dsh-host.ts'
import { makeHome, type TestHome } from '../support/install.ts'
import { allToolResults } from '../support/model-server.ts'
import { readStarts } from '../support/record.ts'
import { delegate, toolNames } from './scripted.ts'

const README = textOf('README.md')
const PONG = 'Reply with exactly: PONG'

const CONFIGURATION = textOf('docs/configuration.zh.md')

const linesWith = (word: string): string[] =>
  shellLines(README, '安装').filter((line) => line.includes(word))

const jsonIn = (text: string): string => /^```json\n([^]*?)^```$/m.exec(text)?.[1] ?? ''

const [COMPLETE = ''] = examplesIn(README)
const SECOND = examplesIn(CONFIGURATION).find((each) => each.includes('insert')) ?? ''

// Two users beside each other, since each waits a good deal for npm.
const BESIDE = { skip: process.platform === 'win32', concurrency: 2 }
const IN_ORDER = { concurrency: 1 }

describe('the READMEs, followed word by word', BESIDE, () => {
  let user: TestHome
  let dshHome = ''
  let checkout = ''
  let layer = ''

  before(async () => {
    user = await makeHome()
    dshHome = await scratchDirectory('dsh-home')
    checkout = await copyCheckout()
    layer = join(dshHome, 'profiles', 'headless', 'cordis.patch.yml')
  })
  after(() => user.cleanup())

  /** Types a line into the user's shell. */
  async function typed(
    line: string | undefined,
    { cwd = checkout, home = dshHome, env: more = {} as NodeJS.ProcessEnv } = {},
  ): Promise<{ output: string; ok: boolean }> {
    assert.ok(line, 'the README has such a line')
    const command = line.replace('--profile web', '--profile headless')
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      // pnpm keeps its settings and its store in the home of this machine's user.
      ...(/ doctor/.test(command) && user.env),
      PATH: testPath(),
      DSH_HOME: home,
      LC_ALL: 'en_US.UTF-8',
      npm_config_prefer_offline: 'true',
      ...more,
    }
    for (const name of ['NODE_TEST_CONTEXT', 'NODE_OPTIONS']) delete env[name]
    return new Promise((resolve) => {
      execFile('sh', ['-c', command], { cwd, env, timeout: 100_000 }, (error, ...texts) =>
        resolve({ output: texts.join('\n'), ok: error === null }),
      )
    })
  }

  const host = (options: Omit<HostOptions, 'home'>) =>
    runHost({ dshHome, ...options, home: { ...user, cleanup: () => Promise.resolve() } })

  /** Asserts that the plugin in a home delegates. */
  async function assertDelegates(options: Omit<HostOptions, 'script'>): Promise<void> {
    const outcome = await host({ ...options, script: [delegate(PONG), { text: 'done' }] })
    assertHostSucceeded(outcome)
    assert.deepEqual(
      allToolResults(outcome.requests).map(({ content }) => content),
      ['PONG'],
    )
  }

  describe('the tarball, from packing to removal', IN_ORDER, () => {
    test('pack, install from the tarball, then check', async () => {
      // `pnpm install` before it is what `npm test` has run in this checkout.
      const [pack] = linesWith('pnpm pack')
      const packed = await typed(pack)
      assert.ok(packed.ok, packed.output)
      const [install] = linesWith(' add ')
      const installed = await typed(install)
      assert.ok(installed.ok, installed.output)

      const [look, probe] = linesWith(' doctor')
      const looked = await typed(look, { cwd: dshHome })
      assert.ok(looked.ok, looked.output)
      const probed = await typed(probe)
      assert.ok(probed.ok, probed.output)
      assert.match(probed.output, /A run works/)
    })

    test('the complete file in the place of `[]`, and a second instance', async () => {
      const made = await readFile(layer, 'utf8')
      assert.match(made, /^\[\]$/m, 'the host has made the file with one `[]`')
      assert.ok(SECOND)
      const both = `${COMPLETE}${SECOND}`
      await writeFile(layer, made.replace(/^\[\]$/m, both))
      // As it is copied, on a machine that has no such variable.
      await assertDelegates({})

      assert.notEqual(uncommented(COMPLETE), COMPLETE)
      await writeFile(layer, made.replace(/^\[\]$/m, uncommented(both)))
      const outcome = await host({
        script: [delegate(PONG), delegate(PONG, 'subagent_cursor_ask'), { text: 'done' }],
        env: { CURSOR_API_KEY: 'key-of-the-user' },
      })
      assertHostSucceeded(outcome)
      // The key reaches doctor's runs as it does the host's.
      const [, probe] = linesWith(' doctor')
      const record = join(await scratchDirectory('probed'), 'record.jsonl')
      const key = { CURSOR_API_KEY: 'key-of-the-user', STANDIN_RECORD: record }
      const probed = await typed(probe, { env: key })
      assert.match(probed.output, /^ok +Profile/m)
      assert.doesNotMatch(probed.output, /key-of-the-user/)
      const runs = (await readStarts(record)).filter(({ argv }) => argv.includes('-p'))
      assert.deepEqual(
        runs.map(({ env }) => env['CURSOR_API_KEY']),
        ['key-of-the-user', undefined],
        'one row names the key, the other does not',
      )
      assert.deepEqual(
        toolNames(outcome.requests[0]).filter((name) => name.startsWith(TOOL_NAME)),
        [TOOL_NAME, 'subagent_cursor_ask'],
      )
      assert.deepEqual(
        allToolResults(outcome.requests).map(({ content }) => content),
        ['PONG', 'PONG'],
      )
      const [first, second] = outcome.starts
      assert.match(first?.argv.join(' ') ?? '', /--trust --model auto Reply/)
      assert.equal(first?.env['CURSOR_API_KEY'], 'key-of-the-user')
      assert.ok(first?.envNames.includes('NODE_EXTRA_CA_CERTS'))
      assert.match(second?.argv.join(' ') ?? '', /--mode ask/)
    })

    test('what breaks DSH, in the words that the READMEs give', async () => {
      const good = await readFile(layer, 'utf8')
      await writeFile(layer, `[]\n${COMPLETE}`)
      const above = await typed('dsh --profile web --dump-config')
      assert.ok(!above.ok)
      assert.match(above.output, /failed to parse overlay/)

      await writeFile(layer, `${COMPLETE}- id: subagent-cursor\n  config: { model: other }\n`)
      const twice = await typed('dsh --profile web --dump-config')
      assert.match(twice.output, /model: other/)
      assert.doesNotMatch(twice.output, /CURSOR_API_KEY/)
      await writeFile(layer, good)
    })

    test('remove: what was written first, then the package', async () => {
      const [remove] = linesWith(' remove ')
      const removed = await typed(remove)
      assert.ok(removed.ok, removed.output)
      const leftover = await host({ script: [] })
      assert.equal(leftover.code, 1, 'a leftover row keeps DSH from starting')
      assert.match(leftover.stderr, new RegExp(PACKAGE_NAME))

      await writeFile(layer, '# nothing is left\n')
      const empty = await host({ script: [] })
      assert.equal(empty.code, 1)
      assert.match(empty.stderr, /must be a top-level YAML array/)
      await writeFile(layer, '[]\n')
      const outcome = await host({ script: [{ text: 'done' }] })
      assertHostSucceeded(outcome)
      assert.ok(!toolNames(outcome.requests[0]).includes(TOOL_NAME))
    })
  })

  describe('the other ways', IN_ORDER, () => {
    test('install by hand', async () => {
      const home = await scratchDirectory('by-hand')
      const made = await typed('dsh --profile web --dump-config', { home })
      assert.ok(made.ok, made.output)
      const cwd = join(home, 'profiles', 'headless')
      await copyFile(await packPlugin(), join(cwd, `${PACKAGE_NAME}-${packageVersion()}.tgz`))
      const manifest = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8')) as object
      const written = { ...manifest, ...(JSON.parse(jsonIn(CONFIGURATION)) as object) }
      await writeFile(join(cwd, 'package.json'), JSON.stringify(written))
      const installed = await typed('pnpm install', { cwd, home })
      assert.ok(installed.ok, installed.output)
      await assertDelegates({ dshHome: home })
    })

    test('a link to the checkout', async () => {
      const home = await scratchDirectory('linked')
      const cwd = await copyCheckout()
      for (const line of shellLines(CONFIGURATION, '手动安装')) {
        const { ok, output } = await typed(line, { cwd, home })
        assert.ok(ok, output)
      }
      await assertDelegates({ dshHome: home })
    })

    test('the two pins', async (t) => {
      const cwd = await scratchDirectory('pinned')
      const home = await scratchDirectory('pinned-home')
      await writeFile(join(cwd, 'package.json'), jsonIn(README))
      const lines = shellLines(README, '准备工作').filter((line) => !line.includes('cursor'))
      const { ok, output } = await typed([...lines, 'cd /', 'command -v dsh'].join(' && '), { cwd })
      if (!ok && /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(output)) {
        t.skip('no registry answers')
        return
      }
      assert.ok(ok, output)
      assert.ok(output.includes(join(cwd, 'node_modules', '.bin', 'dsh')), output)
      const path = lines.find((line) => line.startsWith('export'))
      const add = `${path} && dsh plugin --profile web add ${await packPlugin()}`
      const added = await typed(add, { cwd, home })
      assert.ok(added.ok, added.output)
      await assertDelegates({ dshHome: home, installedIn: cwd })
    })
  })
})
