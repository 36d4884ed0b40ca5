/** Check: the proxy and certificate variables that the CLI's process will see. Names, no values. */

import { childEnvironment } from '../../cursor/child-env.ts'
import { environmentValue } from '../../cursor/system.ts'
import { passed, warning } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import type { Subject } from '../subject.ts'
import { hostLikeEnvironment } from '../spawn.ts'

const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY']
const OTHERS = [
  'NO_PROXY',
  'NODE_USE_ENV_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
]

export function checkProxy({ config, system }: Subject): Finding<CheckData['proxy']> {
  const { platform, env, files } = system
  const child = hostLikeEnvironment(
    platform,
    env,
    childEnvironment(system, config.env, 'bundled-node'),
  )
  const variables = [...PROXIES, ...OTHERS]
    .flatMap((name) => (platform === 'win32' ? [name] : [name, name.toLowerCase()]))
    .filter((name) => Boolean(environmentValue(platform, child, name)))
  const value = (name: string): string => environmentValue(platform, child, name) ?? ''
  const troubles = variables.flatMap((name) => {
    if (PROXIES.includes(name.toUpperCase()) && !isProxyUrl(value(name))) {
      return [`${name} is no URL such as http://host:port`]
    }
    if (name === 'NODE_EXTRA_CA_CERTS' && !files.isFile(value(name))) {
      return [`${name} names a file that is not there`]
    }
    if (name === 'NODE_TLS_REJECT_UNAUTHORIZED' && value(name) === '0') {
      return [`${name}=0 switches off the check of certificates`]
    }
    return []
  })
  const data = { variables }
  if (troubles.length > 0) {
    return warning(`${troubles.join('; ')}.`, {
      data,
      nextStep: 'Correct it in the environment of DSH, or in `env` of the configuration.',
    })
  }
  return passed(
    variables.length === 0
      ? 'The CLI will see no proxy or certificate variable.'
      : `The CLI will see ${variables.join(', ')}.`,
    { data },
  )
}

function isProxyUrl(value: string): boolean {
  return /^(?:https?|socks\w*):\/\/./i.test(value) && URL.canParse(value)
}
