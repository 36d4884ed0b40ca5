/**
 * The permission modes as a table: the flags of each mode, where it runs, and the texts about it for
 * the user and the model. To add a mode, add a row. `rights.ts` decides whether a run can write,
 * because `extraArgs` count too.
 */

import type { Words } from '../words.ts'

export interface PermissionMode {
  /** Passed to the CLI in this order. */
  readonly args: readonly string[]
  /** Ranks the modes by what they allow: the user's settings may not go above the profile's row. */
  readonly reach: 0 | 1 | 2 | 3
  /** Whether the CLI may change files in this mode. */
  readonly writes: boolean
  /** Needs Cursor's own sandbox, which some platforms lack. */
  readonly sandboxed?: true
  /** The warning for the user, in a mode without any limits. */
  readonly unbounded?: Words
  /** Tells the user what the agent may do. Without a full stop, because callers continue it. */
  readonly allows: Words
  /** Tells the delegating model what the agent may do. */
  readonly tool: string
}

export const PERMISSION_MODES = {
  trust: {
    args: [],
    reach: 2,
    writes: true,
    allows: {
      en: 'Reads and writes files; shell commands and unapproved tools are denied',
      zh: '可以读写文件；shell 命令和未获批准的工具会被拒绝',
    },
    tool: 'It can read and write files; shell commands are denied unless the user allowed them in Cursor.',
  },
  safe: {
    args: ['--sandbox', 'enabled'],
    reach: 1,
    writes: true,
    sandboxed: true,
    allows: {
      en: "Writes files and runs commands inside Cursor's own sandbox; macOS and Linux only",
      zh: '在 Cursor 自带的沙箱里写文件、运行命令；仅支持 macOS 和 Linux',
    },
    tool: "It can write files and run commands inside Cursor's own sandbox.",
  },
  yolo: {
    args: ['--force'],
    reach: 3,
    writes: true,
    unbounded: {
      en: 'Every command runs at once, deleting files and using the network included. Nobody is asked.',
      zh: '任何命令都会直接执行，包括删除文件和访问网络，不会再问你。',
    },
    allows: {
      en: 'Does everything without asking, shell commands included',
      zh: '不询问，什么都可以做，包括执行 shell 命令',
    },
    tool: 'It can do everything without asking: write files, run shell commands, use the network.',
  },
  plan: {
    args: ['--mode', 'plan'],
    reach: 0,
    writes: false,
    allows: { en: 'Read-only: explores and plans', zh: '只读：查看代码并给出方案' },
    tool:
      'It is read-only and plans. Ask for the complete plan in the final reply: a plan that it keeps in ' +
      'its own plan tool does not come back.',
  },
  ask: {
    args: ['--mode', 'ask'],
    reach: 0,
    writes: false,
    allows: { en: 'Read-only: explores and answers questions', zh: '只读：查看代码并回答问题' },
    tool: 'It is read-only: it explores and answers questions.',
  },
} as const satisfies Record<string, PermissionMode>

export type PermissionModeName = keyof typeof PERMISSION_MODES

export const PERMISSION_MODE_NAMES = Object.keys(PERMISSION_MODES) as PermissionModeName[]

/** Used when a delegation asks for `read_only`, whatever mode is configured. */
export const READ_ONLY_MODE: PermissionModeName = 'ask'

/** The modes that run on every platform, as a list for a sentence. */
export const MODES_EVERYWHERE = alternatives(({ sandboxed }) => sandboxed === undefined)

/** The modes that cannot write, as a list for a sentence. */
export const READ_ONLY_MODES = alternatives(({ writes }) => !writes)

function alternatives(isOne: (mode: PermissionMode) => boolean): Words {
  const names = PERMISSION_MODE_NAMES.filter((name) => isOne(PERMISSION_MODES[name]))
  const but = names.slice(0, -1)
  return {
    en: `${but.join(', ')} or ${names.at(-1)}`,
    zh: `${but.join('、')} 或 ${names.at(-1)}`,
  }
}

/** @returns the options among a mode's arguments, each with its value if it takes one. */
export function optionsOf({
  args,
}: Pick<PermissionMode, 'args'>): (readonly [option: string, value?: string])[] {
  return args.flatMap((option, at) => {
    const value = args[at + 1]
    if (!option.startsWith('-')) return []
    return [value === undefined || value.startsWith('-') ? [option] : [option, value]]
  })
}

export function permissionArgs(mode: PermissionModeName): readonly string[] {
  return PERMISSION_MODES[mode].args
}

/** Whether the CLI can start in `mode` on `platform`. */
export function runsOn(mode: PermissionModeName, platform: NodeJS.Platform): boolean {
  const { sandboxed }: PermissionMode = PERMISSION_MODES[mode]
  // On Windows the CLI exits 1 with empty stdout (measured with 2026.10.22-27dcf5f).
  return sandboxed === undefined || platform === 'darwin' || platform === 'linux'
}
