/**
 * The reasons why a run can fail, with a text for each in both languages; the model reads the English
 * one. Imports nothing from Node, because the web page reads them too. `../failures.ts` recognises
 * the CLI's errors, `format.ts` formats the message.
 */

import type { Words } from '../../words.ts'
import { MODES_EVERYWHERE, READ_ONLY_MODES } from '../permission-modes.ts'

export interface CategoryText {
  /** One sentence. */
  readonly happened: Words
  /** Replaces it where more is known; has a place for one value at most, which the key names. */
  readonly inDetail?: Readonly<Record<string, Words>>
  /** What the user should do. `{doctor}` is replaced by the command of the self-check. */
  readonly nextStep: Words
}

export const CATEGORIES = {
  'cli-not-found': {
    happened: { en: 'The Cursor CLI was not found.', zh: '找不到 Cursor CLI。' },
    nextStep: {
      en: 'Install it as cursor.com/cli says and run `cursor-agent login`, or set `cliPath` to its index.js or its directory.',
      zh: '按 cursor.com/cli 的说明安装并运行 `cursor-agent login`，或者把 `cliPath` 设为它的 index.js 或所在目录。',
    },
  },
  'broken-install': {
    happened: {
      en: 'The Cursor CLI is installed but cannot run.',
      zh: 'Cursor CLI 已安装，但无法运行。',
    },
    inDetail: {
      reason: {
        en: 'The Cursor CLI is installed but cannot run: {reason}.',
        zh: 'Cursor CLI 已安装，但无法运行：{reason}。',
      },
    },
    nextStep: {
      en: 'Install it again as cursor.com/cli says, or set `cliPath` to a complete install.',
      zh: '按 cursor.com/cli 的说明重新安装，或者把 `cliPath` 设为一个完整的安装目录。',
    },
  },
  'unsupported-platform': {
    happened: {
      en: 'This permission mode does not work on this platform.',
      zh: '这个权限模式在当前平台上不可用。',
    },
    nextStep: {
      en: `Set \`permissionMode\` to ${MODES_EVERYWHERE.en}.`,
      zh: `把 \`permissionMode\` 设为 ${MODES_EVERYWHERE.zh}。`,
    },
  },
  'prompt-rejected': {
    happened: {
      en: 'The prompt cannot be given to the Cursor CLI.',
      zh: '这段提示词无法传给 Cursor CLI。',
    },
    nextStep: {
      en: 'Write the whole task as text in `prompt`.',
      zh: '把整个任务用纯文本写进 `prompt`。',
    },
  },
  'bad-cwd': {
    happened: { en: 'The working directory cannot be used.', zh: '工作目录不可用。' },
    nextStep: {
      en: 'Delegate from a session whose directory exists and can be entered.',
      zh: '换到一个工作目录存在、可以进入的会话，再委派。',
    },
  },
  'policy-refused': {
    happened: {
      en: "The parent session's sandbox policy is read-only, and this permission mode can write.",
      zh: '发起委派的会话采用只读的沙箱策略，而这个权限模式可以写文件。',
    },
    nextStep: {
      en: `Delegate with \`read_only: true\`, use an instance of this plugin with \`permissionMode\` ${READ_ONLY_MODES.en}, give the session another policy, or set \`readOnlySessions: allow\`.`,
      zh: `委派时加 \`read_only: true\`，或改用 \`permissionMode\` 为 ${READ_ONLY_MODES.zh} 的实例，或给会话换一个策略，或设置 \`readOnlySessions: allow\`。`,
    },
  },
  'spawn-failed': {
    happened: {
      en: 'The Cursor CLI could not be started.',
      zh: 'Cursor CLI 启动失败。',
    },
    inDetail: {
      reason: {
        en: 'The Cursor CLI could not be started: {reason}.',
        zh: 'Cursor CLI 启动失败：{reason}。',
      },
    },
    nextStep: {
      en: 'Run `{doctor}` to see which program is started and why it fails.',
      zh: '运行 `{doctor}`，看启动的是哪个程序、为什么失败。',
    },
  },
  'not-authenticated': {
    happened: {
      en: 'The Cursor CLI is not logged in, or its key was rejected.',
      zh: 'Cursor CLI 没有登录，或者 API key 无效。',
    },
    nextStep: {
      en: 'Run `cursor-agent login` in a terminal, or give this plugin a valid CURSOR_API_KEY in `env`.',
      zh: '在终端里运行 `cursor-agent login`，或者在本插件的 `env` 里提供有效的 CURSOR_API_KEY。',
    },
  },
  'credential-store': {
    happened: {
      en: "The Cursor CLI could not read its login from the system's credential store.",
      zh: 'Cursor CLI 没能从系统的凭据存储里读到登录信息。',
    },
    nextStep: {
      en: 'Try again: parallel starts can race for it. If it stays, unlock the keychain or run `cursor-agent login` again.',
      zh: '再试一次：同时启动的多个进程会争抢它。如果一直这样，解锁钥匙串，或者重新运行 `cursor-agent login`。',
    },
  },
  'invalid-model': {
    happened: {
      en: 'The Cursor CLI does not offer this model.',
      zh: 'Cursor CLI 不提供这个模型。',
    },
    inDetail: {
      model: {
        en: 'The Cursor CLI does not offer the model {model}.',
        zh: 'Cursor CLI 不提供模型 {model}。',
      },
      /** Said behind that. */
      closest: { en: 'Closest: {models}.', zh: '名称最接近的是：{models}。' },
    },
    nextStep: {
      en: 'Set `model` to an id that `cursor-agent models` lists, or leave it out to use the account default.',
      zh: '把 `model` 设为 `cursor-agent models` 列出的某个 id，或者不设，使用账号的默认模型。',
    },
  },
  'plan-limit': {
    happened: {
      en: "Named models are not part of this account's Cursor plan.",
      zh: '这个账号的 Cursor 套餐不能指定模型。',
    },
    nextStep: {
      en: 'Set `model` to auto, or upgrade the plan.',
      zh: '把 `model` 设为 auto，或者升级套餐。',
    },
  },
  'usage-limit': {
    happened: {
      en: "The account's Cursor usage limit is reached.",
      zh: '账号的 Cursor 用量已到上限。',
    },
    inDetail: {
      date: {
        en: "The account's Cursor usage limit is reached; it resets on {date}.",
        zh: '账号的 Cursor 用量已到上限，重置日期是 {date}。',
      },
    },
    nextStep: {
      en: "Wait until it resets, raise the spend limit or upgrade in Cursor's dashboard.",
      zh: '等用量重置，或者到 Cursor 的控制台提高消费上限、升级套餐。',
    },
  },
  'rate-limited': {
    happened: {
      en: "Cursor's servers refused the run for lack of capacity.",
      zh: 'Cursor 的服务器容量不足，拒绝了这次运行。',
    },
    nextStep: {
      en: 'Try again in a few minutes, with fewer delegations at once, or set another `model`.',
      zh: '过几分钟再试，减少同时进行的委派，或者换一个 `model`。',
    },
  },
  network: {
    happened: {
      en: "The Cursor CLI lost or did not get its connection to Cursor's servers.",
      zh: 'Cursor CLI 没连上 Cursor 的服务器，或者连接中断了。',
    },
    nextStep: {
      en: 'Check the network; behind a proxy or TLS inspection set HTTPS_PROXY and NODE_EXTRA_CA_CERTS for the host or in `env`. Then try again.',
      zh: '检查网络；如果要经过代理，或者公司网络会解密检查 HTTPS 流量，就在 DSH 的环境变量或本插件的 `env` 里设置 HTTPS_PROXY 和 NODE_EXTRA_CA_CERTS，然后再试。',
    },
  },
  'workspace-not-trusted': {
    happened: {
      en: 'The Cursor CLI does not trust the working directory.',
      zh: 'Cursor CLI 不信任这个工作目录。',
    },
    nextStep: {
      en: 'Run `cursor-agent` once in that directory and trust it, or update the CLI.',
      zh: '在该目录里运行一次 `cursor-agent` 并选择信任，或者更新 CLI。',
    },
  },
  'sandbox-unavailable': {
    happened: {
      en: "Cursor's sandbox is not available on this system.",
      zh: '这个系统上用不了 Cursor 的沙箱。',
    },
    nextStep: {
      en: `Set \`permissionMode\` to ${MODES_EVERYWHERE.en}, or make the sandbox work (on Linux: AppArmor and user namespaces).`,
      zh: `把 \`permissionMode\` 设为 ${MODES_EVERYWHERE.zh}，或者让沙箱可用（Linux 上看 AppArmor 和用户命名空间）。`,
    },
  },
  'admin-policy': {
    happened: {
      en: "The Cursor team's administrator has disabled this use.",
      zh: 'Cursor 团队的管理员不允许这样使用。',
    },
    nextStep: {
      en: 'Ask the administrator, or use another `permissionMode` or `model`.',
      zh: '联系管理员，或者换一个 `permissionMode` 或 `model`。',
    },
  },
  'cli-outdated': {
    happened: {
      en: 'The Cursor CLI is too old, or does not accept an option of the command line.',
      zh: 'Cursor CLI 版本太旧，或者不接受命令行里的某个参数。',
    },
    inDetail: {
      option: {
        en: 'The Cursor CLI does not accept the option {option}.',
        zh: 'Cursor CLI 不接受参数 {option}。',
      },
    },
    nextStep: {
      en: 'Update it with `cursor-agent update`, and check `extraArgs`.',
      zh: '用 `cursor-agent update` 更新它，并检查 `extraArgs`。',
    },
  },
  'cli-config': {
    happened: {
      en: "The Cursor CLI's own configuration is busy, damaged or not writable.",
      zh: 'Cursor CLI 自己的配置文件被占用、已损坏或不可写。',
    },
    nextStep: {
      en: 'Try again: parallel starts can race for it. If it stays, check that the file is whole and can be written, or set CURSOR_CONFIG_DIR in `env` to a directory of its own.',
      zh: '再试一次：同时启动的多个进程会争抢它。如果一直这样，检查文件是否完整、可写，或者在 `env` 里用 CURSOR_CONFIG_DIR 给它一个单独的目录。',
    },
  },
  timeout: {
    happened: { en: 'The run reached its time limit.', zh: '运行时间达到了上限。' },
    nextStep: {
      en: 'Give a smaller task, or raise the limit; background shells that the agent starts keep a run open.',
      zh: '把任务拆小，或者提高上限；智能体启动的后台命令会让运行一直不结束。',
    },
  },
  killed: {
    happened: {
      en: 'The Cursor CLI was stopped from outside before it gave a result.',
      zh: 'Cursor CLI 在给出结果之前被外部终止了。',
    },
    inDetail: {
      signal: {
        en: 'The Cursor CLI was stopped by {signal} before it gave a result.',
        zh: 'Cursor CLI 在给出结果之前被 {signal} 信号终止了。',
      },
      code: {
        en: 'The Cursor CLI was stopped from outside (exit code {code}) before it gave a result.',
        zh: 'Cursor CLI 在给出结果之前被外部终止了（退出码 {code}）。',
      },
    },
    nextStep: {
      en: 'Look for what stopped it (a person, memory pressure, a service manager), then try again.',
      zh: '查明终止的原因（人为操作、内存不足、服务管理器），然后再试。',
    },
  },
  'stream-framing': {
    happened: {
      en: 'The output of the Cursor CLI held a line of more than 8 MiB that is no known event.',
      zh: 'Cursor CLI 的输出里有一行超过 8 MiB，而且不是已知的事件。',
    },
    nextStep: {
      en: 'Check `extraArgs` for an output option, and update the CLI with `cursor-agent update`.',
      zh: '检查 `extraArgs` 里有没有改变输出的参数，并用 `cursor-agent update` 更新 CLI。',
    },
  },
  'empty-answer': {
    happened: {
      en: 'The agent finished without an answer.',
      zh: '智能体已结束，但没有给出回答。',
    },
    nextStep: {
      en: 'Its work may be done all the same: look at the workspace, or delegate again and ask for the result in the final reply.',
      zh: '工作可能已经做完：看一下工作区，或者重新委派并要求在最后的回复里写出结果。',
    },
  },
  'agent-error': {
    happened: {
      en: 'The Cursor CLI reported that the agent failed.',
      zh: 'Cursor CLI 报错：智能体执行失败。',
    },
    inDetail: {
      subtype: {
        en: 'The Cursor CLI reported that the agent failed ({subtype}).',
        zh: 'Cursor CLI 报错：智能体执行失败（{subtype}）。',
      },
    },
    nextStep: {
      en: 'Try again, with a smaller task if it repeats.',
      zh: '再试一次；如果还失败，把任务拆小。',
    },
  },
  'action-required': {
    happened: {
      en: 'Cursor wants something done about the account or a setting first.',
      zh: 'Cursor 要求先处理账号或某项设置。',
    },
    nextStep: {
      en: "Do what it says in Cursor's dashboard (cursor.com/dashboard), or set another `model` if it is about the model. Trying again changes nothing.",
      zh: '按提示到 Cursor 控制台（cursor.com/dashboard）处理；如果与模型有关，也可以换一个 `model`。直接重试没有用。',
    },
  },
  'server-error': {
    happened: {
      en: "Cursor's server or the model's provider failed.",
      zh: 'Cursor 的服务器或模型提供商出错了。',
    },
    nextStep: {
      en: 'Try again later, or set another `model`.',
      zh: '稍后再试，或者换一个 `model`。',
    },
  },
  'request-rejected': {
    happened: {
      en: "Cursor's server rejected the request as it is.",
      zh: 'Cursor 的服务器不接受这个请求。',
    },
    nextStep: {
      en: 'Give a smaller task, set another `model`, or check `extraArgs`. Trying the same again changes nothing.',
      zh: '把任务拆小、换一个 `model`，或者检查 `extraArgs`。原样重试没有用。',
    },
  },
  'no-result': {
    happened: {
      en: 'The Cursor CLI ended without a result.',
      zh: 'Cursor CLI 没有给出结果就结束了。',
    },
    inDetail: {
      code: {
        en: 'The Cursor CLI ended with exit code {code} and no result.',
        zh: 'Cursor CLI 没有给出结果就结束了（退出码 {code}）。',
      },
      silentCode: {
        en: 'The Cursor CLI ended with exit code {code} and no message.',
        zh: 'Cursor CLI 没有任何输出就结束了（退出码 {code}）。',
      },
      running: {
        en: 'The Cursor CLI closed its output without a result and went on running.',
        zh: 'Cursor CLI 没有给出结果就关闭了输出，但进程还在运行。',
      },
    },
    nextStep: {
      en: 'Run `{doctor} --probe` to see whether a small task works.',
      zh: '运行 `{doctor} --probe`，看一个小任务能不能成功。',
    },
  },
} as const satisfies Record<string, CategoryText>

export type FailureCategory = keyof typeof CATEGORIES

/** Next steps that replace or complete a category's own one, where that is too general. */
export const ADVICE = {
  workspaceChanged: {
    en: 'Tool calls had completed by then, so files in the workspace may have changed: look before you delegate again.',
    zh: '失败之前已经完成了一些工具调用，工作区里的文件可能改过了：再次委派前先检查一下。',
  },
  keyRejected: {
    en: 'Its key was rejected: put a valid CURSOR_API_KEY into `env`, or remove it and run `cursor-agent login`.',
    zh: 'API key 无效：在 `env` 里填有效的 CURSOR_API_KEY，或者去掉它并运行 `cursor-agent login`。',
  },
  keychainLocked: {
    en: 'Unlock it with `security unlock-keychain`, or set AGENT_CLI_CREDENTIAL_STORE to file in `env` and run `cursor-agent login` once with the same setting.',
    zh: '用 `security unlock-keychain` 解锁，或者在 `env` 里把 AGENT_CLI_CREDENTIAL_STORE 设为 file，并在同样的设置下运行一次 `cursor-agent login`。',
  },
  nodeOptions: {
    en: "The CLI's own Node refuses a flag in NODE_OPTIONS: remove it from `env`.",
    zh: 'CLI 自带的 Node 不接受 NODE_OPTIONS 里的某个参数：把它从 `env` 里去掉。',
  },
  applicationControl: {
    en: 'Installing again does not help: an Application Control policy of Windows (Smart App Control, AppLocker, WDAC) blocks a file of the CLI. Allow it there, or ask who manages this computer.',
    zh: '重新安装没有用：Windows 的应用程序控制策略（Smart App Control、AppLocker、WDAC）拦截了 CLI 的文件。请在策略里放行，或联系这台电脑的管理员。',
  },
  quarantine: {
    en: 'macOS blocks a file of the CLI: install it again with the command of cursor.com/cli, or take the quarantine off with `xattr -dr com.apple.quarantine` on its directory.',
    zh: 'macOS 拦截了 CLI 的文件：用 cursor.com/cli 上的命令重新安装，或者对它的目录运行 `xattr -dr com.apple.quarantine` 解除隔离。',
  },
  systemLibraries: {
    en: "The program does not fit this system: its C library is too old, or another one (Alpine's musl), or a library is missing. Installing again does not help; use a newer or fuller system or image.",
    zh: '程序与当前系统不匹配：C 库太旧或不是 glibc（如 Alpine 的 musl），或者缺少某个库。重新安装没有用，请换用更新或更完整的系统或镜像。',
  },
  wrongMachine: {
    en: 'The install is for another processor or system: install the CLI on this machine itself.',
    zh: '这份 CLI 是为其他处理器或系统构建的：请直接在这台机器上安装 CLI。',
  },
  otherModel: {
    en: 'Set another `model`, or leave it out to use the account default.',
    zh: '换一个 `model`，或者不设，使用账号的默认模型。',
  },
  proxy: {
    en: 'Check the proxy: HTTPS_PROXY of the host or in `env`, its credentials, and whether it lets api2.cursor.sh through.',
    zh: '检查代理：DSH 环境变量或 `env` 里的 HTTPS_PROXY、代理的用户名和密码，以及代理是否放行 api2.cursor.sh。',
  },
  fewerTools: {
    en: "Set `approveMcps: false`, or switch off MCP servers in Cursor's settings: the CLI sends every tool of all of them in each request.",
    zh: '设置 `approveMcps: false`，或者在 Cursor 的设置里关掉一些 MCP 服务器：CLI 会在每个请求里带上它们的全部工具。',
  },
  smallerTask: {
    en: 'Give a smaller task, name files instead of quoting them, or set a `model` with a larger window. Trying the same again changes nothing.',
    zh: '把任务拆小，只写文件名，不要贴内容，或者换一个上下文更大的 `model`。原样重试没有用。',
  },
} as const satisfies Record<string, Words>

export type AdviceName = keyof typeof ADVICE
