// Lays the user's settings over the configuration of the profile's row, where the host has a
// settings service. What a field may hold is config.ts's to say, here exactly as at load.

import type { Context } from '@deepseek-ai/cordis'
import type { SettingsNamespace } from '@deepseek-ai/dsh-settings'
import z from '@deepseek-ai/schemastery'
import type { ResolvedConfig } from '../cursor/config.ts'
import { SETTINGS_FIELDS } from '../cursor/settings-fields.ts'
import { layerConfig, settingsNamespaceOf } from '../cursor/user-settings.ts'

/** Lets everything pass: the check that names the field is `layerConfig`. */
const SECTION = z.object(Object.fromEntries(SETTINGS_FIELDS.map((field) => [field, z.any()])))

/** The configuration in force, which a user may change while the host runs. */
export interface Settings {
  /**
   * For the next delegation.
   * @throws {Error} while the stored section is not valid: going on with the row alone could mean a
   * mode that the user has forbidden.
   */
  read(): ResolvedConfig
  /** Called after each change from now on. */
  watch(listener: () => void): void
}

/**
 * Registers the instance's section, once the host has a settings service, and keeps it in force.
 * @param row the configuration at load: the base that the settings lie over.
 */
export function layerSettings(ctx: Context, row: ResolvedConfig): Settings {
  let read = (): ResolvedConfig => row
  let changed = (): void => {}

  ctx.inject(['settings'], (inner) => {
    let registered = false
    const scope = inner.settings.register(
      settingsNamespaceOf(row.toolName) as SettingsNamespace,
      SECTION,
      {
        base: Object.fromEntries(
          SETTINGS_FIELDS.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])),
        ),
        validate(section) {
          // A section that is bad at start must not keep the page from showing the card that mends
          // it, nor the namespace from being registered; `read` refuses it instead.
          if (registered) layerConfig(row, section)
        },
      },
    )
    registered = true
    read = () => layerConfig(row, scope.get())
    let active = true
    inner.effect(() => () => {
      active = false
      read = () => row
    })
    scope.watch(() => {
      if (active) changed()
    })
    changed()
  })

  return {
    read: () => read(),
    watch(listener) {
      changed = listener
    },
  }
}
