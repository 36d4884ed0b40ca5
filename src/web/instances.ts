// Serves one channel for all instances of the plugin in a host, because a page does not know which
// instance made a run. One instance holds the channel; when it is unloaded, another takes over.

import type { Context } from '@deepseek-ai/cordis'
import { serveChannel } from './channels.ts'
import { PAGE_CHANNEL, type InstanceInfo, type RunView } from './protocol.ts'

export interface Instance extends InstanceInfo {
  view(callId: string): RunView | undefined
}

class PageChannel {
  readonly #instances = new Map<Context, Instance>()
  #holder: Context | undefined

  join(ctx: Context, instance: Instance): void {
    ctx.effect(() => {
      this.#instances.set(ctx, instance)
      this.#serve()
      return () => this.#leave(ctx)
    })
  }

  #close: (() => Promise<void>) | undefined

  #serve(): void {
    const [ctx] = this.#instances.keys()
    if (ctx === undefined || this.#holder !== undefined) return
    this.#holder = ctx
    this.#close = serveChannel(ctx, PAGE_CHANNEL, 'reader', {
      instances: () => [...this.#instances.values()].map(({ view: _view, ...info }) => info),
      run: (payload) => {
        const { callId } = (payload ?? {}) as { readonly callId?: unknown }
        if (typeof callId !== 'string') return null
        for (const { view } of this.#instances.values()) {
          const found = view(callId)
          if (found !== undefined) return found
        }
        return null
      },
    })
  }

  async #leave(ctx: Context): Promise<void> {
    this.#instances.delete(ctx)
    if (this.#holder !== ctx) return
    await this.#close?.()
    this.#holder = undefined
    this.#serve()
  }
}

/** Keyed by root context, because each plugin gets its own view of the host's services. */
const channels = new WeakMap<Context, PageChannel>()

/** @param ctx injected with `connection` and `webServer`; the instance leaves when it ends. */
export function joinPage(ctx: Context, instance: Instance): void {
  let channel = channels.get(ctx.root)
  if (channel === undefined) channels.set(ctx.root, (channel = new PageChannel()))
  channel.join(ctx, instance)
}
