// Shows an answer as Markdown with the page's own renderer, or else as wrapped plain text. The page's
// packages may change, so the row must survive a missing module and a renderer that throws.

import { Component, type ComponentType, type ReactNode } from 'react'
import type { Translate } from '../page.ts'

interface MarkdownProps {
  readonly text: string
  /** Up to 0.1.4. */
  readonly codeLabels: CodeLabels
  /** From 0.1.5 on. */
  readonly labels: { readonly code: CodeLabels; readonly footnotes: string }
}

interface CodeLabels {
  readonly copyLabel: string
  readonly copiedLabel: string
}

/** The page passes this to every bundle. It throws if the page lacks the module. */
declare const require: (module: string) => unknown

const PageMarkdown = pageMarkdown()

function pageMarkdown(): ComponentType<MarkdownProps> | undefined {
  try {
    const page = require('@deepseek-ai/dsh-client-ui-primitives') as Record<string, unknown>
    return page['MarkdownText'] as ComponentType<MarkdownProps> | undefined
  } catch {
    return undefined
  }
}

/** In UTF-16 units. Rendering a longer answer as Markdown would freeze the page. */
const MOST = 200_000

export function Markdown({ t, text }: { t: Translate; text: string }): ReactNode {
  const plain = <div className="dsh-cursor-plain">{text}</div>
  if (PageMarkdown === undefined || text.length > MOST) return plain
  const code = { copyLabel: t('copy'), copiedLabel: t('copied') }
  return (
    <Fallback key={text} instead={plain}>
      <PageMarkdown text={text} codeLabels={code} labels={{ code, footnotes: '' }} />
    </Fallback>
  )
}

class Fallback extends Component<{ instead: ReactNode; children: ReactNode }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.instead : this.props.children
  }
}
