/** Check: which install of the CLI a delegation uses, and why that one. */

import { CATEGORIES } from '../../cursor/failures/categories.ts'
import { installersPlace, versionsBeside, type CursorCli } from '../../cursor/find-cli.ts'
import { installCommand } from '../../cursor/install-command.ts'
import { placeReason, type Place } from '../../cursor/find-cli/places.ts'
import type { System } from '../../cursor/system.ts'
import type { Words } from '../../words.ts'
import { filled } from '../fill-sentence.ts'
import { sayer, type Findings } from '../finding.ts'
import type { Subject } from '../check-input.ts'
import { shownPath } from '../shown-paths.ts'

const FINDINGS = {
  'install-found': { en: '{directory}', zh: '{directory}' },
  'half-written': {
    en: '{directory}; the newest version beside it is not complete.',
    zh: '{directory}；同一目录下最新的版本不完整。',
    enNext: 'An update may be under way. If this stays, install the CLI again: `{command}`.',
    zhNext: '可能正在更新。如果一直如此，请重新安装 CLI：`{command}`。',
  },
  'cli-not-found': {
    ...CATEGORIES['cli-not-found'].happened,
    enNext:
      'Install it: `{command}`. Then log in: `cursor-agent login`. If it is installed elsewhere, set `cliPath` to it.',
    zhNext:
      '请安装：`{command}`。然后登录：`cursor-agent login`。如果已装在别处，请把 `cliPath` 指向它。',
  },
  'cli-path-wrong': {
    en: '`cliPath`: {reason}.',
    zh: '`cliPath`：{reason}。',
    enNext: 'Correct `cliPath`, or leave it out; without it the usual places are looked at.',
    zhNext: '请改正 `cliPath`；也可以去掉它，这样会到常规位置查找。',
  },
  'cli-path-needless': {
    en: '`cliPath`: {reason}.',
    zh: '`cliPath`：{reason}。',
    enNext: 'Leave `cliPath` out: a complete install is in {directory}, its usual place.',
    zhNext: '请去掉 `cliPath`：{directory} 就是常规位置，里面有完整的 CLI。',
  },
  'broken-install': {
    ...CATEGORIES['broken-install'].inDetail.reason,
    enNext: 'Install it again: `{command}`. Or set `cliPath` to a complete install.',
    zhNext: '请重新安装：`{command}`。或者把 `cliPath` 设为一个完整的安装目录。',
  },
} as const satisfies Findings

const NOTES = {
  reason: { en: 'chosen because {reason}; {runner}', zh: '选用原因：{reason}；{runner}' },
  'looked-at': { en: 'looked at, in this order:', zh: '依次查找了：' },
  place: { en: '  {path}: {state}', zh: '  {path}：{state}' },
  'half-written': { en: 'not complete: {path} ({reason})', zh: '不完整：{path}（{reason}）' },
  'only-cli-path': {
    en: '`cliPath` is configured, so no other place is looked at',
    zh: '已设置 `cliPath`，不再查找其他位置',
  },
} as const satisfies Record<string, Words>

const finding = sayer(FINDINGS)

export const installCheck = {
  of: 'row',
  title: { en: 'Install', zh: '安装' },
  findings: FINDINGS,
  look: checkInstall,
} as const

const RUNNERS = {
  launcher: {
    en: "started through its own launcher, which sets the system's trust store",
    zh: '通过其自带的启动脚本运行，会启用系统的证书库',
  },
  'bundled-node': { en: 'started with the Node that it brings', zh: '用其自带的 Node 运行' },
  'host-node': {
    en: 'started with the Node of DSH, since it brings none',
    zh: '没有自带 Node，用 DSH 的 Node 运行',
  },
} as const satisfies Record<CursorCli['runner'], Words>

const REASONS = {
  configured: { en: '`cliPath` names it', zh: '由 `cliPath` 指定' },
  'on-path': {
    en: 'the `cursor-agent` on PATH leads to it',
    zh: 'PATH 上的 `cursor-agent` 指向它',
  },
  first: { en: 'it is the first place looked at', zh: '这是最先查找的位置' },
  only: { en: 'it is the only version there', zh: '该处只有这一个版本' },
} as const satisfies Record<string, Words>

function checkInstall(subject: Subject) {
  const { system, cli, search } = subject
  const places = search.places.map((place) => shown(system, place))
  return cli === undefined ? notFound(places, subject) : found(cli, places, subject)
}

function found(cli: CursorCli, places: readonly Place[], subject: Subject) {
  const { system } = subject
  const directory = shownPath(system, cli.directory)
  const versions = versionsBeside(system, cli).map((place) => shown(system, place))
  const rest = {
    data: {
      program: shownPath(system, cli.program),
      runner: cli.runner,
      directory,
      /** Everything that was looked at, in order. */
      places,
      /** Every version beside the chosen one, newest first. */
      versions,
    },
    details: [
      filled(NOTES.reason, {
        reason: reasonFor(cli, subject, versions.length),
        runner: RUNNERS[cli.runner],
      }),
      ...placeLines(places),
      ...versions
        .filter(({ state }) => state === 'unusable')
        .map((place) =>
          filled(NOTES['half-written'], { path: place.path, reason: reasonOf(place) }),
        ),
    ],
  }
  if (versions[0]?.state !== 'unusable') {
    return finding('passed', 'install-found', { directory }, rest)
  }
  const command = installCommand(system.platform)
  return finding('warning', 'half-written', { directory, command }, rest)
}

function notFound(places: readonly Place[], { config, search: { elsewhere }, system }: Subject) {
  const command = installCommand(system.platform)
  const broken = places.find(({ state }) => state === 'unusable')
  const blamed = broken ?? places[0]
  const rest = {
    category: broken === undefined ? ('cli-not-found' as const) : ('broken-install' as const),
    details: [
      ...placeLines(places),
      ...(config.cliPath === undefined ? [] : [NOTES['only-cli-path']]),
    ],
    data: { program: null, runner: null, directory: null, places, versions: [] },
  }
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
    NOTES['looked-at'],
    ...places.map((place) => filled(NOTES.place, { path: place.path, state: reasonOf(place) })),
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
    zh: `这是该处 ${versions} 个版本中最新且可用的`,
  }
}
