/**
 * What is thrown before a run exists. Its text is that of a failure (`failures/format.ts`); which
 * category a start fails with belongs to whoever throws it.
 */

import { CATEGORIES, type FailureCategory } from './failures/categories.ts'
import { composeDiagnostic } from './failures/diagnostic.ts'
import { DEFAULT_DOCTOR, withDoctor } from './failures/format.ts'

interface StartErrorText {
  /** Both default to the category's own. */
  readonly happened?: string
  readonly nextStep?: string
  /** Further lines, such as the places looked at. */
  readonly details?: readonly string[]
}

/** Thrown before a run exists. The message's first line is that of a diagnostic. */
export class CursorStartError extends Error {
  override readonly name = 'CursorStartError'
  readonly category: FailureCategory
  readonly happened: string
  readonly nextStep: string
  readonly details: readonly string[]
  readonly #text: StartErrorText

  constructor(
    category: FailureCategory,
    text: StartErrorText = {},
    doctorCommand: string = DEFAULT_DOCTOR,
  ) {
    const { happened = CATEGORIES[category].happened.en, details = [] } = text
    const nextStep = withDoctor(text.nextStep ?? CATEGORIES[category].nextStep.en, doctorCommand)
    super(
      composeDiagnostic({
        headline: { category, happened, nextStep },
        facts: details,
        shown: { stderr: [], stdout: [] },
      }),
    )
    this.category = category
    this.happened = happened
    this.nextStep = nextStep
    this.details = details
    this.#text = text
  }

  /**
   * @param change is applied to everything but the category's own texts.
   * @param doctorCommand the self-check as it can be typed in this profile.
   */
  withText(change: (text: string) => string, doctorCommand?: string): CursorStartError {
    const { happened, details, ...rest } = this.#text
    return new CursorStartError(
      this.category,
      {
        ...rest,
        ...(happened !== undefined && { happened: change(happened) }),
        ...(details !== undefined && { details: details.map((line) => change(line)) }),
      },
      doctorCommand,
    )
  }
}
