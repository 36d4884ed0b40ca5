// One delegation in the conversation: a head that opens and closes, a line of facts, and the answer or
// what went wrong. model.ts gathers what is known about the call.

import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { happenedIn, nextStepIn, type FailureText } from '../../../cursor/failures/format.ts'
import type { DelegationMeta } from '../../../dsh/recorded.ts'
import { CopyButton, Sentence } from '../copy.tsx'
import type { PageInstances } from '../instances.ts'
import { languageOf } from '../locale.ts'
import type { Translate } from '../page.ts'
import { harmless } from '../../../harmless.ts'
import { Markdown } from './markdown.tsx'
import { rowModel, type Block, type Job, type RowModel } from './model.ts'
import { useNow, useRun } from './use-run.ts'

interface RowProps {
  readonly t: Translate
  readonly callId: string
  readonly toolName: string
  readonly block: Block
  readonly openFile?: (path: string) => void
  /** On pages of 0.1, a hook for the page's sessions. */
  readonly sessionId?: string
  readonly useSessions?: <T>(select: (sessions: Sessions) => T) => T
}

interface Sessions {
  readonly jobsBySession?: Readonly<Record<string, readonly Job[]>>
}

export function createRow(instances: PageInstances) {
  return function DelegationRow(props: RowProps): ReactNode {
    const { t, callId, toolName, block } = props
    const [open, setOpen] = useState(false)
    const bodyId = useId()
    // A conditional hook is safe here, because a page always has it or never.
    const jobs = props.useSessions?.((sessions) => sessions.jobsBySession?.[props.sessionId ?? ''])
    const unasked = rowModel(block, undefined, jobs)
    const [ended, setEnded] = useState(false)
    const follow = !ended && (!unasked.settled || unasked.background)
    const view = useRun(instances, callId, follow, open)
    if (view?.state === 'settled' && unasked.settled && !ended) setEnded(true)
    const row = rowModel(block, view, jobs)

    const toggle = (): void => setOpen(!open)
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      toggle()
    }
    const description = harmless(row.description ?? row.prompt?.split('\n', 1)[0] ?? '')
    return (
      <div className="dsh-cursor-run" data-tool={toolName} data-state={row.state}>
        <div
          className="dsh-cursor-run-head"
          role="button"
          tabIndex={0}
          aria-expanded={open}
          aria-controls={open ? bodyId : undefined}
          onClick={toggle}
          onKeyDown={onKey}
        >
          <span className="dsh-cursor-run-dot" data-state={row.state} aria-hidden />
          <span className="dsh-cursor-run-title">Cursor</span>
          <span className="dsh-cursor-run-task">{description}</span>
          <span className="dsh-cursor-chevron" data-open={open || undefined} aria-hidden />
          <span className="dsh-cursor-run-line">
            <StateText t={t} row={row} />
            <FactsLine t={t} row={row} />
          </span>
        </div>
        <Outcome t={t} row={row} />
        {!open ? null : (
          <div className="dsh-cursor-run-body" id={bodyId}>
            {row.prompt === undefined ? null : (
              <Cut t={t} title={t('row.task')} text={harmless(row.prompt)} lines={6} />
            )}
            {row.answer === undefined ? null : (
              <Answer
                t={t}
                text={row.answer}
                whole={async () => {
                  const known = await instances.run(callId, new AbortController().signal)
                  return (typeof known === 'object' ? known.text : undefined) ?? row.answer ?? ''
                }}
              />
            )}
            {row.failure === undefined ? null : <Details t={t} failure={row.failure} />}
            {row.plainFailure === undefined ? null : (
              <pre className="dsh-cursor-plain">{harmless(row.plainFailure)}</pre>
            )}
            <Files t={t} row={row} openFile={props.openFile} />
          </div>
        )}
      </div>
    )
  }
}

function StateText({ t, row }: { t: Translate; row: RowModel }): ReactNode {
  const key = row.lost
    ? 'row.started'
    : row.waiting
      ? 'row.waiting'
      : row.state === 'running' && row.prompt === undefined && !row.settled
        ? 'row.preparing'
        : (`row.${row.state}` as const)
  return <span className="dsh-cursor-run-state">{t(key)}</span>
}

function FactsLine({ t, row }: { t: Translate; row: RowModel }): ReactNode {
  const running = row.state === 'running' && !row.waiting
  const now = useNow(running)
  const { mode, model, durationMs, toolCalls, usage } = row.facts
  const elapsed = running && row.startedAt !== undefined ? now - row.startedAt : durationMs
  // In display order.
  const facts = {
    background: row.background ? t('row.background') : undefined,
    mode: mode && t('row.mode', { mode }),
    model:
      mode &&
      (model === undefined ? t('row.defaultModel') : t('row.model', { model: harmless(model) })),
    durationMs: elapsed === undefined || row.lost ? undefined : duration(t, elapsed, running),
    toolCalls:
      toolCalls === undefined
        ? undefined
        : t(toolCalls === 1 ? 'row.call' : 'row.calls', { count: toolCalls }),
    usage:
      usage &&
      t('row.tokens', { input: short(usage.inputTokens), output: short(usage.outputTokens) }),
    // Not shown, because the row's state says it.
    stopReason: undefined,
  } satisfies Record<keyof DelegationMeta | 'background', string | undefined>
  return Object.entries(facts).map(([name, fact]) => fact && <span key={name}>{fact}</span>)
}

/** Shown below the head, even if the row is closed. */
function Outcome({ t, row }: { t: Translate; row: RowModel }): ReactNode {
  if (row.state === 'stopped') {
    const { durationMs } = row.facts
    return (
      <p className="dsh-cursor-run-outcome">
        {durationMs === undefined
          ? t('row.stoppedSometime')
          : t('row.stoppedAfter', { time: duration(t, durationMs) })}
      </p>
    )
  }
  if (row.lost) return <p className="dsh-cursor-run-outcome">{t('row.lost')}</p>
  if (row.failure === undefined) {
    const [line] = row.plainFailure?.split('\n', 1) ?? []
    return line ? <p className="dsh-cursor-run-outcome">{harmless(line)}</p> : null
  }
  const language = languageOf(t)
  const { said, nextStep } = row.failure
  return (
    <div className="dsh-cursor-run-outcome">
      <p data-cause>
        {harmless(happenedIn(language, row.failure))}
        {said === undefined ? null : (
          <span className="dsh-cursor-said">
            {' '}
            {t('row.said')}“{harmless(said)}”
          </span>
        )}
      </p>
      <p data-next>
        <span className="dsh-cursor-muted">{t('row.next')}</span>{' '}
        <Sentence t={t} text={harmless(nextStepIn(language, nextStep))} />
      </p>
    </div>
  )
}

/** How much of an answer to show until the user asks for all of it, in UTF-16 units. */
const FIRST_CHARACTERS = 8000

function Answer(props: { t: Translate; text: string; whole: () => Promise<string> }): ReactNode {
  const { t, text } = props
  const [all, setAll] = useState(false)
  const long = text.length > 2500 || text.split('\n').length > 40
  const shown = all ? text : text.slice(0, FIRST_CHARACTERS)
  return (
    <section className="dsh-cursor-answer" aria-label={t('row.answer')}>
      <div className="dsh-cursor-run-bar">
        <CopyButton t={t} text={props.whole} />
      </div>
      <div className="dsh-cursor-answer-text" data-cut={(long && !all) || undefined}>
        <Markdown t={t} text={harmless(shown)} />
      </div>
      {!long ? null : <More t={t} all={all} onToggle={() => setAll(!all)} />}
    </section>
  )
}

/** Shows the first lines of a text, and all of it on request. */
function Cut(props: { t: Translate; title: string; text: string; lines: number }): ReactNode {
  const { t, text, lines } = props
  const [all, setAll] = useState(false)
  const long = text.length > lines * 120 || text.split('\n').length > lines
  return (
    <section className="dsh-cursor-cut" aria-label={props.title}>
      <div
        className="dsh-cursor-plain dsh-cursor-muted"
        style={all ? undefined : { maxHeight: `${lines * 1.5}em`, overflow: 'hidden' }}
      >
        {all ? text : text.slice(0, lines * 400)}
      </div>
      {!long ? null : <More t={t} all={all} onToggle={() => setAll(!all)} />}
    </section>
  )
}

function More(props: { t: Translate; all: boolean; onToggle: () => void }): ReactNode {
  return (
    <button
      type="button"
      className="dsh-cursor-link"
      aria-expanded={props.all}
      onClick={props.onToggle}
    >
      {props.t(props.all ? 'row.showLess' : 'row.showAll')}
    </button>
  )
}

function Details({ t, failure }: { t: Translate; failure: FailureText }): ReactNode {
  const { facts, excerpts } = failure
  const lines = [
    `${failure.category}: ${failure.happened}`,
    ...facts,
    ...(['stderr', 'stdout'] as const).flatMap((stream) =>
      excerpts[stream].length === 0 ? [] : [`${stream}:`, ...excerpts[stream]],
    ),
  ]
  return (
    <details className="dsh-cursor-details">
      <summary>{t('row.details')}</summary>
      <pre className="dsh-cursor-plain">{harmless(lines.join('\n'))}</pre>
    </details>
  )
}

function Files(props: {
  t: Translate
  row: RowModel
  openFile: ((path: string) => void) | undefined
}): ReactNode {
  const { files } = props.row
  const { openFile } = props
  if (files.length === 0) return null
  return (
    <div className="dsh-cursor-files">
      <span className="dsh-cursor-muted">{props.t('row.files')}</span>
      {files.map((file) =>
        typeof openFile === 'function' ? (
          <button
            key={file}
            type="button"
            className="dsh-cursor-link"
            onClick={() => openFile(file)}
          >
            {harmless(file)}
          </button>
        ) : (
          <code key={file} className="dsh-cursor-code">
            {harmless(file)}
          </code>
        ),
      )}
    </div>
  )
}

function duration(t: Translate, ms: number, ticking = false): string {
  if (!ticking && ms < 10_000) return t('time.seconds', { seconds: (ms / 1000).toFixed(1) })
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return t('time.seconds', { seconds })
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return t('time.minutes', { minutes, seconds: seconds % 60 })
  return t('time.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/** Formats a token count: 840, 2.3k, 84k, 1.2M. */
function short(count: number): string {
  if (count < 1000) return String(count)
  const [value, unit] = count < 999_500 ? [count / 1000, 'k'] : [count / 1_000_000, 'M']
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)}${unit}`
}
