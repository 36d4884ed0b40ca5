/** Figures measured with the real CLI, for everything that tells a person or a model what to expect. */

/** How long a cold start takes to the first event, in s. */
export const START_SECONDS = { least: 3, most: 6 } as const

/** Input tokens of a delegation before it does anything. */
export const DELEGATION_TOKENS = { en: '10,000', zh: '1 万' } as const
