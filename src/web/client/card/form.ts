// Where the card's values come from and go to, told by what the page has: the settings document
// (`settingsScope`, 0.1 to 0.1.6) or the row's own form (`configForms`, from 0.1.7 on). One hook each,
// of one shape, so that the card knows of neither.

import { useSyncExternalStore } from 'react'
import type { ConfigForms, Page, SettingsEdit, SettingsSnapshot } from '../page.ts'

export type SaveOutcome =
  | { readonly kind: 'saved' }
  /** Somebody else has changed the settings; they are read anew. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'refused'; readonly message?: string }

export interface Form {
  readonly snapshot: SettingsSnapshot
  /** Whether the settings lie over the profile's row, which bounds them, or are the row themselves. */
  readonly over: 'row' | 'nothing'
  save(edits: readonly SettingsEdit[]): Promise<SaveOutcome>
  /** Reads the values anew. */
  refresh(): Promise<void>
}

/** What a page from 0.1.7 on hands to the component. */
export interface FormProps {
  readonly form?: {
    readonly state: SettingsSnapshot
    readonly mutate: ReturnType<ConfigForms['get']>['mutate']
  }
}

export type UseForm = (props: FormProps) => Form

/** @param page one that has `connection` and `settingsScope`. */
export function scopeForm(page: Page, namespace: string): UseForm {
  const scope = page.get('settingsScope')
  const settings = page.get('connection')?.api?.settings
  if (scope === undefined || settings === undefined) throw new Error('no settings')
  const section = scope.bind({ namespace })

  // The page is told of a change that the user has saved, but not of another row in the profile.
  const refresh = async (): Promise<void> => {
    try {
      const { result } = await settings.describe({})
      if (!result.ok) return
      const view = result.value.namespaces.find(({ ns }) => ns === namespace)
      if (view !== undefined) scope.describe().acceptView(view)
    } catch {
      // Without a connection the page keeps what it has, and says so itself.
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

/** @param page one that has `configForms`. */
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
        // The host says only that it refused; a newer revision tells why.
        const now = own.getSnapshot().revision
        return { kind: now !== undefined && now !== revision ? 'conflict' : 'refused' }
      },
    }
  }
}
