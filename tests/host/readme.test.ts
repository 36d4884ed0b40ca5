// The instructions of the READMEs, run from their text by a user's shell on the real host, in the
// order in which a user does them, the mistakes that they warn of included. `web` stands for the
// user's profile there; here it is `headless`, which needs no browser.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { textOf } from '../../scripts/docs.ts'
import { packageVersion, PACKAGE_NAME } from '../../src/doctor/own-package.ts'
import { examplesIn, shellLines } from '../support/documents.ts'
import {
  assertHostSucceeded,
  packPlugin,
  runHost,
  scratchDirectory,
  testPath,
  TOOL_NAME,
  type HostOptions,
} from '../support/dsh-host.ts'
import { makeHome, type TestHome } from '../support/install.ts'
import { allToolResults } from '../support/model-server.ts'
import { delegate, toolNames } from './scripted.ts'

const README = textOf('README.md')
const PONG = 'Reply with exactly: PONG'

const linesWith = (word: string): string[] =>
  shellLines(README, '安装').filter((line) => line.includes(word))

const [COMPLETE = ''] = examplesIn(README)
const SECOND = examplesIn(textOf('docs/configuration.zh.md')).find((each) => /insert/.test(each))

describe('the READMEs, followed word by word', { skip: process.platform === 'win32' }, () => {
  let user: TestHome
  let dshHome = ''
  let checkout = ''
  let layer = ''

  before(async () => {
    user = await makeHome()
    dshHome = await scratchDirectory('dsh-home')
    checkout = await scratchDirectory('checkout')
    layer = join(dshHome, 'profiles', 'headless', 'cordis.patch.yml')
  })
  after(() => user.cleanup())

  /** Types a line into the user's shell. */
  async function typed(line: string | undefined): Promise<{ output: string; ok: boolean }> {
    assert.ok(line, 'the README has such a line')
    const command = line.replace('--profile web', '--profile headless')
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      // pnpm keeps its settings and its store in the home of this machine's user.
      ...(/ doctor/.test(command) && user.env),
      PATH: testPath(),
      DSH_HOME: dshHome,
      LC_ALL: 'en_US.UTF-8',
      npm_config_prefer_offline: 'true',
    }
    for (const name of ['NODE_TEST_CONTEXT', 'NODE_OPTIONS']) delete env[name]
    return new Promise((resolve) => {
      execFile('sh', ['-c', command], { cwd: checkout, env, timeout: 60_000 }, (error, ...texts) =>
        resolve({ output: texts.join('\n'), ok: error === null }),
      )
    })
  }

  const host = (options: Omit<HostOptions, 'dshHome' | 'home'>) =>
    runHost({ ...options, dshHome, home: { ...user, cleanup: () => Promise.resolve() } })

  test('install from a tarball, then check', async () => {
    const [install] = linesWith(' add ./')
    const tarball = / add \.\/(\S+)/.exec(install ?? '')?.[1] ?? ''
    assert.equal(tarball, `${PACKAGE_NAME}-${packageVersion()}.tgz`, 'what `pnpm pack` writes')
    await copyFile(await packPlugin(), join(checkout, basename(tarball)))
    const installed = await typed(install)
    assert.ok(installed.ok, installed.output)

    const [look, probe] = linesWith(' doctor')
    const looked = await typed(look)
    assert.ok(looked.ok, looked.output)
    const probed = await typed(probe)
    assert.ok(probed.ok, probed.output)
    assert.match(probed.output, /A run works/)
  })

  test('the complete file in the place of `[]`, and a second instance', async () => {
    const made = await readFile(layer, 'utf8')
    assert.match(made, /^\[\]$/m, 'the host has made the file with one `[]`')
    assert.ok(SECOND)
    await writeFile(layer, made.replace(/^\[\]$/m, `${COMPLETE}${SECOND}`))
    const outcome = await host({
      script: [delegate(PONG), delegate(PONG, 'subagent_cursor_ask'), { text: 'done' }],
      env: { CURSOR_API_KEY: 'key-of-the-user' },
    })
    assertHostSucceeded(outcome)
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

    await writeFile(layer, '[]\n')
    const outcome = await host({ script: [{ text: 'done' }] })
    assertHostSucceeded(outcome)
    assert.ok(!toolNames(outcome.requests[0]).includes(TOOL_NAME))
  })
})
