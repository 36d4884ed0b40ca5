/** Text that people read exists in both languages, in the one table that owns the fact. */

export type Language = 'en' | 'zh'

export type Words = Readonly<Record<Language, string>>
