// The behaviour that is the same on every host generation: the real plugin and the stand-in CLI,
// through the host's own tool registry and subprocess service. Each generation's file runs it and
// adds what is its own.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import {
  PERMISSION_MODE_NAMES,
  PERMISSION_MODES,
  type PermissionModeName,
} from '../../../src/cursor/permission-modes.ts'
import type { TimeLimitName } from '../../../src/cursor/time-limits.ts'
import { exampleCases, type RunCase } from '../../support/cases.ts'
import type { InProcessHost, SandboxMode } from '../../support/in-process-host.ts'
import { until } from '../../support/processes.ts'
import type { StandInCase } from '../../support/record.ts'
import { events, PROVIDER, Rig, TOOL, type Config, type Ending, type Generation } from './rig.ts'

const PONG = 'Reply with exactly: PONG'
const MAX_DIAGNOSTIC_BYTES = 4096
const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

/** A CLI that can only be killed, with a helper on its pipes. */
const STUBBORN: StandInCase = { ignoreSigterm: true, helper: 'holds-pipes', hang: true }
const SHORT_GRACE = { disposeGraceMs: 200 }

/** A rig for the test that asks for it; everything of it is gone again after the test. */
export function useRig<Host extends InProcessHost>(
  generation: Generation<Host>,
): () => Promise<Rig<Host>> {
  const rigs = new Set<Rig<Host>>()
  afterEach(async () => {
    const used = [...rigs]
    rigs.clear()
    for (const rig of used) await rig.dispose()
  })
  return async () => {
    const rig = await Rig.make(generation)
    rigs.add(rig)
    return rig
  }
}

export function suite<Host extends InProcessHost>(generation: Generation<Host>): void {
  const makeRig = useRig(generation)
  const boot = async (config: Config = {}): Promise<Rig<Host>> => (await makeRig()).boot({ config })

  describe('an answer', () => {
    test('the default configuration gives the documented command line, in the session directory', async () => {
      const rig = await boot()
      assert.deepEqual(await rig.delegate(PONG).ending, { stop: 'completed', text: 'PONG' })
      const [start, ...more] = await rig.starts()
      assert.deepEqual(more, [])
      assert.deepEqual(start?.argv, [
        '-p',
        '--output-format',
        'stream-json',
        '--trust',
        '--approve-mcps',
        PONG,
      ])
      assert.equal(start.cwd, rig.workspace)
      assert.equal(start.env['CURSOR_INVOKED_AS'], 'cursor-agent')
      await rig.assertNoProcess()
    })

    test('model, extra arguments and environment reach the CLI, and ambient ones do not', async () => {
      const rig = await makeRig()
      await rig.boot({
        config: {
          model: 'gpt-5',
          approveMcps: false,
          extraArgs: ['-H', 'X-Test: 1'],
          env: { CURSOR_API_KEY: 'configured', STANDIN_EXTRA: 'yes' },
        },
        env: { CURSOR_API_KEY: 'ambient', NODE_OPTIONS: '--no-deprecation' },
      })
      assert.equal((await rig.delegate(PONG).ending).stop, 'completed')
      const [start] = await rig.starts()
      assert.deepEqual(start?.argv.slice(3), [
        '--trust',
        '--model',
        'gpt-5',
        '-H',
        'X-Test: 1',
        PONG,
      ])
      assert.equal(start.env['CURSOR_API_KEY'], 'configured')
      assert.equal(start.env['STANDIN_EXTRA'], 'yes')
      assert.equal(start.env['NODE_OPTIONS'], undefined)
    })

    test('a prompt of several lines with every kind of quote arrives as written', async () => {
      const rig = await boot()
      const prompt = `Explain "a", 'b', \`c\`, $HOME, %PATH% and \\.\n\nFür 日本 🎉\u2028end `
      assert.equal((await rig.delegate(prompt).ending).stop, 'completed')
      assert.equal((await rig.starts())[0]?.argv.at(-1), prompt)
    })

    test('the answer is the result event alone, with its own white space', async () => {
      const rig = await boot()
      const answer = ' \n\u2028 – the answer –\r\n\n'
      const stdout = [
        events.init,
        events.assistant('Let me look at the otters first.'),
        events.toolCall('started', 'otters.txt'),
        events.toolCall('completed', 'otters.txt'),
        events.result(answer),
      ]
      assert.deepEqual(await rig.replay({ stdout }), { stop: 'completed', text: answer })
    })

    test('the first of two results counts', async () => {
      const rig = await boot()
      const stdout = `${events.result('first')}\n${events.result('second')}\n`
      assert.deepEqual(await rig.replay({ stdout }), { stop: 'completed', text: 'first' })
    })

    test('a CLI that lives on after its result, with a helper on its pipes, is gone when the parent hears', async () => {
      const rig = await boot(SHORT_GRACE)
      const ending = await rig.replay({ ...STUBBORN, stdout: [events.result('done')] })
      await rig.assertNoProcess()
      assert.deepEqual(ending, { stop: 'completed', text: 'done' })
    })

    test("the CLI's stderr is passed on to the host's", async () => {
      const rig = await boot()
      await rig.replay({ stderr: 'a warning of the CLI\n', stdout: [events.result('ok')] })
      assert.match(rig.hostStderr, /a warning of the CLI\n/)
    })
  })

  describe('a failure', () => {
    // The stream cases are the reader's and need no host.
    const cases = exampleCases.filter(({ kind }) => kind !== 'stream')
    const groups = Map.groupBy(cases, (item) => JSON.stringify(item.want.config ?? {}))
    for (const [json, items] of groups) {
      test(`the ${items.length} recorded failures and exits with the configuration ${json}`, async (t) => {
        const rig = await boot({ ...items[0]?.want.config, ...SHORT_GRACE })
        const endings = await replayAll(rig, items)
        for (const item of items) {
          await t.test(`${item.id}: ${item.expect}`, () => {
            const ending = endings.get(item.id)
            assert.ok(ending)
            assertWanted(item, ending)
          })
        }
        await t.test('no process of any of them is left', () => rig.assertNoProcess())
      })
    }

    test('an error result is an agent-error, and its text is not shown', async () => {
      const rig = await boot()
      const result = events.result('the reason is a heron', { subtype: 'error', is_error: true })
      const { stop, text } = await rig.replay({ stdout: [events.init, result] })
      assert.equal(stop, 'error')
      assert.match(text, /^agent-error: /)
      assert.ok(!text.includes('heron'), text)
    })

    test('an empty answer is an error of its own', async () => {
      const rig = await boot()
      const { stop, text } = await rig.replay({ stdout: [events.result(' \n')] })
      assert.equal(stop, 'error')
      assert.match(text, /^empty-answer: /)
    })

    test('a diagnostic shows nothing of the prompt, the work or the environment', async () => {
      const rig = await boot({ env: { STANDIN_SECRET: 'sesame-open-now' } })
      const prompt = await rig.task((given) => ({
        stdout: [
          events.init,
          events.assistant('the assistant thinks of otters'),
          events.toolCall('started', 'private-file.txt'),
          `a banner line about ${given}`,
        ],
        stderr:
          `Error: it broke: sesame-open-now, Bearer abcdef123456, me@example.org\n` +
          `at ${rig.home.home}/x\nthe task was: ${given}\n`,
        exit: 1,
      }))
      const { text } = await rig.delegate(prompt).ending
      assert.match(text, /^no-result: /)
      assert.match(text, /it broke/)
      assert.match(text, /tool calls?: 1 started/)
      for (const hidden of [
        'sesame-open-now',
        'abcdef123456',
        'me@example.org',
        'otters',
        'private-file',
        'heron',
        rig.home.home,
      ]) {
        assert.ok(!text.includes(hidden), `${hidden} is shown: ${text}`)
      }
    })

    const limits = {
      timeoutMs: 'a run over its time limit',
      stallTimeoutMs: 'a CLI that falls silent',
    } satisfies Record<TimeLimitName, string>
    for (const [field, what] of Object.entries(limits)) {
      test(`${what} is a timeout, and leaves no process`, async () => {
        const rig = await boot({ [field]: 500, ...SHORT_GRACE })
        const { stop, text } = await rig.replay({ ...STUBBORN, stdout: [events.init] })
        await rig.assertNoProcess()
        assert.equal(stop, 'error')
        assert.match(text, new RegExp(`^timeout: .*${field}`))
      })
    }

    test('a start-up race is tried a second time inside the same run', async () => {
      const rig = await boot()
      const raceFile = rig.file('race')
      const ending = await rig.replay({ raceFile, stdout: [events.result('second time lucky')] })
      assert.deepEqual(ending, { stop: 'completed', text: 'second time lucky' })
      assert.equal((await rig.starts()).length, 2)
      assert.equal(
        rig.logs.filter(({ text }) => /start-up race \(cli-config\)/.test(text)).length,
        1,
      )
    })
  })

  describe('a request that cannot be started', () => {
    const refusals: Record<
      string,
      {
        readonly category: string
        readonly prompt?: string
        readonly config?: (rig: Rig) => Config
        readonly prepare?: (rig: Rig) => Promise<unknown>
        readonly cwd?: (rig: Rig) => string
        readonly says: RegExp
      }
    > = {
      'a prompt of white space': { category: 'prompt-rejected', prompt: ' \n\t', says: /empty/ },
      'a prompt with a NUL character': {
        category: 'prompt-rejected',
        prompt: 'a\0b c',
        says: /NUL/,
      },
      'a prompt that no command line takes': {
        category: 'prompt-rejected',
        prompt: 'word '.repeat(200_000),
        says: /1000001 bytes.*131072/,
      },
      'a directory that does not exist': {
        category: generation.badDirectory,
        cwd: (rig) => rig.file('missing'),
        says: /missing/,
      },
      'a file as the directory': {
        category: generation.badDirectory,
        prepare: (rig) => writeFile(rig.file('plain.txt'), ''),
        cwd: (rig) => rig.file('plain.txt'),
        says: /plain\.txt/,
      },
      'no CLI anywhere': {
        category: 'cli-not-found',
        prepare: (rig) => rm(join(rig.home.home, '.local'), { recursive: true }),
        says: /cliPath/,
      },
      'a cliPath that names nothing': {
        category: 'cli-not-found',
        config: (rig) => ({ cliPath: rig.file('nowhere/index.js') }),
        says: /nowhere/,
      },
      'an install without index.js': {
        category: 'broken-install',
        prepare: (rig) => rm(rig.home.install.indexPath),
        says: /index\.js is missing/,
      },
      'a program that cannot be run': {
        category: 'spawn-failed',
        prepare: async (rig) => {
          await rm(rig.home.install.launcherPath)
          await rm(rig.home.install.nodePath)
          await writeFile(rig.home.install.nodePath, '#!/nowhere/interpreter\n')
          await chmod(rig.home.install.nodePath, 0o755)
        },
        says: /ENOENT/,
      },
    }
    for (const [what, { category, prompt = PONG, config, prepare, cwd, says }] of Object.entries(
      refusals,
    )) {
      test(`${what} is refused as ${category}, and starts nothing`, async () => {
        const rig = await makeRig()
        await prepare?.(rig)
        await rig.boot({ config: config?.(rig) ?? {} })
        const parent = rig.newParent(cwd === undefined ? {} : { cwd: cwd(rig) })
        const { stop, text } = await rig.delegate(prompt, { parent }).ending
        assert.equal(stop, 'refused')
        assert.ok(text.startsWith(`${category}: `), text)
        assert.match(text, says)
        assert.equal(rig.spawned, category === 'spawn-failed' ? 1 : 0)
        assert.deepEqual(await rig.starts(), [])
        await rig.assertNoProcess()
      })
    }

    test('a call without a calling agent fails', async () => {
      const rig = await boot()
      const call = await rig.host.call(TOOL, { description: 'x', prompt: PONG })
      assert.equal(call.isError, true)
      assert.match(call.text, /calling agent/)
      assert.deepEqual(await rig.starts(), [])
    })

    test('a refused request leaves the next one unharmed', async () => {
      const rig = await boot()
      assert.equal((await rig.delegate(' ').ending).stop, 'refused')
      assert.equal((await rig.delegate(PONG).ending).text, 'PONG')
    })
  })

  describe('cancelling', () => {
    test('a cancelled delegation ends as aborted, and even a stubborn CLI is gone when the parent hears', async () => {
      const rig = await boot(SHORT_GRACE)
      const delegation = await rig.delegateLasting(STUBBORN)
      await delegation.cancel()
      const { stop } = await delegation.ending
      await rig.assertNoProcess()
      assert.equal(stop, 'aborted')
    })

    test('a delegation that waits for its second attempt can be cancelled, and starts none', async () => {
      const rig = await boot()
      const delegation = rig.delegate(await rig.task({ raceFile: rig.file('race') }))
      await until(() => rig.logs.some(({ text }) => text.includes('start-up race')), {
        what: 'the first attempt has failed',
      })
      await delegation.cancel()
      assert.equal((await delegation.ending).stop, 'aborted')
      assert.equal((await rig.starts()).length, 1)
      await rig.assertNoProcess()
    })

    test('a signal that is aborted already starts no process', async () => {
      const rig = await boot()
      await assert.rejects(rig.startRun(PONG, AbortSignal.abort()), /aborted/)
      assert.equal(rig.spawned, 0)
    })

    test('a signal aborted during the start rejects it and leaves no process', async () => {
      const rig = await boot(SHORT_GRACE)
      const controller = new AbortController()
      rig.onSpawn = () => controller.abort()
      const start = rig.startRun(await rig.task({ hang: true }), controller.signal)
      await assert.rejects(start, /aborted/)
      assert.equal(rig.spawned, 1)
      await rig.assertNoProcess()
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0)
    })
  })

  describe('a run, as its owner has it', () => {
    test('every capability flag of this generation is there and false', async () => {
      const rig = await boot()
      const { capabilities, inheritsParentContext } = rig.provider
      const none = Object.fromEntries(generation.capabilityNames.map((name) => [name, false]))
      assert.deepEqual({ ...capabilities }, none)
      assert.equal(inheritsParentContext, false)
      assert.equal('prepareContinuable' in rig.provider, false)
    })

    test('its id is a UUID of its own', async () => {
      const rig = await boot()
      const runs = [await rig.startRun(PONG), await rig.startRun(PONG)]
      for (const run of runs) {
        assert.match(run.id, UUID)
        await run.dispose()
      }
      assert.notEqual(runs[0]?.id, runs[1]?.id)
    })

    test('it is published before the CLI has said anything', async () => {
      const rig = await boot(SHORT_GRACE)
      const run = await rig.startRun(await rig.task({ hang: true }))
      await run.dispose()
      assert.deepEqual(await run.result, { stopReason: 'aborted', output: [] })
    })

    test('the result does not wait for a process that lives on, and dispose does', async () => {
      const rig = await boot(SHORT_GRACE)
      const item = { ...STUBBORN, stdout: [events.result('done')] }
      const controller = new AbortController()
      const run = await rig.startRun(await rig.task(item), controller.signal)
      assert.deepEqual(await run.result, {
        stopReason: 'completed',
        output: [{ type: 'text', text: 'done' }],
      })
      await assert.rejects(rig.assertNoProcess(), /still alive/)
      await Promise.all([run.dispose(), run.dispose()])
      await rig.assertNoProcess()
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0)
      assert.equal((await run.result).stopReason, 'completed')
    })

    test('an answer that came before the cancellation stays the answer', async () => {
      const rig = await boot()
      const controller = new AbortController()
      const task = await rig.task({ stdout: [events.result('done')], hang: true })
      const run = await rig.startRun(task, controller.signal)
      await run.result
      controller.abort()
      await run.dispose()
      assert.equal((await run.result).stopReason, 'completed')
    })

    test('it refuses a directory that does not exist as bad-cwd, whatever its host has looked at', async () => {
      const rig = await boot()
      const cwd = rig.file('missing')
      const start = rig.provider.start({
        label: 'x',
        prompt: [{ type: 'text', text: PONG }],
        parent: rig.newParent({ cwd }).agent,
        cwd,
        signal: new AbortController().signal,
      } as never)
      await assert.rejects(start, /^.*bad-cwd: .*missing/)
      assert.equal(rig.spawned, 0)
    })

    test('a block that is no text is refused, and text blocks are joined with nothing between', async () => {
      const rig = await boot()
      const start = (prompt: unknown): ReturnType<typeof rig.startRun> =>
        rig.provider.start({
          label: 'x',
          prompt,
          parent: rig.parent.agent,
          signal: new AbortController().signal,
        } as never)
      const image = { type: 'image', mediaType: 'image/png', data: '' }
      await assert.rejects(start([{ type: 'text', text: 'a b' }, image]), /^.*prompt-rejected: /)
      assert.deepEqual(await rig.starts(), [])
      const texts = ['Say so', 'mething.'].map((text) => ({ type: 'text', text }))
      const run = await start(texts)
      await run.result
      await run.dispose()
      assert.equal((await rig.starts())[0]?.argv.at(-1), 'Say something.')
    })
  })

  describe('side by side', () => {
    test('delegations overlap, and each gets its own answer', async () => {
      const rig = await boot()
      const tasks = [await rig.task(meet('one', 'two')), await rig.task(meet('two', 'one'))]
      const endings = tasks.map((task) => rig.delegate(task, { parent: rig.newParent() }).ending)
      assert.deepEqual(
        (await Promise.all(endings)).map(({ text }) => text),
        ['answer of one', 'answer of two'],
      )
    })

    test('cancelling one leaves the other alone', async () => {
      const rig = await boot(SHORT_GRACE)
      const stuck = await rig.delegateLasting(STUBBORN)
      const parent = rig.newParent()
      const item = { waitForFile: 'go', stdout: [events.result('the other answer')] }
      const other = rig.delegate(await rig.task(item), { parent })
      await stuck.cancel()
      assert.equal((await stuck.ending).stop, 'aborted')
      await writeFile(rig.file('go'), '')
      assert.deepEqual(await other.ending, { stop: 'completed', text: 'the other answer' })
    })

    test('the host is told that calls may overlap', async () => {
      const rig = await boot()
      const mode = rig.host.ctx.tools.executionMode({
        callId: 'c',
        name: TOOL,
        arguments: { description: 'x', prompt: PONG },
        agent: rig.parent.agent,
        signal: new AbortController().signal,
      } as never)
      assert.equal(mode.kind, 'parallel')
    })
  })

  describe('reloading and removing the plugin', () => {
    const late = { waitForFile: 'go', stdout: [events.result('the late answer')] }

    test('removal takes away tool and provider, and a run in flight goes on to its answer', async () => {
      const rig = await boot()
      const delegation = await rig.delegateLasting({ ...late, hang: false })
      await rig.plugin.dispose()
      assert.deepEqual(rig.host.ctx.subagents.list(), [])
      assert.ok(!rig.host.toolNames().includes(TOOL))
      await writeFile(rig.file('go'), '')
      assert.deepEqual(await delegation.ending, { stop: 'completed', text: 'the late answer' })
      await rig.assertNoProcess()
      assert.match(rig.logs.at(-1)?.text ?? '', /ended: completed/)
    })

    test('after removal the owner can still stop its run, and no process is left', async () => {
      const rig = await boot(SHORT_GRACE)
      const delegation = await rig.delegateLasting(STUBBORN)
      await rig.plugin.dispose()
      await delegation.cancel()
      assert.equal((await delegation.ending).stop, 'aborted')
      await rig.assertNoProcess()
    })

    test('a run whose plugin is removed during its start-up race still gets its second attempt', async () => {
      const rig = await boot()
      const raceFile = rig.file('race')
      const item = { raceFile, stdout: [events.result('second time lucky')] }
      const delegation = rig.delegate(await rig.task(item))
      await until(() => rig.logs.some(({ text }) => text.includes('start-up race')), {
        what: 'the first attempt has failed',
      })
      await rig.plugin.dispose()
      assert.deepEqual(await delegation.ending, { stop: 'completed', text: 'second time lucky' })
    })

    test('the plugin can be loaded again after its removal', async () => {
      const rig = await boot()
      await rig.plugin.dispose()
      await rig.host.mount(generation.plugin, {})
      assert.equal((await rig.delegate(PONG).ending).text, 'PONG')
    })

    test('a new configuration counts for the next run and leaves the one in flight as it was', async () => {
      const rig = await boot({ permissionMode: 'ask' })
      const delegation = await rig.delegateLasting({ ...late, hang: false })
      // Newer versions of cordis give nothing to wait for.
      void rig.plugin.update({
        toolName: 'renamed',
        providerName: 'other',
        permissionMode: 'plan',
      })
      await until(() => rig.host.ctx.subagents.list().includes('other'), {
        what: 'the plugin is mounted anew',
      })
      assert.deepEqual(rig.host.ctx.subagents.list(), ['other'])
      assert.ok(!rig.host.toolNames().includes(TOOL))
      assert.ok(rig.host.toolNames().includes('renamed'))
      const parent = rig.newParent()
      assert.equal((await rig.delegate(PONG, { tool: 'renamed', parent }).ending).text, 'PONG')
      await writeFile(rig.file('go'), '')
      assert.equal((await delegation.ending).text, 'the late answer')
      assert.deepEqual(
        (await rig.starts()).map(({ options }) => options['mode']),
        ['ask', 'plan'],
      )
    })

    test('shutting the host down ends every run', async () => {
      const rig = await boot(SHORT_GRACE)
      await rig.delegateLasting(STUBBORN)
      await rig.host.dispose()
      await rig.assertNoProcess()
    })
  })

  describe('several instances', () => {
    test('two with their own names work side by side, each in its own mode', async () => {
      const rig = await boot()
      const second = { providerName: 'cursor-ask', toolName: 'ask_cursor', permissionMode: 'ask' }
      await rig.host.mount(generation.plugin, second)
      assert.deepEqual(rig.host.ctx.subagents.list(), [PROVIDER, 'cursor-ask'])
      await rig.delegate('Do the first.').ending
      await rig.delegate('Do the second.', { tool: 'ask_cursor' }).ending
      assert.deepEqual(
        (await rig.starts()).map(({ prompt, options }) => [prompt, options['mode']]),
        [
          ['Do the first.', undefined],
          ['Do the second.', 'ask'],
        ],
      )
    })

    for (const [field, config] of [
      ['providerName', { toolName: 'ask_cursor' }],
      ['toolName', { providerName: 'cursor-ask' }],
    ] as const) {
      test(`a second one with the same ${field} fails to load, names the field and registers nothing`, async () => {
        const rig = await boot()
        await assert.rejects(rig.host.mount(generation.plugin, config), new RegExp(field))
        assert.deepEqual(rig.host.ctx.subagents.list(), [PROVIDER])
        assert.ok(!rig.host.toolNames().includes('ask_cursor'))
        assert.equal((await rig.delegate(PONG).ending).text, 'PONG')
      })
    }
  })

  describe('a configuration that cannot be', () => {
    const bad: readonly (readonly [Config, ...RegExp[]])[] = [
      [{ permissionMode: 'safer' }, /`permissionMode`/, /"safer"/, /trust, safe, yolo, plan, ask/],
      [{ permisionMode: 'ask' }, /`permisionMode`/, /`permissionMode`/],
      [{ timeout: 5 }, /`timeout`/, /`timeoutMs`/],
      [{ providerName: '' }, /`providerName`/, /""/, /non-empty/],
      [{ toolName: 'a tool' }, /`toolName`/, /"a tool"/, /letters/],
      [{ toolName: 'x'.repeat(65) }, /`toolName`/, /64/],
      [{ model: '' }, /`model`/, /""/],
      [{ model: '--force' }, /`model`/, /"--force"/],
      [{ env: { A: 1 } }, /`env`/],
      [{ approveMcps: 'yes' }, /`approveMcps`/, /"yes"/, /true or false/],
      [{ extraArgs: '--x' }, /`extraArgs`/, /is a string/, /list/],
      [{ disposeGraceMs: 0 }, /`disposeGraceMs`/, /is 0;/, /2147483647/],
      [{ disposeGraceMs: Infinity }, /`disposeGraceMs`/, /Infinity/],
      [{ timeoutMs: -1 }, /`timeoutMs`/, /-1/],
      [{ stallTimeoutMs: 3e9 }, /`stallTimeoutMs`/, /3000000000/],
      [{ timeoutMs: '5000' }, /`timeoutMs`/, /"5000"/],
      [{ cliPath: 'bin/index.js' }, /`cliPath`/, /"bin\/index\.js"/, /absolute/],
      [{ readOnlySessions: 'maybe' }, /`readOnlySessions`/, /"maybe"/, /refuse or allow/],
    ]
    test('fails the load with the field, the value and what is allowed', async () => {
      const rig = await boot()
      for (const [config, ...patterns] of bad) {
        const second = { providerName: 'p2', toolName: 't2', ...config }
        await assert.rejects(rig.host.mount(generation.plugin, second), ({ message }: Error) => {
          for (const pattern of patterns) assert.match(message, pattern)
          return true
        })
        assert.deepEqual(rig.host.ctx.subagents.list(), [PROVIDER])
        assert.ok(!rig.host.toolNames().includes('t2'))
      }
    })

    test('a secret in a bad `env` is not repeated', async () => {
      const rig = await makeRig()
      const env = { KEY: 'sesame-open-now', 'A=B': 'x' }
      await assert.rejects(rig.boot({ config: { env } }), ({ message }: Error) => {
        assert.match(message, /`env`/)
        assert.ok(!message.includes('sesame'), message)
        return true
      })
    })

    test('extra arguments that break runs are told once, at level info, and passed all the same', async () => {
      const rig = await boot({ extraArgs: ['--stream-partial-output'] })
      const notes = rig.logs.filter(({ text }) => text.includes('extraArgs'))
      assert.deepEqual(
        notes.map(({ level }) => level),
        ['info'],
      )
      assert.match(notes[0]?.text ?? '', /--stream-partial-output/)
      await rig.delegate(PONG).ending
      assert.ok((await rig.starts())[0]?.argv.includes('--stream-partial-output'))
    })
  })

  describe("the parent session's sandbox policy", () => {
    const WORK: StandInCase = {
      writeFile: { path: 'written.txt', text: 'by the agent' },
      stdout: [events.result('written')],
    }
    const [READING, WRITING] = [false, true].map((writing) =>
      PERMISSION_MODE_NAMES.filter((name) => PERMISSION_MODES[name].writes === writing),
    ) as [PermissionModeName[], PermissionModeName[]]

    interface Policies {
      readonly config: Config
      /** The deployment's default; left out: no such service. */
      readonly deployment?: SandboxMode
      /** The session's own, which outranks it. */
      readonly session?: SandboxMode
    }

    async function attempt({ config, deployment, session }: Policies): Promise<{
      readonly rig: Rig<Host>
      readonly ending: Ending
    }> {
      const rig = await makeRig()
      await rig.boot({ config, ...(deployment !== undefined && { sandboxPolicy: deployment }) })
      if (session !== undefined) rig.parent.sandboxMode = session
      return { rig, ending: await rig.replay(WORK) }
    }

    async function assertRefused(policies: Policies): Promise<void> {
      const { rig, ending } = await attempt(policies)
      assert.equal(ending.stop, 'refused')
      assert.match(ending.text, /^policy-refused: /)
      for (const wayOut of [
        /read_only: true/,
        /\bask\b/,
        /\bplan\b/,
        /readOnlySessions: allow/,
        /another policy/,
      ]) {
        assert.match(ending.text, wayOut)
      }
      assert.equal(rig.spawned, 0, 'a process was started')
      assert.deepEqual(await rig.starts(), [])
      assert.ok(!existsSync(rig.file('written.txt')), 'the agent wrote in a read-only session')
      await rig.assertNoProcess()
    }

    async function assertRan(policies: Policies): Promise<void> {
      const { rig, ending } = await attempt(policies)
      assert.deepEqual(ending, { stop: 'completed', text: 'written' })
      assert.equal(await readFile(rig.file('written.txt'), 'utf8'), 'by the agent')
    }

    for (const permissionMode of WRITING) {
      const config = { permissionMode }
      test(`${permissionMode} is refused in a session that is read-only by itself`, () =>
        assertRefused({ config, deployment: 'danger-full-access', session: 'read-only' }))
      test(`${permissionMode} is refused in a session that is read-only by the deployment`, () =>
        assertRefused({ config, deployment: 'read-only' }))
    }
    for (const permissionMode of READING) {
      test(`${permissionMode} passes in a read-only session`, () =>
        assertRan({ config: { permissionMode }, deployment: 'read-only' }))
    }
    test('readOnlySessions: allow lets a mode that can write pass', () =>
      assertRan({
        config: { readOnlySessions: 'allow' },
        deployment: 'read-only',
        session: 'read-only',
      }))
    test('a call with read_only passes in every mode and session, and cannot write', async () => {
      const rig = await makeRig()
      await rig.boot({ config: { permissionMode: 'yolo' }, sandboxPolicy: 'read-only' })
      const ending = await rig.replay(WORK, { args: { read_only: true } })
      assert.equal(ending.stop, 'completed')
      const [start] = await rig.starts()
      assert.deepEqual(
        [start?.options['mode'], start?.options['force'], start?.options['approveMcps']],
        ['ask', undefined, undefined],
      )
    })
    test('workspace-write passes', () => assertRan({ config: {}, deployment: 'workspace-write' }))
    test('danger-full-access passes', () =>
      assertRan({ config: {}, deployment: 'danger-full-access' }))
    test("a session's own policy outranks a read-only deployment", () =>
      assertRan({ config: {}, deployment: 'read-only', session: 'workspace-write' }))
    test('a host without the policy service is left as it is', () => assertRan({ config: {} }))
  })

  describe('the log', () => {
    test('a run leaves one line at its start and one at its end, without content', async () => {
      const rig = await boot({ model: 'gpt-5', permissionMode: 'plan' })
      const stdout = [
        events.init,
        events.assistant('thinking of otters'),
        events.toolCall('started', 'private-file.txt'),
        events.toolCall('completed', 'private-file.txt'),
        events.toolCall('started', 'other-file.txt'),
        events.result('the answer is a heron', {
          usage: { inputTokens: 9880, outputTokens: 9, cacheReadTokens: 64, cacheWriteTokens: 0 },
        }),
      ]
      const prompt = await rig.task({ stdout, stderr: 'a warning\n' })
      await rig.delegate(prompt).ending
      const [first, last, ...more] = rig.logs
      assert.deepEqual(more, [])
      assert.ok(first && last)
      assert.deepEqual([first.level, last.level], ['info', 'info'])
      const [, id] = /run (\S+) started/.exec(first.text) ?? []
      assert.match(id ?? '', UUID)
      for (const fact of [/provider cursor\b/, /mode plan\b/, /model gpt-5\b/]) {
        assert.match(first.text, fact)
      }
      const bytes = Buffer.byteLength(stdout.map((line) => `${line}\n`).join(''))
      for (const fact of [
        `run ${id} ended: completed`,
        '6 events',
        '2 tool calls started, 1 completed',
        `${bytes} bytes`,
        '9880 tokens in, 9 out',
      ]) {
        assert.ok(last.text.includes(fact), `${fact}: ${last.text}`)
      }
      assert.match(last.text, /after \d+ ms/)
      for (const { text } of rig.host.logs) {
        for (const content of ['otters', 'private-file', 'heron', 'warning', prompt]) {
          assert.ok(!text.includes(content), text)
        }
      }
    })

    test('the end of a failed run names its category, that of a cancelled one says so', async () => {
      const rig = await boot(SHORT_GRACE)
      await rig.replay({ stderr: 'Error: Authentication required.\n', exit: 1 })
      assert.match(rig.logs.at(-1)?.text ?? '', /ended: failed \(not-authenticated\)/)
      const delegation = await rig.delegateLasting()
      await delegation.cancel()
      await delegation.ending
      assert.match(rig.logs.at(-1)?.text ?? '', /ended: aborted/)
      assert.equal(rig.logs.length, 4)
    })

    test('a second result is noted as a malformed stream', async () => {
      const rig = await boot()
      await rig.replay({ stdout: `${events.result('first')}\n${events.result('second')}\n` })
      const [note, ...more] = rig.logs.filter(({ text }) => text.includes('malformed stream'))
      assert.deepEqual([note?.level, more], ['info', []])
    })
  })

  describe('the tool', () => {
    test('its description tells the model the rules of a delegation', async () => {
      const rig = await boot()
      const { description } = rig.host.tool(TOOL)
      for (const rule of [/Cursor/, /single-shot/i, /10,000/, /3-6 s/]) {
        assert.match(description, rule)
      }
    })

    for (const [permissionMode, says] of Object.entries({
      trust: /write files/,
      safe: /sandbox/,
      yolo: /everything/,
      plan: /read-only.*complete plan in the final reply/,
      ask: /read-only/,
    } satisfies Record<PermissionModeName, RegExp>)) {
      test(`its description says what ${permissionMode} allows`, async () => {
        const rig = await boot({ permissionMode })
        assert.match(rig.host.tool(TOOL).description, says)
      })
    }
  })
}

/** Waits until its counterpart is there: one after the other, neither would ever end. */
function meet(own: string, other: string): StandInCase {
  return {
    readyFile: own,
    waitForFile: other,
    stdout: [events.result(`answer of ${own}`)],
  }
}

/** Delegates every case, some at a time, each for a parent of its own. */
async function replayAll(rig: Rig, items: readonly RunCase[]): Promise<Map<string, Ending>> {
  const endings = new Map<string, Ending>()
  const queue = [...items]
  const work = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const { id, stdout, stderr, exit } = item
      const { hang, chunk_bytes, no_final_newline } = item
      const prompt = await rig.task({
        stdout,
        stderr,
        exit,
        ...(hang !== undefined && { hang }),
        ...(chunk_bytes !== undefined && { chunk_bytes }),
        ...(no_final_newline !== undefined && { no_final_newline }),
      })
      endings.set(id, await rig.delegate(prompt, { parent: rig.newParent() }).ending)
    }
  }
  await Promise.all(Array.from({ length: 6 }, work))
  return endings
}

function assertWanted(item: RunCase, { stop, text }: Ending): void {
  const { want } = item
  assert.equal(stop, want.stop, text)
  if (want.stop === 'completed') {
    assert.equal(text, want.answer)
    return
  }
  if (want.category !== undefined) assert.ok(text.startsWith(`${want.category}: `), text)
  else assert.match(text, /^[a-z]+(-[a-z]+)*: /)
  for (const hidden of want.absent ?? []) assert.ok(!text.includes(hidden), `${hidden}: ${text}`)
  for (const shown of want.present ?? []) assert.ok(text.includes(shown), `${shown}: ${text}`)
  assert.ok(Buffer.byteLength(text) <= MAX_DIAGNOSTIC_BYTES)
}
