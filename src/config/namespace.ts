/** The settings namespace of the instance with the default tool name; a prefix for all others. */
export const SETTINGS_NAMESPACE = 'subagent-cursor'
