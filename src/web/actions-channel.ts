// The host half of the settings card's buttons: one RPC channel on the page's own server, for this
// machine's browser only. Mounted where the host has a page; what the buttons do is the doctor's.

import type { Context } from '@deepseek-ai/cordis'
import type { CliReport, Endpoint } from './protocol.ts'

export type CardActions = Readonly<Record<Endpoint, (signal: AbortSignal) => Promise<CliReport>>>

type RpcResult =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly error: {
        readonly code: 'internal'
        readonly message: string
        readonly details: object
      }
    }

/**
 * The part of the host's `ctx.connection` that is used, from `packages/client/connection/src/rpc.ts`
 * at dsh-v0.1.0-rc.8; its package is no dependency, because only hosts with a page have it.
 */
interface HostConnection {
  readonly rpc: {
    handle(
      channel: string,
      handler: (endpoint: string, payload: unknown, signal: AbortSignal) => Promise<RpcResult>,
      options: { readonly authority: 'loopback' | 'trusted-host' },
    ): () => Promise<void>
  }
}

interface Action {
  readonly answer: Promise<CliReport>
  readonly stop: AbortController
  askers: number
}

/**
 * Answers `check` and `probe` on the channel `/<namespace>`. `ctx` must have been injected with
 * `connection` and `webServer`; the channel goes with its fiber, and so does what it has started.
 */
export function serveCardActions(ctx: Context, namespace: string, actions: CardActions): void {
  const connection = ctx.get('connection') as HostConnection
  const running = new Map<Endpoint, Action>()

  const end = (endpoint: Endpoint, action: Action): void => {
    if (running.get(endpoint) === action) running.delete(endpoint)
  }
  const start = (endpoint: Endpoint): Action => {
    const stop = new AbortController()
    const action: Action = { stop, askers: 0, answer: actions[endpoint](stop.signal) }
    running.set(endpoint, action)
    return action
  }

  connection.rpc.handle(
    `/${namespace}`,
    async (endpoint, _payload, signal) => {
      if (endpoint !== 'check' && endpoint !== 'probe') return failure(`no endpoint ${endpoint}`)
      // Two tabs that ask at the same time share one answer: a probe costs the user's quota.
      const action = running.get(endpoint) ?? start(endpoint)
      action.askers++
      // What nobody waits for any more is stopped.
      const leave = (): void => {
        if (--action.askers > 0) return
        end(endpoint, action)
        action.stop.abort()
      }
      signal.addEventListener('abort', leave, { once: true })
      try {
        return { ok: true, value: await action.answer }
      } catch (error) {
        return failure(error instanceof Error ? error.message : String(error))
      } finally {
        signal.removeEventListener('abort', leave)
        end(endpoint, action)
      }
    },
    // A check starts processes and a probe spends quota: for the machine's own user, as the host
    // holds it with its settings.
    { authority: 'loopback' },
  )
  ctx.effect(() => () => {
    for (const { stop } of running.values()) stop.abort()
  })
}

function failure(message: string): RpcResult {
  return { ok: false, error: { code: 'internal', message, details: {} } }
}
