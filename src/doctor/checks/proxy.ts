/**
 * Check: the proxy and certificate variables that the CLI's process will see, after DSH has taken
 * credentials out of its environment. Names, no values.
 */

import { childEnvironment } from '../../cursor/child-env.ts'
import { environmentValue, type FileQuestions } from '../../cursor/system.ts'
import { filled } from '../fill-sentence.ts'
import { sayer, type Finding, type Findings } from '../finding.ts'
import { hostLikeEnvironment } from '../local-processes.ts'
import type { Subject } from '../check-input.ts'

const CORRECT = {
  enNext: 'Correct it in the environment of DSH, or in `env` of the configuration.',
  zhNext: '请在 DSH 的环境变量中改正，或在配置的 `env` 中改正。',
} as const

const FINDINGS = {
  'no-proxy': { en: 'The CLI will see no proxy variable', zh: 'CLI 不会收到代理变量' },
  'proxy-seen': { en: 'The CLI will see {names}', zh: 'CLI 会收到代理变量：{names}' },
  'proxy-perhaps-unused': {
    en: 'The CLI will see {names}. Not measured with it: other Node clients also needed NODE_USE_ENV_PROXY=1',
    zh: 'CLI 会收到代理变量：{names}。其他 Node 程序还要设置 NODE_USE_ENV_PROXY=1 才会使用代理，CLI 是否如此未经验证',
  },
  'proxy-not-url': {
    en: '{name} is no URL such as http://host:port.',
    zh: '{name} 不是 http://host:port 形式的 URL。',
    ...CORRECT,
  },
  'certificate-missing': {
    en: '{name} names a file that is not there.',
    zh: '{name} 指向的文件不存在。',
    ...CORRECT,
  },
  'certificates-unchecked': {
    en: '{name}=0 switches off the check of certificates.',
    zh: '{name}=0 会关闭证书校验。',
    enNext: "Remove it; for a company's certificate set NODE_EXTRA_CA_CERTS to its file.",
    zhNext: '请去掉它；如需信任公司证书，请把 NODE_EXTRA_CA_CERTS 指向证书文件。',
  },
} as const satisfies Findings

const CERTIFICATES_SEEN = { en: 'certificates: {names}', zh: '证书变量：{names}' } as const

const finding = sayer(FINDINGS)

export const proxyCheck = {
  of: 'row',
  title: { en: 'Proxy', zh: '代理' },
  findings: FINDINGS,
  look: checkProxy,
} as const

const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY']
const BESIDE_PROXIES = ['NO_PROXY', 'NODE_USE_ENV_PROXY']
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED']
/** Node reads them on Linux alone, and only with the flag that the CLI's launcher passes. */
const SYSTEM_CERTIFICATES = ['SSL_CERT_FILE', 'SSL_CERT_DIR']

/** Its data: names only, since the values can hold credentials. */
function checkProxy({
  cli,
  config,
  system,
}: Subject): readonly Finding<{ readonly variables: readonly string[] }>[] {
  const { platform, env, files } = system
  const runner = cli?.runner ?? 'bundled-node'
  const child = hostLikeEnvironment(platform, env, childEnvironment(system, config.env, runner))
  const value = (name: string): string => environmentValue(platform, child, name) ?? ''
  const seen = (names: readonly string[]): string[] =>
    names
      .flatMap((name) => (platform === 'win32' ? [name] : [name, name.toLowerCase()]))
      .filter((name) => value(name) !== '')
  const proxies = seen(PROXIES)
  const beside = seen(BESIDE_PROXIES)
  const isSystemStore = platform === 'linux' && runner === 'launcher'
  const certificates = seen([...CERTIFICATES, ...(isSystemStore ? SYSTEM_CERTIFICATES : [])])
  const rest = {
    data: { variables: [...proxies, ...beside, ...certificates] },
    details: certificates.length === 0 ? [] : [filled(CERTIFICATES_SEEN, { names: certificates })],
  }
  const names = [...proxies, ...beside]
  const troubles = [...proxies, ...certificates].flatMap((name) => {
    const trouble = troubleWith(name, value(name), files)
    return trouble === undefined ? [] : [finding('warning', trouble, { name }, rest)]
  })
  if (troubles.length > 0) return troubles
  if (proxies.length === 0) return [finding('passed', 'no-proxy', {}, rest)]
  const isUsed = beside.some((name) => name.toUpperCase() === 'NODE_USE_ENV_PROXY')
  return [finding('passed', isUsed ? 'proxy-seen' : 'proxy-perhaps-unused', { names }, rest)]
}

function troubleWith(name: string, value: string, files: FileQuestions) {
  switch (name.toUpperCase()) {
    case 'NODE_TLS_REJECT_UNAUTHORIZED':
      return value === '0' ? 'certificates-unchecked' : undefined
    case 'SSL_CERT_DIR':
      return undefined
    case 'NODE_EXTRA_CA_CERTS':
    case 'SSL_CERT_FILE':
      return files.isFile(value) ? undefined : 'certificate-missing'
    default: {
      const isUrl = /^(?:https?|socks\w*):\/\/./i.test(value) && URL.canParse(value)
      return isUrl ? undefined : 'proxy-not-url'
    }
  }
}
