// The card's buttons. One that has nothing to do stays in the order of the Tab key: a browser takes
// the focus from a disabled one, and after saving the keyboard would be back at the page's top.

import type { ReactNode } from 'react'

export function Button(props: {
  text: string
  /** Whether a press does nothing now. */
  off: boolean
  main?: boolean
  onPress: () => void
}): ReactNode {
  const { text, off, main, onPress } = props
  return (
    <button
      type="button"
      className="dsh-cursor-button"
      data-main={main || undefined}
      aria-disabled={off}
      onClick={() => {
        if (!off) onPress()
      }}
    >
      {text}
    </button>
  )
}
