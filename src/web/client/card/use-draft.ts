// Keeps and saves the user's changes. Unsaved ones survive when the page unmounts the card, because
// closing the settings must not lose what the user typed.

import { useState } from 'react'
import type { LiveField } from '../../../config/fields.ts'
import type { TextKey } from '../locale.ts'
import { editsOf, problemOf, type Change, type Draft } from './draft.ts'
import type { Form } from './form.ts'

export interface Note {
  readonly failed: boolean
  readonly text: TextKey | { readonly said: string }
}

export interface Edit {
  readonly draft: Draft
  readonly dirty: boolean
  readonly saving: boolean
  readonly note: Note | undefined
  /** Whether the user has tried to save the draft; problems are shown from then on. */
  readonly tried: boolean
  /** Counts up when the draft is discarded, to remount the controls that hold typed text. */
  readonly generation: number
  change(fields: LiveField | readonly LiveField[], change: Change): void
  discard(): void
  save(): Promise<boolean>
}

/** What a card keeps while it is not mounted. */
export interface Kept {
  draft: Draft
}

export function useEdit(form: Form, kept: Kept): Edit {
  const [draft, setDraft] = useState<Draft>(kept.draft)
  const [saving, setSaving] = useState(false)
  const [note, setNote] = useState<Note>()
  const [tried, setTried] = useState(false)
  const [generation, setGeneration] = useState(0)
  const edits = editsOf(form.snapshot, draft)

  const keep = (next: Draft): void => {
    kept.draft = next
    setDraft(next)
  }
  const discard = (): void => {
    keep({})
    setTried(false)
    setGeneration((count) => count + 1)
  }
  const save = async (): Promise<boolean> => {
    setTried(true)
    setNote(undefined)
    if (edits.some((edit) => edit.op === 'set' && problemOf(edit.path[0] as LiveField, edit.value)))
      return false
    setSaving(true)
    let saved = false
    try {
      const outcome = await form.save(edits)
      saved = outcome.kind === 'saved'
      if (saved) discard()
      setNote({
        failed: !saved,
        text:
          outcome.kind === 'refused' && outcome.message !== undefined
            ? { said: outcome.message }
            : outcome.kind,
      })
    } catch (error) {
      setNote({ failed: true, text: { said: String(error) } })
    }
    setSaving(false)
    return saved
  }
  return {
    draft,
    dirty: edits.length > 0,
    saving,
    note,
    tried,
    generation,
    change: (fields, change) => {
      keep({ ...draft, ...Object.fromEntries([fields].flat().map((field) => [field, change])) })
      setNote(undefined)
      // Remounts the controls that hold typed text, so that they show the old value again.
      if (change === 'reset') setGeneration((count) => count + 1)
    },
    discard: () => {
      discard()
      setNote(undefined)
    },
    save,
  }
}
