// Boots the real services of the installed 0.1 host in this process, without a profile or a model:
// the real `ctx.subagents`, and the real job registry with its tools, on `in-process-host.ts`.
import { SubagentRuntime } from '@deepseek-ai/dsh-subagent'
import { importFromHost, InProcessHost } from '../in-process-host.ts'
import type { HostOptions } from '../in-process-host.ts'

export interface HostOptions01 extends HostOptions {
  /** False: a preset without background jobs, so no `ctx.jobs`. Default true. */
  readonly jobs?: boolean
}

export class Host01 extends InProcessHost {
  readonly generation = '0.1'
}

export function bootHost01(options: HostOptions01 = {}): Promise<Host01> {
  const host = new Host01(options)
  return host.boot(options, async () => {
    await host.ctx.plugin(SubagentRuntime)
    if (options.jobs === false) return
    await host.ctx.plugin(await importFromHost('@deepseek-ai/dsh-jobs-local'))
    await host.ctx.plugin(await importFromHost('@deepseek-ai/dsh-tool-jobs'))
  })
}
