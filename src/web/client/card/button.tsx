// The card's buttons. They use `aria-disabled` instead of `disabled`, because browsers take the focus
// from a disabled button, so after saving, keyboard users would be back at the top of the page.

import type { ReactNode } from 'react'

export function Button(props: {
  text: string
  /** Ignores presses. */
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
