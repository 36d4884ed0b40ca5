// Stands in for the package `@deepseek-ai/dsh-subagent` at generation 0.2: the values an external
// provider is made of, under exactly the names that exist there. A plugin that statically imports
// another name (`settleRun` and `resolveChildCwd` are gone in 0.2) fails to link, as it would there.
// The behaviour is the installed 0.1 package's, with the three differences 0.2 made.
import {
  NO_START_CAPABILITIES as CAPABILITIES_01,
  settleRunResult as settle01,
  subprocessRunHandle as handle01,
} from '@deepseek-ai/dsh-subagent'
import type {
  RunResultSettlement,
  SubagentResult,
  SubprocessRunHandleParts,
} from '@deepseek-ai/dsh-subagent'
import type { SubagentCapabilities02, SubagentRun02 } from './types.ts'

export { assertPositiveFinite, assertUsableCwd, SubagentError } from '@deepseek-ai/dsh-subagent'

export const NO_START_CAPABILITIES: SubagentCapabilities02 = Object.freeze({
  ...CAPABILITIES_01,
  agentOptions: false,
})

const MAX_DIAGNOSTIC_BYTES = 4096
const CUT = '\n[diagnostic truncated]'

/** As in 0.1, but a diagnostic that the attempt returned is held to 4096 UTF-8 bytes as well. */
export async function settleRunResult(parts: RunResultSettlement): Promise<SubagentResult> {
  const result = await settle01(parts)
  if (result.diagnostic === undefined) return result
  const bytes = Buffer.from(result.diagnostic)
  if (bytes.byteLength <= MAX_DIAGNOSTIC_BYTES) return result
  const kept = bytes.subarray(0, MAX_DIAGNOSTIC_BYTES - CUT.length).toString('utf8')
  return { ...result, diagnostic: kept.replace(/\uFFFD$/, '') + CUT }
}

/** As in 0.1, without `localAgent`: a run of 0.2 is `{ id, result, dispose }`. */
export function subprocessRunHandle(parts: SubprocessRunHandleParts): SubagentRun02 {
  const { id, result, dispose } = handle01(parts)
  return { id, result, dispose }
}
