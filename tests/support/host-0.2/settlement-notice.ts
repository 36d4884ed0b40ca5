// What generation 0.2 tells a parent about a child that has ended: the content of one user message.
// Blocks and words are the host's (`continuation-messages.ts` there), as the parent model reads them.
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import type { SubagentResult02 } from './types.ts'

const ENDING = {
  completed: 'finished. It cannot receive follow-up messages.',
  aborted: 'was stopped before it finished.',
  'max-tokens': 'ran out of room before it finished.',
  refusal: 'declined the task.',
  error: 'failed before it finished.',
} as const satisfies Record<SubagentResult02['stopReason'], string>

/** The block that stands in front of the answer's own blocks. */
export const ANSWER_FOLLOWS = 'Its closing message:'
/** The block that stands there when the child left no text. */
export const NO_ANSWER = 'It left no closing message.'

/**
 * The blocks of the notice: how `childId` ended, its text (blocks of another type and empty ones
 * are dropped), and the diagnostic as a block of its own, whatever the stop reason.
 */
export function settlementBlocks(childId: string, result: SubagentResult02): ContentBlock[] {
  const answer = result.output.filter((block) => block.type === 'text' && block.text !== '')
  const blocks: ContentBlock[] = [
    text(`Background subagent ${childId} ${ENDING[result.stopReason]}`),
    text(answer.length === 0 ? NO_ANSWER : ANSWER_FOLLOWS),
    ...answer,
  ]
  if (result.diagnostic !== undefined) blocks.push(text(result.diagnostic))
  return blocks
}

function text(value: string): ContentBlock {
  return { type: 'text', text: value }
}
