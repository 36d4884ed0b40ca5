// The card's texts in the page's two languages. A refused value is told in the words of the
// configuration check, and a finding that has no text here in those of the self-check, both English.

const zh = {
  language: 'zh',
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
  language: 'en',
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
