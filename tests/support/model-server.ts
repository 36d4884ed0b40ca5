// A model on the loopback interface that plays the parent agent from a script: the real host talks
// to it as to DeepSeek's API. It records every request, because what a plugin does to a parent is
// what that parent's model is sent.
import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export interface ToolUse {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What the model does next: speak (which ends the turn), or call one or several tools at once. */
export type Turn = { readonly text: string } | ToolUse | { readonly tools: readonly ToolUse[] }

export interface WireMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null | readonly { readonly type: string; readonly text?: string }[]
  readonly tool_call_id?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

export interface WireTool {
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: Readonly<Record<string, unknown>>
  }
}

export interface ModelRequest {
  readonly messages: readonly WireMessage[]
  readonly tools: readonly WireTool[]
}

export interface ToolResult {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly content: string
}

/**
 * The turns in order, or a function of the request and its number from 0. A list that has run out
 * answers with a text.
 */
export type Script =
  | readonly Turn[]
  | ((request: ModelRequest, index: number) => Turn | Promise<Turn>)

export interface ModelServer {
  /** For DEEPSEEK_BASE_URL. */
  readonly url: string
  /** The parent's requests so far, oldest first, without the session-title request. */
  readonly requests: readonly ModelRequest[]
  /** The first error a script function threw; the host only sees a failed request. */
  readonly scriptError: unknown
  close(): Promise<void>
}

/** The text of a message, whatever form its content has. */
function messageText(message: WireMessage): string {
  if (typeof message.content === 'string') return message.content
  return (message.content ?? []).map((part) => part.text ?? '').join('')
}

/** The results of the newest round of tool calls in a request, in the order of the calls. */
export function lastToolResults(request: ModelRequest): ToolResult[] {
  const calls = request.messages.findLast((message) => message.tool_calls !== undefined)?.tool_calls
  return (calls ?? []).map((call) => {
    const answer = request.messages.find((message) => message.tool_call_id === call.id)
    return {
      tool: call.function.name,
      args: JSON.parse(call.function.arguments) as Record<string, unknown>,
      content: answer === undefined ? '' : messageText(answer),
    }
  })
}

/** Every tool result that the parent was sent, over all of its requests. */
export function allToolResults(requests: readonly ModelRequest[]): ToolResult[] {
  const seen = new Set<string>()
  const results: ToolResult[] = []
  for (const request of requests) {
    const calls = request.messages.flatMap((message) => message.tool_calls ?? [])
    for (const message of request.messages) {
      const id = message.tool_call_id
      const call = calls.find((candidate) => candidate.id === id)
      if (id === undefined || call === undefined || seen.has(id)) continue
      seen.add(id)
      results.push({
        tool: call.function.name,
        args: JSON.parse(call.function.arguments) as Record<string, unknown>,
        content: messageText(message),
      })
    }
  }
  return results
}

function sendTurn(response: ServerResponse, turn: Turn, index: number): void {
  const send = (payload: unknown): unknown => response.write(`data: ${JSON.stringify(payload)}\n\n`)
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  const base = { id: `chunk-${index}`, object: 'chat.completion.chunk', model: 'scripted' }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if ('text' in turn) {
    const delta = { role: 'assistant', content: turn.text }
    send({ ...base, choices: [{ index: 0, delta, finish_reason: null }] })
    send({ ...base, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })
  } else {
    const uses = 'tools' in turn ? turn.tools : [turn]
    const calls = uses.map((use, position) => ({
      index: position,
      id: `call-${index}-${position}`,
      type: 'function',
      function: { name: use.tool, arguments: JSON.stringify(use.args) },
    }))
    const delta = { role: 'assistant', content: null, tool_calls: calls }
    send({ ...base, choices: [{ index: 0, delta, finish_reason: null }] })
    send({ ...base, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], usage })
  }
  response.end('data: [DONE]\n\n')
}

/** Starts the model; the caller closes it. */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  let scriptError: unknown

  const next = async (request: ModelRequest, index: number): Promise<Turn> => {
    if (typeof script === 'function') return script(request, index)
    return script[index] ?? { text: 'The script of the model is at its end.' }
  }

  const server = createServer((incoming, response) => {
    const answer = async (): Promise<void> => {
      let body = ''
      for await (const chunk of incoming.setEncoding('utf8')) body += chunk as string
      if (incoming.method !== 'POST' || incoming.url?.endsWith('/chat/completions') !== true) {
        response.writeHead(404).end()
        return
      }
      const { messages, tools = [] } = JSON.parse(body) as {
        messages: readonly WireMessage[]
        tools?: readonly WireTool[]
      }
      // The host asks for a session title beside the conversation: two messages and no tools.
      if (tools.length === 0 && messages.length === 2) {
        sendTurn(response, { text: 'A scripted session' }, -1)
        return
      }
      const request = { messages, tools }
      const index = requests.push(request) - 1
      sendTurn(response, await next(request, index), index)
    }
    answer().catch((error: unknown) => {
      scriptError ??= error
      // Not an answer that the host would retry.
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: `the model's script failed: ${error}` } }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get scriptError() {
      return scriptError
    },
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
