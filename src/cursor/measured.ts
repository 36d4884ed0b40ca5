/** Figures measured with the real CLI, for texts that tell the user or the model what to expect. */

/** Time from a cold start to the first event, in s. */
export const START_SECONDS = { least: 3, most: 6 } as const

/** Input tokens that every delegation costs, even for an empty task. */
export const DELEGATION_TOKENS = { en: '10,000', zh: '1 万个' } as const
