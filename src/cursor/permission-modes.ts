/**
 * The permission modes as a table: what each adds to the command line, where it runs,
 * and what it lets the CLI do. A new mode is one row.
 */

export interface PermissionMode {
  /** Flags in the order in which they are passed. */
  readonly args: readonly string[]
  /** Whether the CLI may change files in this mode. */
  readonly writes: boolean
  /** Platforms on which the CLI starts in this mode; omitted means all. */
  readonly platforms?: readonly NodeJS.Platform[]
  /** What the agent may do, as a predicate that follows "it" or "the agent". */
  readonly allows: string
}

export type PermissionModeName = 'trust' | 'safe' | 'yolo' | 'plan' | 'ask'

export const PERMISSION_MODES = {
  trust: {
    args: [],
    writes: true,
    allows: 'may read and write files; shell commands and unapproved tools are denied',
  },
  safe: {
    args: ['--sandbox', 'enabled'],
    writes: true,
    // Measured with 2026.10.22-27dcf5f: on Windows the CLI exits 1 with empty stdout.
    platforms: ['darwin', 'linux'],
    allows: "may write files and run commands inside Cursor's own sandbox",
  },
  yolo: {
    args: ['--force'],
    writes: true,
    allows: 'may do everything, shell commands included, without asking',
  },
  plan: {
    args: ['--mode', 'plan'],
    writes: false,
    allows: 'is read-only and plans',
  },
  ask: {
    args: ['--mode', 'ask'],
    writes: false,
    allows: 'is read-only and answers questions',
  },
} as const satisfies Record<PermissionModeName, PermissionMode>

export const PERMISSION_MODE_NAMES = Object.keys(PERMISSION_MODES) as PermissionModeName[]

/** @returns the flags that `mode` adds to the command line. */
export function permissionArgs(mode: PermissionModeName): readonly string[] {
  return PERMISSION_MODES[mode].args
}

/** Whether the CLI starts in `mode` on `platform`. */
export function runsOn(mode: PermissionModeName, platform: NodeJS.Platform): boolean {
  const { platforms }: PermissionMode = PERMISSION_MODES[mode]
  return platforms === undefined || platforms.includes(platform)
}
