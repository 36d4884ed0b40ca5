// Sends the page's requests to the host and keeps its list of plugin instances. Without a connection
// every request fails, so callers need not check for one first.

import { PAGE_CHANNEL, type InstanceInfo, type RunView } from '../protocol.ts'
import type { Observable, Page, RpcResult } from './page.ts'

const UNREACHABLE: RpcResult = {
  ok: false,
  error: { code: 'unreachable', message: 'This page has no connection to the host.' },
}

export class PageInstances implements Observable<readonly InstanceInfo[]> {
  readonly #page: Page
  readonly #listeners = new Set<() => void>()
  #known: readonly InstanceInfo[] = []

  constructor(page: Page) {
    this.#page = page
  }

  readonly getSnapshot = (): readonly InstanceInfo[] => this.#known

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async refresh(): Promise<void> {
    const answer = await this.ask(PAGE_CHANNEL, 'instances', {})
    if (!answer.ok || !Array.isArray(answer.value)) return
    this.#known = answer.value as readonly InstanceInfo[]
    for (const listener of this.#listeners) listener()
  }

  /** @returns the run of a tool call; `unknown` if the host has no such run. */
  async run(callId: string, signal: AbortSignal): Promise<RunView | 'unknown' | 'unreachable'> {
    const answer = await this.ask(PAGE_CHANNEL, 'run', { callId }, signal)
    return answer.ok ? ((answer.value as RunView | null) ?? 'unknown') : 'unreachable'
  }

  /** Never rejects. */
  async ask(
    channel: string,
    endpoint: string,
    payload: object,
    signal?: AbortSignal,
  ): Promise<RpcResult> {
    try {
      const connection = this.#page.get('connection')
      return (await connection?.rpc.call(channel, endpoint, payload, signal)) ?? UNREACHABLE
    } catch (error) {
      return { ok: false, error: { code: 'failed', message: String(error) } }
    }
  }
}
