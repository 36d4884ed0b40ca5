// What generation 0.2 tells a parent about a child that has ended: the content of one user message.
// The order and the number of blocks are the host's (`continuation-messages.ts` there); the wording
// is this stand-in's own, so no test may depend on it.
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import type { SubagentResult02 } from './types.ts'

const ENDING = {
  completed: 'has ended well and takes no further messages',
  aborted: 'was stopped early',
  'max-tokens': 'used up its room early',
  refusal: 'would not do the task',
  error: 'broke before the end',
} as const satisfies Record<SubagentResult02['stopReason'], string>

/** The block that stands in front of the answer's own blocks. */
export const ANSWER_FOLLOWS = 'What it said last:'
/** The block that stands there when the child left no text. */
export const NO_ANSWER = 'It said nothing at the end.'

/**
 * The blocks of the notice: how `childId` ended, its text (blocks of another type and empty ones
 * are dropped), and the diagnostic as a block of its own, whatever the stop reason.
 */
export function settlementBlocks(childId: string, result: SubagentResult02): ContentBlock[] {
  const answer = result.output.filter((block) => block.type === 'text' && block.text !== '')
  const blocks: ContentBlock[] = [
    text(`Subagent ${childId} ${ENDING[result.stopReason]}.`),
    text(answer.length === 0 ? NO_ANSWER : ANSWER_FOLLOWS),
    ...answer,
  ]
  if (result.diagnostic !== undefined) blocks.push(text(result.diagnostic))
  return blocks
}

function text(value: string): ContentBlock {
  return { type: 'text', text: value }
}
