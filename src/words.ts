/** Text that people read exists in both languages, in the one table that owns the fact. */

export type Language = 'en' | 'zh'

export type Words = Readonly<Record<Language, string>>

/** What is written the same in every language, such as a value or a path. */
export const same = (text: string): Words => ({ en: text, zh: text })
