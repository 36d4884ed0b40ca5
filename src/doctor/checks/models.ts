/** Check: the models of the account, and whether the configured one is among them. */

import { parseAbout, parseModels, type Model } from '../../cursor/account.ts'
import { closest } from '../../cursor/closest.ts'
import { CATEGORIES } from '../../cursor/categories.ts'
import type { CursorCli } from '../../cursor/find-cli.ts'
import { plain } from '../../cursor/masking.ts'
import { excerpt, failed, failedCommand, passed, warning } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import type { Subject } from '../subject.ts'

const NEAREST_MODELS = 3

export interface ModelsOptions {
  readonly list: boolean
}

export async function checkModels(
  subject: Subject,
  cli: CursorCli,
  options: ModelsOptions,
): Promise<Finding<CheckData['models']>> {
  const { config, masker } = subject
  const output = await subject.commands.run(cli, config, ['models'])
  const offered = parseModels(output.stdout)
  if (offered.status === 'listed') {
    const finding = judge(offered.models, subject, options)
    return finding.state === 'passed' ? foreseePlanLimit(finding, subject, cli) : finding
  }
  const failure = failedCommand<CheckData['models']>('models', output, subject)
  if (failure !== undefined) return failure
  const details = excerpt(output.stdout, masker)
  if (offered.status === 'none') {
    return failed('The CLI offers no models: it is probably not logged in.', {
      details,
      category: 'not-authenticated',
      nextStep: CATEGORIES['not-authenticated'].nextStep.en,
    })
  }
  return warning('The answer of `cursor-agent models` is not understood.', {
    details,
    nextStep: 'Use --probe to see whether a run works.',
  })
}

function judge(
  listed: readonly Model[],
  { config, masker }: Subject,
  { list }: ModelsOptions,
): Finding<CheckData['models']> {
  // An id that looks like a secret is none, and is not shown.
  const models = listed.filter(({ id }) => masker.mask(id) === id)
  const idOf = (model: Model | undefined): string | null => model?.id ?? null
  const standard = idOf(models.find(({ isDefault }) => isDefault))
  const current = idOf(models.find(({ isCurrent }) => isCurrent))
  // `id[context=1m,fast=false]` is the id with parameters.
  const wanted = config.model?.replace(/\[.*$/s, '')
  const ids = models.map(({ id }) => id)
  const isOffered = wanted === undefined ? null : ids.includes(wanted)
  const nearest = wanted === undefined || isOffered ? [] : closest(wanted, ids, NEAREST_MODELS)
  const configured = config.model === undefined ? null : plain(config.model)
  const shown = models.map(({ id, label }) => ({ id, label: masker.mask(label) }))
  const rest = {
    data: {
      count: models.length,
      default: standard,
      current,
      configured,
      configuredIsOffered: isOffered,
      closest: nearest,
      list: list ? shown : null,
    },
    details: [
      `default: ${standard ?? 'not said'}; current: ${current ?? 'not said'}`,
      ...(list ? shown.map(({ id, label }) => `  ${id} - ${label}`) : []),
    ],
  }
  const count = `${models.length} ${models.length === 1 ? 'model' : 'models'}`
  if (isOffered === false) {
    return failed(`The configured model ${configured} is not among the ${count} of the account.`, {
      ...rest,
      category: 'invalid-model',
      nextStep: `Set \`model\` to an id that \`doctor --models\` lists, or leave it out. Closest: ${nearest.join(', ')}.`,
    })
  }
  return passed(
    configured === null
      ? `${count}; none is configured, so the CLI uses the current or default one`
      : `${count}; the configured one (${configured}) is among them`,
    rest,
  )
}

/** Free plans list named models and refuse them in a run. */
async function foreseePlanLimit(
  finding: Finding<CheckData['models']>,
  { commands, config }: Subject,
  cli: CursorCli,
): Promise<Finding<CheckData['models']>> {
  if (config.model === undefined || config.model === 'auto') return finding
  const { stdout } = await commands.run(cli, config, ['about', '--format', 'json'])
  if (!/^free\b/i.test(parseAbout(stdout)?.plan ?? '')) return finding
  return {
    ...finding,
    state: 'warning',
    summary: `${finding.summary}, but the account has a free plan, which can only use auto`,
    nextStep: CATEGORIES['plan-limit'].nextStep.en,
  }
}
