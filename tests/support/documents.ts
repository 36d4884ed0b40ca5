// What the tests read from the documents.

/** @returns the YAML of each `cordis.patch.yml` in a document that sets something of a row. */
export function examplesIn(text: string): string[] {
  return [...text.matchAll(/^ *```yaml\n([^]*?)^ *```$/gm)]
    .map(([, yaml = '']) => yaml)
    .filter((yaml) => /subagent-cursor/.test(yaml))
}

const OPTIONAL_LINE = /^( *)# (?=[\w-]+: )/gm

/** @returns an example with the lines that a reader may take out of their comment taken out of it. */
export const uncommented = (yaml: string): string => yaml.replaceAll(OPTIONAL_LINE, '$1')

/** @returns an example without the comments that are for a reader alone. */
export const withoutRemarks = (yaml: string): string =>
  yaml.replaceAll(/^ *# (?![\w-]+: ).*\n/gm, '')

/** @returns the lines of the `sh` blocks below the heading that starts with `heading`. */
export function shellLines(text: string, heading: string): string[] {
  const [, section = ''] = text.split(new RegExp(`^## ${heading}.*$`, 'm'))
  const [own = ''] = section.split(/^## /m)
  return [...own.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  )
}
