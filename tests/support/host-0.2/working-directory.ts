// A stand-in for `ctx.workingDirectory` of DSH 0.2: where a session's agent is now, which the host keeps
// apart from where the session began. Source: `packages/session/working-directory/src/index.ts` there.
// It leaves out the projection, the prompt's context and the model's own way to change it.
import { stat } from 'node:fs/promises'
import { Service } from '@deepseek-ai/cordis'
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import type { Session } from '@deepseek-ai/dsh-session'
import { appendTo } from '../in-process-host.ts'
import type { WorkingDirectory02 } from './types.ts'

export class StandInWorkingDirectory extends Service implements WorkingDirectory02 {
  constructor(ctx: Context) {
    super(ctx, 'workingDirectory')
  }

  get(session: Session): string {
    const events = session.events as readonly { type: string; data: { cwd?: string } }[]
    const change = events.findLast(({ type }) => type === 'working-directory/change')
    return change?.data.cwd ?? session.header.cwd ?? process.cwd()
  }

  async ensure(agent: Agent, signal?: AbortSignal): Promise<string> {
    const { session } = agent
    const current = this.get(session)
    if (await isDirectory(current, agent, signal)) return current
    const original = session.header.cwd ?? process.cwd()
    if (!(await isDirectory(original, agent, signal))) {
      throw new Error(`working-directory: directory does not exist: ${JSON.stringify(original)}`)
    }
    // Two at once find it gone, and one of them has gone back already.
    if (this.get(session) === original) return original
    appendTo(session, 'working-directory/change', { cwd: original })
    const [from, to] = [current, original].map((path) => JSON.stringify(path))
    const text = `The working directory ${from} is unavailable. The working directory is now ${to}.`
    const source = { kind: 'working-directory' } as never
    try {
      agent.inject(createUserMessage({ content: [{ type: 'text', text }], source }))
    } catch (error) {
      this.ctx.logger.warn(`working-directory: left no notice: ${String(error)}`)
    }
    return original
  }
}

async function isDirectory(path: string, agent: Agent, signal?: AbortSignal): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  signal?.throwIfAborted()
  agent.ctx.fiber.assertActive()
  return found?.isDirectory() === true
}
