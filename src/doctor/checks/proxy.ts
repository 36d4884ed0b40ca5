/**
 * Check: the proxy and certificate variables that the CLI's process will see, after DSH has taken
 * credentials out of its environment. Names, no values.
 */

import { childEnvironment } from '../../cursor/child-env.ts'
import type { CursorCli } from '../../cursor/find-cli.ts'
import { environmentValue } from '../../cursor/system.ts'
import { finding, note } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import { hostLikeEnvironment } from '../spawn.ts'
import type { Subject } from '../subject.ts'

const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY']
const BESIDE_PROXIES = ['NO_PROXY', 'NODE_USE_ENV_PROXY']
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED']
/** Node reads them on Linux alone, and only with the flag that the CLI's launcher passes. */
const SYSTEM_CERTIFICATES = ['SSL_CERT_FILE', 'SSL_CERT_DIR']

export function checkProxy(
  { config, system }: Subject,
  runner: CursorCli['runner'] = 'bundled-node',
): readonly Finding<CheckData['proxy']>[] {
  const { platform, env, files } = system
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
    details: certificates.length === 0 ? [] : [note('certificates', { names: certificates })],
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
