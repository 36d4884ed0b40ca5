// The static checks: types, lint, format, dead code, and the package as npm would publish it.
// All of them run, so that one command shows everything there is to mend.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const CHECKS = [
  ['tsc', '--noEmit', '-p', 'tsconfig.json'],
  ['tsc', '--noEmit', '-p', 'src/web/client'],
  ['oxlint', '--deny-warnings'],
  ['oxfmt', '--check'],
  ['knip'],
  ['node', 'scripts/build.ts'],
  ['publint', '--strict'],
] as const

const failed = CHECKS.filter(([command, ...args]) => {
  console.log(`> ${[command, ...args].join(' ')}`)
  // The package manager puts node_modules/.bin on PATH.
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (error !== undefined) console.error(error.message)
  return status !== 0
})
if (failed.length > 0) {
  console.error(`failed: ${failed.map(([command]) => command).join(', ')}`)
  process.exit(1)
}
