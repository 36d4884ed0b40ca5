// The card's texts in the page's two languages. Failures and their help come from the doctor and
// the configuration check as they are, in English.

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

  status: '状态',
  checking: '检查中…',
  check: '重新检查',
  probe: '试运行',
  probing: '试运行中…',
  probeHint: '试运行会真的跑一个小任务，消耗少量 Cursor 额度（约 1 万输入 token）。',
  install: '安装',
  installOk: '{version}，位于 {directory}',
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

  model: '模型',
  modelHint: '省略时由 Cursor 账户的默认模型决定。指定后 CLI 会把它存为自己的当前模型。',
  modelSearch: '搜索模型',
  accountDefault: '账户默认',
  default: '账户默认',
  current: 'CLI 当前',
  asTyped: '使用“{id}”',
  noModel: '没有匹配的模型',

  permissionMode: '权限模式',
  trust: '可读写文件；不能运行 shell 命令。默认。',
  safe: '在 Cursor 的沙箱里读写文件、运行命令。',
  yolo: '不受限制：包括 shell 命令，全部自动批准。',
  plan: '只读，给出方案。',
  ask: '只读，回答问题。',
  modeUnavailable: '此平台不支持',

  approveMcps: 'MCP 服务器',
  approveMcpsLabel: '批准所有已配置的 MCP 服务器',
  approveMcpsHint: '与权限模式无关：不批准时，CLI 不使用第三方 MCP 服务器。',

  limits: '限制（毫秒）',
  timeoutMs: '单次运行时限',
  stallTimeoutMs: '无输出时限',
  disposeGraceMs: '终止前的宽限',
  none: '不限',
}

const en: Record<keyof typeof zh, string> = {
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

  status: 'Status',
  checking: 'Checking…',
  check: 'Check again',
  probe: 'Test run',
  probing: 'Running…',
  probeHint:
    'A test run does a small task for real and uses some Cursor quota (about 10,000 input tokens).',
  install: 'Install',
  installOk: '{version} in {directory}',
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

  model: 'Model',
  modelHint:
    "Left out, the Cursor account's default rules. A named one is also saved by the CLI as its current model.",
  modelSearch: 'Search models',
  accountDefault: 'Account default',
  default: 'account default',
  current: 'current in the CLI',
  asTyped: 'Use “{id}”',
  noModel: 'No model matches',

  permissionMode: 'Permission mode',
  trust: 'Reads and writes files; no shell commands. The default.',
  safe: "Reads, writes and runs commands inside Cursor's sandbox.",
  yolo: 'No limits: everything is approved, shell commands included.',
  plan: 'Read-only: makes a plan.',
  ask: 'Read-only: answers questions.',
  modeUnavailable: 'not on this platform',

  approveMcps: 'MCP servers',
  approveMcpsLabel: 'Approve all configured MCP servers',
  approveMcpsHint:
    'Apart from the permission mode: without it the CLI uses no third-party MCP servers.',

  limits: 'Limits (ms)',
  timeoutMs: 'Time limit of one run',
  stallTimeoutMs: 'Limit on silence',
  disposeGraceMs: 'Grace before the kill',
  none: 'none',
}

export const DICTIONARIES = { zh, en }

export type TextKey = keyof typeof zh
