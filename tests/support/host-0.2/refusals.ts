// The refusals of `ctx.subagents` of DSH 0.2: their codes and the host's words, which reach a parent
// model as the failure of its call. Source: `index.ts`, `manager.ts` and `activation.ts` in
// `packages/subagent/subagent/src/` there.
import { SubagentError } from '@deepseek-ai/dsh-subagent'
import type { SubagentErrorCode02 } from './types.ts'

const REFUSALS = {
  NO_PROVIDER: { provider: 'no subagent provider registered for "{0}"' },
  DUPLICATE_PROVIDER: { provider: 'a subagent provider named "{0}" is already registered' },
  UNSUPPORTED_CAPABILITY: {
    provider: 'subagent provider "{0}" must implement start or prepareContinuable',
    childId: 'reserved child ids require a local backend',
    request: 'subagent provider "{0}" does not support the "{1}" capability',
  },
  CONTINUATION_UNAVAILABLE: { agents: 'continuable subagents require the agents service' },
  UNAUTHORIZED: {
    creation: 'subagent creation requires the exact live parent agent',
    start: 'subagent parent is no longer live',
    announcement: 'subagent "{0}" delivery requires the exact live parent agent',
    caller: 'interrupting "{0}" requires the exact live ancestor agent',
    self: 'agent "{0}" cannot interrupt itself',
    user: 'subagent "{0}" belongs to another parent session',
    ancestor: 'subagent "{0}" is not a live descendant of agent "{1}"',
  },
  ACTIVATION_LIMIT_REACHED: {
    pool: 'subagent limit reached (active child limit: {0}); wait for an existing child to finish or complete this work with the current agents',
  },
  DUPLICATE_CHILD: { id: 'subagent "{0}" already exists' },
  DRAINING: {
    all: 'subagents are draining; the operation was not admitted',
    tree: 'subagents below parent "{0}" are draining; the operation was not admitted',
  },
  ACTIVATION_TEARDOWN_FAILED: {
    result: 'subagent "{0}" activation teardown failed: {1}',
    handle: 'subagent "{0}" activation handle disposal failed: {1}',
    both: 'subagent "{0}" activation teardown failed at 2 boundaries: {1}',
    several: 'subagent teardown failed for {0}: {1}',
  },
} as const satisfies Record<SubagentErrorCode02, Readonly<Record<string, string>>>

/** @param parts what stands in the words' places, in order. */
export function refusal<Code extends SubagentErrorCode02>(
  code: Code,
  which: keyof (typeof REFUSALS)[Code],
  ...parts: readonly (string | number)[]
): SubagentError {
  const words = REFUSALS[code][which] as string
  return new SubagentError(
    words.replace(/\{(\d)\}/g, (_place, index) => String(parts[index])),
    code,
  )
}
