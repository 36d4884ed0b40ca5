// Types for the part of the host's page that the browser half uses. Source: dsh-v0.1.0-rc.8 and, for
// `configForms`, 0.1.7. Written by hand, because the page brings these packages itself and the bundle
// must not contain a copy.

import type { ComponentType } from 'react'

export interface Observable<T> {
  getSnapshot(): T
  subscribe(listener: () => void): () => void
}

export type JsonObject = Readonly<Record<string, unknown>>

/** One section of the settings; the same on all pages. */
export interface SettingsSnapshot {
  readonly status: 'loading' | 'ready' | 'unavailable'
  /** The current values. */
  readonly value: JsonObject | undefined
  /** The values of the profile's row. */
  readonly base: JsonObject | undefined
  /** Only the fields that the user has set. */
  readonly user: JsonObject | undefined
  readonly revision: number | undefined
  readonly writable: boolean
}

export type SettingsEdit =
  | { readonly op: 'set'; readonly path: readonly [string]; readonly value: unknown }
  | { readonly op: 'unset'; readonly path: readonly [string] }

export type RpcResult<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }

/** Looks up a text in the page's language and fills in its `{name}` placeholders. */
export type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string

interface SettingsView {
  readonly namespaces: readonly { readonly ns: string }[]
}

/** Pages of 0.1 to 0.1.6. */
export interface SettingsScope {
  bind(spec: { readonly namespace: string }): Observable<SettingsSnapshot>
  describe(): Observable<{ readonly view: SettingsView | undefined }> & {
    acceptView(view: unknown): void
  }
}

/** Pages from 0.1.7 on. */
export interface ConfigForms {
  get(rowId: string): Observable<SettingsSnapshot> & {
    /** @returns whether the host accepted the edits; it does not say why not. */
    mutate(edits: readonly SettingsEdit[], expectedRevision?: number): Promise<boolean>
  }
}

export interface Connection {
  readonly rpc: {
    call(
      channel: string,
      endpoint: string,
      payload: unknown,
      signal?: AbortSignal,
    ): Promise<RpcResult>
  }
  /** Pages of 0.1 to 0.1.6. */
  readonly api?: {
    readonly settings: {
      describe(request: object): Promise<{ readonly result: RpcResult<SettingsView> }>
      mutate(request: {
        readonly ns: string
        readonly ops: readonly SettingsEdit[]
        readonly expectedRevision?: number
      }): Promise<{ readonly result: RpcResult }>
    }
  }
}

interface Services {
  readonly connection: Connection
  readonly settingsScope: SettingsScope
  readonly configForms: ConfigForms
}

export interface Page {
  effect(run: () => () => void, label?: string): void
  /** @returns the service, or `undefined` if the page lacks it. */
  get<Name extends keyof Services>(name: Name): Services[Name] | undefined
  /** Calls `use` when the page has these services, and undoes its effects when it loses one. */
  inject(names: readonly (keyof Services)[], use: (page: Page) => void): void
  readonly slots: {
    /** Calls `register` when the page shows the slot, and the function it returns when it no longer does. */
    inject(slot: string, register: () => () => void): void
    register(
      options: { readonly name: string; readonly key: string; readonly locale: string },
      component: ComponentType<never>,
    ): () => void
  }
  readonly locale: {
    register(namespace: string, dictionaries: Record<string, Record<string, string>>): () => void
  }
}
