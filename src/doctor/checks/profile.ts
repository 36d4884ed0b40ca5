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
import { same, type Language, type Words } from '../../words.ts'
import { filled } from '../fill-sentence.ts'
import { sayer, type Finding, type Findings } from '../finding.ts'
import { PACKAGE_NAME } from '../own-package.ts'
import type { Location, ProfileReading, ProfileRow } from '../read-profile.ts'
import { shownPath } from '../shown-paths.ts'

const CORRECT = {
  enNext: 'Correct that file; DSH does not start with it.',
  zhNext: '请修正该文件，否则 DSH 无法启动。',
} as const

const FINDINGS = {
  'profile-loaded': {
    en: '{profile} loads version {version} with {rows:row:rows}',
    zh: '{profile} 加载 {version} 版，共 {rows} 个条目',
  },
  'no-profile': {
    en: 'There is no profile {profile} in {directory}.',
    zh: '{directory} 中没有名为 {profile} 的 profile。',
    enNext: 'Create it: `{add}`.',
    zhNext: '请创建：`{add}`。',
  },
  'no-such-profile': {
    en: 'There is no profile {profile} in {directory}.',
    zh: '{directory} 中没有名为 {profile} 的 profile。',
    enNext: 'The closest name is {nearest}; there are {others}.',
    zhNext: '最接近的名称是 {nearest}；现有：{others}。',
  },
  'file-not-json': {
    en: '{file} is not valid JSON.',
    zh: '{file} 不是有效的 JSON。',
    ...CORRECT,
  },
  'file-not-yaml': {
    en: '{at}: not valid YAML ({code}).',
    zh: '{at}：不是有效的 YAML（{code}）。',
    ...CORRECT,
  },
  'file-not-a-list': {
    en: '{file} is not a list of rows and patches.',
    zh: '{file} 的内容不是列表，应由条目和对条目的修改组成。',
    ...CORRECT,
  },
  'file-cyclic': {
    en: '{file}: its anchors and aliases cannot be followed.',
    zh: '{file}：其中的锚点和别名无法展开。',
    ...CORRECT,
  },
  'empty-list-left': {
    en: '{at}: the `[]` that DSH put there still stands beside the rows, so the file is not valid YAML.',
    zh: '{at}：DSH 生成的 `[]` 与新增的条目并存，导致该文件不是有效的 YAML。',
    enNext: 'Delete that line; DSH does not start with it.',
    zhNext: '请删除这一行，否则 DSH 无法启动。',
  },
  'bundle-gone': {
    en: 'The bundle {bundle}, listed in {file}, is not installed.',
    zh: '{file} 中列出的 bundle {bundle} 没有安装。',
    enNext:
      'DSH does not start without it: take it out of dsh.profile.bundles, or install it: `{install}`.',
    zhNext: '缺少它 DSH 无法启动。请从 dsh.profile.bundles 中移除，或者安装：`{install}`。',
  },
  'not-in-profile': {
    en: 'The profile {profile} does not have dsh-subagent-cursor.',
    zh: 'profile {profile} 中没有 dsh-subagent-cursor。',
    enNext: 'Add it: `{add}`.',
    zhNext: '请添加：`{add}`。',
  },
  'row-without-package': {
    en: '{row} ({at}) loads dsh-subagent-cursor, which is not installed in the profile {profile}.',
    zh: '{row}（{at}）要加载 dsh-subagent-cursor，但 profile {profile} 中没有安装它。',
    enNext: 'DSH does not start with it: delete that row, or add the package: `{add}`.',
    zhNext: '这样 DSH 无法启动。请删除该条目，或者安装插件：`{add}`。',
  },
  'not-installed': {
    en: 'dsh-subagent-cursor is a dependency of the profile {profile}, but it is not installed.',
    zh: 'dsh-subagent-cursor 是 profile {profile} 的依赖，但没有安装。',
    enNext: 'Install it: `{install}`.',
    zhNext: '请安装：`{install}`。',
  },
  'not-built': {
    en: '{directory} has no lib/index.js: it is a checkout that was not built.',
    zh: '{directory} 中没有 lib/index.js：这是尚未构建的源码目录。',
    enNext: 'Build it, in that directory: `npm run build`.',
    zhNext: '请在该目录中构建：`npm run build`。',
  },
  'no-row': {
    en: 'No row of the profile {profile} loads dsh-subagent-cursor.',
    zh: 'profile {profile} 中没有加载 dsh-subagent-cursor 的条目。',
    enNext:
      'Add "dsh-subagent-cursor" to dsh.profile.bundles in {file}, or let DSH do it: `{install}`.',
    zhNext:
      '请把 "dsh-subagent-cursor" 加到 {file} 的 dsh.profile.bundles 中，或者让 DSH 来加：`{install}`。',
  },
  'all-disabled': {
    en: 'Every row of dsh-subagent-cursor in the profile {profile} is disabled.',
    zh: 'profile {profile} 中 dsh-subagent-cursor 的条目全部被禁用。',
    enNext: 'Remove `disabled` from the row ({at}).',
    zhNext: '请从条目中删除 `disabled`（{at}）。',
  },
  'bad-field': {
    en: '{row}, {at}: {problem}.',
    zh: '{row}，{at}：{problem}。',
    enNext: 'Correct it there.',
    zhNext: '请在该处修正。',
  },
  'settings-refused': {
    en: "{row}, {at}: the user's settings cannot be used: {problem}.",
    zh: '{row}，{at}：网页上保存的设置不可用：{problem}。',
    enNext: 'Correct that section or delete it; delegations are refused until then.',
    zhNext: '请修正或删除这一节，在此之前所有委派都会被拒绝。',
  },
  'names-clash': {
    en: 'Two rows have the {field} {name}.',
    zh: '有两个条目的 {field} 都是 {name}。',
    enNext: 'Give each row its own `{field}`; DSH does not start otherwise.',
    zhNext: '请为每个条目设置不同的 `{field}`，否则 DSH 无法启动。',
  },
  'patched-twice': {
    en: '{row} is patched twice: the config at {second} replaces the whole one at {first}; lost: {lost}.',
    zh: '{row} 写了两次：{second} 处的 config 整个覆盖了 {first} 处的，丢失的字段：{lost}。',
    enNext: 'Write one patch with every field in it.',
    zhNext: '请合并成一段，写上全部字段。',
  },
  'not-evaluated': {
    en: '{row}: {fields} is a `!!js` expression, which only DSH evaluates; the other checks leave it out.',
    zh: '{row}：{fields} 是 `!!js` 表达式，只有 DSH 会求值；其他检查会忽略。',
  },
  'patch-fits-nothing': {
    en: '{at} patches the row {id}, which does not exist, so DSH passes it over.',
    zh: '{at} 要修改的条目 {id} 不存在，DSH 会忽略它。',
    enNext: 'Delete the patch, or correct its id.',
    zhNext: '请删除这一段，或改正其中的 id。',
  },
  'outside-config': {
    en: '{at}: `{key}` stands beside `config`, where DSH passes it over.',
    zh: '{at}：`{key}` 写在 `config` 外面，DSH 会忽略它。',
    enNext: 'Put every field of the plugin under `config`.',
    zhNext: '请把插件的字段都写在 `config` 下面。',
  },
} as const satisfies Findings

const NOTES = {
  disabled: { en: '{row} is disabled', zh: '{row} 已禁用' },
  layered: {
    en: "{row}: the user's settings ({file}) lie over it",
    zh: '{row}：叠加了网页上保存的设置（{file}）',
  },
} as const satisfies Record<string, Words>

const finding = sayer(FINDINGS)

export const profileCheck = {
  of: 'profile',
  title: { en: 'Profile', zh: 'profile' },
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

export type CheckedProfile = ReturnType<typeof checkProfile>

/** A file, or a place in one, as it is shown. */
type Shown = (where: string | Location) => string

export function checkProfile(system: System, reading: ProfileReading) {
  const shown: Shown = (where) => {
    const { file, line } = typeof where === 'string' ? { file: where } : where
    return shownPath(system, file) + (line === undefined ? '' : `:${line}`)
  }
  const { name, installed, problems, replaced, rows, settings, settingsFile } = reading
  const { strays, misplaced } = reading
  const version = installed?.version
  const judged = rows.map((row) => ({ row, ...judgeRow(row, reading, shown) }))
  const instances = judged.flatMap(({ row, config }) =>
    // What a file says that cannot be read is not known, so no row is judged by the rest.
    config !== undefined && row.enabled && problems.length === 0 ? [{ id: row.id, config }] : [],
  )
  const troubles = [
    ...obstacles(reading, shown),
    ...judged.flatMap(({ row, refusals }) => (row.enabled ? refusals : [])),
    ...clashes(instances),
  ]
  const values = { profile: name, version: version ?? '?', rows: instances.length }
  const findings = [
    ...(troubles.length > 0 ? troubles : [finding('passed', 'profile-loaded', values)]),
    ...replaced.map(({ id, first, second, lost }) => {
      const places = { first: shown(first), second: shown(second) }
      return finding('warning', 'patched-twice', { row: nameOf(id), ...places, lost })
    }),
    ...strays.map(({ id, at }) => finding('warning', 'patch-fits-nothing', { id, at: shown(at) })),
    ...misplaced.map(({ key, at }) => finding('warning', 'outside-config', { key, at: shown(at) })),
    ...rows
      .filter(({ notEvaluated }) => notEvaluated.length > 0)
      .map(({ id, notEvaluated: fields }) =>
        finding('warning', 'not-evaluated', { row: nameOf(id), fields }),
      ),
  ]
  // The first of several findings carries what the check has found as a whole.
  const rest = {
    data: {
      name,
      /** The plugin's version in the profile, when it is installed there. */
      installedVersion: version ?? null,
      rows: judged.map(({ row: { id = null, enabled, notEvaluated }, config }) => ({
        id,
        enabled,
        valid: config !== undefined,
        notEvaluated,
      })),
    },
    details: [
      ...rows
        .filter(({ enabled }) => !enabled)
        .map(({ id }) => filled(NOTES.disabled, { row: nameOf(id) })),
      ...instances
        .filter(({ config }) => settings[settingsNamespaceOf(config.toolName)] != null)
        .map(({ id }) => filled(NOTES.layered, { row: nameOf(id), file: shown(settingsFile) })),
    ],
  }
  return {
    findings: findings.map((each, at) => (at === 0 ? { ...each, ...rest } : each)),
    /** The enabled rows whose configuration the plugin accepts. */
    instances,
  }
}

/** The row with the user's settings over it, as the plugin lays them; every bad field by itself. */
function judgeRow(
  { id, config: written, expressionOf, locate }: ProfileRow,
  { settings, locateSetting }: ProfileReading,
  shown: Shown,
): { readonly config?: ResolvedConfig; readonly refusals: readonly Finding<never>[] } {
  const row = nameOf(id)
  const fieldOf = (problem: object): string | undefined =>
    'field' in problem ? String(problem.field) : undefined
  const problems = configProblems(written)
  if (problems.length > 0) {
    const refusals = problems.map((each) => {
      const source = each.kind === 'bad-value' ? expressionOf(each.field) : undefined
      const told = source === undefined ? each : { ...each, found: same(source) }
      const problem = inBoth((language) => problemSentence(told, language))
      return finding('failed', 'bad-field', { row, problem, at: shown(locate(fieldOf(each))) })
    })
    return { refusals }
  }
  const config = resolveConfig(written)
  const namespace = settingsNamespaceOf(config.toolName)
  const section = settings[namespace]
  const refusals = sectionProblems(config, section).map((each) => {
    const problem = inBoth((language) => sectionProblemSentence(each, language))
    const at = shown(locateSetting(namespace, fieldOf(each)))
    return finding('failed', 'settings-refused', { row, problem, at })
  })
  return refusals.length > 0 ? { refusals } : { config: layerConfig(config, section), refusals }
}

/** Without its stop, since it stands inside a sentence of ours. */
function inBoth(sentence: (language: Language) => string): Words {
  return { en: sentence('en').replace(/\.$/, ''), zh: sentence('zh').replace(/。$/, '') }
}

function nameOf(id: string | undefined): Words {
  return id === undefined
    ? { en: 'A row without id', zh: '没有 id 的条目' }
    : { en: `Row ${id}`, zh: `条目 ${id}` }
}

/** What keeps DSH from starting with the profile, or the profile from loading the plugin. */
function obstacles(reading: ProfileReading, shown: Shown): readonly Finding<never>[] {
  const { name: profile, rows, problems, installed, others } = reading
  const add = `dsh plugin --profile ${profile} add ${PACKAGE_NAME}`
  const install = `dsh plugin --profile ${profile} install`
  const directory = shown(reading.profiles)
  const file = shown(reading.manifest)
  if (!reading.exists) {
    const [nearest] = closest(profile, others, 1)
    if (nearest === undefined) return [finding('failed', 'no-profile', { profile, directory, add })]
    const values = { profile, directory, nearest, others: others.toSorted() }
    return [finding('failed', 'no-such-profile', values)]
  }
  if (problems.length > 0) {
    return problems.map(({ kind, at, code = '' }) =>
      finding('failed', kind, { file: shown(at.file), at: shown(at), code }),
    )
  }
  const troubles = reading.missingBundles.map((bundle) =>
    finding('failed', 'bundle-gone', { bundle, file, install }),
  )
  if (installed === undefined && !reading.isDependency) {
    const leftover = rows
      .filter(({ enabled, at }) => enabled && at.file !== '')
      .map(({ id, at }) =>
        finding('failed', 'row-without-package', { row: nameOf(id), at: shown(at), profile, add }),
      )
    if (leftover.length === 0) leftover.push(finding('failed', 'not-in-profile', { profile, add }))
    return [...troubles, ...leftover]
  }
  if (installed === undefined) {
    troubles.push(finding('failed', 'not-installed', { profile, install }))
  } else if (!installed.isBuilt) {
    troubles.push(finding('failed', 'not-built', { directory: shown(installed.directory) }))
  }
  const [first] = rows
  if (first === undefined) {
    troubles.push(finding('failed', 'no-row', { profile, file, install }))
  } else if (rows.every(({ enabled }) => !enabled)) {
    troubles.push(finding('failed', 'all-disabled', { profile, at: shown(first.at) }))
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
