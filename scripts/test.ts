// Runs the test suite: `node scripts/test.ts [part…]`, where a part is a folder of tests/ (unit,
// process, host, support) and no part means all of them. It owns the choice of files and the
// runner's settings; Windows and the web page have commands of their own, since they need more
// than npm.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
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

const { status, error } = spawnSync(
  process.execPath,
  [
    '--test',
    // Two hosts and their CLIs at once are as much as a small machine takes.
    '--test-concurrency=2',
    // A test that hangs is a failure with a name, not a job that runs into its limit.
    '--test-timeout=120000',
    ...files,
  ],
  { cwd: root, stdio: 'inherit' },
)
if (error !== undefined) throw error
process.exit(status ?? 1)
