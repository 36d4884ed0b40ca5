// Runs the test suite: `node scripts/test.ts [part…]`, where a part is a folder of tests/ (unit,
// process, host, support) and no part means all of them. It owns the choice of files and the
// runner's settings; Windows and the web page have commands of their own, since they need more
// than npm.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PARTS = ['unit', 'process', 'support', 'host'] as const

const root = fileURLToPath(new URL('..', import.meta.url))
const asked = process.argv.slice(2)
const unknown = asked.filter((part) => !PARTS.some((known) => known === part))
if (unknown.length > 0) {
  console.error(`unknown part ${unknown.join(', ')}; the parts are ${PARTS.join(', ')}`)
  process.exit(2)
}
const parts = asked.length > 0 ? asked : PARTS
const files = parts
  .flatMap((part) => globSync(`tests/${part}/**/*.test.ts`, { cwd: root }))
  .toSorted()

// What is made once for all test files: the packed plugin, and a profile with it (dsh-host.ts).
const shared = mkdtempSync(join(tmpdir(), 'test-run-'))
process.once('exit', () => rmSync(shared, { recursive: true, force: true, maxRetries: 5 }))
const { status, error } = spawnSync(
  process.execPath,
  [
    '--test',
    // One more than the processors, because tests often wait for a process to end.
    `--test-concurrency=${availableParallelism() + 1}`,
    // A test that hangs is a failure with a name, not a job that runs into its limit.
    '--test-timeout=120000',
    ...files,
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, TEST_RUN_DIRECTORY: shared } },
)
if (error !== undefined) throw error
process.exit(status ?? 1)
