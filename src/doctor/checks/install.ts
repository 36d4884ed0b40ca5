/** Check: which install of the CLI a delegation uses, and why that one. */

import { CursorStartError } from '../../cursor/start-error.ts'
import {
  resolveCursorCli,
  searchCursorCli,
  versionsBeside,
  type CursorCli,
  type Place,
} from '../../cursor/find-cli.ts'
import { pathOf, type System } from '../../cursor/system.ts'
import { failedStart, passed, warning } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import { shownPath, type Subject } from '../subject.ts'

const RUNNERS = {
  launcher: "started through its own launcher, which sets the system's trust store",
  'bundled-node': 'started with the Node that it brings',
  'host-node': 'started with the Node of DSH, since it brings none',
} as const satisfies Record<CursorCli['runner'], string>

const STATES = {
  missing: 'nothing there',
  unusable: 'not usable',
  usable: 'usable',
} as const satisfies Record<Place['state'], string>

export interface Installed {
  readonly cli: CursorCli | undefined
  readonly finding: Finding<CheckData['install']>
}

export function checkInstall(subject: Subject): Installed {
  const { system, config } = subject
  const places: Place[] = []
  try {
    const search = searchCursorCli(system, config.cliPath)
    places.push(...search.places.map((place) => shown(system, place)))
    const cli = search.cli ?? resolveCursorCli(system, config.cliPath)
    return { cli, finding: found(cli, places, subject) }
  } catch (error) {
    if (!(error instanceof CursorStartError)) throw error
    return { cli: undefined, finding: notFound(error, places, subject) }
  }
}

function found(
  cli: CursorCli,
  places: readonly Place[],
  subject: Subject,
): Finding<CheckData['install']> {
  const { system } = subject
  const directory = shownPath(system, cli.directory)
  const versions = versionsBeside(system, cli).map((place) => shown(system, place))
  const halfWritten = versions.filter(({ state }) => state === 'unusable')
  const rest = {
    data: {
      program: shownPath(system, cli.program),
      runner: cli.runner,
      directory,
      places,
      versions,
    },
    details: [
      `chosen because ${reasonFor(cli, subject, versions.length)}; ${RUNNERS[cli.runner]}`,
      ...placeLines(places),
      ...halfWritten.map(({ path, reason }) => `half-written: ${path} (${reason})`),
    ],
  }
  const summary = `${cli.version ?? 'Without a version directory'}, in ${directory}`
  if (versions[0]?.state !== 'unusable') return passed(summary, rest)
  return warning(`${summary}; the newest version there is not complete`, {
    ...rest,
    nextStep:
      'An update may be under way. If this stays, install the Cursor CLI again as cursor.com/cli says.',
  })
}

function notFound(
  error: CursorStartError,
  places: readonly Place[],
  { config, masker }: Subject,
): Finding<CheckData['install']> {
  return {
    ...failedStart(error, masker),
    details: [
      ...placeLines(places),
      ...(config.cliPath === undefined
        ? []
        : ['`cliPath` is configured, so no other place is looked at']),
    ],
    data: { program: null, runner: null, directory: null, places, versions: [] },
  }
}

function shown(system: System, place: Place): Place {
  return { ...place, path: shownPath(system, place.path) }
}

function placeLines(places: readonly Place[]): string[] {
  if (places.length === 0) return []
  return [
    'looked at, in this order:',
    ...places.map(({ path, state, reason }) => `  ${path}: ${reason ?? STATES[state]}`),
  ]
}

function reasonFor(cli: CursorCli, { config, system }: Subject, versions: number): string {
  if (config.cliPath !== undefined) return '`cliPath` names it'
  const ownPlace = pathOf(system).join(system.home, '.local', 'share', 'cursor-agent')
  if (system.platform !== 'win32' && !cli.directory.startsWith(ownPlace)) {
    return 'the `cursor-agent` on PATH leads to it'
  }
  if (versions === 0) return 'it is the first place looked at'
  return versions === 1
    ? 'it is the only version there'
    : `it is the newest usable of ${versions} versions there`
}
