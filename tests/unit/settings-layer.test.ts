// The user's settings over the row's configuration, on the host's real settings service with a
// document in memory.

import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { Context } from '@deepseek-ai/cordis'
import { SettingsProvider, settingsNamespace } from '@deepseek-ai/dsh-settings'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import { layerConfig, settingsNamespaceOf } from '../../src/config/settings-section.ts'
import { PERMISSION_MODE_NAMES } from '../../src/cursor/permission-modes.ts'
import { liveSettings, type Settings } from '../../src/dsh/settings.ts'

class MemorySettings extends SettingsProvider {
  static document: Record<string, unknown> = {}
  readonly writable = true
  protected load(): Promise<Record<string, unknown>> {
    return Promise.resolve(structuredClone(MemorySettings.document))
  }
  protected persist(): Promise<void> {
    return Promise.resolve()
  }
  /** As when somebody has edited the file. */
  edit(document: Record<string, unknown>): void {
    this.publish(document)
  }
}

function edit(ctx: Context, section: unknown): void {
  ;(ctx.settings as MemorySettings).edit({ 'subagent-cursor': section })
}

const NAMESPACE = settingsNamespace('subagent-cursor')

describe('a section over the row', () => {
  const row = resolveConfig({ permissionMode: 'plan', model: 'auto', timeoutMs: 5000 })

  it('wins field by field', () => {
    const layered = layerConfig(row, { permissionMode: 'ask' })
    assert.equal(layered.permissionMode, 'ask')
    assert.equal(layered.model, 'auto')
  })

  it('takes away a model or a limit with null, and never a mode', () => {
    const layered = layerConfig(row, { model: null, timeoutMs: null, permissionMode: null })
    assert.equal(layered.model, undefined)
    assert.equal(layered.timeoutMs, undefined)
    assert.equal(layered.permissionMode, 'plan', 'an empty entry must not mean the default mode')
  })

  it('is refused with the words of the check at load', () => {
    assert.throws(
      () => layerConfig(row, { permissionMode: 'readonly' }),
      /`permissionMode` is "readonly"/,
    )
    assert.throws(() => layerConfig(row, { permisionMode: 'ask' }), /did you mean `permissionMode`/)
  })

  it('cannot set what only the row may', () => {
    for (const field of ['env', 'cliPath', 'extraArgs', 'toolName', 'readOnlySessions']) {
      assert.throws(() => layerConfig(row, { [field]: 'x' }), /set in the profile's row/)
    }
  })

  for (const [rowMode, allowed] of [
    ['yolo', ['trust', 'safe', 'yolo', 'plan', 'ask']],
    ['trust', ['trust', 'safe', 'plan', 'ask']],
    ['safe', ['safe', 'plan', 'ask']],
    ['plan', ['plan', 'ask']],
    ['ask', ['plan', 'ask']],
  ] as const) {
    it(`narrows ${rowMode} and never widens it`, () => {
      const bounded = resolveConfig({ permissionMode: rowMode })
      for (const mode of PERMISSION_MODE_NAMES) {
        const section = { permissionMode: mode }
        if ((allowed as readonly string[]).includes(mode)) {
          assert.equal(layerConfig(bounded, section).permissionMode, mode)
        } else {
          assert.throws(
            () => layerConfig(bounded, section),
            new RegExp(`policy-refused: .*at most permissionMode ${rowMode}.*cordis\\.patch\\.yml`),
          )
        }
      }
    })
  }

  it('cannot approve MCP servers that the row does not, nor by name in the place of the row', () => {
    assert.throws(
      () => layerConfig(resolveConfig({ approveMcps: false }), { approveMcps: true }),
      /policy-refused: .*approveMcps: false/,
    )
    assert.equal(
      layerConfig(resolveConfig({}), { approveMcps: true }).approvesMcpsExplicitly,
      false,
    )
    const named = resolveConfig({ approveMcps: true })
    assert.equal(layerConfig(named, {}).approvesMcpsExplicitly, true)
    assert.equal(layerConfig(named, { approveMcps: false }).approvesMcpsExplicitly, false)
  })

  it('has a namespace that the host accepts, for every tool name', () => {
    for (const name of ['subagent_cursor', 'Cursor_Ask', '_', '9-', 'a'.repeat(64)]) {
      assert.doesNotThrow(() => settingsNamespace(settingsNamespaceOf(name)), name)
    }
    assert.notEqual(
      settingsNamespaceOf('subagent_cursor_2'),
      settingsNamespaceOf('subagent_cursor'),
    )
  })
})

describe('the settings service', () => {
  let ctx: Context
  let changes = 0
  const lines: unknown[] = []

  afterEach(async () => {
    await ctx.fiber.dispose()
  })

  /** Mounts the layer as the plugin does, in a context with the settings service of a host. */
  async function layer(config: () => unknown, settingsService?: object) {
    if (settingsService !== undefined) ctx.provide('settings', settingsService as never)
    changes = 0
    lines.length = 0
    let settings: Settings | undefined
    let inside: Context | undefined
    await ctx.plugin({
      name: 'layer',
      apply(inner: Context) {
        const logger = { info: (line: unknown) => lines.push(line) }
        if (settingsService !== undefined) Object.defineProperty(inner, 'logger', { value: logger })
        inside = inner
        settings = liveSettings(inner, () => resolveConfig(config() as Config))
        settings.onChange(() => changes++)
      },
    })
    assert.ok(settings !== undefined && inside !== undefined, 'mounted')
    return { read: settings.read, inside }
  }

  /** Mounts the host's own service with this document, and the layer on it. */
  async function mount(document: Record<string, unknown>, config: Config = {}) {
    MemorySettings.document = document
    ctx = new Context()
    const service = await ctx.plugin(MemorySettings)
    const { read } = await layer(() => config)
    return Object.assign(read, { goAway: () => service.dispose() })
  }

  it('is read for each delegation, so that a saved field is in force at once', async () => {
    const read = await mount({})
    assert.equal(read().permissionMode, 'trust')
    const seen = changes
    await ctx.settings.update(NAMESPACE, { permissionMode: 'ask' })
    assert.equal(read().permissionMode, 'ask')
    await new Promise(setImmediate)
    assert.equal(changes, seen + 1)
  })

  it('refuses to store what the load would refuse', async () => {
    const read = await mount({})
    await assert.rejects(
      ctx.settings.update(NAMESPACE, { timeoutMs: -1 }),
      /config field `timeoutMs` is -1; allowed: a number of milliseconds/,
    )
    assert.equal(read().timeoutMs, undefined)
  })

  it('serves the row as the base, and no secret of it', async () => {
    await mount({}, { env: { CURSOR_API_KEY: 'key_secret' }, model: 'auto' })
    const [described] = ctx.settings.describe()
    assert.deepEqual(described?.base, {
      model: 'auto',
      permissionMode: 'trust',
      approveMcps: true,
      disposeGraceMs: 3000,
    })
    assert.doesNotMatch(JSON.stringify(described), /key_secret/)
  })

  it('keeps delegations from running on a stored section that is bad, until it is mended', async () => {
    const read = await mount({ 'subagent-cursor': { permissionMode: 'readonly' } })
    assert.throws(read, /`permissionMode` is "readonly"/)
    await ctx.settings.update(NAMESPACE, { permissionMode: 'ask' })
    assert.equal(read().permissionMode, 'ask')
  })

  for (const section of ['ask', ['ask'], 7, false]) {
    it(`refuses delegations while the section is no map: ${JSON.stringify(section)}`, async () => {
      const atStart = await mount({ 'subagent-cursor': section })
      assert.throws(atStart, /settings\.yaml.*must be a map/)
      edit(ctx, { permissionMode: 'ask' })
      assert.equal(atStart().permissionMode, 'ask', 'mended without a restart')
      edit(ctx, section)
      assert.throws(atStart, /must be a map/, 'later too')
    })
  }

  it('treats an empty section as absent, and sees the next edit', async () => {
    const read = await mount({ 'subagent-cursor': null })
    assert.equal(read().permissionMode, 'trust')
    edit(ctx, { permissionMode: 'ask' })
    assert.equal(read().permissionMode, 'ask')
    edit(ctx, null)
    assert.equal(read().permissionMode, 'trust')
  })

  it('refuses instead of keeping the last good value if one of several fields turns bad', async () => {
    const read = await mount({ 'subagent-cursor': { permissionMode: 'plan' } })
    edit(ctx, { permissionMode: 'ask', timeoutMs: -1 })
    assert.throws(read, /`timeoutMs` is -1/)
    edit(ctx, { permissionMode: 'ask', timeoutMs: 60_000 })
    assert.equal(read().permissionMode, 'ask')
  })

  it('falls back to the row, and logs one line, if the service throws', async () => {
    ctx = new Context()
    const register = (): never => assert.fail('no settings today')
    const { read } = await layer(() => ({}), { register, describe: () => [] })
    assert.equal(read().permissionMode, 'trust')
    assert.equal(read().permissionMode, 'trust')
    assert.deepEqual(lines.length, 1, lines.join('\n'))
  })

  it('reads the values from the row’s live fields if the service keeps no sections', async () => {
    let mode = 'trust'
    ctx = new Context()
    const config = (): unknown => ({ permissionMode: { get: () => mode } })
    const { read, inside } = await layer(config, { describe: () => [], update: () => {} })
    mode = 'ask'
    inside.emit('loader/volatile-update' as never, ...([[['permissionMode']]] as never))
    assert.equal(changes, 1)
    assert.equal(read().permissionMode, 'ask')
    mode = 'yollo'
    assert.throws(read, /`permissionMode` is "yollo"/, 'never means trust')
  })

  it('leaves the row in charge when it is unloaded, and reports the change', async () => {
    const read = await mount({ 'subagent-cursor': { permissionMode: 'ask' } })
    assert.equal(read().permissionMode, 'ask')
    const seen = changes
    await read.goAway()
    assert.equal(read().permissionMode, 'trust')
    assert.equal(changes, seen + 1)
  })
})
