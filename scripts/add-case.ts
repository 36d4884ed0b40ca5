// Turns a recording of `doctor --probe --record <file>` into lines of tests/cases.jsonl:
// `node scripts/add-case.ts <file> [id]`. What the recording may hold is src/doctor/recording.ts's.
import { appendFileSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Recording } from '../src/doctor/recording.ts'

const [file, name, target = fileURLToPath(new URL('../tests/cases.jsonl', import.meta.url))] =
  process.argv.slice(2)
if (file === undefined) {
  console.error('usage: node scripts/add-case.ts <file> [id]')
  process.exit(2)
}

const jsonLines = <T>(path: string): T[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)

/** The replay need not wait as long as the CLI did. */
const shortPause = (line: string): string =>
  line.replace(/^@SLEEP (\d+)@$/, (_, ms) => `@SLEEP ${Math.min(Number(ms), 2000)}@`)

const taken = new Set(jsonLines<{ id: string }>(target).map(({ id }) => id))
const added = jsonLines<Recording>(file).map((item) => {
  let id = name ?? item.id
  for (let more = 2; taken.has(id); more++) id = `${name ?? item.id}-${more}`
  taken.add(id)
  return { ...item, id, stdout: item.stdout.map(shortPause) }
})
appendFileSync(target, added.map((item) => `${JSON.stringify(item)}\n`).join(''))
for (const { id, want } of added) console.log(`${id}: ${want.category ?? want.stop}`)
