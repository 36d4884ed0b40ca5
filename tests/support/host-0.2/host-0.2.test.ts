// The stand-in host of generation 0.2 itself, with a provider that runs no process: each rule of
// admission, cancellation and delivery that the behavioural suite relies on.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { SessionId } from '@deepseek-ai/dsh-session'
import type { ParentAgent } from '../in-process-host.ts'
import { bootHost02 } from './boot.ts'
import type { Host02, HostOptions02 } from './boot.ts'
import { importOn02 } from './import-on-0.2.ts'
import { ANSWER_FOLLOWS, NO_ANSWER } from './settlement-notice.ts'
import type {
  ResolvedSubagentRequest02,
  SubagentActivationSpec02,
  SubagentProvider02,
  SubagentRequest02,
  SubagentResult02,
  SubagentRun02,
} from './types.ts'

const NO_CAPABILITIES = {
  agentOptions: false,
  outputSchema: false,
  depthLimit: false,
  toolFilter: false,
  persona: false,
}

/** A run that the test settles by hand. */
class HandRun implements SubagentRun02 {
  readonly outcome = Promise.withResolvers<SubagentResult02>()
  readonly result = this.outcome.promise
  readonly id: SessionId
  disposals = 0
  teardown: () => Promise<void> = async () => {}
  readonly request: ResolvedSubagentRequest02

  constructor(request: ResolvedSubagentRequest02, id: string = randomUUID()) {
    this.request = request
    this.id = SessionId(id)
  }

  async dispose(): Promise<void> {
    this.disposals += 1
    this.outcome.resolve({ output: [], stopReason: 'aborted' })
    await this.teardown()
  }

  answer(text: string): void {
    this.outcome.resolve({ output: [{ type: 'text', text }], stopReason: 'completed' })
  }
}

class HandProvider implements SubagentProvider02 {
  readonly name: string = 'hand'
  readonly capabilities = NO_CAPABILITIES
  readonly inheritsParentContext = false
  readonly runs: HandRun[] = []
  ids: string[] = []
  /** Awaited before the run is published. */
  gate: (request: ResolvedSubagentRequest02) => Promise<void> = async () => {}

  async start(request: ResolvedSubagentRequest02): Promise<HandRun> {
    const run = new HandRun(request, this.ids.shift())
    this.runs.push(run)
    await this.gate(request)
    return run
  }
}

/** What the parent's session lists of its children. */
function catalogOf(parent: ParentAgent): readonly object[] {
  const events = parent.agent.session.events as readonly { type: string; data: object }[]
  return events.flatMap(({ type, data }) => (type === 'subagent/catalog' ? [data] : []))
}

let booted: Host02 | undefined

afterEach(async () => {
  await booted?.dispose()
  booted = undefined
})

async function boot(options: HostOptions02 = {}): Promise<[Host02, HandProvider, ParentAgent]> {
  const host = await bootHost02(options)
  booted = host
  const provider = new HandProvider()
  host.subagents.registerProvider(provider)
  return [host, provider, host.parent({ cwd: '/project' })]
}

type SpecOverrides = Omit<Partial<SubagentActivationSpec02>, 'request'> & {
  readonly request?: Partial<SubagentRequest02>
}

function spec(parent: ParentAgent, overrides: SpecOverrides = {}): SubagentActivationSpec02 {
  return {
    provider: 'hand',
    label: 'a task',
    signal: new AbortController().signal,
    delivery: 'parent',
    ...overrides,
    request: { parent: parent.agent, prompt: [{ type: 'text', text: 'go' }], ...overrides.request },
  }
}

const code = (wanted: string) => (error: unknown) => (error as { code?: string }).code === wanted

describe('registry', () => {
  test('a provider is resolvable until the fiber that registered it is disposed', async () => {
    const [host] = await boot()
    const heard: unknown[] = []
    const on = host.ctx.on.bind(host.ctx) as (name: string, listener: (x: unknown) => void) => void
    on('subagent/provider-added', (provider) => heard.push(provider))
    on('subagent/provider-removed', (name) => heard.push(name))
    const provider = Object.assign(new HandProvider(), { name: 'other' })
    const fiber = await host.mount({
      name: 'owner',
      inject: ['subagents'],
      apply: (ctx: Host02['ctx']) => ctx.subagents.registerProvider(provider as never),
    })
    assert.deepEqual(host.subagents.list(), ['hand', 'other'])
    assert.equal(host.subagents.getProvider('other'), provider)
    await fiber.dispose()
    assert.deepEqual(host.subagents.list(), ['hand'])
    assert.deepEqual(heard, [provider, 'other'])
  })

  test('a second provider of one name, and one that can start nothing, are refused', async () => {
    const [{ subagents }] = await boot()
    const again = new HandProvider()
    assert.throws(() => subagents.registerProvider(again), code('DUPLICATE_PROVIDER'))
    const { capabilities, inheritsParentContext } = again
    const empty = { name: 'empty', capabilities, inheritsParentContext }
    assert.throws(() => subagents.registerProvider(empty), code('UNSUPPORTED_CAPABILITY'))
  })

  test('there is no start()', async () => {
    const [host] = await boot()
    assert.equal('start' in host.ctx.subagents, false)
    assert.equal('startActivation' in host.ctx.subagents, true)
  })
})

describe('admission', () => {
  test('an unknown provider is refused', async () => {
    const [{ subagents }, , parent] = await boot()
    await assert.rejects(
      subagents.startActivation(spec(parent, { provider: 'nobody' })),
      code('NO_PROVIDER'),
    )
  })

  test('a reserved child id is refused', async () => {
    const [{ subagents }, provider, parent] = await boot()
    const childId = SessionId('mine')
    await assert.rejects(
      subagents.startActivation(spec(parent, { childId })),
      code('UNSUPPORTED_CAPABILITY'),
    )
    assert.equal(provider.runs.length, 0)
  })

  for (const [field, value] of Object.entries({
    agentOptions: {},
    outputSchema: { type: 'object' },
    maxDepth: 1,
    toolFilter: { deny: [] },
    persona: 'a pirate',
  })) {
    test(`${field} is refused before start() when the provider lacks the capability`, async () => {
      const [{ subagents }, provider, parent] = await boot()
      await assert.rejects(
        subagents.startActivation(spec(parent, { request: { [field]: value } })),
        code('UNSUPPORTED_CAPABILITY'),
      )
      assert.equal(provider.runs.length, 0)
    })
  }

  test('only the exact live agent may be the parent', async () => {
    const [{ subagents }, provider, parent] = await boot()
    const copy = { ...parent.agent }
    const request = { parent: copy }
    await assert.rejects(subagents.startActivation(spec(parent, { request })), code('UNAUTHORIZED'))
    await parent.leave()
    await assert.rejects(subagents.startActivation(spec(parent)), code('UNAUTHORIZED'))
    assert.equal(provider.runs.length, 0)
  })

  test('a ninth child of one parent is refused until a slot is free; others are not affected', async () => {
    const [host, provider, parent] = await boot()
    const { subagents } = host
    const children = []
    for (let i = 0; i < 8; i += 1) children.push(await subagents.startActivation(spec(parent)))
    await assert.rejects(subagents.startActivation(spec(parent)), code('ACTIVATION_LIMIT_REACHED'))
    assert.equal(provider.runs.length, 8)
    await subagents.startActivation(spec(host.parent({ cwd: '/other' })))
    await children[0]!.dispose()
    await subagents.startActivation(spec(parent))
  })

  test('a tree of agents has one pool', async () => {
    const [host, , root] = await boot({ maxActiveSubagents: 1 })
    const below = host.parent({ cwd: '/', above: root })
    const child = await host.subagents.startActivation(spec(below))
    const another = host.subagents.startActivation(spec(root))
    await assert.rejects(another, code('ACTIVATION_LIMIT_REACHED'))
    await child.dispose()
    await host.subagents.startActivation(spec(root))
  })

  test("the parent's session lists a child whose outcome it will be told, and no other", async () => {
    const [{ subagents }, , parent] = await boot()
    const { childId } = await subagents.startActivation(spec(parent))
    await subagents.startActivation({ ...spec(parent), delivery: 'caller' })
    const entries = catalogOf(parent)
    assert.deepEqual(
      entries.map((entry) => ({ ...entry, childCreatedAt: 0 })),
      [{ version: 2, childId, childCreatedAt: 0, mode: 'external', label: spec(parent).label }],
    )
  })

  test('a session that takes no entry rolls the start back without a notice', async () => {
    const [host, provider, parent] = await boot({ maxActiveSubagents: 1 })
    const told: string[] = []
    for (const event of ['subagent/start', 'subagent/end']) {
      host.ctx.on(event as never, (() => void told.push(event)) as never)
    }
    const { append } = parent.agent.session
    parent.agent.session.append = () => assert.fail('the disk is full')
    await assert.rejects(host.subagents.startActivation(spec(parent)), /the disk is full/)
    assert.equal(provider.runs[0]!.disposals, 1)
    assert.deepEqual(told, ['subagent/start', 'subagent/end'])
    assert.deepEqual(parent.notices, [])
    parent.agent.session.append = append
    await host.subagents.startActivation(spec(parent))
  })

  test('a failed start gives its slot back', async () => {
    const [{ subagents }, provider, parent] = await boot({ maxActiveSubagents: 1 })
    provider.gate = async () => assert.fail('no such program')
    await assert.rejects(subagents.startActivation(spec(parent)), /no such program/)
    provider.gate = async () => {}
    await subagents.startActivation(spec(parent))
  })

  test('a run whose id is taken is disposed and refused', async () => {
    const [{ subagents }, provider, parent] = await boot()
    provider.ids = ['same', 'same', parent.agent.id]
    await subagents.startActivation(spec(parent))
    await assert.rejects(subagents.startActivation(spec(parent)), code('DUPLICATE_CHILD'))
    await assert.rejects(subagents.startActivation(spec(parent)), code('DUPLICATE_CHILD'))
    assert.deepEqual(
      provider.runs.map((run) => run.disposals),
      [0, 1, 1],
    )
  })

  test('the provider gets the label and an absolute cwd', async () => {
    const [host, provider] = await boot()
    const parent = host.parent({ cwd: '/project', directory: '/project/packages/web' })
    for (const cwd of [undefined, '../api', '/elsewhere']) {
      const request = cwd === undefined ? {} : { cwd }
      await host.subagents.startActivation(spec(parent, { request }))
    }
    assert.deepEqual(
      provider.runs.map(({ request }) => [request.label, request.cwd]),
      [
        ['a task', '/project/packages/web'],
        ['a task', '/project/packages/api'],
        ['a task', '/elsewhere'],
      ],
    )
  })

  test('every spec is on record, refused or not', async () => {
    const [host, , parent] = await boot()
    const asked = spec(parent, { provider: 'nobody' })
    await assert.rejects(host.subagents.startActivation(asked))
    assert.deepEqual(host.started, [asked])
  })
})

describe('cancellation', () => {
  test('a signal aborted before the call starts nothing', async () => {
    const [{ subagents }, provider, parent] = await boot()
    const signal = AbortSignal.abort()
    await assert.rejects(subagents.startActivation(spec(parent, { signal })), {
      name: 'AbortError',
    })
    assert.equal(provider.runs.length, 0)
  })

  test("the caller's signal reaches the provider while it starts", async () => {
    const [{ subagents }, provider, parent] = await boot()
    const caller = new AbortController()
    provider.gate = async ({ signal }) => {
      caller.abort()
      signal.throwIfAborted()
    }
    await assert.rejects(subagents.startActivation(spec(parent, { signal: caller.signal })), {
      name: 'AbortError',
    })
  })

  test('a run published although startup was cancelled is disposed and never announced', async () => {
    const [{ subagents }, provider, parent] = await boot()
    const caller = new AbortController()
    provider.gate = async () => caller.abort()
    await assert.rejects(subagents.startActivation(spec(parent, { signal: caller.signal })))
    assert.equal(provider.runs[0]!.disposals, 1)
    assert.deepEqual(parent.notices, [])
  })

  test("after publication the caller's signal changes nothing", async () => {
    const [{ subagents }, provider, parent] = await boot()
    const caller = new AbortController()
    const child = await subagents.startActivation(spec(parent, { signal: caller.signal }))
    caller.abort()
    const [run] = provider.runs
    assert.equal(run!.request.signal.aborted, false)
    run!.answer('done')
    assert.equal((await child.result).stopReason, 'completed')
  })

  test('dispose() aborts the signal the provider was given and disposes the run once', async () => {
    const [{ subagents }, provider, parent] = await boot()
    const child = await subagents.startActivation(spec(parent))
    await Promise.all([child.dispose(), child.dispose()])
    const [run] = provider.runs
    assert.deepEqual(run!.request.signal.reason, { kind: 'parent' })
    assert.equal(run!.disposals, 1)
    assert.equal((await child.result).stopReason, 'aborted')
  })

  test('interrupt() stops a child for its parent and for nobody beside it', async () => {
    const [host, provider, parent] = await boot()
    const stranger = host.parent({ cwd: '/', above: parent })
    const child = await host.subagents.startActivation(spec(parent))
    const interrupt = (agent: ParentAgent): void =>
      host.subagents.interrupt(child.childId, { kind: 'ancestor', agent: agent.agent })
    assert.throws(() => interrupt(stranger), code('UNAUTHORIZED'))
    assert.equal(provider.runs[0]!.disposals, 0)
    interrupt(parent)
    assert.equal((await child.result).stopReason, 'aborted')
    interrupt(parent)
    await parent.leave()
    assert.throws(() => interrupt(parent), code('UNAUTHORIZED'))
  })

  test('any live ancestor may interrupt and drain a child', async () => {
    const [host, , root] = await boot()
    const below = host.parent({ cwd: '/', above: root })
    const first = await host.subagents.startActivation(spec(below))
    host.subagents.interrupt(first.childId, { kind: 'ancestor', agent: root.agent })
    assert.equal((await first.result).stopReason, 'aborted')
    const second = await host.subagents.startActivation(spec(below))
    await host.subagents.drainDescendants([root.agent])
    assert.equal((await second.result).stopReason, 'aborted')
    await assert.rejects(host.subagents.startActivation(spec(below)), code('DRAINING'))
  })
})

describe('delivery', () => {
  const answer = [{ type: 'text', text: 'forty-two' }] as const
  const endings: [SubagentResult02['stopReason'], SubagentResult02, string[]][] = [
    ['completed', { output: answer, stopReason: 'completed' }, [ANSWER_FOLLOWS, 'forty-two']],
    ['aborted', { output: [], stopReason: 'aborted' }, [NO_ANSWER]],
    ['error', { output: [], stopReason: 'error', diagnostic: 'why' }, [NO_ANSWER, 'why']],
    ['max-tokens', { output: answer, stopReason: 'max-tokens' }, [ANSWER_FOLLOWS, 'forty-two']],
    ['refusal', { output: [], stopReason: 'refusal', diagnostic: 'no' }, [NO_ANSWER, 'no']],
  ]
  const openings = new Set<string>()
  for (const [stopReason, result, rest] of endings) {
    test(`the notice of a child that ended as ${stopReason}`, async () => {
      const [{ subagents }, provider, parent] = await boot()
      const child = await subagents.startActivation(spec(parent))
      provider.runs[0]!.outcome.resolve(result)
      const notice = await parent.firstNotice()
      const [opening, ...blocks] = notice.texts
      assert.deepEqual(blocks, rest)
      assert.ok(opening!.includes(child.childId), opening)
      const ending = opening!.replace(child.childId, '')
      assert.ok(!openings.has(ending), `${stopReason} is told apart from the others`)
      openings.add(ending)
      assert.equal(await child.result, result)
    })
  }

  test('blocks that are not text, and empty ones, do not reach the parent', async () => {
    const [{ subagents }, provider, parent] = await boot()
    await subagents.startActivation(spec(parent))
    const image = { type: 'image', mediaType: 'image/png', data: '' } as never
    const output = [
      { type: 'text', text: 'a' } as const,
      image,
      { type: 'text', text: '' } as const,
    ]
    provider.runs[0]!.outcome.resolve({ output, stopReason: 'completed' })
    const { texts, blocks } = await parent.firstNotice()
    assert.deepEqual(texts.slice(1), [ANSWER_FOLLOWS, 'a'])
    assert.equal(blocks.length, 3)
  })

  test('the run is disposed before the parent is told', async () => {
    const [{ subagents }, provider, parent] = await boot()
    const child = await subagents.startActivation(spec(parent))
    const [run] = provider.runs
    const teardown = Promise.withResolvers<void>()
    const disposing = Promise.withResolvers<void>()
    run!.teardown = () => {
      disposing.resolve()
      return teardown.promise
    }
    run!.answer('done')
    await disposing.promise
    let settled = false
    void child.result.then(() => (settled = true))
    // Every microtask that the result alone could have caused has run by the next macrotask.
    await new Promise(setImmediate)
    assert.deepEqual([parent.notices.length, settled], [0, false])
    teardown.resolve()
    await child.result
    assert.equal(parent.notices.length, 1)
  })

  test('a rejected result is told as an error, and rejects the activation', async () => {
    const [{ subagents }, provider, parent] = await boot()
    const child = await subagents.startActivation(spec(parent))
    provider.runs[0]!.outcome.reject(new Error('lost'))
    await assert.rejects(child.result, /lost/)
    const [opening] = parent.notices[0]!.texts
    assert.match(opening!, /failed before it finished/)
    assert.deepEqual(parent.notices[0]!.texts.slice(1), [NO_ANSWER])
  })

  test('a failed teardown keeps the answer; dispose() and the end event report it', async () => {
    const [host, provider, parent] = await boot()
    const ends: { stopReason: string }[] = []
    const on = host.ctx.on.bind(host.ctx) as (name: string, listener: (x: never) => void) => void
    on('subagent/end', (end) => ends.push(end))
    const child = await host.subagents.startActivation(spec(parent))
    const [run] = provider.runs
    run!.teardown = async () => assert.fail('will not die')
    run!.answer('done')
    assert.equal((await child.result).stopReason, 'completed')
    await assert.rejects(child.dispose(), code('ACTIVATION_TEARDOWN_FAILED'))
    assert.deepEqual(parent.notices[0]!.texts.slice(1), [ANSWER_FOLLOWS, 'done'])
    assert.deepEqual(
      ends.map((end) => end.stopReason),
      ['error'],
    )
    assert.ok(host.logs.some(({ level, text }) => level === 'warn' && /will not die/.test(text)))
  })

  test('an idle parent gets a new turn, a running one its next step', async () => {
    const [host, provider] = await boot()
    const parents = (['idle', 'running'] as const).map((status) =>
      host.parent({ cwd: '/', status }),
    )
    for (const parent of parents) await host.subagents.startActivation(spec(parent))
    for (const run of provider.runs) run.answer('done')
    const notices = await Promise.all(parents.map((parent) => parent.firstNotice()))
    assert.deepEqual(
      notices.map((notice) => notice.delivery),
      ['followup', 'steer'],
    )
  })

  test("with delivery 'caller' nobody is told", async () => {
    const [{ subagents }, provider, parent] = await boot()
    const child = await subagents.startActivation(spec(parent, { delivery: 'caller' }))
    provider.runs[0]!.answer('done')
    assert.deepEqual((await child.result).output, [{ type: 'text', text: 'done' }])
    assert.deepEqual(parent.notices, [])
    assert.equal(provider.runs[0]!.disposals, 1)
  })

  test('a parent that is gone is told nothing, and the run is disposed', async () => {
    const [{ subagents }, provider, parent] = await boot()
    const child = await subagents.startActivation(spec(parent))
    await parent.leave()
    provider.runs[0]!.answer('done')
    await child.result
    assert.deepEqual(parent.notices, [])
    assert.equal(provider.runs[0]!.disposals, 1)
  })

  test('a child outlives the registration of its provider', async () => {
    const [host, , parent] = await boot()
    const provider = Object.assign(new HandProvider(), { name: 'other' })
    const unregister = host.subagents.registerProvider(provider)
    const child = await host.subagents.startActivation(spec(parent, { provider: 'other' }))
    unregister()
    assert.equal(provider.runs[0]!.disposals, 0)
    await assert.rejects(
      host.subagents.startActivation(spec(parent, { provider: 'other' })),
      code('NO_PROVIDER'),
    )
    provider.runs[0]!.answer('done')
    assert.equal((await child.result).stopReason, 'completed')
    assert.equal(parent.notices.length, 1)
  })
})

describe('shutdown', () => {
  test('disposing the service stops every live child and waits for its teardown', async () => {
    const [host, provider, parent] = await boot()
    await host.subagents.startActivation(spec(parent))
    await host.subagents.startActivation(spec(parent))
    let torndown = 0
    for (const run of provider.runs) {
      run.teardown = async () => {
        await new Promise(setImmediate)
        torndown += 1
      }
    }
    await host.subagentsFiber.dispose()
    assert.equal(torndown, 2)
    // A parent that is still live is told without being woken.
    assert.deepEqual(
      parent.notices.map((notice) => notice.delivery),
      ['inject', 'inject'],
    )
  })

  test('a startup under way is cancelled and awaited by the shutdown', async () => {
    const [host, provider, parent] = await boot()
    const entered = Promise.withResolvers<void>()
    const cancelled = Promise.withResolvers<void>()
    const cleaned = Promise.withResolvers<void>()
    provider.gate = async ({ signal }) => {
      signal.addEventListener('abort', () => cancelled.resolve())
      entered.resolve()
      await cleaned.promise
      signal.throwIfAborted()
    }
    const start = assert.rejects(host.subagents.startActivation(spec(parent)), code('DRAINING'))
    await entered.promise
    let down = false
    const shutdown = host.subagentsFiber.dispose().then(() => (down = true))
    await cancelled.promise
    // Whatever the cancellation alone could have let through is through by the next macrotask.
    await new Promise(setImmediate)
    assert.equal(down, false)
    cleaned.resolve()
    await Promise.all([start, shutdown])
  })

  test('draining one parent stops its children, admits no more, and leaves the others alone', async () => {
    const [host, provider, parent] = await boot()
    const other = host.parent({ cwd: '/' })
    await host.subagents.startActivation(spec(parent))
    await host.subagents.startActivation(spec(other))
    await host.subagents.drainDescendants([parent.agent])
    assert.deepEqual(
      provider.runs.map((run) => run.disposals),
      [1, 0],
    )
    await assert.rejects(host.subagents.startActivation(spec(parent)), code('DRAINING'))
    await host.subagents.startActivation(spec(other))
  })

  test("draining one parent leaves another's startup alone", async () => {
    const [host, provider, parent] = await boot()
    const entered = Promise.withResolvers<void>()
    const ready = Promise.withResolvers<void>()
    provider.gate = async () => {
      entered.resolve()
      await ready.promise
    }
    const start = host.subagents.startActivation(spec(host.parent({ cwd: '/' })))
    await entered.promise
    await host.subagents.drainDescendants([parent.agent])
    ready.resolve()
    await start
  })

  test('env is laid over process.env until dispose()', async () => {
    const before = process.env.PATH
    const own = await bootHost02({ env: { PATH: '/nowhere', HOST_02_PROBE: 'x' } })
    assert.deepEqual([process.env.PATH, process.env.HOST_02_PROBE], ['/nowhere', 'x'])
    await own.dispose()
    assert.deepEqual([process.env.PATH, process.env.HOST_02_PROBE], [before, undefined])
  })
})

describe('services around it', () => {
  test('the sandbox policy service exists only when asked for, and a session can override it', async () => {
    const [without] = await boot()
    assert.equal(without.ctx.get('sandboxPolicy'), undefined)
    await without.dispose()
    const host = await bootHost02({ sandboxPolicy: 'read-only' })
    booted = host
    const parent = host.parent({ cwd: '/project' })
    const { session } = parent.agent
    assert.equal(host.ctx.sandboxPolicy.resolve({ session }).mode, 'read-only')
    parent.sandboxMode = 'workspace-write'
    assert.equal(host.ctx.sandboxPolicy.resolve({ session }).mode, 'workspace-write')
  })

  test('a plugin that fails to load rejects the boot with its own message', async () => {
    const plugin = { name: 'broken', apply: () => assert.fail('bad row') }
    await assert.rejects(bootHost02({ plugin }), /bad row/)
  })
})

async function load(source: string): Promise<Record<string, unknown>> {
  const directory = await mkdtemp(join(tmpdir(), 'import-on-0.2-'))
  try {
    const file = join(directory, 'module.mjs')
    await writeFile(file, source)
    return await importOn02(pathToFileURL(file))
  } finally {
    await rm(directory, { recursive: true })
  }
}

describe('import on 0.2', () => {
  test('NO_START_CAPABILITIES has five flags, all false', async () => {
    const { flags } = await load(
      `export { NO_START_CAPABILITIES as flags } from '@deepseek-ai/dsh-subagent'`,
    )
    assert.deepEqual(flags, NO_CAPABILITIES)
  })

  test('a run handle has no localAgent', async () => {
    const { subprocessRunHandle } = (await load(
      `export { subprocessRunHandle } from '@deepseek-ai/dsh-subagent'`,
    )) as { subprocessRunHandle: (parts: object) => object }
    const handle = subprocessRunHandle({ id: 'x', result: Promise.resolve() })
    assert.deepEqual(Object.keys(handle), ['id', 'result', 'dispose'])
  })

  test('a returned diagnostic is held to 4096 bytes, without half a character', async () => {
    const { settleRunResult } = (await load(
      `export { settleRunResult } from '@deepseek-ai/dsh-subagent'`,
    )) as { settleRunResult: (parts: object) => Promise<SubagentResult02> }
    for (const pad of ['', 'x', 'xx']) {
      const { diagnostic } = await settleRunResult({
        attempt: async () => ({
          output: [],
          stopReason: 'error',
          diagnostic: pad + '界'.repeat(2000),
        }),
        cancelled: () => false,
        signal: new AbortController().signal,
        onAbort() {},
      })
      assert.ok(Buffer.byteLength(diagnostic!) <= 4096)
      assert.doesNotMatch(diagnostic!, /\uFFFD/)
    }
  })

  test('names that 0.2 no longer has do not link', async () => {
    for (const name of ['settleRun', 'resolveChildCwd']) {
      await assert.rejects(
        load(`import { ${name} } from '@deepseek-ai/dsh-subagent'\nexport default ${name}`),
        SyntaxError,
      )
    }
  })
})
