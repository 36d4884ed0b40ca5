// Runs tests/windows, and what of tests/unit deals with platforms, with Windows' own Node:
// `node scripts/windows/test.ts [file…]`; a file is named without its ending, and none means all.
// On Windows that Node is this one; on Debian it is set up under Wine, in a cache directory outside
// the repository, and reused there. The runner's closing summary decides: under Wine an exit code
// alone proves nothing.
import { spawn, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyPackages, copySources, optionalVersion } from './stage.ts'

/** There are not fewer tests than this: files that are not found must not look well. */
const LEAST_TESTS = 550
/** Seconds for the tests themselves; a hang is a failure. */
const TIME_LIMIT = 240
/** How long one test may take, in ms. */
const TEST_TIMEOUT = 60_000

const root = fileURLToPath(new URL('../..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** What the tests import besides the plugin's own dependencies: services of the real host. */
const TEST_PACKAGES = [
  'fast-check',
  '@deepseek-ai/dsh-agent',
  '@deepseek-ai/dsh-sandbox-policy',
  '@deepseek-ai/dsh-subprocess-local',
]

/** What else of the suite deals with paths, platforms and texts, and needs no process. */
const UNIT_TESTS = 'account,child-env,command-line,config,doctor,failures,find-cli,masking'

const asked = process.argv.slice(2)
const testFiles = globSync(['tests/windows/*.test.ts', `tests/unit/{${UNIT_TESTS}}.test.ts`], {
  cwd: root,
})
  .filter((file) => asked.length === 0 || asked.includes(basename(file, '.test.ts')))
  .map((file) => file.replaceAll('\\', '/'))
  .toSorted()
if (testFiles.length === 0) {
  // Without a file the runner would look for tests everywhere.
  console.error(`no test file is called ${asked.join(' or ')}`)
  process.exit(2)
}
const nodeArguments = [
  '--test',
  '--test-reporter=spec',
  '--test-concurrency=2',
  `--test-timeout=${TEST_TIMEOUT}`,
  ...testFiles,
]

/** Runs a program, passes its output on, and keeps it. */
function run(
  program: string,
  argv: readonly string[],
): Promise<{ status: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, argv, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      process.stdout.write(text)
    })
    // With it goes everything that it has started: see run.sh.
    process.on('exit', () => child.kill('SIGKILL'))
    child.on('error', reject)
    child.on('close', (code) => resolve({ status: code ?? 1, output }))
  })
}

function runUnderWine(): Promise<{ status: number; output: string }> {
  const caches = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const wineRoot = process.env['TEST_WINDOWS_ROOT'] || join(caches, 'dsh-subagent-cursor', 'wine')
  const stage = mkdtempSync(join(tmpdir(), 'test-windows-'))
  process.on('exit', () => rmSync(stage, { recursive: true, force: true }))

  copySources(root, stage, ['package.json', 'src', 'tests', 'locale'])
  const packages = copyPackages(root, stage, [
    ...Object.keys(manifest.dependencies),
    ...Object.keys(manifest.peerDependencies),
    ...TEST_PACKAGES,
  ])
  const koffi = packages.get('koffi')
  if (koffi === undefined) throw new Error("the host's subprocess service no longer needs koffi")
  const native = '@koromix/koffi-win32-x64'

  const setup = spawnSync(
    'bash',
    [
      join(root, 'scripts', 'windows', 'setup.sh'),
      wineRoot,
      manifest.devDependencies['node'] ?? '',
      optionalVersion(koffi, native),
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  if (setup.error !== undefined) throw setup.error
  if (setup.status !== 0) process.exit(setup.status ?? 1)
  copySources(join(wineRoot, 'windows', 'node_modules'), join(stage, 'node_modules'), [native])

  const script = join(root, 'scripts', 'windows', 'run.sh')
  return run('bash', [script, wineRoot, stage, String(TIME_LIMIT), ...nodeArguments])
}

/** What is wrong with a run; undefined when all is well. */
function complaint(status: number, output: string): string | undefined {
  const counts = Object.fromEntries(
    [...output.matchAll(/^ℹ (\w+) (\d+)\r?$/gm)].map(([, name = '', count]) => [
      name,
      Number(count),
    ]),
  )
  const { tests, pass } = counts
  if (tests === undefined || pass === undefined) return 'the runner did not reach its summary'
  if (asked.length === 0 && tests < LEAST_TESTS)
    return `only ${tests} tests ran, of at least ${LEAST_TESTS}`
  if (pass !== tests) return `${tests - pass} of ${tests} tests did not pass`
  return status === 0 ? undefined : `the runner ended with status ${status}`
}

// Exit handlers run then, and clean up.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const { status, output } =
  process.platform === 'win32' ? await run(process.execPath, nodeArguments) : await runUnderWine()
const wrong = complaint(status, output)
if (wrong !== undefined) {
  console.error(`test:windows failed: ${wrong}`)
  process.exit(1)
}
