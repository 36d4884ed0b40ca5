/** Texts for users. Each stands in both languages next to the fact that it describes. */

export type Language = 'en' | 'zh'

export type Words = Readonly<Record<Language, string>>

/** For text that is the same in every language, such as a value or a path. */
export const same = (text: string): Words => ({ en: text, zh: text })
