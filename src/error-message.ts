/** What was thrown, as a text: anything can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
