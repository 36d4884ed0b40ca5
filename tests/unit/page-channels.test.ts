// The host half of the page's channels, on hosts of each kind: who is let in where the host can hold a
// channel to this machine, nothing where it cannot, and one channel for all instances.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Context, Service } from '@deepseek-ai/cordis'
import { serveChannel } from '../../src/web/channels.ts'
import { joinPage, type Instance } from '../../src/web/instances.ts'
import { PAGE_CHANNEL, type RpcResult, type RunView } from '../../src/web/protocol.ts'

type Handler = (endpoint: string, payload: unknown, signal: AbortSignal) => Promise<RpcResult>

/** A service like the host's own: each plugin that asks for it gets a view of its own. */
class WebServer extends Service {
  readonly host: string | undefined

  constructor(ctx: Context, listensOn: string | undefined) {
    super(ctx, 'webServer')
    this.host = listensOn
  }
}

/** A host's connection and server, as far as the channels use them; a taken channel throws. */
function host({
  options,
  remote,
  listensOn,
}: {
  options: boolean
  remote?: boolean
  listensOn?: string
}) {
  const served = new Map<string, { handler: Handler; authority: unknown }>()
  const add = (channel: string, handler: Handler, authority?: unknown): (() => Promise<void>) => {
    if (served.has(channel)) throw new Error(`${channel} is taken`)
    served.set(channel, { handler, authority })
    return async () => void served.delete(channel)
  }
  const ctx = new Context()
  ctx.reflect.provide('connection', {
    ...(remote !== undefined && { allowsRemoteAuthorities: remote }),
    rpc: {
      handle: options
        ? (channel: string, handler: Handler, { authority }: { authority: string }) =>
            add(channel, handler, authority)
        : (channel: string, handler: Handler) => add(channel, handler),
    },
  })
  const server = new WebServer(ctx, listensOn)
  const ask = async (
    channel: string,
    endpoint: string,
    payload: unknown = {},
  ): Promise<unknown> => {
    const answer = await served
      .get(channel)
      ?.handler(endpoint, payload, new AbortController().signal)
    return answer?.ok ? answer.value : answer?.error.message
  }
  return { ctx, server, served, ask }
}

const endpoints = { check: () => 'checked' }
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe("the channel of the card's buttons", () => {
  it('is limited to this machine on a host whose `handle` takes options', () => {
    const { ctx, served } = host({ options: true })
    assert.ok(serveChannel(ctx, '/x', 'owner', endpoints))
    assert.equal(served.get('/x')?.authority, 'loopback')
  })

  it('is served by a later host that lets no other machine in', async () => {
    const { ctx, ask } = host({ options: false, remote: false, listensOn: '127.0.0.1' })
    assert.ok(serveChannel(ctx, '/x', 'owner', endpoints))
    assert.equal(await ask('/x', 'check'), 'checked')
    assert.match(String(await ask('/x', 'toString')), /no endpoint/)
  })

  for (const open of [
    { remote: true, listensOn: '127.0.0.1' },
    { remote: false, listensOn: '0.0.0.0' },
    { remote: false },
    { listensOn: '127.0.0.1' },
  ]) {
    it(`is not served by a later host with ${JSON.stringify(open)}`, () => {
      const { ctx, served } = host({ options: false, ...open })
      assert.equal(serveChannel(ctx, '/x', 'owner', endpoints), undefined)
      assert.equal(served.size, 0)
    })
  }

  it('sends an error to the page instead of throwing it at the host', async () => {
    const { ctx, ask } = host({ options: true })
    serveChannel(ctx, '/x', 'owner', { bad: () => assert.fail('no such luck') })
    assert.equal(await ask('/x', 'bad'), 'no such luck')
  })
})

describe("the rows' channel", () => {
  const view: RunView = {
    state: 'running',
    mode: 'ask',
    elapsedMs: 1,
    toolCalls: { started: 0, completed: 0 },
    files: [],
  }
  const instance = (toolName: string, callId: string): Instance => ({
    toolName,
    namespace: toolName,
    buttons: true,
    doctor: 'doctor',
    view: (asked) => (asked === callId ? view : undefined),
  })
  const names = (answer: unknown): string[] =>
    (answer as { toolName: string }[]).map(({ toolName }) => toolName)

  it('serves all instances, and moves to the next one when its holder is unloaded', async () => {
    const { ctx, served, ask } = host({ options: false, remote: true })
    const mount = (one: Instance) =>
      ctx.plugin({
        name: one.toolName,
        inject: ['connection', 'webServer'],
        apply: (own: Context) => joinPage(own, one),
      })
    const first = mount(instance('one', 'a'))
    mount(instance('two', 'b'))
    await settle()
    assert.deepEqual(names(await ask(PAGE_CHANNEL, 'instances')), ['one', 'two'])
    assert.deepEqual(await ask(PAGE_CHANNEL, 'run', { callId: 'b' }), view)
    for (const odd of [{ callId: 'c' }, {}, null, { callId: 7 }]) {
      assert.equal(await ask(PAGE_CHANNEL, 'run', odd), null)
    }
    await first.dispose()
    await settle()
    assert.deepEqual([...served.keys()], [PAGE_CHANNEL])
    assert.deepEqual(names(await ask(PAGE_CHANNEL, 'instances')), ['two'])
    assert.equal(await ask(PAGE_CHANNEL, 'run', { callId: 'a' }), null)
  })
})
