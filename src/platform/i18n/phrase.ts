import { fillTemplate, templateOf, translationOf } from './say.ts'

/** Text kept as data, so that it can be stored now and said later in its reader's language. */
export type Phrase = { text: string; values: readonly PhraseValue[] }

type PhraseValue = string | number | Phrase

/** Keeps a text: a template tag over the English text, as `say` is, with the same rules. */
export const phrase = (words: TemplateStringsArray, ...values: readonly PhraseValue[]): Phrase => ({
  text: templateOf(words),
  values,
})

/** Keeps a count: `one` where it is 1, else `other`, in which `{0}` is the number. */
export const phraseCount = (count: number, one: string, other: string): Phrase => ({
  text: count === 1 ? one : other,
  values: [count],
})

/** Translates a kept text into the reader's language. A plain string is the same in every language. */
export const sayPhrase = (phrase: Phrase | string): string =>
  typeof phrase === 'string'
    ? phrase
    : fillTemplate(
        translationOf(phrase.text),
        phrase.values.map((value) => (typeof value === 'object' ? sayPhrase(value) : value)),
      )
