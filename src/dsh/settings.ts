// Lays the user's settings over the configuration of the profile's row, where the host has a
// settings service. What a field may hold is config.ts's to say, here exactly as at load.

import type { Context } from '@deepseek-ai/cordis'
import type { SettingsNamespace } from '@deepseek-ai/dsh-settings'
import z from '@deepseek-ai/schemastery'
import { CONFIG_FIELDS, resolveConfig, type Config, type ResolvedConfig } from '../cursor/config.ts'
import { CLEARABLE_FIELDS, SETTINGS_FIELDS, SETTINGS_NAMESPACE } from './settings-fields.ts'

/** Lets everything pass: the check that names the field is `layerConfig`. */
const SECTION = z.object(Object.fromEntries(SETTINGS_FIELDS.map((field) => [field, z.any()])))

/**
 * The namespace of an instance in the settings document: `subagent-cursor`, or with another tool
 * name `subagent-cursor-<name>`.
 */
export function settingsNamespaceOf(toolName: string): string {
  if (toolName === 'subagent_cursor') return SETTINGS_NAMESPACE
  return `${SETTINGS_NAMESPACE}-${toolName.toLowerCase().replaceAll('_', '-')}`
}

/**
 * The row's configuration with a section of the settings document over it. In the section, `null`
 * means none for `model` and the two limits, and is as good as absent for the others.
 * @throws {Error} as `resolveConfig` does, and for a field that only the row can set.
 */
export function layerConfig(row: ResolvedConfig, section: object): ResolvedConfig {
  const layered: Record<string, unknown> = { ...row }
  for (const [name, value] of Object.entries(section)) {
    const field = SETTINGS_FIELDS.find((known) => known === name)
    if (field === undefined && CONFIG_FIELDS.includes(name as keyof Config)) {
      throw new Error(
        `subagent-cursor: \`${name}\` is set in the profile's row, not in the user's settings`,
      )
    }
    if (value === null && field !== undefined && !CLEARABLE_FIELDS.has(field)) continue
    layered[name] = value
  }
  return resolveConfig(layered as Config)
}

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
