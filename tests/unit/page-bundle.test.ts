// The browser half on pages of each generation, told by their services: a bundle that does not become
// active stops the whole page, for every plugin. Also what its row makes of odd input.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FakePage, loadBundle } from '../support/page-bundle.ts'
import { failureText } from '../../src/cursor/failures/format.ts'
import { CATEGORIES, type FailureCategory } from '../../src/cursor/failures/categories.ts'

const bundle = await loadBundle()

const READY = {
  status: 'ready',
  value: { permissionMode: 'ask', approveMcps: true, disposeGraceMs: 3000 },
  base: { permissionMode: 'trust', approveMcps: true, disposeGraceMs: 3000 },
  user: { permissionMode: 'ask' },
  revision: 1,
  writable: true,
}
const observable = <T>(value: T) => ({ getSnapshot: () => value, subscribe: () => () => {} })

const INSTANCES = [
  { toolName: 'subagent_cursor', namespace: 'subagent-cursor', rowId: 'subagent-cursor' },
  { toolName: 'cursor_two', namespace: 'subagent-cursor-two', rowId: 'second' },
].map((instance) => ({ ...instance, buttons: true, doctor: 'doctor' }))

const rpc = {
  call: (_: string, endpoint: string) =>
    Promise.resolve({ ok: true, value: endpoint === 'instances' ? INSTANCES : null }),
}

/** 0.1.0-rc.8 to 0.1.6. */
const OLD = {
  slots: ['tool.call.toolview', 'settings.plugin.item'],
  services: {
    connection: {
      rpc,
      api: { settings: { describe: async () => ({}), mutate: async () => ({}) } },
    },
    settingsScope: {
      bind: () => observable(READY),
      describe: () => ({
        ...observable({ view: { namespaces: [{ ns: 'subagent-cursor' }, { ns: 'other' }] } }),
        acceptView() {},
      }),
    },
  },
}
/** From 0.1.7 on. */
const NEW = {
  slots: ['tool.call.toolview', 'plugins.row.config'],
  services: {
    connection: { rpc },
    configForms: { get: () => ({ ...observable(READY), mutate: async () => true }) },
  },
}

describe('the browser half', () => {
  it('names only services that every page has', () => {
    assert.deepEqual([...bundle.inject], ['slots', 'locale'])
  })

  it('becomes active on a page of 0.1.0-rc.8, with rows and the card in the settings', async () => {
    const page = new FakePage(OLD.slots, OLD.services)
    assert.equal(await page.start(bundle), 'active')
    assert.deepEqual(page.keys('settings.plugin.item'), ['subagent-cursor'])
    assert.deepEqual(page.keys('tool.call.toolview'), ['subagent_cursor', 'cursor_two'])
    assert.match(page.render('settings.plugin.item', 'subagent-cursor', {}), /Cursor subagent/)
  })

  it("becomes active on a page of 0.1.7, with rows and the card behind each row's button", async () => {
    const page = new FakePage(NEW.slots, NEW.services)
    assert.equal(await page.start(bundle), 'active')
    assert.deepEqual(page.keys('plugins.row.config'), [
      'dsh-subagent-cursor#subagent-cursor',
      'dsh-subagent-cursor#second',
    ])
    assert.deepEqual(page.keys('tool.call.toolview'), ['subagent_cursor', 'cursor_two'])
    const key = 'dsh-subagent-cursor#subagent-cursor'
    const form = { state: READY, mutate: async () => true }
    assert.match(page.render('plugins.row.config', key, { view: 'page', form }), /Permission mode/)
    assert.doesNotMatch(page.render('plugins.row.config', key, { view: 'summary' }), /Permission/)
  })

  it('becomes active on a page with nothing but slots and texts', async () => {
    for (const slots of [[], ['tool.call.toolview']]) {
      const page = new FakePage(slots)
      assert.equal(await page.start(bundle), 'active')
      assert.deepEqual(
        page.keys('tool.call.toolview'),
        slots.length === 0 ? [] : ['subagent_cursor'],
      )
    }
  })

  it('becomes active whatever one service lacks or throws', async (t) => {
    t.mock.method(console, 'warn', () => {})
    const broken = new Proxy({}, { get: () => () => assert.fail('broken') })
    for (const { slots, services } of [OLD, NEW]) {
      for (const name of Object.keys(services)) {
        for (const [what, instead] of [
          ['missing', undefined],
          ['empty', {}],
          ['broken', broken],
        ] as const) {
          const { [name]: _, ...rest } = services as Record<string, unknown>
          const page = new FakePage(slots, { ...rest, ...(instead && { [name]: instead }) })
          assert.equal(await page.start(bundle), 'active', `${name} ${what}`)
          assert.equal(page.keys('tool.call.toolview')[0], 'subagent_cursor', `${name} ${what}`)
        }
      }
    }
  })
})

describe('the row', async () => {
  const page = new FakePage(['tool.call.toolview'])
  await page.start(bundle)
  const row = (block: object, language: 'en' | 'zh' = 'en'): string =>
    page.render(
      'tool.call.toolview',
      'subagent_cursor',
      { callId: 'call-1', toolName: 'subagent_cursor', block },
      language,
    )
  const argsRaw = JSON.stringify({ description: 'Fix empty input', prompt: 'Fix it.' })
  const settled = (more: object) => ({
    kind: 'tool-result',
    time: 5000,
    callTime: 1000,
    call: { name: 'subagent_cursor', argsRaw },
    content: [],
    isError: false,
    ...more,
  })
  const text = (said: string) => [{ type: 'text', text: said }]

  it('shows state, task and facts, and is a button that says whether it is open', () => {
    const shown = row(
      settled({
        content: text('Done.'),
        meta: {
          mode: 'trust',
          model: 'gpt-5',
          stopReason: 'completed',
          durationMs: 12_300,
          toolCalls: 7,
          usage: { inputTokens: 84_212, outputTokens: 2310 },
        },
      }),
    )
    assert.match(shown, /data-tool="subagent_cursor" data-state="ok"/)
    assert.match(shown, /role="button" tabindex="0" aria-expanded="false"/)
    for (const fact of [
      'Fix empty input',
      'mode trust',
      'model gpt-5',
      '12 s',
      '7 tool calls',
      '84k tokens in, 2.3k out',
    ]) {
      assert.ok(shown.includes(fact), `${fact} in ${shown}`)
    }
  })

  it('says every failure in the language of the page, with the task and what to do', () => {
    for (const category of Object.keys(CATEGORIES) as FailureCategory[]) {
      const { happened, nextStep } = CATEGORIES[category]
      const content = text(
        `Error: ${failureText({
          category,
          happened: happened.en,
          said: 'Its own words.',
          nextStep: nextStep.en.replaceAll('{doctor}', 'doctor-command'),
          facts: ['exit code: 1'],
          excerpts: { stderr: ['a line'], stdout: [] },
        })}`,
      )
      const shown = row(settled({ content, isError: true }), 'zh')
      assert.match(shown, /data-state="error"/, category)
      assert.ok(shown.includes('Fix empty input'), category)
      assert.ok(shown.includes(escaped(happened.zh)), `${category}: ${shown}`)
      assert.ok(shown.includes('Its own words.'), category)
      const [before = ''] = nextStep.zh.split(/[`{]/)
      assert.ok(shown.includes(escaped(before)), category)
      assert.ok(!shown.includes('exit code'), `${category}: facts are folded away`)
    }
  })

  it('offers the commands of a next step for copying', () => {
    const { happened, nextStep } = CATEGORIES['not-authenticated']
    const headline = { category: 'not-authenticated', happened: happened.en, nextStep: nextStep.en }
    const shown = row(
      settled({
        content: text(
          failureText({
            ...headline,
            category: 'not-authenticated',
            facts: [],
            excerpts: { stderr: [], stdout: [] },
          }),
        ),
        isError: true,
      }),
    )
    assert.match(shown, /aria-label="Copy the command cursor-agent login"/)
  })

  it('takes a stop for no failure', () => {
    for (const more of [
      { error: { code: 'interrupted' } },
      { content: text('Error: aborted: the delegation was cancelled before it gave an answer') },
      { content: text('Error: tool call aborted') },
    ]) {
      const shown = row(settled({ isError: true, ...more }))
      assert.match(shown, /data-state="stopped"/)
      assert.match(shown, /Stopped after 4\.0 s\. What it has changed stays\./)
    }
  })

  it('shows one in the background as started, and as what its job is', () => {
    const block = settled({ content: text('started background job'), meta: { mode: 'trust' } })
    const withJob = (status: string): string =>
      page.render('tool.call.toolview', 'subagent_cursor', {
        callId: 'call-1',
        toolName: 'subagent_cursor',
        block,
        sessionId: 's',
        useSessions: (select: (sessions: object) => unknown) =>
          select({
            jobsBySession: { s: [{ kind: 'subagent', label: 'Fix empty input', status }] },
          }),
      })
    assert.match(row(block), /Started in the background/)
    assert.match(withJob('running'), /data-state="running"/)
    assert.match(withJob('failed'), /data-state="error"/)
    assert.match(withJob('killed'), /data-state="stopped"/)
    assert.match(withJob('completed'), /data-state="ok"/)
  })

  const odd: readonly (readonly [string, object])[] = [
    ['a running call without arguments', { callId: 'x' }],
    ['one of 0.2 that is being prepared', { phase: 'preparing', name: 'subagent_cursor' }],
    ['arguments that are cut off', { argsRaw: '{"description":"Fi' }],
    ['arguments that are null', { argsRaw: 'null' }],
    ['a call outside the history window', settled({ call: null, callTime: null })],
    ['no content', settled({ content: undefined })],
    ['content of another kind', settled({ content: [null, { type: 'image' }, 7] })],
    ['meta of another shape', settled({ meta: [1, 2] })],
    ['meta with wrong values', settled({ meta: { mode: 7, durationMs: 'x', usage: null } })],
    ['times that are none', settled({ time: 'x', callTime: Number.NaN })],
    ['an empty failure', settled({ isError: true })],
    [
      'a failure of the host',
      settled({ isError: true, content: text('Error: out of luck\nmore') }),
    ],
  ]
  for (const [what, block] of odd) {
    it(`stays for ${what}`, () => {
      assert.match(
        row(block),
        /data-tool="subagent_cursor" data-state="(running|ok|error|stopped)"/,
      )
    })
  }

  it('shows control characters and turned directions instead of obeying them', () => {
    const shown = row(
      settled({
        call: {
          argsRaw: JSON.stringify({ description: '\u001b[31mred\u202etxt.exe', prompt: 'x' }),
        },
      }),
    )
    assert.ok(shown.includes('␛[31mred⟨U+202E⟩txt.exe'), shown)
  })
})

/** As the renderer writes it. */
function escaped(said: string): string {
  return said.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;')
}
