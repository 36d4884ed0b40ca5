/**
 * The configuration in force, which a user may change while the host runs, from one of two sources:
 * hosts before 0.1.7 keep a settings document whose section lies over the profile's row, later ones
 * put new values into the boxes of the row's volatile fields. Told apart by what the host offers.
 */

import type { Context } from '@deepseek-ai/cordis'
import type { SettingsNamespace } from '@deepseek-ai/dsh-settings'
import z from '@deepseek-ai/schemastery'
import type { ResolvedConfig } from '../config/config.ts'
import { LIVE_FIELDS } from '../config/fields.ts'
import { layerConfig, settingsNamespaceOf } from '../config/settings-section.ts'
import { messageOf } from '../error-message.ts'

export interface Settings {
  /**
   * For the next delegation.
   * @throws {Error} while what is stored is not valid: going on with the row alone could mean a
   * mode that the user has forbidden.
   */
  read(): ResolvedConfig
  /** Sets the one listener, called after each change from now on. */
  onChange(listener: () => void): void
}

/** Lets every value pass: the check that names the field is `layerConfig`. */
const SECTION = z.object(Object.fromEntries(LIVE_FIELDS.map((field) => [field, z.any()])))

/** @param row reads the row anew, its live fields included. */
export function liveSettings(ctx: Context, row: () => ResolvedConfig): Settings {
  let section: (() => unknown) | undefined
  let listener = (): void => {}
  const changed = (): void => {
    try {
      listener()
    } catch {
      // The plugin itself is on its way out, and there is nothing left to describe.
    }
  }

  // Hosts from 0.1.7 on tell the plugin's own context; the types are those of 0.1.0.
  ctx.on('loader/volatile-update' as never, changed as never)
  ctx.inject(['settings'], (inner) => {
    if (!keepsSections(inner)) return
    section = documentSection(inner, row, changed)
    inner.effect(() => () => {
      section = undefined
      changed()
    })
    changed()
  })
  // Effects end in reverse order, so this one goes before the settings do. A plugin on its way out must
  // not describe its tool anew: the name would stay taken, and the next mount would fail.
  ctx.effect(() => () => {
    listener = () => {}
  })

  return {
    read: () => (section === undefined ? row() : layerConfig(row(), section())),
    onChange(next) {
      listener = next
    },
  }
}

/** Hosts from 0.1.7 on have a service of that name without sections; the boxes hold the values there. */
function keepsSections(ctx: Context): boolean {
  try {
    return typeof (ctx.settings as Partial<Context['settings']>).register === 'function'
  } catch (error) {
    ctx.logger.info(`the settings service is left alone: ${messageOf(error)}`)
    return false
  }
}

/**
 * Registers the instance's section with the document, for the page's card and for changes.
 * @returns what reads the stored section.
 */
function documentSection(
  ctx: Context,
  row: () => ResolvedConfig,
  changed: () => void,
): () => unknown {
  const { settings } = ctx
  const base = row()
  const namespace = settingsNamespaceOf(base.toolName) as SettingsNamespace
  let state: 'new' | 'told' | 'registered' = 'new'

  const register = (): void => {
    const scope = settings.register(namespace, SECTION, {
      base: Object.fromEntries(
        LIVE_FIELDS.flatMap((name) => (base[name] === undefined ? [] : [[name, base[name]]])),
      ),
      validate(section) {
        // A section that is bad at start must not keep the page from showing the card that mends
        // it; `read` refuses delegations until then.
        if (state === 'registered') layerConfig(row(), section)
      },
    })
    state = 'registered'
    scope.watch(changed)
  }
  // The service refuses a section that is no map, an empty one too, and says nothing when it has
  // been mended. So it is tried again with each delegation.
  const tryToRegister = (): void => {
    if (state === 'registered') return
    try {
      register()
    } catch (error) {
      if (state === 'new') {
        ctx.logger.info(`settings section ${namespace} is not served: ${messageOf(error)}`)
      }
      state = 'told'
    }
  }
  tryToRegister()
  return () => {
    tryToRegister()
    return storedSection(settings, namespace)
  }
}

/**
 * What the document holds for the namespace, untouched. The service itself goes on with the last
 * good value when a section goes bad, which could be a mode that the user has just forbidden.
 */
function storedSection(settings: Context['settings'], namespace: SettingsNamespace): unknown {
  // Source: `packages/settings/settings/src/index.ts`; `describe` leaves out a section that is no map.
  const { document } = settings as unknown as { document?: Readonly<Record<string, unknown>> }
  if (document !== undefined) return document[namespace]
  return settings.describe().find(({ ns }) => ns === namespace)?.user
}
