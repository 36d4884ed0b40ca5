/**
 * Check: the proxy and certificate variables that the CLI's process will see, after DSH has taken
 * credentials out of its environment. Names, no values.
 */

import { childEnvironment } from '../../cursor/child-env.ts'
import { environmentValue } from '../../cursor/system.ts'
import type { Words } from '../../words.ts'
import { filled } from '../filled.ts'
import { sayer, type Finding, type Findings } from '../finding.ts'
import { hostLikeEnvironment } from '../spawn.ts'
import type { Subject } from '../subject.ts'

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
    next: {
      en: 'Correct it in the environment of DSH, or in `env` of the configuration.',
      zh: '请在 DSH 的环境变量中改正，或在配置的 `env` 中改正。',
    },
  },
  'certificate-missing': {
    en: '{name} names a file that is not there.',
    zh: '{name} 指向的文件不存在。',
    next: {
      en: 'Correct it in the environment of DSH, or in `env` of the configuration.',
      zh: '请在 DSH 的环境变量中改正，或在配置的 `env` 中改正。',
    },
  },
  'certificates-unchecked': {
    en: '{name}=0 switches off the check of certificates.',
    zh: '{name}=0 会关闭证书校验。',
    next: {
      en: "Remove it; for a company's certificate set NODE_EXTRA_CA_CERTS to its file.",
      zh: '请去掉它；如需信任公司证书，请把 NODE_EXTRA_CA_CERTS 指向证书文件。',
    },
  },
} as const satisfies Findings

const NOTES = {
  certificates: { en: 'certificates: {names}', zh: '证书变量：{names}' },
} as const satisfies Record<string, Words>

const finding = sayer(FINDINGS)

/** Names only: the values can hold credentials. */
export interface ProxyData {
  readonly variables: readonly string[]
}

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

function checkProxy({ cli, config, system }: Subject): readonly Finding<ProxyData>[] {
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
    details: certificates.length === 0 ? [] : [filled(NOTES.certificates, { names: certificates })],
  }
  const names = [...proxies, ...beside]
  const told =
    proxies.length === 0
      ? finding('passed', 'no-proxy', {}, rest)
      : finding(
          'passed',
          beside.some((name) => name.toUpperCase() === 'NODE_USE_ENV_PROXY')
            ? 'proxy-seen'
            : 'proxy-perhaps-unused',
          { names },
          rest,
        )
  const troubles = [
    ...proxies
      .filter((name) => !isProxyUrl(value(name)))
      .map((name) => finding('warning', 'proxy-not-url', { name }, rest)),
    ...certificates.flatMap((name) => {
      const isFile = name !== 'SSL_CERT_DIR' && name !== 'NODE_TLS_REJECT_UNAUTHORIZED'
      if (isFile && !files.isFile(value(name))) {
        return [finding('warning', 'certificate-missing', { name }, rest)]
      }
      return name === 'NODE_TLS_REJECT_UNAUTHORIZED' && value(name) === '0'
        ? [finding('warning', 'certificates-unchecked', { name }, rest)]
        : []
    }),
  ]
  return troubles.length > 0 ? troubles : [told]
}

function isProxyUrl(value: string): boolean {
  return /^(?:https?|socks\w*):\/\/./i.test(value) && URL.canParse(value)
}
