// What generation 0.2 tells a parent about a child that has ended: one user message. Blocks and words
// are the host's (`continuation-messages.ts` there), as the parent model reads them.
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import type { SessionId, UserMessage } from '@deepseek-ai/dsh-session'
import type { SubagentResult02 } from './types.ts'

const ENDING = {
  completed: 'finished. It cannot receive follow-up messages.',
  aborted: 'was stopped before it finished.',
  'max-tokens': 'ran out of room before it finished.',
  refusal: 'declined the task.',
  error: 'failed before it finished.',
} as const satisfies Record<SubagentResult02['stopReason'], string>

/**
 * How the child ended, its text (blocks of another type and empty ones are dropped), and the
 * diagnostic as a block of its own, whatever the stop reason.
 */
export function settlementNotice(childId: SessionId, result: SubagentResult02): UserMessage {
  const summary = `Background subagent ${childId} ${ENDING[result.stopReason]}`
  const answer = result.output.filter((block) => block.type === 'text' && block.text !== '')
  const introduction = answer.length === 0 ? 'It left no closing message.' : 'Its closing message:'
  return createUserMessage({
    content: [
      text(summary),
      text(introduction),
      ...answer,
      ...(result.diagnostic === undefined ? [] : [text(result.diagnostic)]),
    ],
    // A source kind that the installed 0.1 types do not know.
    source: {
      kind: 'subagent-settled',
      form: 'notice',
      summary,
      senderSessionId: childId,
    } as never,
  })
}

function text(value: string): ContentBlock {
  return { type: 'text', text: value }
}
