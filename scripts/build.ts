// Builds lib/, the published code, from src/: the compiler makes all of it but the page's half of
// the settings card. It removes what an earlier build left, so that a deleted module cannot be
// published; packing and checking are elsewhere.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildClient } from './build-client.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const lib = join(root, 'lib')
const compiler = createRequire(import.meta.url).resolve('typescript/package.json')

rmSync(lib, { recursive: true, force: true })
// By its path and not through node_modules/.bin: PATH need not have it, and Windows has a shim there.
const tsc = spawnSync(
  process.execPath,
  [join(dirname(compiler), 'bin', 'tsc'), '-p', join(root, 'tsconfig.build.json')],
  { cwd: root, stdio: 'inherit' },
)
if (tsc.error !== undefined) throw tsc.error
if (tsc.status !== 0) process.exit(tsc.status ?? 1)

await buildClient(join(root, 'src', 'web', 'client', 'index.ts'), join(lib, 'client.cjs'))

// The compiler writes no execute bit, and a `link:` install runs this file as it is.
const doctor = join(lib, 'doctor', 'main.js')
if (existsSync(doctor)) chmodSync(doctor, 0o755)
