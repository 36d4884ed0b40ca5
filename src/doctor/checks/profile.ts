/** Check: whether a profile loads this plugin, and whether it would accept its configuration. */

import { closest } from '../../cursor/closest.ts'
import { resolveConfig, type ResolvedConfig } from '../../config/config.ts'
import { layerConfig, settingsNamespaceOf } from '../../config/settings-section.ts'
import { extraArgsNotes } from '../../cursor/extra-args.ts'
import { Masker } from '../../cursor/masking.ts'
import type { System } from '../../cursor/system.ts'
import { failed, passed, warning } from '../finding.ts'
import { PACKAGE_NAME, type ProfileReading, type ProfileRow } from '../profile.ts'
import type { CheckData, Finding } from '../report.ts'

export interface Instance {
  readonly id: string | undefined
  readonly config: ResolvedConfig
}

export interface CheckedProfile {
  readonly finding: Finding<CheckData['profile']>
  /** The enabled rows whose configuration the plugin accepts. */
  readonly instances: readonly Instance[]
}

interface Trouble {
  readonly happened: string
  readonly nextStep: string
}

export function checkProfile(system: System, reading: ProfileReading): CheckedProfile {
  const judged = reading.rows.map((row) => judgeRow(system, row, reading.settings))
  const instances = judged.flatMap(({ row, config }) =>
    config !== undefined && row.enabled ? [{ id: row.id, config }] : [],
  )
  const troubles = [
    ...troublesOf(reading),
    ...judged.flatMap(({ error, row }) =>
      error !== undefined && row.enabled ? [badRow(row, error)] : [],
    ),
    ...clashes(instances),
  ]
  const layered = judged.flatMap(({ row, isLayered }) =>
    isLayered ? [`${nameOf(row)}: the user's settings.yaml lies over it`] : [],
  )
  const notes = judged.flatMap(({ row, config, error }) => [
    ...(row.enabled
      ? []
      : [`${nameOf(row)} is disabled${error === undefined ? '' : `; ${error}`}`]),
    ...(config === undefined ? [] : extraArgsNotes(config)),
    ...row.notEvaluated.map(
      (field) => `${nameOf(row)}: ${field} is a !!js expression; it is not evaluated here`,
    ),
  ])
  const data = {
    name: reading.name,
    installedVersion: reading.installedVersion ?? null,
    rows: judged.map(({ row, config }) => ({
      id: row.id ?? null,
      enabled: row.enabled,
      valid: config !== undefined,
      notEvaluated: row.notEvaluated,
    })),
  }
  const [first, ...others] = troubles
  if (first !== undefined) {
    const details = [...others.map(({ happened, nextStep }) => `${happened} ${nextStep}`), ...notes]
    const finding = failed(first.happened, { data, details, nextStep: first.nextStep })
    return { finding, instances }
  }
  const rest = { data, details: [...notes, ...layered] }
  const rows = `${instances.length} ${instances.length === 1 ? 'row' : 'rows'}`
  const summary = `${reading.name} loads ${PACKAGE_NAME} ${reading.installedVersion ?? ''} with ${rows}`
  const finding =
    notes.length === 0
      ? passed(summary, rest)
      : warning(`${summary}; there is something to note`, {
          ...rest,
          nextStep: 'Look at the notes below; the other checks go by what is written there.',
        })
  return { finding, instances }
}

interface JudgedRow {
  readonly row: ProfileRow
  readonly config?: ResolvedConfig
  /** The user's settings lie over the row. */
  readonly isLayered?: true
  /** The plugin's own message for a configuration that it refuses; masked. */
  readonly error?: string
}

/** The row with the user's settings over it, as the plugin lays them. */
function judgeRow(
  system: System,
  row: ProfileRow,
  settings: ProfileReading['settings'],
): JudgedRow {
  try {
    const config = resolveConfig(row.config)
    const section = settings[settingsNamespaceOf(config.toolName)]
    if (section == null) return { row, config }
    return { row, config: layerConfig(config, section), isLayered: true }
  } catch (error) {
    const masker = new Masker({ environmentValues: [], prompt: '', home: system.home, cwd: '' })
    const message = error instanceof Error ? error.message : String(error)
    return { row, error: masker.mask(message.replace(/^subagent-cursor: /, '')) }
  }
}

function nameOf({ id }: ProfileRow): string {
  return id === undefined ? 'a row without id' : `row ${id}`
}

function badRow(row: ProfileRow, error: string): Trouble {
  return {
    happened: `${nameOf(row)}: ${error}.`,
    nextStep:
      'Correct it in cordis.patch.yml of the profile, or in settings.yaml of DSH if it is set there.',
  }
}

/** What keeps the profile from loading the plugin at all. */
function troublesOf(reading: ProfileReading): Trouble[] {
  const { name, rows, problems } = reading
  const add = `dsh plugin --profile ${name} add ${PACKAGE_NAME}`
  if (!reading.exists) {
    const [nearest] = closest(name, reading.others, 1)
    return [
      {
        happened: `There is no profile ${name} in the profiles of DSH.`,
        nextStep:
          nearest === undefined
            ? `To create it, run \`${add}\`.`
            : `The closest name is ${nearest}; there are ${reading.others.toSorted().join(', ')}.`,
      },
    ]
  }
  const broken = problems.map((problem) => ({
    happened: problem,
    nextStep: 'Correct that file; DSH does not start with it.',
  }))
  if (broken.length > 0) return broken
  if (!reading.isDependency && reading.installedVersion === undefined) {
    return [
      {
        happened: `The profile ${name} does not have ${PACKAGE_NAME}.`,
        nextStep: `Run \`${add}\`.`,
      },
    ]
  }
  const troubles: Trouble[] = []
  if (reading.installedVersion === undefined) {
    troubles.push({
      happened: `${PACKAGE_NAME} is a dependency of the profile ${name}, but it is not installed.`,
      nextStep: `Run \`dsh plugin --profile ${name} install\`.`,
    })
  } else if (!reading.isBuilt) {
    troubles.push({
      happened: `${PACKAGE_NAME} in the profile ${name} has no lib/index.js: it is a checkout that was not built.`,
      nextStep: 'Run `npm run build` in the checkout.',
    })
  }
  if (rows.length === 0) {
    troubles.push({
      happened: reading.isBundle
        ? `No row of the profile ${name} loads ${PACKAGE_NAME}.`
        : `${PACKAGE_NAME} is not among the bundles of the profile ${name}, and no row loads it.`,
      nextStep: `Add "${PACKAGE_NAME}" to dsh.profile.bundles in the profile's package.json, or run \`dsh plugin --profile ${name} install\`.`,
    })
  } else if (rows.every(({ enabled }) => !enabled)) {
    troubles.push({
      happened: `Every row of ${PACKAGE_NAME} in the profile ${name} is disabled.`,
      nextStep: 'Remove `disabled` from the row in cordis.patch.yml of the profile.',
    })
  }
  return troubles
}

/** Two rows cannot share a provider's or a tool's name. */
function clashes(instances: readonly Instance[]): Trouble[] {
  return (['providerName', 'toolName'] as const).flatMap((field) => {
    const names = instances.map(({ config }) => config[field])
    const twice = names.find((name, position) => names.indexOf(name) !== position)
    return twice === undefined
      ? []
      : [
          {
            happened: `Two rows have the ${field} ${twice}.`,
            nextStep: `Give each row its own \`${field}\`; DSH does not start otherwise.`,
          },
        ]
  })
}
