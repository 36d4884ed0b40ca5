// Which tool a host gets, by what its `ctx.subagents` offers: its parameters and what it answers, as
// docs/behaviour.*.md say them, and a host that no delivery knows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context } from '@deepseek-ai/cordis'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import { languageOf, textOf } from '../../scripts/docs.ts'
import { resolveConfig } from '../../src/config/config.ts'
import { RunRegistry } from '../../src/dsh/runs.ts'
import { DELIVERIES, ToolRegistration } from '../../src/dsh/tool-registration.ts'

const config = resolveConfig({})

/** What a host with these members of `ctx.subagents` is given. */
function onHost(...members: readonly string[]) {
  const tools: ToolDefinition[] = []
  const errors: string[] = []
  const ctx = {
    subagents: Object.fromEntries(members.map((name) => [name, () => {}])),
    tools: {
      register(tool: ToolDefinition) {
        tools.push(tool)
        return () => {}
      },
    },
    logger: { error: (line: string) => errors.push(line) },
  }
  const registration = new ToolRegistration(
    ctx as unknown as Context,
    config,
    () => config,
    new RunRegistry(),
  )
  registration.update()
  registration.update()
  return { tools, errors }
}

const HOSTS = {
  '0.1': { ...onHost('start'), value: { kind: 'background', jobId: 'subagent-1', run: null } },
  '0.2': { ...onHost('startActivation'), value: { kind: 'activation', subagentId: '<id>' } },
}

test('every delivery is shown here', () => {
  assert.equal(DELIVERIES.length, Object.keys(HOSTS).length)
})

test('a host that offers several ways is delegated to in the newest', () => {
  assert.deepEqual(
    namesOf(onHost(...DELIVERIES.map(({ calls }) => calls)).tools),
    namesOf(onHost(DELIVERIES[0]?.calls ?? '').tools),
  )
})

const namesOf = ([tool]: readonly ToolDefinition[]): string[] =>
  Object.keys(tool?.parameters.properties ?? {})

test('each generation gets one tool, with the parameters that the documents list', () => {
  const hostsOf = (name: string): string[] =>
    Object.entries(HOSTS).flatMap(([host, { tools }]) =>
      namesOf(tools).includes(name) ? host : [],
    )
  const names = [...new Set(Object.values(HOSTS).flatMap(({ tools }) => namesOf(tools)))]
  for (const document of ['docs/behaviour.en.md', 'docs/behaviour.zh.md']) {
    const all = { en: 'all', zh: '全部' }[languageOf(document)]
    const listed = [...textOf(document).matchAll(/^\| `(\w+)` \| (all|全部|0\.\d) \|/gm)]
    assert.deepEqual(
      listed.map(([, name, host]) => [name, host]),
      names.map((name) => [name, hostsOf(name).length === 1 ? hostsOf(name)[0] : all]),
    )
  }
  assert.deepEqual(
    Object.values(HOSTS).map(({ tools, errors }) => [tools.length, errors]),
    [
      [1, []],
      [1, []],
    ],
  )
})

test('the model is answered in the words of the documents', () => {
  for (const { tools, value } of Object.values(HOSTS)) {
    const [block] = tools[0]?.output?.render?.({}, value as never) ?? []
    assert.ok(block?.type === 'text')
    for (const document of ['docs/behaviour.en.md', 'docs/behaviour.zh.md']) {
      assert.ok(textOf(document).includes(`\`${block.text}\``), `${document}: ${block.text}`)
    }
  }
})

test('a host with no way that is known goes without the tool, and its log says why, once', () => {
  const { tools, errors } = onHost('register', 'registerProvider')
  assert.deepEqual(tools, [])
  assert.equal(errors.length, 1)
  assert.match(errors[0] ?? '', /subagent_cursor.*startActivation.*start/)
})
