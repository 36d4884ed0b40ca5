// A stand-in for `ctx.settings` of hosts from 0.1.7 on, on the real loader: forms over the live fields of
// the rows, and the import of the settings document that older hosts kept. Source:
// `packages/settings/settings/src/index.ts` and `packages/boot/config-editor/src/index.ts` there. It
// leaves out secrets, nested fields and the layers of a profile: a row inherits what it was mounted with.
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { resolveConfig, Service } from '@deepseek-ai/cordis'
import type { Context, Fiber } from '@deepseek-ai/cordis'
import { parse, stringify } from 'yaml'

type Values = Readonly<Record<string, unknown>>

/** One edit of a form, as the page's card makes it. */
type FormEdit =
  | { readonly op: 'set'; readonly path: readonly [string]; readonly value: unknown }
  | { readonly op: 'unset'; readonly path: readonly [string] }

interface Row {
  readonly options: { readonly id: string; readonly name: string; config?: Values }
  readonly fiber?: Fiber
}

interface Loader {
  entries(): Iterable<Row>
  update(id: string, options: { readonly config: Values }): Promise<void>
  await(): Promise<void>
}

const ACTIVE = 2

export class StandInSettings extends Service {
  static inject = ['loader']
  readonly writable = true
  readonly documentPath: string
  /** Settles when every section of an older document has been offered to its row. */
  readonly imported: Promise<void>
  private readonly inherited = new Map<string, Values>()
  private readonly revisions = new Map<
    string,
    { readonly raw: string; readonly revision: number }
  >()
  private readonly owner: Context

  /** @param config `home`: `$DSH_HOME`. */
  constructor(ctx: Context, { home }: { readonly home: string }) {
    super(ctx, 'settings')
    this.owner = ctx
    this.documentPath = join(home, 'cordis.patch.yml')
    this.imported = this.importDocument(join(home, 'settings.yaml'))
  }

  /** Whether a page is made for a row that has none of its own, which is for the page to know. */
  configure(_presentation: { readonly auto?: boolean }, _owner?: Fiber): () => void {
    return () => {}
  }

  describe(): { readonly ns: string; readonly revision: number; readonly value: Values }[] {
    return this.rows().flatMap(({ fiber, options }) => {
      const names = liveFields(fiber)
      if (fiber?.state !== ACTIVE || names.length === 0) return []
      const { id: ns, config = {} } = options
      if (!this.inherited.has(ns)) this.inherited.set(ns, config)
      const raw = JSON.stringify([fiber.uid, config])
      const before = this.revisions.get(ns)
      const revision = before === undefined ? 0 : before.revision + Number(before.raw !== raw)
      this.revisions.set(ns, { raw, revision })
      if (before?.raw !== raw) {
        const emit = this.owner.emit.bind(this.owner) as (event: string, ...args: unknown[]) => void
        emit('settings/document-updated', ns, revision)
      }
      const boxes = fiber.config as Readonly<Record<string, { get(): unknown }>>
      return {
        ns,
        revision,
        applies: 'live',
        value: Object.fromEntries(names.map((name) => [name, boxes[name]?.get()])),
        base: only(names, this.inherited.get(ns)),
        user: only(names, config),
      }
    })
  }

  update(ns: string, patch: Values, revision?: number): Promise<void> {
    return this.write(ns, (current) => ({ ...current, ...patch }), revision)
  }

  replace(ns: string, section: Values, revision?: number): Promise<void> {
    return this.write(ns, (_current, base) => ({ ...base, ...section }), revision)
  }

  mutate(ns: string, edits: readonly FormEdit[], revision?: number): Promise<void> {
    const change = (current: Values, base: Values): Values =>
      edits.reduce<Values>((values, edit) => {
        const [name] = edit.path
        return { ...values, [name]: edit.op === 'set' ? edit.value : base[name] }
      }, current)
    return this.write(ns, change, revision)
  }

  private rows(): Row[] {
    return [...this.loader.entries()]
  }

  private get loader(): Loader {
    return this.owner.get('loader' as never) as unknown as Loader
  }

  /** Checks the whole configuration that would come of it before anything is kept or put in force. */
  private async write(
    ns: string,
    change: (current: Values, base: Values) => Values,
    expected?: number,
  ): Promise<void> {
    const row = this.rows().find(({ options }) => options.id === ns)
    const runtime = row?.fiber?.runtime
    if (row === undefined || runtime?.Config === undefined) {
      throw new Error(`No configurable plugin entry "${ns}"`)
    }
    const names = liveFields(row.fiber)
    if (names.length === 0) throw new Error(`Plugin entry "${ns}" has no volatile fields`)
    const revision = this.describe().find((form) => form.ns === ns)?.revision
    if (revision === undefined) throw new Error(`Plugin entry "${ns}" is no longer configurable`)
    if (expected !== undefined && expected !== revision) {
      throw new Error(
        `settings namespace "${ns}" changed since it was read (expected revision ${expected}, now ${revision})`,
      )
    }
    const { config = {} } = row.options
    const form = change(only(names, config), only(names, this.inherited.get(ns)))
    const fixed = Object.keys(form).find((name) => !names.includes(name))
    if (fixed !== undefined) throw new Error(`Config field "${fixed}" is not volatile`)
    const ordinary = Object.entries(config).filter(([name]) => !names.includes(name))
    // What is stored is JSON, without the fields that are undefined.
    const next = JSON.parse(JSON.stringify({ ...Object.fromEntries(ordinary), ...form })) as Values
    resolveConfig(runtime, next)
    await this.loader.update(ns, { config: next })
    await this.loader.await()
    await writeFile(this.documentPath, stringify(this.rows().map(({ options }) => options)))
    this.describe()
  }

  /** Once for all profiles: the document is out of the way before the first section is written. */
  private async importDocument(path: string): Promise<void> {
    await this.loader.await()
    if (!existsSync(path)) return
    const kept = `${path}.imported`
    await rename(path, kept)
    const sections = parse(await readFile(kept, 'utf8')) as Record<string, Values> | null
    for (const [section, values] of Object.entries(sections ?? {})) {
      try {
        await this.update(section, values)
      } catch (error) {
        this.owner.logger.warn(`settings: section ${section} was not imported: ${String(error)}`)
      }
    }
  }
}

/** The names of the top-level fields that a schema marks as volatile. */
function liveFields(fiber: Fiber | undefined): string[] {
  const schema = fiber?.runtime?.Config as
    | {
        readonly dict?: Readonly<Record<string, { readonly meta: { readonly volatile?: boolean } }>>
      }
    | undefined
  return Object.entries(schema?.dict ?? {}).flatMap(([name, { meta }]) =>
    meta.volatile === true ? name : [],
  )
}

function only(names: readonly string[], values: Values = {}): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
}
