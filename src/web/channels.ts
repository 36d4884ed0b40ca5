// Opens the channels between the page and the host: decides who can reach them, and aborts work when
// nobody waits for it. serve-page.ts writes the answers.

import type { Context } from '@deepseek-ai/cordis'
import { messageOf } from '../error-message.ts'
import type { RpcResult } from './protocol.ts'

/** Answers one endpoint. If it throws, the page gets the error message. */
export type Answer = (payload: unknown, signal: AbortSignal) => unknown

/**
 * The part of the host's `ctx.connection` that this file uses. We do not depend on its package,
 * because only hosts with a page have it. Up to 0.1.4, the options of `handle` limit a channel to this
 * machine or to trusted hosts. From 0.1.5 on there are no options, and every request needs the host's
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
  /** From 0.1.5 on: whether browsers on other machines may log in. */
  readonly allowsRemoteAuthorities?: boolean
}

/**
 * Who may use a channel.
 *
 * `owner`: for work that starts processes or spends quota. Hosts with options accept only requests
 * whose `Host` header names this machine and that no other site sent. Any local process can send
 * such a request too. Later hosts require their login; the channel is not served if browsers on other
 * machines may log in.
 *
 * `reader`: anyone who may see the page's sessions.
 */
export type Audience = 'owner' | 'reader'

/**
 * Serves `channel` for as long as `ctx` lives.
 * @param ctx injected with `connection` and `webServer`.
 * @returns a function that closes the channel, or `undefined` if this host cannot limit it to
 * `audience`.
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
 * Whether a host from 0.1.5 on serves its page only to this machine: it lets no other machines log in,
 * and listens on the loopback interface.
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

/** Lets tabs that ask at the same time share one answer, because a test run costs quota. */
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
