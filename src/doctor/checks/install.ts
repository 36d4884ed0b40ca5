/** Check: which install of the CLI a delegation uses, and why that one. */

import {
  installersPlace,
  resolveCursorCli,
  searchCursorCli,
  versionsBeside,
  type CursorCli,
} from '../../cursor/find-cli.ts'
import { installCommand } from '../../cursor/install-command.ts'
import { placeReason, type Place } from '../../cursor/places.ts'
import { CursorStartError } from '../../cursor/start-error.ts'
import type { System } from '../../cursor/system.ts'
import type { Words } from '../../words.ts'
import { finding, note } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import { shownPath, type Subject } from '../subject.ts'

const RUNNERS = {
  launcher: {
    en: "started through its own launcher, which sets the system's trust store",
    zh: '通过其自带的启动脚本运行，会启用系统的证书库',
  },
  'bundled-node': { en: 'started with the Node that it brings', zh: '用其自带的 Node 运行' },
  'host-node': {
    en: 'started with the Node of DSH, since it brings none',
    zh: '用 DSH 的 Node 运行，因为它没有自带',
  },
} as const satisfies Record<CursorCli['runner'], Words>

const REASONS = {
  configured: { en: '`cliPath` names it', zh: '由 `cliPath` 指定' },
  'on-path': {
    en: 'the `cursor-agent` on PATH leads to it',
    zh: 'PATH 上的 `cursor-agent` 指向它',
  },
  first: { en: 'it is the first place looked at', zh: '它是最先查找的位置' },
  only: { en: 'it is the only version there', zh: '那里只有这一个版本' },
} as const satisfies Record<string, Words>

export interface Installed {
  readonly cli: CursorCli | undefined
  readonly finding: Finding<CheckData['install']>
}

export function checkInstall(subject: Subject): Installed {
  const { system, config } = subject
  const search = searchCursorCli(system, config.cliPath)
  const places = search.places.map((place) => shown(system, place))
  try {
    const cli = search.cli ?? resolveCursorCli(system, config.cliPath)
    return { cli, finding: found(cli, places, subject) }
  } catch (error) {
    if (!(error instanceof CursorStartError)) throw error
    return { cli: undefined, finding: notFound(error, places, search.elsewhere, subject) }
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
  const rest = {
    data: {
      program: shownPath(system, cli.program),
      runner: cli.runner,
      directory,
      places,
      versions,
    },
    details: [
      note('reason', {
        reason: reasonFor(cli, subject, versions.length),
        runner: RUNNERS[cli.runner],
      }),
      ...placeLines(places),
      ...versions
        .filter(({ state }) => state === 'unusable')
        .map((place) => note('half-written', { path: place.path, reason: reasonOf(place) })),
    ],
  }
  if (versions[0]?.state !== 'unusable') {
    return finding('passed', 'install-found', { directory }, rest)
  }
  const command = installCommand(system.platform)
  return finding('warning', 'half-written', { directory, command }, rest)
}

function notFound(
  error: CursorStartError,
  places: readonly Place[],
  elsewhere: CursorCli | undefined,
  { config, system }: Subject,
): Finding<CheckData['install']> {
  const { category } = error
  const command = installCommand(system.platform)
  const rest = {
    category,
    details: [
      ...placeLines(places),
      ...(config.cliPath === undefined ? [] : [note('only-cli-path', {})]),
    ],
    data: { program: null, runner: null, directory: null, places, versions: [] },
  }
  const broken = places.find(({ state }) => state === 'unusable')
  const blamed = broken ?? places[0]
  if (config.cliPath !== undefined && blamed !== undefined) {
    const reason = reasonOf(blamed)
    if (elsewhere === undefined) return finding('failed', 'cli-path-wrong', { reason }, rest)
    const directory = shownPath(system, elsewhere.directory)
    return finding('failed', 'cli-path-needless', { reason, directory }, rest)
  }
  return broken === undefined
    ? finding('failed', 'cli-not-found', { command }, rest)
    : finding('failed', 'broken-install', { reason: reasonOf(broken), command }, rest)
}

function shown(system: System, { reason, ...place }: Place): Place {
  const path = shownPath(system, place.path)
  if (reason === undefined) return { ...place, path }
  const { path: target } = reason
  return {
    ...place,
    path,
    reason: target === undefined ? reason : { ...reason, path: shownPath(system, target) },
  }
}

function reasonOf(place: Place): Words {
  return { en: placeReason(place, 'en'), zh: placeReason(place, 'zh') }
}

function placeLines(places: readonly Place[]): Words[] {
  if (places.length === 0) return []
  return [
    note('looked-at', {}),
    ...places.map((place) => note('place', { path: place.path, state: reasonOf(place) })),
  ]
}

function reasonFor(cli: CursorCli, { config, system }: Subject, versions: number): Words {
  if (config.cliPath !== undefined) return REASONS.configured
  const own = installersPlace(system)
  if (own === undefined || !cli.directory.startsWith(own)) return REASONS['on-path']
  if (versions === 0) return REASONS.first
  if (versions === 1) return REASONS.only
  return {
    en: `it is the newest usable of ${versions} versions there`,
    zh: `它是那里 ${versions} 个版本中最新的可用版本`,
  }
}
