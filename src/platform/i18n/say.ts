import { spanish } from './es/index.ts'
import { formatCount } from './formatters.ts'
import { grammarOf } from './spanish_grammar.ts'
import { currentReader, withSubject, type Language, type TextSubject } from './reader.ts'
import type { Texts } from './texts.ts'

const TEXTS: Readonly<Record<Exclude<Language, 'en'>, Texts>> = { es: spanish }

/**
 * Returns a text in the reader's language. It is a template tag over the English text; the translation has numbered
 * placeholders for the values. Only literals in the source can be translated: never build them at run time.
 */
export const say = (words: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  fillTemplate(translationOf(templateOf(words)), values)

/**
 * Returns a tag for texts about a subject. A translation that depends on it has the English text and the subject as its
 * key, `Void|action`, or the English text and the subject's grammar, `Canceled|f`; others have the plain key.
 */
export const sayFor =
  (subject: TextSubject) =>
  (words: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
    withSubject(subject, () => say(words, ...values))

/** Returns a count in words: `one` if it is 1, else `other` with the number as `{0}`; values start at `{1}`. */
export const sayCount = (count: number, one: string, other: string, ...values: readonly (string | number)[]): string =>
  fillTemplate(translationOf(count === 1 ? one : other), [formatCount(count), ...values])

/** Returns a text in the reader's language with its placeholders (`{0}`); the English text if untranslated. */
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

/** Replaces the numbered placeholders of a template with values. */
export const fillTemplate = (template: string, values: readonly (string | number)[]): string =>
  values.length === 0 ? template : template.replace(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)]))
