/** Check: whether a profile loads this plugin, and whether the plugin would accept its rows. */

import { configProblems, problemSentence, resolveConfig } from '../../config/config.ts'
import type { ResolvedConfig } from '../../config/config.ts'
import {
  layerConfig,
  sectionProblems,
  sectionProblemSentence,
  settingsNamespaceOf,
} from '../../config/settings-section.ts'
import { closest } from '../../cursor/closest.ts'
import type { System } from '../../cursor/system.ts'
import type { Words } from '../../words.ts'
import { filled } from '../filled.ts'
import { sayer, type Finding, type Findings } from '../finding.ts'
import { PACKAGE_NAME } from '../own-package.ts'
import type { Location, ProfileReading, ProfileRow } from '../profile.ts'
import { shownPath } from '../subject.ts'

const FINDINGS = {
  'profile-loaded': {
    en: '{profile} loads version {version} with {rows:row:rows}',
    zh: '{profile} 加载 {version} 版，共 {rows} 个条目',
  },
  'no-profile': {
    en: 'There is no profile {profile} in {directory}.',
    zh: '{directory} 中没有名为 {profile} 的 profile。',
    next: { en: 'Create it: `{add}`.', zh: '请创建：`{add}`。' },
  },
  'no-such-profile': {
    en: 'There is no profile {profile} in {directory}.',
    zh: '{directory} 中没有名为 {profile} 的 profile。',
    next: {
      en: 'The closest name is {nearest}; there are {others}.',
      zh: '最接近的名称是 {nearest}；现有：{others}。',
    },
  },
  'file-not-json': {
    en: '{file} is not valid JSON.',
    zh: '{file} 不是有效的 JSON。',
    next: {
      en: 'Correct that file; DSH does not start with it.',
      zh: '请修正该文件，否则 DSH 无法启动。',
    },
  },
  'file-not-yaml': {
    en: '{at}: not valid YAML ({code}).',
    zh: '{at}：不是有效的 YAML（{code}）。',
    next: {
      en: 'Correct that file; DSH does not start with it.',
      zh: '请修正该文件，否则 DSH 无法启动。',
    },
  },
  'file-not-a-list': {
    en: '{file} is not a list of rows and patches.',
    zh: '{file} 的内容不是由条目和补丁组成的列表。',
    next: {
      en: 'Correct that file; DSH does not start with it.',
      zh: '请修正该文件，否则 DSH 无法启动。',
    },
  },
  'file-cyclic': {
    en: '{file}: its anchors and aliases cannot be followed.',
    zh: '{file}：其中的锚点和别名无法展开。',
    next: {
      en: 'Correct that file; DSH does not start with it.',
      zh: '请修正该文件，否则 DSH 无法启动。',
    },
  },
  'empty-list-left': {
    en: '{at}: the `[]` that DSH put there still stands beside the rows, so the file is not valid YAML.',
    zh: '{at}：DSH 生成的 `[]` 与新增的条目并存，导致该文件不是有效的 YAML。',
    next: {
      en: 'Delete that line; DSH does not start with it.',
      zh: '请删除这一行，否则 DSH 无法启动。',
    },
  },
  'bundle-gone': {
    en: 'The bundle {bundle}, listed in {file}, is not installed.',
    zh: '{file} 中列出的 bundle {bundle} 没有安装。',
    next: {
      en: 'DSH does not start without it: take it out of dsh.profile.bundles, or install it: `{install}`.',
      zh: '缺少它 DSH 无法启动。请从 dsh.profile.bundles 中移除，或者安装：`{install}`。',
    },
  },
  'not-in-profile': {
    en: 'The profile {profile} does not have dsh-subagent-cursor.',
    zh: 'profile {profile} 中没有 dsh-subagent-cursor。',
    next: { en: 'Add it: `{add}`.', zh: '请添加：`{add}`。' },
  },
  'row-without-package': {
    en: '{row} ({at}) loads dsh-subagent-cursor, which is not installed in the profile {profile}.',
    zh: '{row}（{at}）要加载 dsh-subagent-cursor，但 profile {profile} 中没有安装它。',
    next: {
      en: 'DSH does not start with it: delete that row, or add the package: `{add}`.',
      zh: '这样 DSH 无法启动。请删除该条目，或者安装插件：`{add}`。',
    },
  },
  'not-installed': {
    en: 'dsh-subagent-cursor is a dependency of the profile {profile}, but it is not installed.',
    zh: 'dsh-subagent-cursor 是 profile {profile} 的依赖，但没有安装。',
    next: { en: 'Install it: `{install}`.', zh: '请安装：`{install}`。' },
  },
  'not-built': {
    en: '{directory} has no lib/index.js: it is a checkout that was not built.',
    zh: '{directory} 中没有 lib/index.js：这是尚未构建的源码目录。',
    next: {
      en: 'Build it, in that directory: `npm run build`.',
      zh: '请在该目录中构建：`npm run build`。',
    },
  },
  'no-row': {
    en: 'No row of the profile {profile} loads dsh-subagent-cursor.',
    zh: 'profile {profile} 中没有加载 dsh-subagent-cursor 的条目。',
    next: {
      en: 'Add "dsh-subagent-cursor" to dsh.profile.bundles in {file}, or let DSH do it: `{install}`.',
      zh: '请把 "dsh-subagent-cursor" 加到 {file} 的 dsh.profile.bundles 中，或者让 DSH 来加：`{install}`。',
    },
  },
  'all-disabled': {
    en: 'Every row of dsh-subagent-cursor in the profile {profile} is disabled.',
    zh: 'profile {profile} 中 dsh-subagent-cursor 的条目全部被禁用。',
    next: {
      en: 'Remove `disabled` from the row ({at}).',
      zh: '请从条目中删除 `disabled`（{at}）。',
    },
  },
  'bad-field': {
    en: '{row}, {at}: {problem}.',
    zh: '{row}，{at}：{problem}。',
    next: { en: 'Correct it there.', zh: '请在该处修正。' },
  },
  'settings-refused': {
    en: "{row}, {at}: the user's settings cannot be used: {problem}.",
    zh: '{row}，{at}：用户设置不可用：{problem}。',
    next: {
      en: 'Correct that section or delete it; delegations are refused until then.',
      zh: '请修正或删除该段设置，在此之前所有委派都会被拒绝。',
    },
  },
  'names-clash': {
    en: 'Two rows have the {field} {name}.',
    zh: '有两个条目的 {field} 都是 {name}。',
    next: {
      en: 'Give each row its own `{field}`; DSH does not start otherwise.',
      zh: '请为每个条目设置不同的 `{field}`，否则 DSH 无法启动。',
    },
  },
  'patched-twice': {
    en: '{row} is patched twice: the config at {second} replaces the whole one at {first}; lost: {lost}.',
    zh: '{row} 被修改了两次：{second} 处的 config 整体取代了 {first} 处的，丢失：{lost}。',
    next: { en: 'Write one patch with every field in it.', zh: '请合并成一段包含全部字段的补丁。' },
  },
  'not-evaluated': {
    en: '{row}: {fields} is a `!!js` expression, which only DSH evaluates; the other checks leave it out.',
    zh: '{row}：{fields} 是 `!!js` 表达式，只有 DSH 会求值；其他检查不考虑它。',
  },
  'patch-fits-nothing': {
    en: '{at} patches the row {id}, which does not exist, so DSH passes it over.',
    zh: '{at} 要修改的条目 {id} 不存在，DSH 会忽略它。',
    next: { en: 'Delete the patch, or correct its id.', zh: '请删除这段补丁，或改正其中的 id。' },
  },
} as const satisfies Findings

const NOTES = {
  disabled: { en: '{row} is disabled', zh: '{row} 已禁用' },
  layered: {
    en: "{row}: the user's settings ({file}) lie over it",
    zh: '{row}：叠加了用户设置（{file}）',
  },
} as const satisfies Record<string, Words>

const finding = sayer(FINDINGS)

export interface ProfileData {
  readonly name: string
  /** The plugin's version in the profile, when it is installed there. */
  readonly installedVersion: string | null
  readonly rows: readonly {
    readonly id: string | null
    readonly enabled: boolean
    readonly valid: boolean
    /** Fields whose value is a `!!js` expression, which only the host evaluates. */
    readonly notEvaluated: readonly string[]
  }[]
}

export const profileCheck = {
  of: 'profile',
  title: { en: 'Profile', zh: '配置文件' },
  findings: FINDINGS,
  look: ({ judged }: ProfileSubject) => judged.findings,
} as const

/** A profile as its files say it, and what came of judging that. */
export interface ProfileSubject {
  readonly reading: ProfileReading
  readonly judged: CheckedProfile
}

export interface Instance {
  readonly id: string | undefined
  readonly config: ResolvedConfig
}

export interface CheckedProfile {
  readonly findings: readonly Finding<ProfileData>[]
  /** The enabled rows whose configuration the plugin accepts. */
  readonly instances: readonly Instance[]
}

interface JudgedRow {
  readonly row: ProfileRow
  readonly config: ResolvedConfig | undefined
  readonly troubles: readonly Finding<never>[]
}

export function checkProfile(system: System, reading: ProfileReading): CheckedProfile {
  const shown = (location: Location): string => shownLocation(system, location)
  // What a file says that cannot be read is not known, so no row is judged by the rest.
  const isReadable = reading.problems.length === 0
  const judged = reading.rows.map((row) => judgeRow(row, reading, shown))
  const instances = judged.flatMap(({ row, config }) =>
    config !== undefined && row.enabled && isReadable ? [{ id: row.id, config }] : [],
  )
  const broken = whatKeepsItFromLoading(system, reading)
  const troubles = [
    ...broken,
    ...judged.flatMap((each) => (each.row.enabled ? each.troubles : [])),
    ...clashes(instances),
  ]
  const remarks = [
    ...reading.replaced.map(({ id, first, second, lost }) =>
      finding('warning', 'patched-twice', {
        row: nameOf(id),
        first: shown(first),
        second: shown(second),
        lost,
      }),
    ),
    ...reading.strays.map(({ id, at }) =>
      finding('warning', 'patch-fits-nothing', { id, at: shown(at) }),
    ),
    ...reading.rows
      .filter(({ notEvaluated }) => notEvaluated.length > 0)
      .map(({ id, notEvaluated }) =>
        finding('warning', 'not-evaluated', { row: nameOf(id), fields: notEvaluated }),
      ),
  ]
  const rest = {
    data: {
      name: reading.name,
      installedVersion: reading.installed?.version ?? null,
      rows: judged.map(({ row, config }) => ({
        id: row.id ?? null,
        enabled: row.enabled,
        valid: config !== undefined,
        notEvaluated: row.notEvaluated,
      })),
    },
    details: [
      ...reading.rows
        .filter(({ enabled }) => !enabled)
        .map(({ id }) => filled(NOTES.disabled, { row: nameOf(id) })),
      ...instances
        .filter(({ config }) => reading.settings[settingsNamespaceOf(config.toolName)] != null)
        .map(({ id }) =>
          filled(NOTES.layered, { row: nameOf(id), file: shownPath(system, reading.settingsFile) }),
        ),
    ],
  }
  if (troubles.length > 0) return { findings: withData([...troubles, ...remarks], rest), instances }
  const values = {
    profile: reading.name,
    version: reading.installed?.version ?? '?',
    rows: instances.length,
  }
  return { findings: [finding('passed', 'profile-loaded', values, rest), ...remarks], instances }
}

/** The first of several findings carries what the check has found as a whole. */
function withData(
  findings: readonly Finding<never>[],
  rest: Pick<Finding<ProfileData>, 'data' | 'details'>,
): Finding<ProfileData>[] {
  return findings.map((each, position) => (position === 0 ? { ...each, ...rest } : each))
}

/** The row with the user's settings over it, as the plugin lays them; every bad field by itself. */
function judgeRow(
  row: ProfileRow,
  reading: ProfileReading,
  shown: (location: Location) => string,
): JudgedRow {
  const name = nameOf(row.id)
  const problems = configProblems(row.config)
  if (problems.length > 0) {
    const troubles = problems.map((problem) => {
      const field = 'field' in problem ? problem.field : undefined
      const values = { row: name, problem: inBoth(problem), at: shown(row.locate(field)) }
      return finding('failed', 'bad-field', values)
    })
    return { row, config: undefined, troubles }
  }
  const config = resolveConfig(row.config)
  const namespace = settingsNamespaceOf(config.toolName)
  const section = reading.settings[namespace]
  const refused = sectionProblems(config, section)
  if (refused.length === 0) return { row, config: layerConfig(config, section), troubles: [] }
  const troubles = refused.map((problem) =>
    finding('failed', 'settings-refused', {
      row: name,
      problem: {
        en: withoutStop(sectionProblemSentence(problem, 'en')),
        zh: withoutStop(sectionProblemSentence(problem, 'zh')),
      },
      at: shown(reading.locateSetting(namespace, 'field' in problem ? problem.field : undefined)),
    }),
  )
  return { row, config: undefined, troubles }
}

/** It stands inside a sentence of ours. */
const withoutStop = (sentence: string): string => sentence.replace(/[.。]$/, '')

function inBoth(problem: Parameters<typeof problemSentence>[0]): Words {
  return { en: problemSentence(problem, 'en'), zh: problemSentence(problem, 'zh') }
}

function nameOf(id: string | undefined): Words {
  return id === undefined
    ? { en: 'A row without id', zh: '没有 id 的条目' }
    : { en: `Row ${id}`, zh: `条目 ${id}` }
}

function shownLocation(system: System, { file, line }: Location): string {
  const path = shownPath(system, file)
  return line === undefined ? path : `${path}:${line}`
}

/** What keeps DSH from starting with the profile, or the profile from loading the plugin. */
function whatKeepsItFromLoading(
  system: System,
  reading: ProfileReading,
): readonly Finding<never>[] {
  const { name: profile, rows, problems, installed, others, missingBundles } = reading
  const add = `dsh plugin --profile ${profile} add ${PACKAGE_NAME}`
  const install = `dsh plugin --profile ${profile} install`
  const directory = shownPath(system, reading.profiles)
  const manifest = shownPath(system, reading.manifest)
  if (!reading.exists) {
    const [nearest] = closest(profile, others, 1)
    if (nearest === undefined) return [finding('failed', 'no-profile', { profile, directory, add })]
    const values = { profile, directory, nearest, others: others.toSorted() }
    return [finding('failed', 'no-such-profile', values)]
  }
  if (problems.length > 0) {
    return problems.map(({ kind, at, code = '' }) => {
      const values = { file: shownPath(system, at.file), at: shownLocation(system, at), code }
      return finding('failed', kind, values)
    })
  }
  const gone = missingBundles.map((bundle) =>
    finding('failed', 'bundle-gone', { bundle, file: manifest, install }),
  )
  if (installed === undefined && !reading.isDependency) {
    const leftover = rows.filter(({ enabled, at }) => enabled && at.file !== '')
    return leftover.length === 0
      ? [...gone, finding('failed', 'not-in-profile', { profile, add })]
      : [
          ...gone,
          ...leftover.map(({ id, at }) =>
            finding('failed', 'row-without-package', {
              row: nameOf(id),
              at: shownLocation(system, at),
              profile,
              add,
            }),
          ),
        ]
  }
  const troubles = [...gone]
  if (installed === undefined) {
    troubles.push(finding('failed', 'not-installed', { profile, install }))
  } else if (!installed.isBuilt) {
    const checkout = shownPath(system, installed.directory)
    troubles.push(finding('failed', 'not-built', { directory: checkout }))
  }
  const [first] = rows
  if (first === undefined) {
    troubles.push(finding('failed', 'no-row', { profile, file: manifest, install }))
  } else if (rows.every(({ enabled }) => !enabled)) {
    const at = shownLocation(system, first.at)
    troubles.push(finding('failed', 'all-disabled', { profile, at }))
  }
  return troubles
}

/** Two rows cannot share a provider's or a tool's name. */
function clashes(instances: readonly Instance[]): readonly Finding<never>[] {
  return (['providerName', 'toolName'] as const).flatMap((field) => {
    const names = instances.map(({ config }) => config[field])
    const twice = names.find((name, position) => names.indexOf(name) !== position)
    return twice === undefined ? [] : [finding('failed', 'names-clash', { field, name: twice })]
  })
}
