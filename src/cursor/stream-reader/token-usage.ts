/** Reads the token usage of a result event. Builds of the CLI spell it differently or omit it. */

export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** @param usage the event's `usage`, unchecked. */
export function tokenUsage(usage: unknown): TokenUsage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined
  const fields = usage as Record<string, unknown>
  const inputTokens = fields['inputTokens'] ?? fields['input_tokens']
  const outputTokens = fields['outputTokens'] ?? fields['output_tokens']
  return typeof inputTokens === 'number' && typeof outputTokens === 'number'
    ? { inputTokens, outputTokens }
    : undefined
}
