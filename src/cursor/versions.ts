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
  return compareKeys(versionKey(a), versionKey(b))
}

function versionKey(name: string): readonly (number | string)[] {
  const parts = VERSION_NAME.exec(name)?.slice(1) ?? []
  return [...Array.from({ length: 6 }, (_, part) => Number(parts[part] ?? -1)), name]
}

function compareKeys(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  const at = a.findIndex((part, index) => part !== b[index])
  return at === -1 ? 0 : a[at]! < b[at]! ? 1 : -1
}

/** The version directories among `names`, newest first; thousands can be left over. */
export function versionsNewestFirst(names: readonly string[]): string[] {
  return names
    .filter(isCursorVersion)
    .map((name) => ({ name, key: versionKey(name) }))
    .toSorted((a, b) => compareKeys(a.key, b.key))
    .map(({ name }) => name)
}
