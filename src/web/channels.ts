// The channels between the page and the host: who reaches them, and that work which nobody waits for
// any more is stopped. What they answer is serve-page.ts's.

import type { Context } from '@deepseek-ai/cordis'
import { messageOf } from '../error-message.ts'
import type { RpcResult } from './protocol.ts'

/** Answers one endpoint; a throw is told to the page. */
export type Answer = (payload: unknown, signal: AbortSignal) => unknown

/**
 * The part of the host's `ctx.connection` that is used. Its package is no dependency, because only
 * hosts with a page have it. Up to 0.1.4 `handle` takes options and holds a channel to this machine
 * or to the trusted hosts; from 0.1.5 on it takes none, and the host asks every request for its own
 * login instead.
 */
interface HostConnection {
  readonly rpc: {
    handle(
      channel: string,
      handler: (endpoint: string, payload: unknown, signal: AbortSignal) => Promise<RpcResult>,
      options?: { readonly authority: 'loopback' | 'trusted-host' },
    ): () => Promise<void>
  }
  /** From 0.1.5 on: whether browsers of other machines are let in. */
  readonly allowsRemoteAuthorities?: boolean
}

/**
 * `owner`: what starts processes or spends quota. On hosts that take options, only requests whose
 * `Host` header names this machine and that come from no other site; that is no proof of a person,
 * since any local process can send them. On later hosts also the host's login, and the channel is
 * left out where browsers of other machines may log in.
 * `reader`: whoever may see the page's sessions anyway.
 */
export type Audience = 'owner' | 'reader'

/**
 * Serves `channel` for as long as `ctx` lives, which must be injected with `connection` and
 * `webServer`.
 * @returns what takes the channel away, or `undefined` where this host cannot keep it to `audience`.
 */
export function serveChannel(
  ctx: Context,
  channel: string,
  audience: Audience,
  endpoints: Readonly<Record<string, Answer>>,
): (() => Promise<void>) | undefined {
  const connection = ctx.get('connection') as HostConnection
  const takesOptions = connection.rpc.handle.length >= 3
  if (audience === 'owner' && !takesOptions && !isReachableOnlyLocally(ctx, connection)) {
    ctx.logger.info(
      `subagent-cursor: this host's page may be open to other machines; no ${channel}`,
    )
    return undefined
  }
  return connection.rpc.handle(
    channel,
    async (endpoint, payload, signal) => {
      const answer = Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined
      if (answer === undefined) return failure(`no endpoint ${endpoint}`)
      try {
        return { ok: true, value: await answer(payload, signal) }
      } catch (error) {
        return failure(messageOf(error))
      }
    },
    ...(takesOptions
      ? [{ authority: audience === 'owner' ? 'loopback' : 'trusted-host' } as const]
      : []),
  )
}

/**
 * Whether only this machine reaches the page of a host from 0.1.5 on: nobody else is trusted, and the
 * server listens on the loopback interface.
 */
function isReachableOnlyLocally(
  ctx: Context,
  { allowsRemoteAuthorities }: HostConnection,
): boolean {
  const { host } = (ctx.get('webServer') ?? {}) as { readonly host?: unknown }
  return (
    allowsRemoteAuthorities === false && ['127.0.0.1', '::1', 'localhost'].includes(String(host))
  )
}

/** Two tabs that ask at the same time share one answer: a test run costs the user's quota. */
export function shared<Value>(
  ctx: Context,
  work: (signal: AbortSignal) => Promise<Value>,
): (payload: unknown, signal: AbortSignal) => Promise<Value> {
  let running: { answer: Promise<Value>; stop: AbortController; askers: number } | undefined
  ctx.effect(() => () => running?.stop.abort())
  return async (_payload, signal) => {
    if (running === undefined) {
      const stop = new AbortController()
      running = { stop, askers: 0, answer: work(stop.signal) }
    }
    const joined = running
    joined.askers++
    const end = (): void => {
      if (running === joined) running = undefined
    }
    // Abort the work when its last asker leaves.
    const leave = (): void => {
      if (--joined.askers > 0) return
      end()
      joined.stop.abort()
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await joined.answer
    } finally {
      signal.removeEventListener('abort', leave)
      end()
    }
  }
}

function failure(message: string): RpcResult {
  return { ok: false, error: { code: 'internal', message, details: {} } }
}
