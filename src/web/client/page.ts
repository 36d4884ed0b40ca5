// The part of the host's page that the card uses, as structural types read off its sources at
// dsh-v0.1.0-rc.8 (packages/client: runtime, locale, connection, ui-settings). Its packages are
// not dependencies: the page brings them, and the bundle must hold no copy.

import type { ComponentType } from 'react'

export interface Observable<T> {
  getSnapshot(): T
  subscribe(listener: () => void): () => void
}

export type JsonObject = Readonly<Record<string, unknown>>

/** One namespace of the settings document, as the host describes it. */
export interface SettingsSnapshot {
  readonly status: 'loading' | 'ready' | 'unavailable'
  /** The section in force. */
  readonly value: JsonObject | undefined
  /** What the profile's row says. */
  readonly base: JsonObject | undefined
  /** What the user has stored; a field's presence marks it as the user's. */
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

interface SettingsView {
  readonly namespaces: readonly { readonly ns: string }[]
}

export interface Page {
  effect(run: () => () => void, label?: string): void
  readonly slots: {
    inject(slot: string, register: () => () => void): void
    register(
      options: { readonly name: string; readonly key: string; readonly locale: string },
      component: ComponentType<{ t: Translate }>,
    ): () => void
  }
  readonly locale: {
    register(namespace: string, dictionaries: Record<string, Record<string, string>>): () => void
  }
  readonly settingsScope: {
    bind(spec: { readonly namespace: string }): Observable<SettingsSnapshot>
    describe(): Observable<{
      readonly view: SettingsView | undefined
    }> & { acceptView(view: unknown): void }
  }
  readonly connection: {
    readonly rpc: {
      call(
        channel: string,
        endpoint: string,
        payload: unknown,
        signal: AbortSignal,
      ): Promise<RpcResult>
    }
    readonly api: {
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
}

/** Looks a text up in the page's language; `{name}` in it is replaced. */
export type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string
