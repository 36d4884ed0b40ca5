/**
 * Reads the current configuration, which the user may change while the host runs. Hosts before 0.1.7
 * keep the changes in a settings document, whose section goes over the profile's row. Later hosts put
 * new values into the row's volatile fields. Detected by the service's methods, never by a version.
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
   * @returns the configuration for the next delegation.
   * @throws {Error} while the stored settings are invalid. Falling back to the row could mean a mode
   * that the user has forbidden.
   */
  read(): ResolvedConfig
  /** Sets the only listener; it is called after each change. */
  onChange(listener: () => void): void
}

/** Accepts every value, because `layerConfig` has better errors, which name the field. */
const SECTION = z.object(Object.fromEntries(LIVE_FIELDS.map((field) => [field, z.any()])))

/** @param row returns the row with the current values of its live fields. */
export function liveSettings(ctx: Context, row: () => ResolvedConfig): Settings {
  let section: (() => unknown) | undefined
  let listener = (): void => {}
  const changed = (): void => {
    try {
      listener()
    } catch {
      // The plugin is being unloaded, so the listener's update no longer matters.
    }
  }

  // Hosts from 0.1.7 on emit this event on the plugin's own context; the types of 0.1.0 lack it.
  ctx.on('loader/volatile-update' as never, changed as never)
  ctx.inject(['settings'], (inner) => {
    if (!hasSettingsDocument(inner)) return
    section = documentSection(inner, row, changed)
    inner.effect(() => () => {
      section = undefined
      changed()
    })
    changed()
  })
  // Effects end in reverse order, so this one ends before the settings service does. Otherwise that
  // would call the listener, which would register the tool again while the plugin unloads; the name
  // would stay taken and the next mount would fail.
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

/** From 0.1.7 on, the service of that name keeps no sections and has no `register`. */
function hasSettingsDocument(ctx: Context): boolean {
  try {
    return typeof (ctx.settings as Partial<Context['settings']>).register === 'function'
  } catch (error) {
    ctx.logger.info(`the settings service is left alone: ${messageOf(error)}`)
    return false
  }
}

/**
 * Registers the instance's section of the settings document, so that the page shows its card and the
 * host reports changes.
 * @returns a function that reads the stored section.
 */
function documentSection(
  ctx: Context,
  row: () => ResolvedConfig,
  changed: () => void,
): () => unknown {
  const { settings } = ctx
  const base = row()
  const namespace = settingsNamespaceOf(base.toolName) as SettingsNamespace
  let state: 'new' | 'logged' | 'registered' = 'new'

  const register = (): void => {
    const scope = settings.register(namespace, SECTION, {
      base: Object.fromEntries(
        LIVE_FIELDS.flatMap((name) => (base[name] === undefined ? [] : [[name, base[name]]])),
      ),
      validate(section) {
        // Accept a bad section at start, because the user needs the card to repair it. `read`
        // refuses delegations until then.
        if (state === 'registered') layerConfig(row(), section)
      },
    })
    state = 'registered'
    scope.watch(changed)
  }
  // `register` throws while the stored section is empty or not a map, and nothing reports when the
  // user has repaired it. So try again before each delegation.
  const tryToRegister = (): void => {
    if (state === 'registered') return
    try {
      register()
    } catch (error) {
      if (state === 'new') {
        ctx.logger.info(`settings section ${namespace} is not served: ${messageOf(error)}`)
      }
      state = 'logged'
    }
  }
  tryToRegister()
  return () => {
    tryToRegister()
    return storedSection(settings, namespace)
  }
}

/**
 * Reads the raw section from the document. The service itself keeps serving the last good value of a
 * bad section, which could be a mode that the user has just forbidden.
 */
function storedSection(settings: Context['settings'], namespace: SettingsNamespace): unknown {
  // `describe` omits a section that is not a map. Source: `packages/settings/settings/src/index.ts`.
  const { document } = settings as unknown as { document?: Readonly<Record<string, unknown>> }
  if (document !== undefined) return document[namespace]
  return settings.describe().find(({ ns }) => ns === namespace)?.user
}
