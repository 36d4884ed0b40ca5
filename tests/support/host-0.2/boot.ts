// Boots the stand-in host of generation 0.2: the stand-in `ctx.subagents` on the real services of
// `in-process-host.ts`. There is no `ctx.jobs` for subagents in 0.2, so none is mounted.
import { InProcessHost } from '../in-process-host.ts'
import type { HostOptions } from '../in-process-host.ts'
import { StandInSubagents } from './subagents.ts'
import type { SubagentActivationSpec02 } from './types.ts'
import { StandInWorkingDirectory } from './working-directory.ts'

export interface HostOptions02 extends HostOptions {
  readonly maxActiveSubagents?: number
}

export class Host02 extends InProcessHost {
  readonly generation = '0.2'
  /** The fiber of the subagent service; disposing it is what a shutdown does to live children. */
  subagentsFiber!: ReturnType<InProcessHost['ctx']['plugin']>

  get subagents(): StandInSubagents {
    return this.ctx.get('subagents') as unknown as StandInSubagents
  }

  /** Every spec that `startActivation` was called with, in order. */
  get started(): readonly SubagentActivationSpec02[] {
    return this.subagents.started
  }
}

/**
 * A handle of 0.2 keeps the target's identity to itself (`packages/subprocess/subprocess/src/types.ts`
 * there), so a failed spawn shows by `done` alone.
 */
function hideProcessIds(subprocess: InProcessHost['ctx']['subprocess']): void {
  const spawn = subprocess.spawn.bind(subprocess)
  subprocess.spawn = (spec) =>
    new Proxy(spawn(spec), {
      has: (handle, key) => key !== 'pid' && key in handle,
      get(handle, key) {
        const value: unknown = key === 'pid' ? undefined : Reflect.get(handle, key, handle)
        return typeof value === 'function' ? value.bind(handle) : value
      },
    })
}

/** The plugin is imported with `importOn02`, so that it links against the package names of 0.2. */
export function bootHost02(options: HostOptions02 = {}): Promise<Host02> {
  const host = new Host02(options)
  return host.boot(options, async () => {
    hideProcessIds(host.ctx.subprocess)
    await host.ctx.plugin(StandInWorkingDirectory)
    const { maxActiveSubagents = 8 } = options
    host.subagentsFiber = host.ctx.plugin(StandInSubagents, {
      maxActiveSubagents: { get: () => maxActiveSubagents },
    })
    await host.subagentsFiber
  })
}
