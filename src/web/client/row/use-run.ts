// Asks the host about a run: once a second while it runs, and once when it has settled. Never asks
// for a row that is not mounted, or in a hidden tab.

import { useEffect, useState } from 'react'
import type { RunView } from '../../protocol.ts'
import type { PageInstances } from '../instances.ts'

const EVERY_MS = 1000
/** Gives up after this many answers: a run appears soon after its call, or the host has forgotten it. */
const MOST_UNKNOWN = 15

/**
 * @param follow whether the run may still change.
 * @param wanted whether to ask about a settled run at all; a session can have thousands of rows.
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
  // A row that followed its run asks once more, to learn how it ended.
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

/** @returns the current time, updated every second while `ticking`. */
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
