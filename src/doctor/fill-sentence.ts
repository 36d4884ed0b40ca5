/**
 * Sentences with places for values, in both languages: `{name}` stands for a value, `{n:row:rows}` for a
 * number with its noun. `{doctor}` and `{probe}` stay for whoever shows the text, since how the reader
 * starts the self-check and a test run differs between a terminal and a page.
 */

import type { Language, Words } from '../words.ts'

type Reserved = 'doctor' | 'probe'

type Named<Name extends string> = Name extends `${infer Start}:${string}` ? Start : Name

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Named<Name>, Reserved> | NamesIn<Rest>
  : never

/** A list is joined as the language does it. */
export type Value = string | number | Words | readonly (string | Words)[]

/** The values that a sentence needs. */
export type ValuesOf<Text extends string> = Readonly<Record<NamesIn<Text>, Value>>

/** @returns `words` with the values in their places; names that are not given stay. */
export function filled<const Text extends string>(
  words: { readonly en: Text; readonly zh: string },
  values: ValuesOf<Text>,
): Words {
  const given: Readonly<Record<string, Value>> = values
  const inLanguage = (language: Language): string => {
    const textOf = (value: Value): string => {
      if (typeof value !== 'object') return String(value)
      if (!('map' in value)) return value[language]
      return value.map(textOf).join({ en: ', ', zh: '、' }[language])
    }
    return words[language].replaceAll(
      /\{(\w+)(?::([^:}]*):([^}]*))?\}/g,
      (placeholder: string, name: string, one?: string, many?: string) => {
        const text = textOf(given[name] ?? placeholder)
        return one === undefined ? text : `${text} ${text === '1' ? one : many}`
      },
    )
  }
  return { en: inLanguage('en'), zh: inLanguage('zh') }
}
