// The user's settings over the row's configuration, on the host's real settings service with a
// document in memory.

import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { Context } from '@deepseek-ai/cordis'
import { SettingsProvider, settingsNamespace } from '@deepseek-ai/dsh-settings'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import { layerConfig, settingsNamespaceOf } from '../../src/config/settings-section.ts'
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

  afterEach(async () => {
    await ctx.fiber.dispose()
  })

  /** Mounts the service with this document, and the layer as the plugin does. */
  async function mount(document: Record<string, unknown>, config: Config = {}) {
    MemorySettings.document = document
    changes = 0
    ctx = new Context()
    await ctx.plugin(MemorySettings)
    let settings: Settings | undefined
    await ctx.plugin({
      name: 'layer',
      apply(inner: Context) {
        settings = liveSettings(inner, () => resolveConfig(config))
        settings.onChange(() => changes++)
      },
    })
    assert.ok(settings !== undefined, 'mounted')
    return settings.read
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

  it('gives way to the row when it goes away', async () => {
    MemorySettings.document = { 'subagent-cursor': { permissionMode: 'ask' } }
    ctx = new Context()
    const service = await ctx.plugin(MemorySettings)
    let settings: Settings | undefined
    await ctx.plugin({
      name: 'layer',
      apply(inner: Context) {
        settings = liveSettings(inner, () => resolveConfig({}))
        settings.onChange(() => changes++)
      },
    })
    assert.equal(settings?.read().permissionMode, 'ask')
    await service.dispose()
    assert.equal(settings?.read().permissionMode, 'trust')
  })
})
