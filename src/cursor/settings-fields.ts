// Names that the settings document, the plugin and the page's card share. Constants alone, so that
// the browser half can import them.

/** The settings namespace of the instance with the default tool name; others begin with it. */
export const SETTINGS_NAMESPACE = 'subagent-cursor'

/**
 * The fields of the configuration that the user's settings lie over. The others stay the profile
 * row's: `env` can hold secrets, which must not reach a page, and the names are the host's keys.
 */
export const SETTINGS_FIELDS = [
  'model',
  'permissionMode',
  'approveMcps',
  'timeoutMs',
  'stallTimeoutMs',
  'disposeGraceMs',
] as const

export type SettingsField = (typeof SETTINGS_FIELDS)[number]

/** Those for which an explicit "none" is a value: it takes away what the row has set. */
export const CLEARABLE_FIELDS: ReadonlySet<SettingsField> = new Set([
  'model',
  'timeoutMs',
  'stallTimeoutMs',
])
