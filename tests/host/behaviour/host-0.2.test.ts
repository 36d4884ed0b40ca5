// The behaviour on hosts of generation 0.2, on the stand-in of that host: the shared suite, and what
// is 0.2's own: activations, the notice, and a run that is the host's once it is published.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import '../../support/host-0.2/newer-packages.ts'
import type { Host02 } from '../../support/host-0.2/boot.ts'
import type { HostOptions, ParentAgent, PluginModule } from '../../support/in-process-host.ts'
import { fileText } from '../../support/processes.ts'
import type { StandInCase } from '../../support/record.ts'
import type { Config, Ending, Generation, Rig } from './rig.ts'

// Imported in this order, because only what comes later gets the newer packages.
const { importOn02 } = await import('../../support/host-0.2/import-on-0.2.ts')
const { bootHost02 } = await import('../../support/host-0.2/boot.ts')
const { events, LABEL, PROVIDER, TOOL } = await import('./rig.ts')
const { suite, useRig } = await import('./suite.ts')
const plugin = await importOn02<PluginModule>(new URL('../../../src/index.ts', import.meta.url))

/** How each child ends, as the host tells its observers right after it has told the parent. */
const endings = new WeakMap<Host02, Map<string, PromiseWithResolvers<Ending['stop']>>>()

async function boot02(options: HostOptions): Promise<Host02> {
  const host = await bootHost02(options)
  endings.set(host, new Map())
  host.ctx.on('subagent/end', ({ id, stopReason }) =>
    endOf(host, id).resolve(stopReason as Ending['stop']),
  )
  return host
}

function endOf(host: Host02, id: string): PromiseWithResolvers<Ending['stop']> {
  const ends = endings.get(host)
  const end = ends?.get(id) ?? Promise.withResolvers()
  ends?.set(id, end)
  return end
}

interface Activation {
  readonly kind: 'activation'
  readonly subagentId: string
}

const generation: Generation<Host02> = {
  name: '0.2',
  plugin,
  capabilityNames: ['agentOptions', 'outputSchema', 'depthLimit', 'toolFilter', 'persona'],
  badDirectory: 'working-directory: directory does not exist',
  boot: boot02,
  delegate(host, tool, args, options) {
    const { parent } = options
    const call = host.call(tool, args, options)
    const ending = call.then(async ({ isError, text, value }): Promise<Ending> => {
      if (isError) return { stop: 'refused', text: text.replace(/^Error: /, '') }
      return endingOf(host, parent, (value as Activation).subagentId)
    })
    const cancel = async (): Promise<void> => {
      const { subagentId } = (await call).value as Activation
      host.subagents.interrupt(subagentId as never, { kind: 'ancestor', agent: parent.agent })
    }
    return { call, ending, cancel }
  },
}

/** The notice: a first block that names the child, a second that introduces its words, then these. */
async function endingOf(host: Host02, parent: ParentAgent, id: string): Promise<Ending> {
  const stop = await endOf(host, id).promise
  const notice = parent.notices.find(({ texts }) => texts[0]?.includes(id))
  assert.ok(notice, `${id} has ended as ${stop} and the parent was not told`)
  return { stop, text: notice.texts.slice(2).join('') }
}

suite(generation)

const makeRig = useRig(generation)
const boot = async (config: Config = {}): Promise<Rig<Host02>> => (await makeRig()).boot({ config })
const STUBBORN: StandInCase = { ignoreSigterm: true, helper: 'holds-pipes', hang: true }

describe('the call on a 0.2 host', () => {
  test('it offers cwd and no run_in_background', async () => {
    const rig = await boot()
    assert.deepEqual(rig.host.tool(TOOL).parameters, ['description', 'prompt', 'read_only', 'cwd'])
  })

  test('the model is told how to stop a delegation, since this host has a way', async () => {
    const rig = await boot()
    assert.match(rig.host.tool(TOOL).description, /`interrupt_agent` with that id stops/)
  })

  test('the 0.2 delivery is in use: the call starts an activation and returns its id at once (src/dsh/delivery-0.2.ts)', async () => {
    const rig = await boot()
    const item = { waitForFile: 'go', stdout: [events.result('the answer')] }
    const delegation = rig.delegate(await rig.task(item))
    const call = await delegation.call
    assert.equal(call.isError, false, call.text)
    const { subagentId } = call.value as Activation
    assert.deepEqual(call.value, { kind: 'activation', subagentId })
    assert.ok(call.text.includes(subagentId), call.text)
    assert.deepEqual(rig.parent.notices, [])
    await writeFile(rig.file('go'), '')
    assert.deepEqual(await delegation.ending, { stop: 'completed', text: 'the answer' })
  })

  test('the host is asked to deliver to the parent, with the signal of the call and no depth limit', async () => {
    const rig = await boot()
    const { signal } = new AbortController()
    const prompt = 'Say something.'
    await rig.delegate(prompt, { signal }).ending
    const cursor = rig.host.started[0]?.request.cursor
    assert.equal(typeof cursor?.callId, 'string')
    assert.deepEqual(rig.host.started, [
      {
        provider: PROVIDER,
        label: LABEL,
        request: { parent: rig.parent.agent, prompt: [{ type: 'text', text: prompt }], cursor },
        signal,
        delivery: 'parent',
      },
    ])
    assert.equal(rig.host.started[0]?.signal, signal)
  })

  test('ids are UUIDs, one for each call', async () => {
    const rig = await boot()
    const ids: string[] = []
    for (const prompt of ['Say something.', 'Say something else.']) {
      const { call, ending } = rig.delegate(prompt)
      ids.push(((await call).value as Activation).subagentId)
      await ending
    }
    for (const id of ids) assert.match(id, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    assert.equal(new Set(ids).size, 2)
  })
})

describe('the directory on a 0.2 host', () => {
  const asked: [string, (rig: Rig<Host02>) => string | undefined, string][] = [
    ["is the parent's current one", () => undefined, 'packages/web'],
    ['can be named relative to it', () => '../api', 'packages/api'],
    ['can be any other', (rig) => rig.file('packages/api'), 'packages/api'],
  ]
  for (const [what, cwdOf, wanted] of asked) {
    test(what, async () => {
      const rig = await boot()
      await mkdir(rig.file('packages/web'), { recursive: true })
      await mkdir(rig.file('packages/api'))
      const parent = rig.newParent({ directory: rig.file('packages/web') })
      const cwd = cwdOf(rig)
      const args = cwd === undefined ? {} : { cwd }
      await rig.delegate('Say something.', { parent, args }).ending
      assert.equal((await rig.starts())[0]?.cwd, rig.file(wanted))
    })
  }

  test('is the one where the session began when the current one is gone, and the parent is told', async () => {
    const rig = await boot()
    const parent = rig.newParent({ directory: rig.file('gone') })
    await Promise.all(['One.', 'Two.'].map((prompt) => rig.delegate(prompt, { parent }).ending))
    for (const { cwd } of await rig.starts()) assert.equal(cwd, rig.workspace)
    const [notice, ...more] = parent.notices.filter(({ delivery }) => delivery === 'inject')
    // Source: `packages/session/working-directory/src/index.ts` of DSH 0.2.
    assert.equal(
      notice?.text,
      `The working directory "${rig.file('gone')}" is unavailable. The working directory is now "${rig.workspace}".`,
    )
    assert.deepEqual(more, [])
  })

  test('that does not exist is refused as bad-cwd, before any process', async () => {
    const rig = await boot()
    const { stop, text } = await rig.delegate('Say something.', { args: { cwd: 'missing' } }).ending
    assert.equal(stop, 'refused')
    assert.match(text, /^bad-cwd: .*missing/)
    assert.equal(rig.spawned, 0)
  })
})

describe('the end of a delegation on a 0.2 host', () => {
  test("a call's signal that is aborted after publication does not stop the run", async () => {
    const rig = await boot()
    const controller = new AbortController()
    const prompt = await rig.task({
      readyFile: 'up',
      waitForFile: 'go',
      stdout: [events.result('all the same')],
    })
    const delegation = rig.delegate(prompt, { signal: controller.signal })
    assert.equal((await delegation.call).isError, false)
    controller.abort()
    await fileText(rig.file('up'))
    await writeFile(rig.file('go'), '')
    assert.deepEqual(await delegation.ending, { stop: 'completed', text: 'all the same' })
  })

  test('the notice of an answer ends with the answer, and comes when the process is gone', async () => {
    const rig = await boot({ disposeGraceMs: 200 })
    const item = { ...STUBBORN, stdout: [events.result('the answer')] }
    await rig.replay(item)
    await rig.assertNoProcess()
    const [notice, ...more] = rig.parent.notices
    assert.deepEqual([notice?.texts.at(-1), notice?.delivery], ['the answer', 'followup'])
    assert.deepEqual(more, [])
  })

  test('a parent that is at work gets it at its next step', async () => {
    const rig = await boot()
    rig.parent.status = 'running'
    await rig.replay({ stdout: [events.result('the answer')] })
    assert.equal(rig.parent.notices[0]?.delivery, 'steer')
  })

  test('the notice of a failure has the diagnostic as its last block', async () => {
    const rig = await boot()
    const item = { stderr: 'Error: Authentication required.\n', exit: 1 }
    await rig.replay(item)
    assert.match(rig.parent.notices[0]?.texts.at(-1) ?? '', /^not-authenticated: /)
  })

  test('a run that was stopped leaves no diagnostic', async () => {
    const rig = await boot({ disposeGraceMs: 200 })
    const delegation = await rig.delegateLasting(STUBBORN)
    await delegation.cancel()
    assert.deepEqual(await delegation.ending, { stop: 'aborted', text: '' })
  })
})

describe('the runs of a 0.2 host', () => {
  test('a refused start gives its slot back, and so does a run that has ended', async () => {
    const rig = await makeRig()
    await rig.boot({ maxActiveSubagents: 1, config: { disposeGraceMs: 200 } })
    assert.equal((await rig.delegate(' ').ending).stop, 'refused')
    const lasting = await rig.delegateLasting(STUBBORN)
    const second = await rig.delegate('Say something.').ending
    assert.equal(second.stop, 'refused')
    assert.equal((await rig.starts()).length, 1)
    await lasting.cancel()
    await lasting.ending
    assert.equal((await rig.delegate('Say something.').ending).stop, 'completed')
  })

  test('shutting the service down drains every run and leaves no process', async () => {
    const rig = await boot({ disposeGraceMs: 200 })
    await rig.delegateLasting(STUBBORN)
    await rig.delegateLasting()
    await rig.host.subagentsFiber.dispose()
    await rig.assertNoProcess()
    // A parent that is still there is told without being woken.
    assert.deepEqual(
      rig.parent.notices.map(({ delivery }) => delivery),
      ['inject', 'inject'],
    )
  })

  test('a host that waits for its children waits for a run and for its notice', async () => {
    const rig = await boot()
    const item = { readyFile: 'up', waitForFile: 'go', stdout: [events.result('the answer')] }
    rig.delegate(await rig.task(item))
    await fileText(rig.file('up'))
    const waiting = rig.host.subagents.waitForChildren(rig.parent.agent)
    await writeFile(rig.file('go'), '')
    assert.equal(await waiting, true)
    assert.equal(rig.parent.notices[0]?.texts.at(-1), 'the answer')
    await rig.assertNoProcess()
    assert.equal(await rig.host.subagents.waitForChildren(rig.parent.agent), false)
  })

  test('a start that is called off at the last look leaves no process and no notice', async () => {
    const rig = await boot({ disposeGraceMs: 200 })
    const controller = new AbortController()
    rig.host.ctx.on('subagent/start', () => controller.abort())
    const { call } = rig.delegate(await rig.task(STUBBORN), { signal: controller.signal })
    assert.equal((await call).isError, true)
    assert.equal(rig.spawned, 1)
    await rig.assertNoProcess()
    assert.deepEqual(rig.parent.notices, [])
  })

  test('a drain that comes during the start leaves no process and no notice', async () => {
    const rig = await boot({ disposeGraceMs: 200 })
    let drained: Promise<void> | undefined
    rig.onSpawn = () => (drained = rig.host.subagentsFiber.dispose())
    const { call } = rig.delegate(await rig.task(STUBBORN))
    assert.equal((await call).isError, true)
    assert.ok(drained)
    await drained
    await rig.assertNoProcess()
    assert.deepEqual(rig.parent.notices, [])
  })

  test('ending the session of the parent stops its runs and no other', async () => {
    const rig = await boot({ disposeGraceMs: 200 })
    await rig.delegateLasting(STUBBORN)
    const other = rig.newParent()
    const item = { readyFile: 'up', waitForFile: 'go', stdout: [events.result('mine')] }
    const theirs = rig.delegate(await rig.task(item), { parent: other })
    await fileText(rig.file('up'))
    await rig.host.subagents.drainDescendants([rig.parent.agent])
    await writeFile(rig.file('go'), '')
    assert.deepEqual(await theirs.ending, { stop: 'completed', text: 'mine' })
    await rig.assertNoProcess()
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
