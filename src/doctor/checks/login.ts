/** Check: what `status` says of the login. It shows that a token exists, not that runs work. */

import { parseStatus, type LoginState } from '../../cursor/account.ts'
import { environmentValue } from '../../cursor/system.ts'
import type { Words } from '../../words.ts'
import {
  failedCommand,
  LOG_IN,
  notUnderstood,
  sayer,
  type Finding,
  type Findings,
} from '../finding.ts'
import type { Asked } from '../check-input.ts'

const FINDINGS = {
  'logged-in': { en: 'Logged in', zh: '已登录' },
  'login-proven': {
    en: '`cursor-agent status` does not say so, but the test run was accepted',
    zh: '`cursor-agent status` 未显示已登录，但试运行已成功',
  },
  'details-missing': {
    en: 'Logged in, but the CLI could not fetch the account. Runs may fail.',
    zh: '已登录，但 CLI 取不到账号信息，运行可能失败。',
    enNext: 'Make a test run: {probe}. If it fails, log in again: `cursor-agent login`.',
    zhNext: '请试运行：{probe}。如果失败，请重新登录：`cursor-agent login`。',
  },
  'own-key': {
    en: 'No login, but the configuration gives a CURSOR_API_KEY.',
    zh: '未登录，但配置中提供了 CURSOR_API_KEY。',
    enNext: 'Make a test run to see whether it is accepted: {probe}.',
    zhNext: '请试运行，看它是否有效：{probe}。',
  },
  'logged-out': {
    en: 'Not logged in.',
    zh: '未登录。',
    ...LOG_IN,
  },
} as const satisfies Findings

const AMBIENT_KEY: Words = {
  en: 'CURSOR_API_KEY is set here, but DSH gives it to no child: only one in `env` of the configuration reaches the CLI',
  zh: '当前环境设置了 CURSOR_API_KEY，但 DSH 不会把它传给子进程：只有写在配置的 `env` 中才会传给 CLI',
}

const finding = sayer(FINDINGS)

export const loginCheck = {
  of: 'row',
  title: { en: 'Login', zh: '登录' },
  findings: FINDINGS,
  after: ['install', 'version'],
  look: checkLogin,
} as const

export const LOGIN_PROVEN = finding('passed', 'login-proven', {})

async function checkLogin(subject: Asked): Promise<Finding<{ readonly state: LoginState }>> {
  const { cli, commands, config, system } = subject
  const output = await commands.run(cli, config, ['status'])
  const state = parseStatus(output.stdout)
  const hasKey = (env: Readonly<NodeJS.ProcessEnv>): boolean =>
    Boolean(environmentValue(system.platform, env, 'CURSOR_API_KEY'))
  const isOnlyAmbient = hasKey(system.env) && !hasKey(config.env)
  const rest = { data: { state }, details: isOnlyAmbient ? [AMBIENT_KEY] : [] }
  switch (state) {
    case 'logged-in':
      return finding('passed', state, {}, rest)
    case 'details-missing':
      return finding('warning', state, {}, rest)
    case 'logged-out':
      return hasKey(config.env)
        ? finding('warning', 'own-key', {}, rest)
        : finding('failed', state, {}, { ...rest, category: 'not-authenticated' })
    case 'unknown': {
      const unknown = { ...notUnderstood('status', output, subject), ...rest }
      return failedCommand('status', output, subject) ?? unknown
    }
  }
}
