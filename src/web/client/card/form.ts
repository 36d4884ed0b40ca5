// Loads and saves the card's values: in the settings document (`settingsScope`, 0.1 to 0.1.6) or in
// the row's own form (`configForms`, from 0.1.7 on). Both hooks have the same type, so the card need
// not know which page it is on.

import { useSyncExternalStore } from 'react'
import type { ConfigForms, Page, SettingsEdit, SettingsSnapshot } from '../page.ts'

export type SaveOutcome =
  | { readonly kind: 'saved' }
  /** Somebody else changed the settings first; the page has loaded the new values. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'refused'; readonly message?: string }

export interface Form {
  readonly snapshot: SettingsSnapshot
  /** `row`: the settings override the profile's row, within its limits. `nothing`: they are the row. */
  readonly over: 'row' | 'nothing'
  save(edits: readonly SettingsEdit[]): Promise<SaveOutcome>
  refresh(): Promise<void>
}

/** The props that pages from 0.1.7 on pass to the component. */
export interface FormProps {
  readonly form?: {
    readonly state: SettingsSnapshot
    readonly mutate: ReturnType<ConfigForms['get']>['mutate']
  }
}

export type UseForm = (props: FormProps) => Form

/** @param page must have `connection` and `settingsScope`. */
export function scopeForm(page: Page, namespace: string): UseForm {
  const scope = page.get('settingsScope')
  const settings = page.get('connection')?.api?.settings
  if (scope === undefined || settings === undefined) throw new Error('no settings')
  const section = scope.bind({ namespace })

  // The host tells the page about saved settings, but not about changes of the profile's row.
  const refresh = async (): Promise<void> => {
    try {
      const { result } = await settings.describe({})
      if (!result.ok) return
      const view = result.value.namespaces.find(({ ns }) => ns === namespace)
      if (view !== undefined) scope.describe().acceptView(view)
    } catch {
      // Without a connection, keep the old values; the page itself reports the lost connection.
    }
  }

  return function useScopeForm() {
    const snapshot = useSyncExternalStore(
      (listener) => section.subscribe(listener),
      () => section.getSnapshot(),
    )
    return {
      snapshot,
      over: 'row',
      refresh,
      async save(ops) {
        const { result } = await settings.mutate({
          ns: namespace,
          ops,
          ...(snapshot.revision !== undefined && { expectedRevision: snapshot.revision }),
        })
        if (result.ok) {
          scope.describe().acceptView(result.value)
          return { kind: 'saved' }
        }
        if (result.error.code !== 'settings-conflict') {
          return { kind: 'refused', message: result.error.message }
        }
        await refresh()
        return { kind: 'conflict' }
      },
    }
  }
}

/** @param page must have `configForms`. */
export function rowForm(page: Page, rowId: string): UseForm {
  const own = page.get('configForms')?.get(rowId)
  if (own === undefined) throw new Error('no form')
  return function useRowForm({ form }) {
    const read = useSyncExternalStore(
      (listener) => own.subscribe(listener),
      () => own.getSnapshot(),
    )
    const snapshot = form?.state ?? read
    const { revision } = snapshot
    return {
      snapshot,
      over: 'nothing',
      refresh: async () => {},
      async save(edits) {
        const mutate = form?.mutate ?? ((...args) => own.mutate(...args))
        if (await mutate(edits, revision)) return { kind: 'saved' }
        // The host does not say why it refused, but a new revision means that somebody else saved.
        const now = own.getSnapshot().revision
        return { kind: now !== undefined && now !== revision ? 'conflict' : 'refused' }
      },
    }
  }
}
