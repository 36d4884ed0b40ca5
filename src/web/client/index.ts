// The browser half: registers a row for each delegation and a settings card for each instance. A
// bundle that does not become active stops the whole page, so `inject` names only services that every
// page has, and a part that throws is skipped. row/ and card/ draw the parts.

import { FIELDS } from '../../config/fields.ts'
import { SETTINGS_NAMESPACE } from '../../config/namespace.ts'
import { createSettingsCard } from './card/card.tsx'
import { rowForm, scopeForm } from './card/form.ts'
import { PageInstances } from './instances.ts'
import { DICTIONARIES, TEXTS } from './locale.ts'
import type { Page } from './page.ts'
import { createRow } from './row/row.tsx'
import { STYLES } from './styles.ts'

const PACKAGE = 'dsh-subagent-cursor'

export const inject = ['slots', 'locale']

export function apply(page: Page): void {
  const instances = new PageInstances(page)
  for (const part of [texts, styles, rows, cardsInSettings, cardsInPluginPage]) {
    leftOutIfItFails(part.name, () => part(page, instances))
  }
  page.inject(['connection'], () => void instances.refresh())
}

function leftOutIfItFails(name: string, part: () => void): void {
  try {
    part()
  } catch (error) {
    console.warn(`${PACKAGE}: this page goes without its ${name}`, error)
  }
}

function texts(page: Page): void {
  page.effect(() => page.locale.register(TEXTS, DICTIONARIES), `${PACKAGE}: texts`)
}

function styles(page: Page): void {
  page.effect(() => {
    const style = document.createElement('style')
    style.dataset['plugin'] = PACKAGE
    style.textContent = STYLES
    document.head.append(style)
    return () => style.remove()
  }, `${PACKAGE}: styles`)
}

/** Every page has this slot. The default tool's row is registered before the host has answered. */
function rows(page: Page, instances: PageInstances): void {
  const component = createRow(instances)
  const toolNames = (): readonly string[] => [
    FIELDS.toolName.fallback,
    ...instances.getSnapshot().map(({ toolName }) => toolName),
  ]
  registerEach(page, 'tool.call.toolview', instances, toolNames, (toolName) => ({
    key: toolName,
    component,
  }))
}

/** On pages of 0.1 to 0.1.6, adds a card to the list of plugin settings for each settings section. */
function cardsInSettings(root: Page, instances: PageInstances): void {
  root.inject(['connection', 'settingsScope'], (page) =>
    leftOutIfItFails('settings card', () => {
      const described = page.get('settingsScope')?.describe()
      if (described === undefined) return
      const sections = (): readonly string[] =>
        (described.getSnapshot().view?.namespaces ?? [])
          .map(({ ns }) => ns)
          .filter((ns) => ns === SETTINGS_NAMESPACE || ns.startsWith(`${SETTINGS_NAMESPACE}-`))
      registerEach(page, 'settings.plugin.item', described, sections, (namespace) => ({
        key: namespace,
        component: createSettingsCard({
          useForm: scopeForm(page, namespace),
          instances,
          isOf: (instance) => instance.namespace === namespace,
          listedAs: namespace,
        }),
      }))
    }),
  )
}

/** On pages from 0.1.7 on, the Configure button of each row in the plugin page opens the card. */
function cardsInPluginPage(root: Page, instances: PageInstances): void {
  root.inject(['configForms'], (page) =>
    leftOutIfItFails('settings card', () => {
      const rowIds = (): readonly string[] => [
        // The id of the row that `cordis.patch.yml` inserts.
        SETTINGS_NAMESPACE,
        ...instances.getSnapshot().flatMap(({ rowId }) => rowId ?? []),
      ]
      registerEach(page, 'plugins.row.config', instances, rowIds, (rowId) => ({
        key: `${PACKAGE}#${rowId}`,
        component: createSettingsCard({
          useForm: rowForm(page, rowId),
          instances,
          isOf: (instance) => instance.rowId === rowId,
        }),
      }))
    }),
  )
}

type SlotComponent = Parameters<Page['slots']['register']>[1]

/** Registers a component in the slot for each of `names()`, and for new ones when `source` changes. */
function registerEach(
  page: Page,
  slot: string,
  source: { subscribe(listener: () => void): () => void },
  names: () => readonly string[],
  entry: (name: string) => { readonly key: string; readonly component: SlotComponent },
): void {
  page.slots.inject(slot, () => {
    const registered = new Map<string, () => void>()
    const update = (): void => {
      for (const name of names()) {
        if (registered.has(name)) continue
        const { key, component } = entry(name)
        registered.set(name, page.slots.register({ name: slot, key, locale: TEXTS }, component))
      }
    }
    const safely = (): void => leftOutIfItFails(slot, update)
    const unsubscribe = source.subscribe(safely)
    safely()
    return () => {
      unsubscribe()
      for (const remove of registered.values()) remove()
    }
  })
}
