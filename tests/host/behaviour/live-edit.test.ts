// Live edits as hosts from 0.1.7 on make them: the real cordis 4.0.4 and loader 1.0.5 mount the row
// and put new values into its volatile fields, with the stand-in of 0.2 around them.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse, stringify } from 'yaml'
import { settingsNamespaceOf } from '../../../src/config/settings-section.ts'
import '../../support/host-0.2/newer-packages.ts'
import type { Host02 } from '../../support/host-0.2/boot.ts'
import type { StandInSettings as Settings } from '../../support/host-0.2/settings.ts'
import { until } from '../../support/processes.ts'
import type { Config, Rig } from './rig.ts'

// Imported in this order, because only what comes later gets the newer packages.
const { importOn02 } = await import('../../support/host-0.2/import-on-0.2.ts')
const { bootHost02 } = await import('../../support/host-0.2/boot.ts')
const { StandInSettings } = await import('../../support/host-0.2/settings.ts')
const { Loader } = await import('loader-next')
const { PROVIDER, TOOL } = await import('./rig.ts')
const { useRig } = await import('./suite.ts')
const plugin = await importOn02<Record<string, unknown>>(
  new URL('../../../src/index.ts', import.meta.url),
)

const ROW = 'subagent-cursor'
const PROMPT = 'Reply with exactly: PONG'

/** How often the plugin was mounted on this host. */
const mounts = new WeakMap<Host02, number>()

const makeRig = useRig<Host02>({
  name: '0.2',
  plugin: plugin as never,
  capabilityNames: [],
  badDirectory: '',
  async boot({ plugin: _mountedByTheLoader, config = {}, ...options }) {
    const host = await bootHost02(options)
    const counting = {
      ...plugin,
      apply(...args: unknown[]) {
        mounts.set(host, (mounts.get(host) ?? 0) + 1)
        return (plugin['apply'] as (...args: unknown[]) => unknown)(...args)
      },
    }
    class RowLoader extends Loader {
      override import(): unknown {
        return counting
      }
    }
    await host.ctx.plugin(RowLoader as never, {} as never)
    await loaderOf(host).create({ id: ROW, name: 'dsh-subagent-cursor', config } as never)
    await loaderOf(host).await()
    return host
  },
  delegate() {
    throw new Error('these tests call the provider or the tool themselves')
  },
})

function loaderOf(host: Host02): InstanceType<typeof Loader> {
  return host.ctx.get('loader' as never) as unknown as InstanceType<typeof Loader>
}

async function boot(config: Config): Promise<Rig<Host02>> {
  return (await makeRig()).boot({ config })
}

/** Edits the row as the host does when its patch file or its settings have changed. */
async function edit(rig: Rig<Host02>, config: Config): Promise<void> {
  await loaderOf(rig.host).update(ROW, { config } as never)
  await loaderOf(rig.host).await()
}

/** Runs one delegation to its end, and gives the options that the CLI was started with. */
async function optionsOfNextRun(rig: Rig<Host02>): Promise<Readonly<Record<string, unknown>>> {
  const before = (await rig.starts()).length
  const { isError, text } = await rig.host.call(
    TOOL,
    { description: 'a test', prompt: PROMPT },
    { parent: rig.newParent() },
  )
  assert.ok(!isError, text)
  const starts = await until(
    async () => {
      const all = await rig.starts()
      return all.length > before && all
    },
    { what: 'the CLI has been started' },
  )
  return starts.at(-1)?.options ?? {}
}

function assertNothingWrong(rig: Rig<Host02>): void {
  assert.deepEqual(
    rig.host.logs.filter(({ level }) => level === 'error'),
    [],
  )
}

describe('a row on the loader of newer hosts', () => {
  test('live fields reach the next command line and the description without a new mount', async () => {
    const rig = await boot({ permissionMode: 'ask' })
    assert.equal((await optionsOfNextRun(rig))['mode'], 'ask')
    assert.match(rig.host.tool(TOOL).description, /answers questions/)

    await edit(rig, { permissionMode: 'plan', model: 'auto' })
    assert.match(rig.host.tool(TOOL).description, /complete plan/)
    const options = await optionsOfNextRun(rig)
    assert.deepEqual([options['mode'], options['model']], ['plan', 'auto'])

    await edit(rig, { permissionMode: 'plan' })
    assert.equal((await optionsOfNextRun(rig))['model'], undefined, 'taken away again')
    assert.equal(mounts.get(rig.host), 1)
    assertNothingWrong(rig)
  })

  test('a value that is refused leaves the one before in force, and never means the default', async () => {
    const rig = await boot({ permissionMode: 'ask' })
    await edit(rig, { permissionMode: 'yollo' as never })
    assert.equal((await optionsOfNextRun(rig))['mode'], 'ask')
    const told = rig.host.logs.filter(({ text }) => text.includes('`permissionMode` is "yollo"'))
    assert.equal(told.length, 1)
    assert.equal(mounts.get(rig.host), 1)
    assertNothingWrong(rig)
  })

  test('a field that is not live mounts the row anew', async () => {
    const rig = await boot({ permissionMode: 'ask' })
    await edit(rig, { permissionMode: 'ask', providerName: 'other' })
    await until(() => mounts.get(rig.host) === 2, { what: 'the row is mounted anew' })
    assert.deepEqual(rig.host.ctx.subagents.list(), ['other'])
    assert.notEqual(PROVIDER, 'other')
    assertNothingWrong(rig)
  })
})

describe('the settings service of newer hosts', () => {
  async function serve(rig: Rig<Host02>): Promise<Settings> {
    await rig.host.ctx.plugin(StandInSettings, { home: rig.home.home })
    const settings = rig.host.ctx.get('settings') as unknown as Settings
    await settings.imported
    return settings
  }

  const inForce = async (rig: Rig<Host02>): Promise<unknown[]> => {
    const { mode, model } = await optionsOfNextRun(rig)
    return [mode, model]
  }

  interface Upgrade {
    readonly row: Config
    /** What the user has chosen on a host before 0.1.7. */
    readonly section: Config
  }

  /** The first start of the newer host: the document of the older one is still there. */
  async function upgrade({ row, section }: Upgrade): Promise<Rig<Host02>> {
    const rig = await boot(row)
    const document = { 'another-plugin': { x: 1 }, [settingsNamespaceOf(TOOL)]: section }
    await writeFile(join(rig.home.home, 'settings.yaml'), stringify(document))
    await serve(rig)
    return rig
  }

  const told = (rig: Rig<Host02>): string[] =>
    rig.host.logs.flatMap(({ text }) => (text.includes(`section ${ROW} was`) ? [text] : []))

  test('takes over what the user has chosen on an older host, and keeps it', async () => {
    const row = { permissionMode: 'trust', model: 'gpt-5', env: { A: 'b' } }
    const section = { permissionMode: 'ask', model: null, timeoutMs: 60_000 }
    const rig = await upgrade({ row, section })
    assert.deepEqual(await inForce(rig), ['ask', undefined])
    assert.match(rig.host.tool(TOOL).description, /answers questions/)
    assert.equal(mounts.get(rig.host), 1)
    assert.deepEqual(told(rig), [])
    assertNothingWrong(rig)

    const document = await readFile(join(rig.home.home, 'cordis.patch.yml'), 'utf8')
    const [{ id, config }] = parse(document) as [{ id: string; config: Config }]
    assert.deepEqual([id, config], [ROW, { ...row, ...section }])
    const again = await boot(config)
    assert.deepEqual(await inForce(again), ['ask', undefined])
  })

  for (const [what, section, says] of [
    [
      'a field that only the row may hold',
      { permissionMode: 'ask', env: {} },
      /"env" is not volatile/,
    ],
    ['a value that is not allowed', { permissionMode: 'yollo' }, /`permissionMode` is "yollo"/],
  ] as const) {
    test(`leaves out a section with ${what}, whole and with a line in the log`, async () => {
      const rig = await upgrade({ row: { permissionMode: 'plan' }, section })
      assert.deepEqual(await inForce(rig), ['plan', undefined])
      assert.match(told(rig).join(), says)
      assertNothingWrong(rig)
    })
  }

  test("puts a form's edits in force, and takes them back", async () => {
    const rig = await boot({ permissionMode: 'ask' })
    const settings = await serve(rig)
    const updates: unknown[] = []
    const listener = (...update: unknown[]): void => void updates.push(update)
    rig.host.ctx.on('settings/document-updated' as never, listener as never)
    const form = (): { readonly revision: number; readonly value: Config } => {
      const found = settings.describe().find(({ ns }) => ns === ROW)
      assert.ok(found, 'the row has no form')
      return found
    }
    const { revision, value } = form()
    assert.deepEqual([value['permissionMode'], 'env' in value], ['ask', false])

    const set = { op: 'set', path: ['permissionMode'], value: 'plan' } as const
    await settings.mutate(ROW, [set], revision)
    assert.deepEqual(await inForce(rig), ['plan', undefined])
    assert.match(rig.host.tool(TOOL).description, /complete plan/)
    assert.deepEqual(updates.at(-1), [ROW, revision + 1])
    await assert.rejects(settings.mutate(ROW, [set], revision), /changed since it was read/)

    await assert.rejects(settings.mutate(ROW, [{ ...set, value: 'yollo' }]), /"yollo"/)
    assert.equal(form().value['permissionMode'], 'plan')
    await settings.mutate(ROW, [{ op: 'unset', path: ['permissionMode'] }], revision + 1)
    assert.deepEqual(await inForce(rig), ['ask', undefined])
    await settings.replace(ROW, { model: 'auto' })
    assert.deepEqual(await inForce(rig), ['ask', 'auto'])
    assert.equal(mounts.get(rig.host), 1)
    assertNothingWrong(rig)
  })

  const throwing = new Proxy(
    {},
    {
      get(_target, key) {
        if (typeof key === 'string' && !key.startsWith('_')) throw new Error('no settings today')
        return undefined
      },
    },
  )
  for (const [what, service] of [
    ['is empty', {}],
    ['throws at every turn', throwing],
  ] as const) {
    test(`takes nothing from delegations when it ${what}`, async () => {
      const rig = await boot({ permissionMode: 'ask' })
      await rig.host.ctx.plugin({
        name: 'settings-stand-in',
        apply: (ctx) => void ctx.provide('settings', service as never),
      })
      assert.equal((await optionsOfNextRun(rig))['mode'], 'ask')
      await edit(rig, { permissionMode: 'plan' })
      assert.equal((await optionsOfNextRun(rig))['mode'], 'plan')
      assertNothingWrong(rig)
    })
  }
})
