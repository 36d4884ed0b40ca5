/** Names and order of the CLI's version directories. */

/** Names of version directories, from the CLI's own Windows launcher. Installers leave others beside them. */
const VERSION_NAME = /^(\d{4})\.(\d{1,2})\.(\d{1,2})(?:-(\d{2})-(\d{2})-(\d{2}))?-[a-f0-9]+$/

/** Whether `name` is a version directory's name, which is also what `--version` prints. */
export function isCursorVersion(name: string): boolean {
  return VERSION_NAME.test(name)
}

/**
 * Sorts version names newest first: by date as numbers, then by time (a name with one is newer
 * than one without on the same date), then by name, so that the order is always the same.
 */
export function compareVersionsNewestFirst(a: string, b: string): number {
  const [left, right] = [sortKey(a), sortKey(b)]
  return left < right ? 1 : left > right ? -1 : 0
}

/** The version directories among `names`, newest first; an installer can leave thousands. */
export function versionsNewestFirst(names: readonly string[]): string[] {
  // One key for each name, because the pattern costs more than all comparisons.
  return names
    .filter(isCursorVersion)
    .map(sortKey)
    .toSorted()
    .toReversed()
    .map((key) => key.slice(key.indexOf('-') + 1))
}

/** The numbers, padded, and the name behind a `-`, which sorts before every digit. */
function sortKey(name: string): string {
  const numbers = VERSION_NAME.exec(name)?.slice(1) ?? []
  return `${numbers.map((number = '') => number && number.padStart(2, '0')).join('')}-${name}`
}
