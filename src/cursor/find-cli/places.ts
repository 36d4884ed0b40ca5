/**
 * Describes the places where `../find-cli.ts` looked for the CLI, in both languages. Imports
 * nothing from Node, because the web page may use it too.
 */

import type { Language, Words } from '../../words.ts'

/** `{path}` and `{detail}` are replaced by the reason's fields of that name. */
const WORDS = {
  usable: { en: 'usable', zh: '可用' },
  missing: { en: 'nothing there', zh: '不存在' },
  'no-home': {
    en: 'this process has no home directory, or a relative one',
    zh: '当前进程没有主目录，或主目录是相对路径',
  },
  relative: {
    en: 'a relative path, which would lie in the workspace',
    zh: '相对路径，指的是工作区里的位置',
  },
  'not-on-path': { en: 'no `cursor-agent` there', zh: '其中没有 `cursor-agent`' },
  'index-missing': { en: 'index.js is missing', zh: '缺少 index.js' },
  'node-missing': { en: '{detail} is missing', zh: '缺少 {detail}' },
  'node-not-executable': {
    en: 'its {detail} is not executable (EACCES)',
    zh: '其中的 {detail} 不可执行（EACCES）',
  },
  unreadable: { en: 'it cannot be read ({detail})', zh: '无法读取（{detail}）' },
  'link-unreadable': {
    en: 'a link to {path}, which cannot be read ({detail})',
    zh: '指向 {path} 的链接，但目标无法读取（{detail}）',
  },
  'link-leads-nowhere': {
    en: 'a link to {path}, where nothing is',
    zh: '指向 {path} 的链接，但目标不存在',
  },
  loop: {
    en: 'links or wrapper scripts that lead back to each other',
    zh: '链接或包装脚本互相指向，形成循环',
  },
  wrapper: {
    en: 'a wrapper script, with no index.js beside it and no install named at its end',
    zh: '包装脚本，旁边没有 index.js，末尾也没有写明启动的是哪个 CLI',
  },
  'wrapper-leads-nowhere': {
    en: 'a wrapper script for {path}, where no program is',
    zh: '指向 {path} 的包装脚本，但那里没有程序',
  },
  'wrapper-unreadable': {
    en: 'a wrapper script for {path}, which cannot be read ({detail})',
    zh: '指向 {path} 的包装脚本，但目标无法读取（{detail}）',
  },
  'mise-shim': {
    en: 'a shim of mise, not an install; set `cliPath` to {path}',
    zh: 'mise 的 shim，不是 CLI 本身；请把 `cliPath` 设为 {path}',
  },
  editor: {
    en: 'the launcher of the Cursor editor ({detail}), not the Cursor CLI',
    zh: 'Cursor 编辑器的启动程序（{detail}），不是 Cursor CLI',
  },
  foreign: {
    en: 'no install of the Cursor CLI (no index.js beside it)',
    zh: '不是 Cursor CLI（旁边没有 index.js）',
  },
} as const satisfies Record<string, Words>

export interface PlaceReason {
  readonly code: keyof typeof WORDS
  /** The target of a link or wrapper, or the path to use instead. */
  readonly path?: string
  /** A file name, or the system's error code. */
  readonly detail?: string
}

export interface Place {
  readonly path: string
  readonly state: 'missing' | 'unusable' | 'usable'
  /** Always set for `unusable`. */
  readonly reason?: PlaceReason
}

/** @returns the rest of a sentence about the place, without a full stop. */
export function placeReason({ state, reason }: Place, language: Language): string {
  const {
    code,
    path = '',
    detail = '',
  } = reason ?? {
    code: state === 'usable' ? 'usable' : 'missing',
  }
  return WORDS[code][language].replace(/\{(path|detail)\}/g, (_, name) =>
    name === 'path' ? path : detail,
  )
}
