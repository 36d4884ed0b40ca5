/** Check: the models of the account, and whether the configured one is among them. */

import { parseAbout, parseModels, type Model } from '../../cursor/account.ts'
import { closest } from '../../cursor/closest.ts'
import { CATEGORIES } from '../../cursor/failures/categories.ts'
import { plain } from '../../cursor/masking.ts'
import { same } from '../../words.ts'
import { filled } from '../fill-sentence.ts'
import { failedCommand, LOG_IN, notUnderstood, sayer, type Findings } from '../finding.ts'
import type { Asked, Subject } from '../check-input.ts'

const FINDINGS = {
  'models-offered': {
    en: '{count:model:models}; none is configured, so the CLI uses its current or default one',
    zh: '{count} 个可用；未指定，CLI 使用其当前或默认的模型',
  },
  'model-offered': {
    en: '{count:model:models}; the configured {model} is among them',
    zh: '{count} 个可用，包括所配置的 {model}',
  },
  'model-not-offered': {
    en: 'The configured model {model} is not among the {count:model:models} of the account.',
    zh: '账号的 {count} 个模型中没有所配置的 {model}。',
    enNext: 'Set `model` to one of them, or leave it out. Closest: {closest}.',
    zhNext: '请把 `model` 设为其中之一，或去掉它。最接近的：{closest}。',
  },
  'no-models': {
    en: 'The CLI offers no models: it is probably not logged in.',
    zh: 'CLI 没有列出任何模型，很可能未登录。',
    ...LOG_IN,
  },
  'free-plan': {
    en: '{model} is offered, but the account has a free plan, which can only use auto.',
    zh: '列表中有 {model}，但该账号是免费套餐，只能使用 auto。',
    enNext: CATEGORIES['plan-limit'].nextStep.en,
    zhNext: CATEGORIES['plan-limit'].nextStep.zh,
  },
} as const satisfies Findings

const MARKED = {
  en: 'default: {default}; current: {current}',
  zh: '默认：{default}；当前：{current}',
} as const

const finding = sayer(FINDINGS)

export const modelsCheck = {
  of: 'row',
  title: { en: 'Models', zh: '模型' },
  findings: FINDINGS,
  after: ['install', 'version'],
  look: checkModels,
} as const

const NEAREST_MODELS = 3

type ModelsFinding = ReturnType<typeof judge>

async function checkModels(subject: Asked): Promise<ModelsFinding> {
  const { cli, commands, config } = subject
  const output = await commands.run(cli, config, ['models'])
  const offered = parseModels(output.stdout)
  if (offered.status === 'listed') {
    const judged = judge(offered.models, subject)
    return judged.state === 'passed' ? foreseePlanLimit(judged, subject) : judged
  }
  const unknown = notUnderstood('models', output, subject)
  const rest = { said: unknown.said, category: 'not-authenticated' } as const
  return (
    failedCommand('models', output, subject) ??
    (offered.status === 'none' ? finding('failed', 'no-models', {}, rest) : unknown)
  )
}

function judge(listed: readonly Model[], { config, masker, listModels: list }: Subject) {
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
      /** Of the configured model, when it is not offered. */
      closest: nearest,
      /** Every model, when the list was asked for. */
      list: list ? shown : null,
    },
    details: [
      filled(MARKED, { default: standard ?? '?', current: current ?? '?' }),
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
  judged: ModelsFinding,
  { cli, commands, config }: Asked,
): Promise<ModelsFinding> {
  const { model } = config
  if (model === undefined || model === 'auto') return judged
  const { stdout } = await commands.run(cli, config, ['about', '--format', 'json'])
  if (!/^free\b/i.test(parseAbout(stdout)?.plan ?? '')) return judged
  const { data, details } = judged
  return finding('warning', 'free-plan', { model: plain(model) }, { data, details })
}
