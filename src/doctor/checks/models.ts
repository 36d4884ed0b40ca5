/** Check: the models of the account, and whether the configured one is among them. */

import { parseAbout, parseModels, type Model } from '../../cursor/account.ts'
import { closest } from '../../cursor/closest.ts'
import type { CursorCli } from '../../cursor/find-cli.ts'
import { plain } from '../../cursor/masking.ts'
import { same } from '../../words.ts'
import { excerpt, failedCommand, finding, note } from '../finding.ts'
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
    const judged = judge(offered.models, subject, options)
    return judged.state === 'passed' ? foreseePlanLimit(judged, subject, cli) : judged
  }
  const failed = failedCommand<CheckData['models']>('models', output, subject)
  if (failed !== undefined) return failed
  const said = excerpt(output.stdout, masker)
  return offered.status === 'none'
    ? finding('failed', 'no-models', {}, { said, category: 'not-authenticated' })
    : finding('warning', 'not-understood', { command: 'models' }, { said })
}

function judge(
  listed: readonly Model[],
  { config, masker }: Subject,
  { list }: ModelsOptions,
): Finding<CheckData['models']> {
  // An id that looks like a secret is none, and is not shown.
  const models = listed.filter(({ id }) => masker.mask(id) === id)
  const count = models.length
  const standard = models.find(({ isDefault }) => isDefault)?.id ?? null
  const current = models.find(({ isCurrent }) => isCurrent)?.id ?? null
  // `id[context=1m,fast=false]` is the id with parameters.
  const wanted = config.model?.replace(/\[.*$/s, '')
  const ids = models.map(({ id }) => id)
  const isOffered = wanted === undefined ? null : ids.includes(wanted)
  const nearest = wanted === undefined || isOffered ? [] : closest(wanted, ids, NEAREST_MODELS)
  const configured = config.model === undefined ? null : plain(config.model)
  const shown = models.map(({ id, label }) => ({ id, label: masker.mask(label) }))
  const rest = {
    data: {
      count,
      default: standard,
      current,
      configured,
      configuredIsOffered: isOffered,
      closest: nearest,
      list: list ? shown : null,
    },
    details: [
      note('marked-models', { default: standard ?? '?', current: current ?? '?' }),
      ...(list ? shown.map(({ id, label }) => same(`  ${id} - ${label}`)) : []),
    ],
  }
  if (configured === null) return finding('passed', 'models-offered', { count }, rest)
  if (isOffered) return finding('passed', 'model-offered', { count, model: configured }, rest)
  const values = { count, model: configured, closest: nearest }
  return finding('failed', 'model-not-offered', values, { ...rest, category: 'invalid-model' })
}

/** Free plans list named models and refuse them in a run. */
async function foreseePlanLimit(
  judged: Finding<CheckData['models']>,
  { commands, config }: Subject,
  cli: CursorCli,
): Promise<Finding<CheckData['models']>> {
  const { model } = config
  if (model === undefined || model === 'auto') return judged
  const { stdout } = await commands.run(cli, config, ['about', '--format', 'json'])
  if (!/^free\b/i.test(parseAbout(stdout)?.plan ?? '')) return judged
  const { data, details } = judged
  return finding('warning', 'free-plan', { model: plain(model) }, { data, details })
}
