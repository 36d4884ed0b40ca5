/** Recognises and sorts the names of the CLI's version directories. */

/** Taken from the CLI's own Windows launcher. Installers leave other directories beside these. */
const VERSION_NAME = /^(\d{4})\.(\d{1,2})\.(\d{1,2})(?:-(\d{2})-(\d{2})-(\d{2}))?-[a-f0-9]+$/

/** Whether `name` is the name of a version directory; `--version` prints the same name. */
export function isCursorVersion(name: string): boolean {
  return VERSION_NAME.test(name)
}

/**
 * @returns the version names among `names`, newest first: by date, then by time (on the same date, a
 * name with a time is newer than one without), then by the whole name, so that the order is always
 * the same.
 */
export function versionsNewestFirst(names: readonly string[]): string[] {
  // Builds each key once: an installer can leave thousands, and matching costs more than comparing.
  return names
    .filter(isCursorVersion)
    .map(sortKey)
    .toSorted()
    .toReversed()
    .map((key) => key.slice(key.indexOf('-') + 1))
}

/** @returns the date in a version's name as `YYYYMMDD`; empty for another name. */
export function dateOfVersion(name: string): string {
  const [, ...numbers] = VERSION_NAME.exec(name) ?? []
  return numbers
    .slice(0, 3)
    .map((number) => number.padStart(2, '0'))
    .join('')
}

/** The padded numbers, then `-` and the name. `-` sorts before every digit. */
function sortKey(name: string): string {
  const numbers = VERSION_NAME.exec(name)?.slice(1) ?? []
  return `${numbers.map((number = '') => number && number.padStart(2, '0')).join('')}-${name}`
}
