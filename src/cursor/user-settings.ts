/**
 * Lays a section of the user's settings document over the configuration of the profile's row.
 * Where the document comes from is the host's affair, or the self-check's.
 */

import { CONFIG_FIELDS, resolveConfig, type Config, type ResolvedConfig } from './config.ts'
import { CLEARABLE_FIELDS, SETTINGS_FIELDS, SETTINGS_NAMESPACE } from './settings-fields.ts'

/**
 * The namespace of an instance in the settings document: `subagent-cursor`, or with another tool
 * name `subagent-cursor-<name>`.
 */
export function settingsNamespaceOf(toolName: string): string {
  if (toolName === 'subagent_cursor') return SETTINGS_NAMESPACE
  // Namespaces are lower-case words; a name that is none gets one that no other name has.
  const isPlain = /^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(toolName)
  const words = isPlain
    ? toolName.replaceAll('_', '-')
    : `x--${Buffer.from(toolName).toString('hex')}`
  return `${SETTINGS_NAMESPACE}-${words}`
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
