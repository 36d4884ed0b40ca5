// The instances of the plugin that one host's page can ask about: a page registers rows by tool name
// and finds a run by its call, whatever instance made it. One channel serves them all, held by one of
// them and handed on when that one is taken away.

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

/** One for each host in the process; its services look different to each plugin that asks for them. */
const channels = new WeakMap<Context, PageChannel>()

/** @param ctx injected with `connection` and `webServer`; the instance goes with it. */
export function joinPage(ctx: Context, instance: Instance): void {
  let channel = channels.get(ctx.root)
  if (channel === undefined) channels.set(ctx.root, (channel = new PageChannel()))
  channel.join(ctx, instance)
}
