/** Recognises and sorts the names of the CLI's version directories. */

/** Taken from the CLI's own Windows launcher. Installers leave other directories beside these. */
const VERSION_NAME = /^(\d{4})\.(\d{1,2})\.(\d{1,2})(?:-(\d{2})-(\d{2})-(\d{2}))?-[a-f0-9]+$/

/** Whether `name` is the name of a version directory; `--version` prints the same name. */
export function isCursorVersion(name: string): boolean {
  return VERSION_NAME.test(name)
}

/**
 * Sorts version names newest first: by date, then by time (on the same date, a name with a time is
 * newer than one without), then by the whole name, so that the order is always the same.
 */
export function compareVersionsNewestFirst(a: string, b: string): number {
  const [left, right] = [sortKey(a), sortKey(b)]
  return left < right ? 1 : left > right ? -1 : 0
}

/** @returns the version names among `names`, newest first. An installer can leave thousands. */
export function versionsNewestFirst(names: readonly string[]): string[] {
  // Builds each key once, because matching the pattern costs more than all comparisons.
  return names
    .filter(isCursorVersion)
    .map(sortKey)
    .toSorted()
    .toReversed()
    .map((key) => key.slice(key.indexOf('-') + 1))
}

/** The padded numbers, then `-` and the name. `-` sorts before every digit. */
function sortKey(name: string): string {
  const numbers = VERSION_NAME.exec(name)?.slice(1) ?? []
  return `${numbers.map((number = '') => number && number.padStart(2, '0')).join('')}-${name}`
}
