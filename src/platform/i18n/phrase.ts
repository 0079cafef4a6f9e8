import { fillTemplate, templateOf, translationOf } from './say.ts'

/** Text as data, to store now and translate later into its reader's language. */
export type Phrase = { text: string; values: readonly PhraseValue[] }

type PhraseValue = string | number | Phrase

/** Creates a phrase: a template tag over the English text, with the same rules as `say`. */
export const phrase = (words: TemplateStringsArray, ...values: readonly PhraseValue[]): Phrase => ({
  text: templateOf(words),
  values,
})

/** Creates a phrase for a count: `one` if it is 1, else `other`, in which `{0}` is the number. */
export const phraseCount = (count: number, one: string, other: string): Phrase => ({
  text: count === 1 ? one : other,
  values: [count],
})

/** Translates a phrase into the reader's language. A plain string is the same in every language. */
export const sayPhrase = (phrase: Phrase | string): string =>
  typeof phrase === 'string'
    ? phrase
    : fillTemplate(
        translationOf(phrase.text),
        phrase.values.map((value) => (typeof value === 'object' ? sayPhrase(value) : value)),
      )
