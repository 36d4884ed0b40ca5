// The real web host (`dsh --profile web`) on a loopback port, with the plugin installed from a
// tarball, a scripted parent model and the stand-in CLI. Driving its page is chat-page.ts's.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { writeCaseFile } from '../../support/cases.ts'
import {
  makeDshHome,
  scratchDirectory,
  userLayer,
  type DshHomeOptions,
} from '../../support/dsh-host.ts'
import { makeHome, type TestHome } from '../../support/install.ts'
import { startModelServer, type ModelServer, type Turn } from '../../support/model-server.ts'
import { killMarked, MARK, newMark, until } from '../../support/processes.ts'
import { readStarts, type StandInCase, type StandInStart } from '../../support/record.ts'

export interface WebHostOptions extends DshHomeOptions {
  /** Sections of the user's settings document at start. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Over the environment of the host. */
  readonly env?: Readonly<Record<string, string>>
}

export interface WebHost {
  readonly url: string
  readonly pid: number
  readonly model: ModelServer
  readonly home: TestHome
  readonly dshHome: string
  readonly workspace: string
  /** See {@link MARK}: in the environment of the host and of all its descendants. */
  readonly mark: string
  /** What the parent model does from now on, one after the other. */
  script(...turns: Turn[]): void
  /** Sets what a prompt with `case:<id>` replays; a file `<name>` in it is the host's `file(name)`. */
  addCase(id: string, item: StandInCase): Promise<void>
  /** Where that case is, for a prompt that names none. */
  caseFile(id: string): string
  /** The starts of the stand-in CLI up to now. */
  starts(): Promise<StandInStart[]>
  /** The file that a case names as `<name>`. */
  file(name: string): string
  /** Makes that file, for a case that waits for it. */
  touch(name: string): Promise<void>
  /** The configuration of the plugin's row. */
  readonly row: Readonly<Record<string, unknown>>
  /** Gives the plugin's row another configuration; resolves when the host has taken it over. */
  reconfigure(config: Readonly<Record<string, unknown>>): Promise<void>
  /** Takes every setting of the user's away. */
  resetSettings(): Promise<void>
  /** Runs `body` with the CLI's install out of the way. */
  withoutCli(body: () => Promise<void>): Promise<void>
  /** What the host has written so far. */
  output(): string
  dispose(): Promise<void>
}

/** A name under which the host's page may be served to others on the network, as a user can allow. */
export const TRUSTED_HOST = 'harness.example'

/** Boots the host and waits for its page's address. The caller calls `dispose()`. */
export async function startWebHost(options: WebHostOptions = {}): Promise<WebHost> {
  const profile = 'web'
  const tarball = process.env['WEB_TEST_TARBALL']
  const dshHome = await makeDshHome({
    profile,
    ...(tarball === undefined ? {} : { tarball }),
    ...options,
  })
  if (options.settings !== undefined) {
    await writeFile(join(dshHome, 'settings.yaml'), `${JSON.stringify(options.settings)}\n`)
  }
  const home = await makeHome()
  const workspace = join(await scratchDirectory('web-workspace'), 'demo')
  const notes = await scratchDirectory('web-notes')
  const cases = join(notes, 'cases')
  const temporary = join(notes, 'tmp')
  for (const directory of [workspace, cases, temporary]) await mkdir(directory)
  let turns: Turn[] = []
  const model = await startModelServer(() => turns.shift() ?? { text: 'The script is at its end.' })
  const mark = newMark()
  const record = join(notes, 'record.jsonl')

  const manifest = createRequire(import.meta.url).resolve('@deepseek-ai/dsh/package.json')
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin: { dsh: string } }
  const program = join(dirname(manifest), bin.dsh)
  const child = spawn(
    process.execPath,
    [
      program,
      '--profile',
      profile,
      '--no-open',
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      '--trusted-host',
      TRUSTED_HOST,
    ],
    {
      cwd: workspace,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...home.env,
        PATH: [dirname(process.execPath), process.env['PATH']].join(':'),
        TMPDIR: temporary,
        DSH_HOME: dshHome,
        DSH_PERMISSION_MODE: 'danger-full-access',
        DSH_TELEMETRY_DISABLED: '1',
        DEEPSEEK_BASE_URL: model.url,
        DEEPSEEK_API_KEY: 'scripted',
        STANDIN_RECORD: record,
        STANDIN_CASES_DIR: cases,
        [MARK]: mark,
        ...options.env,
      },
    },
  )
  let output = ''
  const closed = once(child, 'close')
  const listening = new Promise<string>((resolve, reject) => {
    const listen = (text: string): void => {
      output += text
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)
      if (found !== null) resolve(found[0])
    }
    child.stdout.setEncoding('utf8').on('data', listen)
    child.stderr.setEncoding('utf8').on('data', listen)
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`the host ended with ${code}:\n${output}`)))
  })
  let url = ''
  let row = options.config ?? {}
  let changes = 0
  const section = async (): Promise<Section | undefined> => {
    const view = (await callHost(url, 'settings.describe', {})) as {
      readonly namespaces: readonly Section[]
    }
    return view.namespaces.find(({ ns }) => ns === NAMESPACE)
  }
  const host: WebHost = {
    get url() {
      return url
    },
    pid: child.pid ?? -1,
    model,
    home,
    dshHome,
    workspace,
    mark,
    script(...next) {
      turns = next
    },
    async addCase(id, item) {
      await writeCaseFile(cases, id, withFiles(item, notes))
    },
    caseFile: (id) => join(cases, `${id}.json`),
    starts: () => readStarts(record),
    file: (name) => join(notes, name),
    touch: (name) => writeFile(join(notes, name), ''),
    get row() {
      return row
    },
    async reconfigure(config) {
      row = config
      // A number of its own shows when the host serves this configuration and no earlier one.
      const { disposeGraceMs = 3000 + ++changes } = config
      const layer = join(dshHome, 'profiles', profile, 'cordis.patch.yml')
      let written = -Infinity
      await until(
        async () => {
          // The host misses a change that follows another at once, so this one is saved again.
          if (performance.now() - written > 500) {
            await writeFile(layer, userLayer({ config: { ...config, disposeGraceMs } }))
            written = performance.now()
          }
          return (await section())?.base?.['disposeGraceMs'] === disposeGraceMs
        },
        { what: 'the host has taken the configuration over' },
      )
    },
    async resetSettings() {
      const fields = Object.keys((await section())?.user ?? {})
      if (fields.length === 0) return
      const ops = fields.map((field) => ({ op: 'unset', path: [field] }))
      await callHost(url, 'settings.mutate', { ns: NAMESPACE, ops })
    },
    async withoutCli(body) {
      const hidden = `${home.dataDirectory}-hidden`
      await rename(home.dataDirectory, hidden)
      try {
        await body()
      } finally {
        await rename(hidden, home.dataDirectory)
      }
    },
    output: () => output,
    async dispose() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await closed
      clearTimeout(timer)
      killMarked(mark)
      await model.close()
      await home.cleanup()
      for (const directory of [dshHome, dirname(workspace), notes]) {
        await rm(directory, { recursive: true, force: true, maxRetries: 5 })
      }
    },
  }
  try {
    url = await listening
    return host
  } catch (error) {
    await host.dispose()
    throw error
  }
}

const NAMESPACE = 'subagent-cursor'

interface Section {
  readonly ns: string
  readonly base?: Readonly<Record<string, unknown>>
  readonly user?: Readonly<Record<string, unknown>>
}

function withFiles(item: StandInCase, directory: string): StandInCase {
  const place = (name: string): string => join(directory, name.slice(1, -1))
  const { readyFile, waitForFile } = item
  return {
    ...item,
    ...(readyFile === undefined ? {} : { readyFile: place(readyFile) }),
    ...(waitForFile === undefined ? {} : { waitForFile: place(waitForFile) }),
  }
}

/**
 * Calls one method of the host as its page does.
 * @param channel `/api`, or that of a plugin.
 * @throws the host's refusal.
 */
export async function callHost(
  url: string,
  method: string,
  payload: object,
  { channel = '/api', signal }: { channel?: string; signal?: AbortSignal } = {},
): Promise<unknown> {
  const response = await fetch(`${url}${channel}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'client-request', rpcId: 'test', method, payload }),
    ...(signal === undefined ? {} : { signal }),
  })
  const { result } = (await response.json()) as {
    result: { ok: true; value: unknown } | { ok: false; error: { message: string } }
  }
  if (!result.ok) throw new Error(`${method}: ${result.error.message}`)
  return result.value
}
