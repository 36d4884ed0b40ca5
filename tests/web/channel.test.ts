// The channel behind the settings card's buttons: who may ask, what is never told, and that what
// nobody waits for is stopped. A test run costs quota, so another site must not be able to start it.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { fileText, isAlive, until } from '../support/processes.ts'
import type { CliReport } from '../../src/web/protocol.ts'
import { theBrowser } from './support/browser.ts'
import { ROW, stageHost } from './support/stage.ts'
import { callHost, TRUSTED_HOST, type WebHost } from './support/web-host.ts'

const CHANNEL = '/subagent-cursor'
const BODY = JSON.stringify({
  type: 'client-request',
  rpcId: 'test',
  method: 'probe',
  payload: {},
})

function ask(host: WebHost, endpoint: string, signal?: AbortSignal): Promise<CliReport> {
  const options = { channel: CHANNEL, ...(signal === undefined ? {} : { signal }) }
  return callHost(host.url, endpoint, {}, options) as Promise<CliReport>
}

/** Sends what no browser's script may: any header. */
async function statusOf(
  address: string,
  method: string,
  headers: Readonly<Record<string, string>> | undefined,
): Promise<number | undefined> {
  const asked = request(address, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
  })
  asked.end(method === 'GET' ? undefined : BODY)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

/** Makes the test run replay a case; returns the file that holds its pid once it runs. */
async function replayInProbe(host: WebHost, name: string, item: object): Promise<string> {
  const file = host.file(`${name}.json`)
  await writeFile(file, JSON.stringify({ readyFile: host.file(name), ...item }))
  await host.reconfigure({ ...ROW, env: { STANDIN_CASE: file } })
  return host.file(name)
}

it('no call to the host raises a right above the row', async (t) => {
  // As the delegating model's own shell could call it.
  const host = await stageHost(t)
  await host.reconfigure({ ...ROW, permissionMode: 'ask', approveMcps: false })
  const set = (field: string, value: unknown): Promise<unknown> =>
    callHost(host.url, 'settings.mutate', {
      ns: 'subagent-cursor',
      ops: [{ op: 'set', path: [field], value }],
    })
  for (const mode of ['yolo', 'trust', 'safe']) {
    await assert.rejects(
      set('permissionMode', mode),
      /at most permissionMode ask.*cordis.patch.yml/,
    )
  }
  await assert.rejects(set('approveMcps', true), /approveMcps: false/)
  await set('permissionMode', 'plan')
  await host.resetSettings()
})

describe("the channel of the settings card's buttons", () => {
  const REFUSED: readonly (readonly [
    what: string,
    status: number,
    options: { readonly method?: string; readonly headers?: Record<string, string> },
  ])[] = [
    ['another origin', 403, { headers: { origin: 'http://example.com' } }],
    ['another port of this machine', 403, { headers: { origin: 'http://127.0.0.1:1' } }],
    ['a sandboxed frame or a file', 403, { headers: { origin: 'null' } }],
    [
      'a cross-site request without an origin',
      403,
      { headers: { 'sec-fetch-site': 'cross-site' } },
    ],
    ['a name that was bound to this address', 403, { headers: { host: 'rebound.example.com' } }],
    ['a user of the page elsewhere on the network', 403, { headers: { host: TRUSTED_HOST } }],
    ['a form', 415, { headers: { 'content-type': 'text/plain' } }],
    ['a link', 404, { method: 'GET' }],
  ]
  it('refuses whoever is not the page itself, and starts nothing for them', async (t) => {
    const host = await stageHost(t)
    const known = (await host.starts()).length
    for (const [what, status, { method = 'POST', headers }] of REFUSED) {
      const address = `${host.url}${CHANNEL}/probe`
      assert.equal(await statusOf(address, method, headers), status, what)
    }
    // The same name is let in where the host lets others of the network in.
    const page = `${host.url}/api/workspace.create`
    assert.notEqual(await statusOf(page, 'POST', { host: TRUSTED_HOST }), 403)
    await assert.rejects(ask(host, 'run'), /no endpoint run/)
    assert.equal((await host.starts()).length, known)
  })

  it('is out of reach for a page of another site in the same browser', async (t) => {
    const host = await stageHost(t)
    const known = (await host.starts()).length
    const site = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>another site</title>')
    }).listen(0, '127.0.0.1')
    t.after(() => site.close())
    await once(site, 'listening')
    const context = await (await theBrowser()).newContext()
    t.after(() => context.close())
    const page = await context.newPage()
    const answers: number[] = []
    page.on('response', (response) => {
      if (response.url().startsWith(host.url)) answers.push(response.status())
    })
    for (const name of ['localhost', '127.0.0.1']) {
      await page.goto(`http://${name}:${(site.address() as AddressInfo).port}`)
      // Everything that a page can send: with and without leave, and as a form.
      const outcomes = await page.evaluate(
        async ([url, body]) => {
          const headers = { 'content-type': 'application/json' }
          const tries = await Promise.allSettled([
            fetch(url, { method: 'POST', headers, body }),
            fetch(url, { method: 'POST', body }),
            fetch(url, { method: 'POST', body, mode: 'no-cors' }),
          ])
          return tries.map((outcome) => outcome.status === 'fulfilled' && outcome.value.type)
        },
        [`${host.url}${CHANNEL}/probe`, BODY] as const,
      )
      // An opaque answer is one that the page cannot read.
      assert.deepEqual(outcomes, [false, false, 'opaque'])
      await page.setContent(
        `<form method="post" enctype="text/plain" action="${host.url}${CHANNEL}/probe">` +
          `<input name='{"type":"client-request","x":"' value='"}'></form>`,
      )
      await page.evaluate('document.forms[0].submit()')
      await page.waitForURL(`${host.url}${CHANNEL}/probe`)
    }
    assert.ok(answers.length > 0 && answers.every((status) => status === 403), String(answers))
    assert.equal((await host.starts()).length, known, 'no CLI was started')
  })

  it('tells no value of the environment, no address and no home directory', async (t) => {
    const secrets = ['key_0123456789abcdef', 'hunter2-hunter2', 'someone@example.com']
    const [key = '', password = ''] = secrets
    const host = await stageHost(t, {
      ...ROW,
      env: {
        CURSOR_API_KEY: key,
        DATABASE_PASSWORD: password,
        STANDIN_STATUS: `the answer of a build to come, with ${key} for someone@example.com`,
        STANDIN_MODELS: `Available models\n\ngpt-5 - GPT-5 of ${password}\n`,
      },
    })
    const report = await ask(host, 'probe')
    assert.equal(report.login.kind, 'login-proven')
    assert.equal(report.probe?.state, 'passed')
    const served = [
      JSON.stringify(report),
      JSON.stringify(await callHost(host.url, 'settings.describe', {})),
      await (await fetch(host.url)).text(),
    ].join('\n')
    for (const secret of [...secrets, host.home.home]) {
      assert.ok(!served.includes(secret), `${secret} is not served`)
    }
    assert.match(served, /~\/\.local\/share\/cursor-agent/)
  })

  it('gives two who ask at once one test run, and keeps it for the second', async (t) => {
    const host = await stageHost(t)
    const result = JSON.stringify({ type: 'result', subtype: 'success', result: 'PONG' })
    const ready = await replayInProbe(host, 'shared', {
      waitForFile: host.file('shared-end'),
      stdout: [result],
      exit: 0,
    })
    const known = (await host.starts()).length
    const first = new AbortController()
    const answers = [ask(host, 'probe', first.signal), ask(host, 'probe')] as const
    const refused = assert.rejects(answers[0], { name: 'AbortError' })
    await fileText(ready)
    first.abort()
    await refused
    await host.touch('shared-end')
    assert.equal((await answers[1]).probe?.state, 'passed')
    const runs = (await host.starts()).slice(known).filter(({ action }) => action === 'run')
    assert.equal(runs.length, 1)
  })

  it('stops a test run that nobody waits for any more, and starts a new one after it', async (t) => {
    const host = await stageHost(t)
    const ready = await replayInProbe(host, 'left', { hang: true })
    const gone = new AbortController()
    const refused = assert.rejects(ask(host, 'probe', gone.signal), { name: 'AbortError' })
    const pid = Number(await fileText(ready))
    gone.abort()
    await refused
    await until(() => !isAlive(pid), { what: 'the CLI is gone' })
    await host.reconfigure(ROW)
    assert.equal((await ask(host, 'probe')).probe?.state, 'passed')
  })

  it('stops a test run when the plugin is taken away', async (t) => {
    const host = await stageHost(t)
    const ready = await replayInProbe(host, 'reloaded', { hang: true })
    const answer = ask(host, 'probe').then(
      () => 'answered',
      () => 'refused',
    )
    const pid = Number(await fileText(ready))
    await host.reconfigure(ROW)
    await until(() => !isAlive(pid), { what: 'the CLI is gone' })
    assert.equal(await answer, 'refused')
  })
})
