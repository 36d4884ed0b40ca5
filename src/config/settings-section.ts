/**
 * A section of the user's settings document, as hosts before 0.1.7 keep one, laid over the
 * configuration of the profile's row. Where the document comes from is the host's affair, or the
 * self-check's.
 */

import { CursorStartError } from '../cursor/start-error.ts'
import { notAllowed } from './ceiling.ts'
import { resolveConfig, type ResolvedConfig } from './config.ts'
import { FIELD_NAMES, isClearable, isMap, LIVE_FIELDS } from './fields.ts'
import { SETTINGS_NAMESPACE } from './namespace.ts'

/**
 * The namespace of an instance in the settings document: `subagent-cursor`, or with another tool
 * name `subagent-cursor-<name>`.
 */
export function settingsNamespaceOf(toolName: string): string {
  if (toolName === 'subagent_cursor') return SETTINGS_NAMESPACE
  // The host takes lower-case words alone. Other names are hex-encoded, so they stay unique.
  const isPlain = /^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(toolName)
  const words = isPlain
    ? toolName.replaceAll('_', '-')
    : `x--${Buffer.from(toolName).toString('hex')}`
  return `${SETTINGS_NAMESPACE}-${words}`
}

/**
 * The row's configuration with a stored section over it. In the section, `null` means none for
 * `model` and the two limits, and is as good as absent for the others; an empty section is none.
 * @throws {ConfigError} for a section that is no map or holds a bad value or a field of the row's.
 * @throws {CursorStartError} `policy-refused` for a right that the row does not give.
 */
export function layerConfig(row: ResolvedConfig, section: unknown): ResolvedConfig {
  if (section == null) return row
  if (!isMap(section)) throw new SectionError('it must be a map of fields')
  const layered: Record<string, unknown> = { ...row }
  delete layered['approvesMcpsByName']
  for (const [name, value] of Object.entries(section)) {
    const field = LIVE_FIELDS.find((known) => known === name)
    if (field === undefined && (FIELD_NAMES as readonly string[]).includes(name)) {
      throw new SectionError(`\`${name}\` is set in the profile's row`)
    }
    if (value == null && field !== undefined && !isClearable(field)) continue
    layered[name] = value
  }
  const config = resolveConfig(layered)
  for (const field of LIVE_FIELDS) {
    const refused = notAllowed(row, field, config[field])
    if (refused !== undefined) {
      throw new CursorStartError('policy-refused', {
        happened: "The user's settings ask for more than the profile's row allows.",
        nextStep: refused.en,
      })
    }
  }
  return { ...config, approvesMcpsByName: row.approvesMcpsByName && config.approveMcps }
}

/** Says where the fault lies, since the row and the settings can hold the same fields. */
class SectionError extends Error {
  constructor(what: string) {
    super(
      `subagent-cursor: the section of the user's settings (settings.yaml) cannot be used: ${what}`,
    )
  }
}
