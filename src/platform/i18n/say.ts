import { spanish } from './es/index.ts'
import { formatCount } from './formatters.ts'
import { grammarOf } from './spanish_grammar.ts'
import { currentReader, withSubject, type Language, type TextSubject } from './reader.ts'
import type { Texts } from './texts.ts'

const TEXTS: Readonly<Record<Exclude<Language, 'en'>, Texts>> = { es: spanish }

/**
 * Returns a text in the reader's language. It is a template tag over the English text; values go where the translation
 * has their numbers. Only literals in the source can be translated: never build them at run time.
 */
export const say = (words: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  fillTemplate(translationOf(templateOf(words)), values)

/**
 * Returns a tag that says a text about a thing. A translation with its own form stands under the English and the thing,
 * `Void|action`, or under the English and the grammar of the thing, `Canceled|f`; others have the plain form.
 */
export const sayFor =
  (subject: TextSubject) =>
  (words: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
    withSubject(subject, () => say(words, ...values))

/** Returns a count in words: `one` where it is 1, else `other`, in which `{0}` is the number, and values continue from `{1}`. */
export const sayCount = (count: number, one: string, other: string, ...values: readonly (string | number)[]): string =>
  fillTemplate(translationOf(count === 1 ? one : other), [formatCount(count), ...values])

/** Returns a text in the reader's language, with its `{0}`, `{1}` still open; English where it isn't translated. */
export function translationOf(template: string): string {
  const { language, subject } = currentReader()
  if (language === 'en') return template
  const texts = TEXTS[language]
  return (
    (subject && (texts[`${template}|${subject}`] ?? texts[`${template}|${grammarOf(subject)}`])) ??
    texts[template] ??
    template
  )
}

/** Returns a tag's English text as a template: `Due {0}`. */
export function templateOf(words: TemplateStringsArray): string {
  const entry = TEMPLATES.get(words)
  if (entry !== undefined) return entry
  const template = words.reduce((before, part, i) => `${before}{${i - 1}}${part}`)
  TEMPLATES.set(words, template)
  return template
}

const TEMPLATES = new WeakMap<TemplateStringsArray, string>()

/** Puts values where a template has their numbers. */
export const fillTemplate = (template: string, values: readonly (string | number)[]): string =>
  values.length === 0 ? template : template.replace(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)]))
