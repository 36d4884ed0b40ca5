/**
 * The error for a run that cannot start. Its message has the format of a failure text
 * (`failures/format.ts`); whoever throws it chooses the category.
 */

import { CATEGORIES, type FailureCategory } from './failures/categories.ts'
import { composeDiagnostic } from './failures/diagnostic.ts'
import { DEFAULT_DOCTOR, withDoctor } from './failures/format.ts'

interface StartErrorText {
  /** Both default to the category's texts. */
  readonly happened?: string
  readonly nextStep?: string
  /** More lines, such as the places searched. */
  readonly details?: readonly string[]
}

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
   * @param change is applied to `happened` and `details`, unless they are the category's own texts.
   * @param doctorCommand how to start the self-check in this profile.
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
