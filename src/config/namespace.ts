/** Begins the settings namespace of every instance; the default tool name's is exactly this. */
export const SETTINGS_NAMESPACE = 'subagent-cursor'
