// Runs the tests of the web page: `node scripts/test-web.ts [--update-pictures] [option…]`, where
// further options are the test runner's. It owns what they need besides npm's packages, a browser
// and fonts; `--update-pictures` writes the READMEs' pictures into docs/.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Debian's, as its own Chromium draws with them: Chinese, and the page's code font. */
const FONTS = ['fonts-noto-cjk', 'fonts-jetbrains-mono']
const CHROMIUM = '/usr/bin/chromium'
const DPKG_QUERY = '/usr/bin/dpkg-query'

const root = fileURLToPath(new URL('..', import.meta.url))

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): number {
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (error !== undefined) throw error
  return status ?? 1
}

function isInstalled(name: string): boolean {
  const query = spawnSync(DPKG_QUERY, ['-W', '-f=${Status}', name], { encoding: 'utf8' })
  return query.stdout === 'install ok installed'
}

/** @returns the Debian packages that are missing, or what this command cannot provide. */
function missing(): string[] | string {
  if (process.platform !== 'linux') return 'the tests of the web page run on Linux only'
  const named = process.env['CHROMIUM']
  if (named !== undefined && !existsSync(named))
    return `CHROMIUM names ${named}, which is not there`
  const hasBrowser = named !== undefined || existsSync(CHROMIUM)
  if (existsSync(DPKG_QUERY)) {
    return [...(hasBrowser ? [] : ['chromium']), ...FONTS.filter((name) => !isInstalled(name))]
  }
  // Elsewhere the fonts are the system's own affair.
  return hasBrowser
    ? []
    : `no browser at ${CHROMIUM}: set CHROMIUM to one that is built on Chromium`
}

function provide(): void {
  const packages = missing()
  if (typeof packages === 'string') {
    console.error(packages)
    process.exit(1)
  }
  if (packages.length === 0) return
  const install = ['install', '--yes', '--no-install-recommends', ...packages]
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error(
      `missing: ${packages.join(', ')}\ninstall with: sudo apt-get ${install.join(' ')}`,
    )
    process.exit(1)
  }
  console.log(`installing ${packages.join(', ')}`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const status = run('apt-get', ['update'], env) || run('apt-get', install, env)
  if (status !== 0) process.exit(status)
}

provide()
const UPDATE = '--update-pictures'
const options = process.argv.slice(2)
process.exit(
  run(
    process.execPath,
    [
      '--test',
      // One process for all files: they share one host, one browser and one packed plugin.
      '--test-isolation=none',
      '--test-concurrency=1',
      '--test-timeout=120000',
      ...options.filter((option) => option !== UPDATE),
      ...globSync('tests/web/*.test.ts', { cwd: root }).toSorted(),
    ],
    options.includes(UPDATE) ? { UPDATE_PICTURES: '1' } : {},
  ),
)
