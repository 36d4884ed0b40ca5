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
import { finding, note } from '../finding.ts'
import { PACKAGE_NAME } from '../own-package.ts'
import type { Location, ProfileReading, ProfileRow } from '../profile.ts'
import type { CheckData, Finding } from '../report.ts'
import { shownPath } from '../subject.ts'

export interface Instance {
  readonly id: string | undefined
  readonly config: ResolvedConfig
}

export interface CheckedProfile {
  readonly findings: readonly Finding<CheckData['profile']>[]
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
        .map(({ id }) => note('disabled', { row: nameOf(id) })),
      ...instances
        .filter(({ config }) => reading.settings[settingsNamespaceOf(config.toolName)] != null)
        .map(({ id }) =>
          note('layered', { row: nameOf(id), file: shownPath(system, reading.settingsFile) }),
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
  rest: Pick<Finding<CheckData['profile']>, 'data' | 'details'>,
): Finding<CheckData['profile']>[] {
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
