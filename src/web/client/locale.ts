// The texts of the row and the card, in the page's two languages. The texts of failure categories,
// modes and fields are in their own tables.

import { DELEGATION_TOKENS } from '../../cursor/measured.ts'
import type { Language, Words } from '../../words.ts'
import type { Translate } from './page.ts'

/** The name under which the page registers these texts. */
export const TEXTS = 'subagentCursor'

const WORDS = {
  language: { zh: 'zh', en: 'en' },
  copy: { zh: '复制', en: 'Copy' },
  copied: { zh: '已复制', en: 'Copied' },
  copyCommand: { zh: '复制命令 {command}', en: 'Copy the command {command}' },

  'row.running': { zh: '运行中', en: 'Running' },
  'row.ok': { zh: '已完成', en: 'Done' },
  'row.error': { zh: '失败', en: 'Failed' },
  'row.stopped': { zh: '已停止', en: 'Stopped' },
  'row.started': { zh: '已在后台开始', en: 'Started in the background' },
  'row.background': { zh: '后台', en: 'in the background' },
  'row.waiting': {
    zh: '已结束，正在等待同一批的其他调用',
    en: 'Finished; waiting for the other calls of this step',
  },
  'row.preparing': { zh: '正在生成任务…', en: 'The task is being written…' },
  'row.task': { zh: '任务', en: 'Task' },
  'row.answer': { zh: '回答', en: 'Answer' },
  'row.mode': { zh: '模式 {mode}', en: 'mode {mode}' },
  'row.model': { zh: '模型 {model}', en: 'model {model}' },
  'row.defaultModel': { zh: '默认模型', en: 'default model' },
  'row.calls': { zh: '{count} 次工具调用', en: '{count} tool calls' },
  'row.call': { zh: '{count} 次工具调用', en: '{count} tool call' },
  'row.tokens': { zh: '输入 {input}、输出 {output} token', en: '{input} tokens in, {output} out' },
  'row.files': { zh: '处理过的文件：', en: 'Files it worked on:' },
  'row.showAll': { zh: '显示全部', en: 'Show all' },
  'row.showLess': { zh: '收起', en: 'Show less' },
  'row.said': { zh: 'CLI 的原话：', en: 'The CLI says: ' },
  'row.next': { zh: '怎么办：', en: 'What to do:' },
  'row.details': { zh: '详情', en: 'Details' },
  'row.stoppedAfter': {
    zh: '运行 {time}后停止，已经做的修改会保留。',
    en: 'Stopped after {time}. What it has changed stays.',
  },
  'row.stoppedSometime': {
    zh: '已停止，已经做的修改会保留。',
    en: 'Stopped. What it has changed stays.',
  },
  'row.lost': {
    zh: '在后台运行，结束后会通知发起委派的智能体。',
    en: 'Runs in the background; the agent that delegated it is told the result.',
  },
  'time.seconds': { zh: '{seconds} 秒', en: '{seconds} s' },
  'time.minutes': { zh: '{minutes} 分 {seconds} 秒', en: '{minutes} min {seconds} s' },
  'time.hours': { zh: '{hours} 小时 {minutes} 分', en: '{hours} h {minutes} min' },

  title: { zh: 'Cursor 子智能体', en: 'Cursor subagent' },
  description: {
    zh: '把任务委派给 Cursor CLI（cursor-agent）。',
    en: 'Delegates tasks to the Cursor CLI (cursor-agent).',
  },
  unsaved: { zh: '未保存', en: 'Unsaved' },
  readOnly: { zh: '这里的设置不能修改。', en: 'The settings cannot be changed here.' },
  own: { zh: '已自定义', en: 'Customised' },
  reset: { zh: '恢复为 profile 中的值', en: "Back to the profile's value" },
  save: { zh: '保存', en: 'Save' },
  saving: { zh: '保存中…', en: 'Saving…' },
  discard: { zh: '放弃修改', en: 'Discard' },
  saved: { zh: '已保存，从下一次委派起生效。', en: 'Saved. The next delegation uses it.' },
  conflict: {
    zh: '设置刚在别处改动过，已重新读取。请核对后再保存。',
    en: 'The settings were changed elsewhere and have been read again. Check, then save.',
  },
  refused: { zh: '保存失败。', en: 'This was not saved.' },
  bad: {
    zh: '不能填“{found}”，应为：{allowed}。',
    en: '“{found}” cannot be used. Allowed: {allowed}.',
  },

  status: { zh: '状态', en: 'Status' },
  checking: { zh: '检查中…', en: 'Checking…' },
  check: { zh: '重新检查', en: 'Check again' },
  probe: { zh: '试运行', en: 'Test run' },
  probing: {
    zh: '试运行中，通常需要几秒到半分钟…',
    en: 'Test run: usually a few seconds to half a minute…',
  },
  cancel: { zh: '取消', en: 'Cancel' },
  probeHint: {
    zh: `试运行会真的跑一个小任务，消耗少量 Cursor 额度（约 ${DELEGATION_TOKENS.zh}输入 token）。`,
    en: `A test run runs a small task for real and uses a little of your Cursor quota (about ${DELEGATION_TOKENS.en} input tokens).`,
  },
  noButtons: {
    zh: '其他机器也可能打开这个页面，所以这里不做检查。请在终端运行：',
    en: 'This page may be open to other machines, so nothing is checked from here. Run in a terminal:',
  },
  installOk: { zh: '{version}', en: '{version}' },
  places: { zh: '找过的位置', en: 'Where it was looked for' },
  loginOk: { zh: '已登录', en: 'Logged in' },
  modelsOk: { zh: '{count} 个可用', en: '{count} available' },
  probedOk: {
    zh: '成功，用时 {total} 秒（首个事件 {first} 秒）',
    en: 'Passed in {total} s (first event after {first} s)',
  },
  skipped: { zh: '未检查', en: 'Not checked' },
  passed: { zh: '正常', en: 'OK' },
  warning: { zh: '警告', en: 'Warning' },
  failed: { zh: '失败', en: 'Failed' },

  modelSearch: { zh: '搜索模型', en: 'Search models' },
  noModelSet: { zh: '不指定（由 Cursor 决定）', en: 'Not set (Cursor decides)' },
  default: { zh: '账号默认', en: 'account default' },
  current: { zh: 'CLI 当前', en: 'current in the CLI' },
  asTyped: { zh: '使用“{id}”', en: 'Use “{id}”' },

  modeUnavailable: { zh: '此平台不支持', en: 'not on this platform' },

  approveMcpsLabel: { zh: '批准所有已配置的 MCP 服务器', en: 'Approve all configured MCP servers' },

  limits: { zh: '时限', en: 'Time limits' },
  limitsHint: {
    zh: '留空表示不限。“{grace}”是停止时留给 CLI 收尾的时间，留空则用 profile 中的值。',
    en: "An empty limit is none. “{grace}” is the time that the CLI gets to finish when it is stopped; left empty, it takes the profile's value.",
  },
  tooShort: {
    zh: '启动就要 {least} 到 {most} 秒，少于 {short} 秒时大多数任务做不完。',
    en: 'Starting alone takes {least} to {most} s; below {short} s most tasks will be cut off.',
  },
  minutes: { zh: '分', en: 'min' },
  seconds: { zh: '秒', en: 's' },
  timeAllowed: {
    zh: '大于 0 且不超过 {days} 天的时间',
    en: 'a time above 0 and at most {days} days',
  },
} as const satisfies Record<string, Words>

export type TextKey = keyof typeof WORDS

const inLanguage = (language: Language): Record<string, string> =>
  Object.fromEntries(Object.entries(WORDS).map(([key, words]) => [key, words[language]]))

export const DICTIONARIES = { zh: inLanguage('zh'), en: inLanguage('en') }

/** @returns the page's language, to pick texts from other tables. */
export function languageOf(t: Translate): Language {
  return t('language') === 'zh' ? 'zh' : 'en'
}
