// A button that copies a text unchanged and confirms it, and a sentence with such a button for each
// command in it.

import { useEffect, useState, type ReactNode } from 'react'
import type { Translate } from './page.ts'

const SHOWN_MS = 1500

export function CopyButton(props: {
  t: Translate
  text: string | (() => Promise<string>)
  /** For screen readers, if "Copy" alone is not clear. */
  label?: string
}): ReactNode {
  const { t, text } = props
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async (): Promise<void> => {
    if (await writeClipboard(typeof text === 'string' ? text : await text())) setCopied(true)
  }
  return (
    <button
      type="button"
      className="dsh-cursor-copy"
      aria-label={props.label}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{t(copied ? 'copied' : 'copy')}</span>
    </button>
  )
}

/** Without TLS, a page on another machine has no `navigator.clipboard`. */
async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.style.cssText = 'position: fixed; opacity: 0'
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}

/** Tells a command in backticks from a mere name: it contains a space. */
const COMMAND = /^\S+ \S/

/** Shows a sentence with its backticked names as code, and a copy button after each command. */
export function Sentence({ t, text }: { t: Translate; text: string }): ReactNode {
  return text.split('`').map((part, at) => {
    if (at % 2 === 0) return part
    const code = <code className="dsh-cursor-code">{part}</code>
    return COMMAND.test(part) && !part.includes(': ') ? (
      <span key={at} className="dsh-cursor-command">
        {code} <CopyButton t={t} text={part} label={t('copyCommand', { command: part })} />
      </span>
    ) : (
      <span key={at}>{code}</span>
    )
  })
}
