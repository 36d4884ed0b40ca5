// The real web host (`dsh --profile web`) on a loopback port, with the plugin installed from a
// tarball, a scripted parent model and the stand-in CLI. Driving its page is chat-page.ts's.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
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
import { killMarked, MARK, newMark } from '../../support/processes.ts'
import { readStarts, type StandInCase, type StandInStart } from '../../support/record.ts'

export interface WebHostOptions extends DshHomeOptions {
  /** Cases for prompts with `case:<id>`; a file `<name>` in them is the host's `file(name)`. */
  readonly cases?: Readonly<Record<string, StandInCase>>
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
  /** What the parent model does next, one after the other. */
  script(...turns: Turn[]): void
  /** The starts of the stand-in CLI up to now. */
  starts(): Promise<StandInStart[]>
  /** The file that a case names as `<name>`. */
  file(name: string): string
  /** Makes that file, for a case that waits for it. */
  touch(name: string): Promise<void>
  /** Gives the plugin's row another configuration, which a running host takes over. */
  reconfigure(config: Readonly<Record<string, unknown>>): Promise<void>
  /** What the host has written so far. */
  output(): string
  dispose(): Promise<void>
}

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
  for (const [id, item] of Object.entries(options.cases ?? {})) {
    await writeCaseFile(cases, id, withFiles(item, notes))
  }
  const turns: Turn[] = []
  const model = await startModelServer(() => turns.shift() ?? { text: 'The script is at its end.' })
  const mark = newMark()
  const record = join(notes, 'record.jsonl')

  const manifest = createRequire(import.meta.url).resolve('@deepseek-ai/dsh/package.json')
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin: { dsh: string } }
  const program = join(dirname(manifest), bin.dsh)
  const child = spawn(
    process.execPath,
    [program, '--profile', profile, '--no-open', '--host', '127.0.0.1', '--port', '0'],
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
  const url = new Promise<string>((resolve, reject) => {
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
  const host: Omit<WebHost, 'url'> = {
    pid: child.pid ?? -1,
    model,
    home,
    dshHome,
    workspace,
    mark,
    script(...next) {
      turns.push(...next)
    },
    starts: () => readStarts(record),
    file: (name) => join(notes, name),
    touch: (name) => writeFile(join(notes, name), ''),
    reconfigure: (config) =>
      writeFile(join(dshHome, 'profiles', profile, 'cordis.patch.yml'), userLayer({ config })),
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
    return { ...host, url: await url }
  } catch (error) {
    await host.dispose()
    throw error
  }
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

/** Calls one method of the host's API as its page does. @throws the host's refusal. */
export async function callHost(host: WebHost, method: string, payload: object): Promise<unknown> {
  const response = await fetch(`${host.url}/api/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'client-request', rpcId: 'test', method, payload }),
  })
  const { result } = (await response.json()) as {
    result: { ok: true; value: unknown } | { ok: false; error: { message: string } }
  }
  if (!result.ok) throw new Error(`${method}: ${result.error.message}`)
  return result.value
}
