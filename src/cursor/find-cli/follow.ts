/**
 * Follows a command to its install, through links and through wrapper scripts that end in `exec`.
 * It reads files and never runs anything. `../find-cli.ts` decides which directories are installs.
 */

import type { PlaceReason } from './places.ts'
import { absolutePath, pathOf, type System } from '../system.ts'

export type Lead = { readonly directory: string } | { readonly reason: PlaceReason }

/** In bytes. The CLI's own launcher is about 1 KiB, and handwritten wrappers are small too. */
const LONGEST_SCRIPT = 16_384
const MOST_LEVELS = 8

const EDITOR_NAME = /^cursor(?:\.(?:exe|cmd|ps1)|(?:-[^/\\]*)?\.appimage)?$/i
const MISE_NAME = /^mise(?:\.exe)?$/i

export function isEditorLauncher(name: string): boolean {
  return EDITOR_NAME.test(name)
}

export function follow(
  system: System,
  command: string,
  isInstall: (directory: string) => boolean,
): Lead | undefined {
  const { files } = system
  const { basename, dirname } = pathOf(system)
  const visited = new Set<string>()
  let file = command
  for (;;) {
    if (!files.isFile(file)) {
      const obstacle = obstacleAt(system, file)
      if (obstacle?.code === 'link-leads-nowhere' && obstacle.path !== undefined) {
        // The CLI deletes old versions; a link to one still shows where the newer ones are.
        const directory = dirname(obstacle.path)
        if (isInstall(directory) && files.isDirectory(dirname(directory))) return { directory }
      }
      if (file === command) return obstacle && { reason: obstacle }
      if (obstacle === undefined) return { reason: { code: 'wrapper-leads-nowhere', path: file } }
      const { code, detail = '' } = obstacle
      return {
        reason:
          code === 'unreadable' ? { code: 'wrapper-unreadable', path: file, detail } : obstacle,
      }
    }
    const real = files.realPath(file) ?? file
    if (visited.has(real) || visited.size === MOST_LEVELS) return { reason: { code: 'loop' } }
    visited.add(real)
    const name = basename(real)
    if (isInstall(dirname(real))) return { directory: dirname(real) }
    if (MISE_NAME.test(name)) {
      return { reason: { code: 'mise-shim', path: miseInstalls(system, file) } }
    }
    if (isEditorLauncher(name)) return { reason: { code: 'editor', detail: name } }
    const script = scriptAt(system, real)
    const program = script === undefined ? undefined : programOf(lastStatement(script))
    const next = absolutePath(system, program)
    if (next === undefined) {
      const code = script?.startsWith('#!') ? 'wrapper' : 'foreign'
      return { reason: obstacleAt(system, real) ?? { code } }
    }
    file = next
  }
}

/** @returns why a path that exists cannot be read, or `undefined` if it can. */
export function obstacleAt({ files }: System, path: string): PlaceReason | undefined {
  const obstacle = files.obstacle?.(path)
  if (obstacle === undefined) return undefined
  const { error: detail, target } = obstacle
  if (detail === 'ELOOP') return { code: 'loop' }
  if (target === undefined) return { code: 'unreadable', detail }
  return detail === 'ENOENT'
    ? { code: 'link-leads-nowhere', path: target }
    : { code: 'link-unreadable', path: target, detail }
}

/** Whether `file` is a shell script that ends in `exec`, so the child becomes the CLI itself. */
export function isLauncher(system: System, file: string): boolean {
  if (system.platform === 'win32' || !system.files.isExecutable(file)) return false
  const text = scriptAt(system, file)
  // With CRLF line ends the kernel looks for an interpreter called `bash\r`.
  if (text === undefined || !text.startsWith('#!') || text.includes('\r\n')) return false
  return /^exec\s/.test(lastStatement(text))
}

/** @returns the text of a shell script. Shells also run scripts without a `#!` line. */
function scriptAt({ files }: System, file: string): string | undefined {
  const text = files.textOf(file, LONGEST_SCRIPT)
  // A longer script was not read to its end, and only the end says what it starts.
  if (text === undefined || Buffer.byteLength(text) >= LONGEST_SCRIPT) return undefined
  if (text.includes('\0')) return undefined
  return text.startsWith('#!') && !/^#!.*\b(?:ba|da|z|k)?sh\b/.test(text) ? undefined : text
}

/** The last line that is not blank or a comment, joined with the lines that it continues. */
function lastStatement(script: string): string {
  const lines = script
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  let first = lines.length - 1
  while (first > 0 && lines[first - 1]?.endsWith('\\')) first--
  return lines.slice(Math.max(first, 0)).join('\n').replaceAll('\\\n', ' ')
}

/** Shell words; skips a quote that is never closed. */
const SHELL_WORDS = /(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"\\])+/gs
const ASSIGNMENT = /^\w+=/

/**
 * Finds the program of an `exec` statement, also after `env` and `exec -a name`.
 * @returns `undefined` if the name depends on a variable or a command.
 */
function programOf(statement: string): string | undefined {
  const words = statement.match(SHELL_WORDS) ?? []
  let at = 0
  const skip = (pattern: RegExp, withValue?: RegExp): void => {
    while (pattern.test(words[at] ?? '')) at += withValue?.test(words[at] ?? '') ? 2 : 1
  }
  skip(ASSIGNMENT)
  if (words[at++] !== 'exec') return undefined
  skip(/^-/, /^-[cl]*a$/)
  if (/(?:^|\/)env$/.test(literal(words[at]) ?? '')) {
    at++
    skip(/^-|^\w+=/, /^(?:-u|--unset|-C|--chdir)$/)
  }
  return literal(words[at])
}

/** Removes the quotes of a shell word; `undefined` if the shell would expand something in it. */
function literal(word: string | undefined): string | undefined {
  let text = ''
  for (const [part] of word?.matchAll(/\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\\'"]+/gs) ?? []) {
    if (part.startsWith("'")) text += part.slice(1, -1)
    else if (part.startsWith('\\')) text += part.slice(1)
    else if (/(?<!\\)[$`]/.test(part)) return undefined
    else text += part.startsWith('"') ? part.slice(1, -1).replace(/\\([$`"\\])/g, '$1') : part
  }
  return word === undefined ? undefined : text.replace(/;$/, '')
}

/** Where mise keeps the CLI versions that its shim chooses from. */
function miseInstalls(system: System, shim: string): string {
  const { basename, dirname, join } = pathOf(system)
  const shims = dirname(shim)
  const data =
    basename(shims) === 'shims' ? dirname(shims) : join(system.home, '.local', 'share', 'mise')
  return join(data, 'installs', 'cursor-agent')
}
