/** Texts for users, in both languages. Each text is in the table that owns its fact. */

export type Language = 'en' | 'zh'

export type Words = Readonly<Record<Language, string>>

/** For text that is the same in every language, such as a value or a path. */
export const same = (text: string): Words => ({ en: text, zh: text })
