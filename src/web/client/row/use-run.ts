// What the host knows of a run, asked for while it matters: once a second while the run goes on, once
// when it has settled, and never for a row that is off the page or in a hidden tab.

import { useEffect, useState } from 'react'
import type { RunView } from '../../protocol.ts'
import type { PageInstances } from '../instances.ts'

const EVERY_MS = 1000
/** A run is known a moment after its call; one that stays unknown is one that the host has forgotten. */
const MOST_UNKNOWN = 15

/**
 * @param follow whether the run may still change.
 * @param wanted whether a settled run is asked for at all: a session can have thousands of rows.
 */
export function useRun(
  instances: PageInstances,
  callId: string,
  follow: boolean,
  wanted: boolean,
): RunView | undefined {
  const [view, setView] = useState<RunView>()
  const [followed, setFollowed] = useState(follow)
  if (follow && !followed) setFollowed(true)
  // A row that has seen its run going on wants to know how it ended.
  const active = follow || wanted || followed
  useEffect(() => {
    if (!active) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let unknown = 0
    const ask = async (): Promise<void> => {
      const answer = document.hidden ? 'later' : await instances.run(callId, stop.signal)
      if (stop.signal.aborted || answer === 'unreachable') return
      if (typeof answer === 'object') setView(answer)
      unknown = answer === 'unknown' ? unknown + 1 : 0
      if (follow && unknown < MOST_UNKNOWN) timer = setTimeout(() => void ask(), EVERY_MS)
    }
    void ask()
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [instances, callId, follow, active])
  return view
}

/** @returns the time, anew each second while `ticking`. */
export function useNow(ticking: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!ticking) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS)
    return () => clearInterval(timer)
  }, [ticking])
  return now
}
