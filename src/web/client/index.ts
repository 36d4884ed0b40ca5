// The browser half: puts one settings card per instance of the plugin into the page's list of
// plugin configurations. The page loads it with the host's settings page and brings React.

import { SETTINGS_NAMESPACE } from '../../config/namespace.ts'
import { createSettingsCard } from './card.tsx'
import { DICTIONARIES } from './locale.ts'
import type { Page } from './page.ts'
import { STYLES } from './styles.ts'

const TEXTS = 'settings.subagentCursor'
const SLOT = 'settings.plugin.item'

/** The page's services that must be there first. */
export const inject = ['slots', 'locale', 'connection', 'settingsScope']

export function apply(page: Page): void {
  page.effect(() => page.locale.register(TEXTS, DICTIONARIES), 'subagent-cursor: texts')
  page.effect(() => {
    const style = document.createElement('style')
    style.dataset['plugin'] = 'dsh-subagent-cursor'
    style.textContent = STYLES
    document.head.append(style)
    return () => style.remove()
  }, 'subagent-cursor: styles')

  // Which instances there are is known from the namespaces that the host serves.
  const described = page.settingsScope.describe()
  page.slots.inject(SLOT, () => {
    const cards = new Map<string, () => void>()
    const update = (): void => {
      for (const { ns } of described.getSnapshot().view?.namespaces ?? []) {
        if (
          cards.has(ns) ||
          (ns !== SETTINGS_NAMESPACE && !ns.startsWith(`${SETTINGS_NAMESPACE}-`))
        )
          continue
        const card = createSettingsCard(page, ns)
        cards.set(ns, page.slots.register({ name: SLOT, key: ns, locale: TEXTS }, card))
      }
    }
    const unsubscribe = described.subscribe(update)
    update()
    return () => {
      unsubscribe()
      for (const remove of cards.values()) remove()
    }
  })
}
