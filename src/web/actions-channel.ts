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

/**
 * Answers `check` and `probe` on the channel `/<namespace>`. `ctx` must have been injected with
 * `connection` and `webServer`; the channel goes with its fiber.
 */
export function serveCardActions(ctx: Context, namespace: string, actions: CardActions): void {
  const connection = ctx.get('connection') as HostConnection
  const running = new Map<Endpoint, Promise<CliReport>>()

  connection.rpc.handle(
    `/${namespace}`,
    async (endpoint, _payload, signal) => {
      if (endpoint !== 'check' && endpoint !== 'probe') return failure(`no endpoint ${endpoint}`)
      try {
        // Two tabs that ask at the same time share one answer: a probe costs the user's quota.
        let answer = running.get(endpoint)
        if (answer === undefined) {
          answer = actions[endpoint](signal).finally(() => running.delete(endpoint))
          running.set(endpoint, answer)
        }
        return { ok: true, value: await answer }
      } catch (error) {
        return failure(error instanceof Error ? error.message : String(error))
      }
    },
    // A check starts processes and a probe spends quota: for the machine's own user, as the host
    // holds it with its settings.
    { authority: 'loopback' },
  )
}

function failure(message: string): RpcResult {
  return { ok: false, error: { code: 'internal', message, details: {} } }
}
