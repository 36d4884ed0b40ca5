// The stand-in host of generation 0.2 where the behavioural suite cannot show it: with a provider that
// runs no process, what a host says and does when something is refused, stopped or goes wrong.
// The words are facts read in DSH's sources, `packages/subagent/subagent/src/` there: `index.ts`,
// `manager.ts`, `activation.ts` and `continuation-messages.ts`.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Context } from '@deepseek-ai/cordis'
import { SessionId } from '@deepseek-ai/dsh-session'
import type { ParentAgent } from '../in-process-host.ts'
import { bootHost02 } from './boot.ts'
import type { Host02, HostOptions02 } from './boot.ts'
import { importOn02 } from './import-on-0.2.ts'
import type {
  ResolvedSubagentRequest02,
  SubagentActivation02,
  SubagentActivationSpec02,
  SubagentProvider02,
  SubagentResult02,
  SubagentRun02,
} from './types.ts'
import { StandInWorkingDirectory } from './working-directory.ts'

/** A run that the test settles by hand. */
class HandRun implements SubagentRun02 {
  readonly outcome = Promise.withResolvers<SubagentResult02>()
  readonly result = this.outcome.promise
  readonly id: SessionId
  readonly request: ResolvedSubagentRequest02
  disposals = 0
  teardown: () => Promise<void> = async () => {}

  constructor(request: ResolvedSubagentRequest02, id: string = randomUUID()) {
    this.request = request
    this.id = SessionId(id)
  }

  async dispose(): Promise<void> {
    this.disposals += 1
    this.outcome.resolve({ output: [], stopReason: 'aborted' })
    await this.teardown()
  }
}

class HandProvider implements SubagentProvider02 {
  readonly name = 'hand'
  readonly capabilities = {
    agentOptions: false,
    outputSchema: false,
    depthLimit: false,
    toolFilter: false,
    persona: false,
  }
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

/** A host with a provider, a parent at `/`, and what its listeners heard of children. */
class Stage {
  readonly provider = new HandProvider()
  readonly told: [event: string, stopReason: string | undefined][] = []
  readonly parent: ParentAgent
  readonly host: Host02

  constructor(host: Host02) {
    this.host = host
    host.subagents.registerProvider(this.provider)
    this.parent = host.parent({ cwd: '/' })
    for (const event of ['subagent/start', 'subagent/end']) {
      const listener = ({ stopReason }: { stopReason?: string }): void =>
        void this.told.push([event, stopReason])
      host.ctx.on(event as never, listener as never)
    }
  }

  /** The first run. */
  get run(): HandRun {
    const [run] = this.provider.runs
    assert.ok(run, 'nothing was started')
    return run
  }

  /** The parent's first notice, its first block without the child's id. */
  get notice(): readonly string[] | undefined {
    return this.parent.notices[0]?.texts.map((text) => text.replace(this.run.id, '<id>'))
  }

  start(
    spec: Partial<SubagentActivationSpec02> = {},
    request: object = {},
  ): Promise<SubagentActivation02> {
    return this.host.subagents.startActivation({
      provider: 'hand',
      label: 'a task',
      signal: new AbortController().signal,
      delivery: 'parent',
      ...spec,
      request: { parent: this.parent.agent, prompt: [{ type: 'text', text: 'go' }], ...request },
    })
  }

  interrupt(childId: string, agent: ParentAgent): void {
    const authority = { kind: 'ancestor', agent: agent.agent } as const
    this.host.subagents.interrupt(SessionId(childId), authority)
  }
}

let booted: Host02 | undefined

afterEach(async () => {
  await booted?.dispose()
  booted = undefined
})

async function stage(options: HostOptions02 = {}): Promise<Stage> {
  booted = await bootHost02(options)
  return new Stage(booted)
}

describe('a refusal', () => {
  /** What is asked, and the code and words that answer it; `<id>` stands for the first child's. */
  const refusals: Record<string, [(on: Stage) => unknown, code: string, words: string]> = {
    'an unknown provider': [
      (on) => on.start({ provider: 'nobody' }),
      'NO_PROVIDER',
      'no subagent provider registered for "nobody"',
    ],
    'a second provider of one name': [
      (on) => on.host.subagents.registerProvider(new HandProvider()),
      'DUPLICATE_PROVIDER',
      'a subagent provider named "hand" is already registered',
    ],
    'a provider that can start nothing': [
      (on) => {
        const { capabilities, inheritsParentContext } = on.provider
        on.host.subagents.registerProvider({ name: 'empty', capabilities, inheritsParentContext })
      },
      'UNSUPPORTED_CAPABILITY',
      'subagent provider "empty" must implement start or prepareContinuable',
    ],
    'a reserved child id': [
      (on) => on.start({ childId: SessionId('mine') }),
      'UNSUPPORTED_CAPABILITY',
      'reserved child ids require a local backend',
    ],
    ...Object.fromEntries(
      Object.entries({
        agentOptions: ['agentOptions', {}],
        outputSchema: ['outputSchema', { type: 'object' }],
        maxDepth: ['depthLimit', 1],
        toolFilter: ['toolFilter', { deny: [] }],
        persona: ['persona', 'a pirate'],
      }).map(([field, [capability, value]]): [string, (typeof refusals)[string]] => [
        field,
        [
          (on) => on.start({}, { [field]: value }),
          'UNSUPPORTED_CAPABILITY',
          `subagent provider "hand" does not support the "${String(capability)}" capability`,
        ],
      ]),
    ),
    'a copy of the parent': [
      (on) => on.start({}, { parent: { ...on.parent.agent } }),
      'UNAUTHORIZED',
      'subagent creation requires the exact live parent agent',
    ],
    'a parent that leaves during the start': [
      async (on) => {
        on.provider.gate = () => on.parent.leave()
        await on.start()
      },
      'UNAUTHORIZED',
      'subagent parent is no longer live',
    ],
    'one child more than there is room for': [
      async (on) => {
        await on.start()
        await on.start({}, { parent: on.host.parent({ cwd: '/', above: on.parent }).agent })
        await on.start()
      },
      'ACTIVATION_LIMIT_REACHED',
      'subagent limit reached (active child limit: 2); wait for an existing child to finish or complete this work with the current agents',
    ],
    ...Object.fromEntries(
      ['child', 'agent', 'session'].map((owner): [string, (typeof refusals)[string]] => [
        `an id that a ${owner} has`,
        [
          async (on) => {
            on.host.parent({ cwd: '/', id: 'agent' })
            const sessions = { get: (id: string) => (id === 'session' ? {} : undefined) }
            on.host.ctx.provide('sessions', sessions as never)
            on.provider.ids = ['child', owner]
            await on.start()
            try {
              await on.start()
            } finally {
              assert.equal(on.provider.runs[1]?.disposals, 1)
            }
          },
          'DUPLICATE_CHILD',
          `subagent "${owner}" already exists`,
        ],
      ]),
    ),
    'a parent that is on its way out': [
      async (on) => {
        await on.host.subagents.drainDescendants([on.parent.agent])
        await on.start()
      },
      'DRAINING',
      'subagents below parent "parent-1" are draining; the operation was not admitted',
    ],
    'a start that the shutdown overtakes': [
      async (on) => {
        on.provider.gate = async ({ signal }) => {
          void on.host.subagentsFiber.dispose()
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          signal.throwIfAborted()
        }
        await on.start()
      },
      'DRAINING',
      'subagents are draining; the operation was not admitted',
    ],
    'an interrupt by an agent that is gone': [
      async (on) => {
        const gone = on.host.parent({ cwd: '/' })
        await gone.leave()
        on.interrupt('any', gone)
      },
      'UNAUTHORIZED',
      'interrupting "any" requires the exact live ancestor agent',
    ],
    'an interrupt of oneself': [
      (on) => on.interrupt(on.parent.agent.id, on.parent),
      'UNAUTHORIZED',
      'agent "parent-1" cannot interrupt itself',
    ],
    'an interrupt by an agent beside': [
      async (on) => on.interrupt((await on.start()).childId, on.host.parent({ cwd: '/' })),
      'UNAUTHORIZED',
      'subagent "<id>" is not a live descendant of agent "parent-2"',
    ],
    'an interrupt by the user of another session': [
      async (on) => {
        const { childId } = await on.start()
        const parentSessionId = SessionId('another')
        on.host.subagents.interrupt(childId, { kind: 'user', parentSessionId })
      },
      'UNAUTHORIZED',
      'subagent "<id>" belongs to another parent session',
    ],
    'teardown of children by an agent that is gone': [
      async (on) => {
        await on.parent.leave()
        await on.host.subagents.drainChildren(on.parent.agent, [])
      },
      'UNAUTHORIZED',
      'selected child teardown requires the exact live parent agent',
    ],
    "teardown of another's child": [
      async (on) => {
        const { childId } = await on.start()
        await on.host.subagents.drainChildren(on.host.parent({ cwd: '/' }).agent, [childId])
      },
      'UNAUTHORIZED',
      'subagent "<id>" is not a direct child of agent "parent-2"',
    ],
  }
  for (const [what, [ask, code, words]] of Object.entries(refusals)) {
    test(`of ${what} is ${code}, in the host's words`, async () => {
      const on = await stage({ maxActiveSubagents: 2 })
      await assert.rejects(
        async () => ask(on),
        (error: Error & { code?: string }) => {
          const said = error.message.replace(on.provider.runs[0]?.id ?? '<id>', '<id>')
          assert.deepEqual([error.code, said], [code, words.replace('"child"', '"<id>"')])
          return true
        },
      )
      assert.deepEqual(
        on.parent.notices.map(({ delivery }) => delivery),
        [],
      )
    })
  }

  test('of a depth that is no number is a TypeError', async () => {
    const on = await stage()
    await assert.rejects(on.start({}, { maxDepth: -1 }), TypeError)
  })

  test('on a host without agents is of every start, and nothing else happens', async () => {
    const { host, parent } = await stage()
    const ctx = new Context()
    await ctx.plugin(StandInWorkingDirectory)
    const maxActiveSubagents = { get: () => 1 }
    await ctx.plugin(host.subagents.constructor as never, { maxActiveSubagents } as never)
    const subagents = ctx.get('subagents') as unknown as Host02['subagents']
    const bare = new Stage({ ctx, subagents, parent: () => parent } as unknown as Host02)
    await assert.rejects(bare.start(), {
      code: 'CONTINUATION_UNAVAILABLE',
      message: 'continuable subagents require the agents service',
    })
    bare.interrupt('any', parent)
    await subagents.drainDescendants([parent.agent])
    assert.equal(await subagents.waitForChildren(parent.agent), false)
    await ctx.fiber.dispose()
  })
})

describe('the last look before a child is announced', () => {
  const caller = (): AbortController => new AbortController()
  const late: Record<string, [(on: Stage, signal: AbortController) => unknown, object]> = {
    'the caller has given up': [(_on, signal) => signal.abort(), { name: 'AbortError' }],
    'the parent is on its way out': [
      (on) => on.host.subagents.drainDescendants([on.parent.agent]),
      { code: 'DRAINING' },
    ],
    'the log of the parent takes no entry': [
      (on) => (on.parent.agent.session.append = () => assert.fail('the disk is full')),
      /the disk is full/,
    ],
  }
  for (const [what, [happen, refusal]] of Object.entries(late)) {
    test(`${what}: a start and an end are told, and no notice`, async () => {
      const on = await stage()
      const controller = caller()
      on.host.ctx.on('subagent/start', () => void happen(on, controller))
      await assert.rejects(on.start({ signal: controller.signal }), refusal)
      assert.equal(on.run.disposals, 1)
      assert.deepEqual(on.told, [
        ['subagent/start', undefined],
        ['subagent/end', 'aborted'],
      ])
      assert.deepEqual(on.parent.notices, [])
    })
  }

  test('the parent leaves: the words name the delivery', async () => {
    const on = await stage()
    const get = on.host.ctx.agents.get.bind(on.host.ctx.agents)
    on.host.ctx.on('subagent/start', () => {
      on.host.ctx.agents.get = (id) => (id === on.parent.agent.id ? undefined : get(id))
    })
    await assert.rejects(on.start(), ({ message }: Error) => {
      assert.equal(message, `subagent "${on.run.id}" delivery requires the exact live parent agent`)
      return true
    })
    assert.equal(on.run.disposals, 1)
  })

  test("the parent's session lists a child whose outcome it will be told, and no other", async () => {
    const on = await stage()
    const { childId } = await on.start()
    await on.start({ delivery: 'caller' })
    const events = on.parent.agent.session.events as readonly { type: string; data: object }[]
    assert.deepEqual(
      events.flatMap(({ type, data }) =>
        type === 'subagent/catalog' ? [{ ...data, childCreatedAt: 0 }] : [],
      ),
      [{ version: 2, childId, childCreatedAt: 0, mode: 'external', label: 'a task' }],
    )
  })
})

describe('the signal of a run', () => {
  test("follows the caller's while it starts, and a run that comes all the same is disposed", async () => {
    const on = await stage()
    const caller = new AbortController()
    on.provider.gate = async ({ signal }) => {
      caller.abort()
      assert.equal(signal.aborted, true)
    }
    await assert.rejects(on.start({ signal: caller.signal }), { name: 'AbortError' })
    assert.equal(on.run.disposals, 1)
    assert.deepEqual(on.told, [])
  })

  const stops: Record<string, [(on: Stage, child: SubagentActivation02) => unknown, string]> = {
    'its owner': [(_on, child) => Promise.all([child.dispose(), child.dispose()]), 'parent'],
    'its parent': [(on, { childId }) => on.interrupt(childId, on.parent), 'parent'],
    'the user': [
      (on, { childId }) => {
        const parentSessionId = on.parent.agent.id
        on.host.subagents.interrupt(childId, { kind: 'user', parentSessionId })
      },
      'user',
    ],
    'a drain of what is below its parent': [
      (on) => on.host.subagents.drainDescendants([on.parent.agent]),
      'parent',
    ],
    'a drain of it alone': [
      (on, { childId }) => on.host.subagents.drainChildren(on.parent.agent, [childId, childId]),
      'parent',
    ],
    'a shutdown': [(on) => on.host.subagentsFiber.dispose(), 'parent'],
  }
  for (const [who, [stop, kind]] of Object.entries(stops)) {
    test(`is aborted by ${who} with the reason ${kind}, and the run disposed once`, async () => {
      const on = await stage()
      const child = await on.start()
      await stop(on, child)
      assert.equal((await child.result).stopReason, 'aborted')
      assert.deepEqual(on.run.request.signal.reason, { kind })
      assert.equal(on.run.disposals, 1)
    })
  }

  test(
    'is aborted by any live ancestor, and so are those that start',
    { timeout: 5_000 },
    async () => {
      const on = await stage()
      const below = on.host.parent({ cwd: '/', above: on.parent })
      const first = await on.start({}, { parent: below.agent })
      on.interrupt(first.childId, on.parent)
      assert.equal((await first.result).stopReason, 'aborted')
      const second = await on.start({}, { parent: below.agent })
      const entered = Promise.withResolvers<void>()
      on.provider.gate = async ({ signal }) => {
        entered.resolve()
        // Those that run are stopped before the host waits for those that start, or this never ends.
        await second.result
        signal.throwIfAborted()
      }
      const third = assert.rejects(on.start({}, { parent: below.agent }), { code: 'DRAINING' })
      await entered.promise
      await on.host.subagents.drainDescendants([on.parent.agent])
      await third
      assert.equal((await second.result).stopReason, 'aborted')
    },
  )
})

describe('the notice', () => {
  const text = (value: string) => ({ type: 'text', text: value }) as const
  const image = { type: 'image', mediaType: 'image/png', data: '' } as never
  const answer = [text('forty-'), image, text(''), text('two')]
  const notices: [SubagentResult02, string[]][] = [
    [
      { output: answer, stopReason: 'completed' },
      [
        'Background subagent <id> finished. It cannot receive follow-up messages.',
        'Its closing message:',
        'forty-',
        'two',
      ],
    ],
    [
      { output: [], stopReason: 'aborted' },
      ['Background subagent <id> was stopped before it finished.', 'It left no closing message.'],
    ],
    [
      { output: [], stopReason: 'error', diagnostic: 'why' },
      ['Background subagent <id> failed before it finished.', 'It left no closing message.', 'why'],
    ],
    [
      { output: [text('so far')], stopReason: 'max-tokens' },
      [
        'Background subagent <id> ran out of room before it finished.',
        'Its closing message:',
        'so far',
      ],
    ],
    [
      { output: [], stopReason: 'refusal', diagnostic: 'no' },
      ['Background subagent <id> declined the task.', 'It left no closing message.', 'no'],
    ],
  ]
  for (const [result, words] of notices) {
    test(`of a child that ended as ${result.stopReason}, in the host's words`, async () => {
      const on = await stage()
      const child = await on.start()
      on.run.outcome.resolve(result)
      assert.equal(await child.result, result)
      assert.deepEqual(on.notice, words)
    })
  }

  test('of a result that rejects tells a failure, and the activation rejects', async () => {
    const on = await stage()
    const child = await on.start()
    on.run.outcome.reject(new Error('lost'))
    await assert.rejects(child.result, /lost/)
    assert.deepEqual(on.notice, notices[2]?.[1].slice(0, 2))
    await assert.rejects(child.dispose(), {
      code: 'ACTIVATION_TEARDOWN_FAILED',
      message: `subagent "${child.childId}" activation teardown failed: lost`,
    })
  })

  test('keeps the answer when the teardown fails, which the rest of the host is told', async () => {
    const on = await stage()
    const child = await on.start()
    on.run.teardown = async () => assert.fail('will not die')
    on.run.outcome.resolve(notices[0]![0])
    assert.equal((await child.result).stopReason, 'completed')
    assert.deepEqual(on.notice, notices[0]?.[1])
    await assert.rejects(child.dispose(), {
      code: 'ACTIVATION_TEARDOWN_FAILED',
      message: `subagent "${child.childId}" activation handle disposal failed: will not die`,
    })
    assert.deepEqual(on.told.at(-1), ['subagent/end', 'error'])
    assert.ok(on.host.logs.some((line) => line.level === 'warn' && /will not die/.test(line.text)))
  })

  test('goes to no parent that is gone, and to none with delivery to the caller', async () => {
    const on = await stage()
    const children = [await on.start({ delivery: 'caller' }), await on.start()]
    const [first, second] = on.provider.runs
    first!.outcome.resolve(notices[0]![0])
    await children[0]!.result
    await on.parent.leave()
    second!.outcome.resolve(notices[0]![0])
    await children[1]!.result
    assert.deepEqual(on.parent.notices, [])
    assert.deepEqual([first!.disposals, second!.disposals], [1, 1])
  })
})

test('what 0.2 no longer exports does not link', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'import-on-0.2-'))
  try {
    for (const name of ['settleRun', 'resolveChildCwd']) {
      const file = join(directory, `${name}.mjs`)
      await writeFile(file, `export { ${name} } from '@deepseek-ai/dsh-subagent'`)
      await assert.rejects(importOn02(pathToFileURL(file)), SyntaxError)
    }
  } finally {
    await rm(directory, { recursive: true })
  }
})
