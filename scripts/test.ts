// Runs the test suite: `node scripts/test.ts [part…]`, where a part is a folder of tests/ (unit,
// process, host) and no part means all of them. It owns the choice of files and the
// runner's settings; Windows and the web page have commands of their own, since they need more
// than npm.
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'

const PARTS = ['unit', 'process', 'host'] as const

/** What runs longest, last first: begun late, one of them would be left running alone. */
const LONGEST = [
  'process/hostile',
  'behaviour/host-0.1',
  'behaviour/host-0.2',
  'process/doctor.',
  'host/readme',
]

const root = fileURLToPath(new URL('..', import.meta.url))
const asked = process.argv.slice(2)
const unknown = asked.filter((part) => !PARTS.some((known) => known === part))
if (unknown.length > 0) {
  console.error(`unknown part ${unknown.join(', ')}; the parts are ${PARTS.join(', ')}`)
  process.exit(2)
}
const parts = asked.length > 0 ? asked : PARTS
const weight = (file: string): number => LONGEST.findLastIndex((name) => file.includes(name))
const files = parts
  .flatMap((part) => globSync(`tests/${part}/**/*.test.ts`, { cwd: root }))
  .toSorted((a, b) => weight(b) - weight(a))

// What is made once for all test files: the packed plugin, and a profile with it (dsh-host.ts).
const shared = mkdtempSync(join(tmpdir(), 'test-run-'))
process.once('exit', () => rmSync(shared, { recursive: true, force: true, maxRetries: 5 }))
process.env['TEST_RUN_DIRECTORY'] = shared
run({
  cwd: root,
  files: files.map((file) => join(root, file)),
  // One more than the processors, because tests often wait for a process to end.
  concurrency: availableParallelism() + 1,
  // A test that hangs is a failure with a name, not a job that runs into its limit.
  timeout: 120_000,
})
  .on('test:fail', () => (process.exitCode = 1))
  .compose(new spec())
  .pipe(process.stdout)
