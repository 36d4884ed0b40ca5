// The real web host (`dsh --profile web`) on a loopback port, with the plugin installed from a
// tarball, a scripted parent model and the stand-in CLI. Driving its page is chat-page.ts's.

import assert from 'node:assert/strict'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeCaseFile } from '../../support/cases.ts'
import { startHost, type DshHomeOptions, type RunningHost } from '../../support/dsh-host.ts'
import type { Turn } from '../../support/model-server.ts'
import { until } from '../../support/processes.ts'
import type { StandInCase } from '../../support/record.ts'

export interface WebHost extends Pick<
  RunningHost,
  'home' | 'dshHome' | 'workspace' | 'starts' | 'dispose'
> {
  readonly url: string
  /** What the parent model does from now on, one after the other. */
  script(...turns: Turn[]): void
  /** Sets what a prompt with `case:<id>` replays; a file `<name>` in it is the host's `file(name)`. */
  addCase(id: string, item: StandInCase): Promise<void>
  /** Where that case is, for a prompt that names none. */
  caseFile(id: string): string
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
}

/** A name under which the host's page may be served to others on the network, as a user can allow. */
export const TRUSTED_HOST = 'harness.example'

const ARGUMENTS = `--no-open --host 127.0.0.1 --port 0 --trusted-host ${TRUSTED_HOST}`

/** Boots the host and waits for its page's address. The caller calls `dispose()`. */
export async function startWebHost(options: DshHomeOptions = {}): Promise<WebHost> {
  let turns: Turn[] = []
  const running = await startHost({
    ...options,
    profile: 'web',
    arguments: ARGUMENTS.split(' '),
    script: () => turns.shift() ?? { text: 'The script is at its end.' },
    timeLimit: 600_000,
  })
  const { home, dshHome, workspace, notes, said, starts, dispose } = running
  let ended = false
  void running.exited.catch(() => {}).finally(() => (ended = true))
  const address = (): string | undefined => {
    const all = said.stdout + said.stderr
    assert.ok(!ended, `the host has ended:\n${all}`)
    return /http:\/\/127\.0\.0\.1:\d+/.exec(all)?.[0]
  }
  const url = await until(address, { what: 'the page has an address', within: 60_000 }).catch(
    async (error) => {
      await dispose()
      throw error
    },
  )
  let row = options.config ?? {}
  let changes = 0
  const section = async (): Promise<Section | undefined> => {
    const view = (await callHost(url, 'settings.describe', {})) as {
      readonly namespaces: readonly Section[]
    }
    return view.namespaces.find(({ ns }) => ns === NAMESPACE)
  }
  const file = (name: string): string => join(notes, name)
  return {
    url,
    home,
    dshHome,
    workspace,
    starts,
    dispose,
    file,
    script(...next) {
      turns = next
    },
    async addCase(id, item) {
      const named = Object.entries(item).map(([name, value]) => [
        name,
        /^(?:ready|waitFor)File$/.test(name) ? file(String(value).slice(1, -1)) : value,
      ])
      await writeCaseFile(join(notes, 'cases'), id, Object.fromEntries(named))
    },
    caseFile: (id) => join(notes, 'cases', `${id}.json`),
    touch: (name) => writeFile(file(name), ''),
    get row() {
      return row
    },
    async reconfigure(config) {
      row = config
      // A number of its own shows when the host serves this configuration and no earlier one.
      const { disposeGraceMs = 3000 + ++changes } = config
      let written = -Infinity
      await until(
        async () => {
          // The host misses a change that follows another at once, so this one is saved again.
          if (performance.now() - written > 500) {
            await running.reconfigure({ config: { ...config, disposeGraceMs } })
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
      const data = join(home.home, '.local', 'share', 'cursor-agent')
      await rename(data, `${data}-hidden`)
      try {
        await body()
      } finally {
        await rename(`${data}-hidden`, data)
      }
    },
  }
}

const NAMESPACE = 'subagent-cursor'

interface Section {
  readonly ns: string
  readonly base?: Readonly<Record<string, unknown>>
  readonly user?: Readonly<Record<string, unknown>>
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
