// Asks the host for the self-check or a test run, one at a time, and cancels it when the card is
// unmounted.

import { useEffect, useRef, useState } from 'react'
import type { CliReport, Endpoint, InstanceInfo } from '../../protocol.ts'
import type { PageInstances } from '../instances.ts'

export interface CliCheck {
  readonly report: CliReport | undefined
  readonly running: Endpoint | undefined
  /** Why the last request failed. */
  readonly problem: string | undefined
  ask(endpoint: Endpoint): void
  cancel(): void
}

export function useCliCheck(
  instances: PageInstances,
  instance: InstanceInfo | undefined,
  open: boolean,
): CliCheck {
  const [report, setReport] = useState<CliReport>()
  const [running, setRunning] = useState<Endpoint>()
  const [problem, setProblem] = useState<string>()
  const asking = useRef<AbortController>(undefined)

  const ask = async (endpoint: Endpoint): Promise<void> => {
    if (instance?.buttons !== true) return
    const asked = new AbortController()
    asking.current = asked
    setRunning(endpoint)
    setProblem(undefined)
    const answer = await instances.ask(`/${instance.namespace}`, endpoint, {}, asked.signal)
    if (answer.ok) setReport(answer.value as CliReport)
    else if (!asked.signal.aborted) setProblem(answer.error.message)
    setRunning(undefined)
  }

  useEffect(() => {
    // Waits until the card is open, because a check starts the CLI.
    if (open && report === undefined && running === undefined) void ask('check')
  }, [open, instance?.buttons])
  useEffect(() => () => asking.current?.abort(), [])

  return {
    report,
    running,
    problem,
    ask: (endpoint) => void ask(endpoint),
    cancel: () => asking.current?.abort(),
  }
}
