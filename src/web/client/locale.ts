// The card's texts in the page's two languages. A refused value is told in the words of the
// configuration check, and a finding that has no text here in those of the self-check, both English.

const zh = {
  title: 'Cursor 子代理',
  description: '把任务委派给 Cursor CLI（cursor-agent）。',
  unsaved: '未保存',
  readOnly: '此部署的设置为只读。',
  own: '已自定义',
  reset: '恢复为配置文件的值',
  save: '保存',
  saving: '保存中…',
  discard: '放弃',
  saved: '已保存，下一次委派生效。',
  conflict: '设置刚在别处改动过，已重新读取。请核对后再保存。',

  status: '状态',
  checking: '检查中…',
  check: '重新检查',
  probe: '试运行',
  probing: '试运行中，通常需要几秒到半分钟…',
  cancel: '取消',
  probeHint: '试运行会真的跑一个小任务，消耗少量 Cursor 额度（约 1 万输入 token）。',
  install: '安装',
  installOk: '{version}',
  login: '登录',
  loginOk: '已登录',
  models: '模型',
  modelsOk: '{count} 个可用',
  probed: '试运行',
  probedOk: '成功，用时 {total} 秒（首个事件 {first} 秒）',
  unknown: '未检查',
  ok: '正常',
  warning: '警告',
  failed: '失败',

  'found.cli-not-found':
    '没有找到 Cursor CLI。请按 cursor.com/cli 安装并运行 cursor-agent login，或在配置文件里设置 cliPath。',
  'found.broken-install':
    '已安装，但无法运行。请按 cursor.com/cli 重新安装，或把 cliPath 设为一个完整的安装。',
  'found.half-written': '{version}；还有一个更新的版本不完整，可能正在更新。',
  'found.old-version': '{version} 较旧，可能不支持委派所需的选项。请运行 cursor-agent update。',
  'found.not-authenticated':
    '未登录，或密钥被拒绝。请在终端运行 cursor-agent login，或在配置文件的 env 里设置有效的 CURSOR_API_KEY。',
  'found.details-missing': '已登录，但 CLI 取不到账户信息，委派可能失败。可用“试运行”确认。',
  'found.own-key': '未登录，但配置里有 CURSOR_API_KEY。可用“试运行”确认它有效。',
  'found.invalid-model':
    '账户的 {count} 个模型里没有所配置的 {model}。请在下面另选一个，或选“不指定”。',
  'found.plan-limit': '此账户的套餐只能使用 auto。请把模型设为 auto，或升级套餐。',
  'found.usage-limit': '账户的 Cursor 用量已达上限。请等待重置，或在 Cursor 控制台提高上限。',
  'found.rate-limited': 'Cursor 服务器暂无容量。请过几分钟再试。',
  'found.network':
    'CLI 连不上 Cursor 服务器。请检查网络；若有代理，请设置 HTTPS_PROXY 和 NODE_EXTRA_CA_CERTS。',
  'found.timeout': 'CLI 没有按时回答。请在终端运行 cursor-agent，看它在等什么。',
  'found.not-understood': '无法识别 CLI 的回答。可用“试运行”确认委派是否可用。',
  'found.not-exact': '能运行，用时 {total} 秒，但回答不是所要求的 PONG。',

  model: '模型',
  modelHint:
    '不指定时，CLI 使用它上次保存的模型，没有则用账户默认模型。指定的模型会被 CLI 保存为它的当前模型。',
  modelSearch: '搜索模型',
  noModelSet: '不指定（由 Cursor 决定）',
  default: '账户默认',
  current: 'CLI 当前',
  asTyped: '使用“{id}”',

  permissionMode: '权限模式',
  trust: '可读写文件；不运行 shell 命令，除非 Cursor 里已允许。默认。',
  safe: '在 Cursor 的沙箱里读写文件、运行命令。',
  yolo: '不受限制：一切自动批准，包括 shell 命令。',
  plan: '只读，给出方案。',
  ask: '只读，回答问题。',
  modeUnavailable: '此平台不支持',

  approveMcps: 'MCP 服务器',
  approveMcpsLabel: '批准所有已配置的 MCP 服务器',
  approveMcpsHint: '与权限模式无关：不批准时，CLI 不使用第三方 MCP 服务器。',

  limits: '时限（毫秒）',
  limitsHint:
    '前两项留空为不限，宽限留空则用这一行的值。宽限是停止一次运行时，强制结束之前留给 CLI 的时间。',
  timeoutMs: '单次运行',
  stallTimeoutMs: '无输出',
  disposeGraceMs: '停止宽限',
  none: '不限',
}

export type TextKey = keyof typeof zh

const en: Record<TextKey, string> = {
  title: 'Cursor subagent',
  description: 'Delegates tasks to the Cursor CLI (cursor-agent).',
  unsaved: 'Unsaved',
  readOnly: 'The settings of this deployment are read-only.',
  own: 'Customised',
  reset: "Back to the profile's value",
  save: 'Save',
  saving: 'Saving…',
  discard: 'Discard',
  saved: 'Saved. The next delegation uses it.',
  conflict:
    'The settings were changed elsewhere and have been read again. Check them and save again.',

  status: 'Status',
  checking: 'Checking…',
  check: 'Check again',
  probe: 'Test run',
  probing: 'Running; this takes seconds, at most half a minute as a rule…',
  cancel: 'Cancel',
  probeHint:
    'A test run does a small task for real and uses some Cursor quota (about 10,000 input tokens).',
  install: 'Install',
  installOk: '{version}',
  login: 'Login',
  loginOk: 'Logged in',
  models: 'Models',
  modelsOk: '{count} available',
  probed: 'Test run',
  probedOk: 'Passed in {total} s (first event after {first} s)',
  unknown: 'Not checked',
  ok: 'OK',
  warning: 'Warning',
  failed: 'Failed',

  'found.cli-not-found':
    'The Cursor CLI was not found. Install it as cursor.com/cli says and run cursor-agent login, or set cliPath in the profile.',
  'found.broken-install':
    'Installed, but it cannot run. Install it again as cursor.com/cli says, or set cliPath to a complete install.',
  'found.half-written':
    '{version}; a newer version beside it is not complete. An update may be under way.',
  'found.old-version':
    '{version} is old and may not know the options of a delegation. Run cursor-agent update.',
  'found.not-authenticated':
    'Not logged in, or the key was rejected. Run cursor-agent login in a terminal, or set a valid CURSOR_API_KEY in env of the profile.',
  'found.details-missing':
    'Logged in, but the CLI could not fetch the account, so delegations may fail. A test run shows it.',
  'found.own-key':
    'Not logged in, but the profile gives a CURSOR_API_KEY. A test run shows whether it is accepted.',
  'found.invalid-model':
    'The configured {model} is not among the {count} models of the account. Pick another one below, or “Not set”.',
  'found.plan-limit':
    "This account's plan can only use auto. Pick auto below, or upgrade the plan.",
  'found.usage-limit':
    "The account's Cursor usage limit is reached. Wait until it resets, or raise it in Cursor's dashboard.",
  'found.rate-limited': "Cursor's servers have no capacity now. Try again in a few minutes.",
  'found.network':
    "The CLI cannot reach Cursor's servers. Check the network; behind a proxy set HTTPS_PROXY and NODE_EXTRA_CA_CERTS.",
  'found.timeout':
    'The CLI did not answer in time. Run cursor-agent in a terminal to see what it waits for.',
  'found.not-understood':
    "The CLI's answer is not understood. A test run shows whether delegations work.",
  'found.not-exact': 'A run works ({total} s), but the answer was not the PONG that was asked for.',

  model: 'Model',
  modelHint:
    "Not set, the CLI uses the model it saved last, or else the account's default. One that is set here is also saved by the CLI as its current model.",
  modelSearch: 'Search models',
  noModelSet: 'Not set (Cursor decides)',
  default: 'account default',
  current: 'current in the CLI',
  asTyped: 'Use “{id}”',

  permissionMode: 'Permission mode',
  trust: 'Reads and writes files, no shell unless Cursor allows it. Default.',
  safe: "Reads, writes and runs commands inside Cursor's sandbox.",
  yolo: 'No limits: everything is approved, shell commands included.',
  plan: 'Read-only: makes a plan.',
  ask: 'Read-only: answers questions.',
  modeUnavailable: 'not on this platform',

  approveMcps: 'MCP servers',
  approveMcpsLabel: 'Approve all configured MCP servers',
  approveMcpsHint:
    'Apart from the permission mode: without it the CLI uses no third-party MCP servers.',

  limits: 'Time limits (ms)',
  limitsHint:
    "Empty means none; an empty grace is the row's again. The grace is what the CLI gets, when a run is stopped, before it is killed.",
  timeoutMs: 'One run',
  stallTimeoutMs: 'Silence',
  disposeGraceMs: 'Grace to stop',
  none: 'none',
}

export const DICTIONARIES = { zh, en }

export function isTextKey(key: string): key is TextKey {
  return Object.hasOwn(zh, key)
}
