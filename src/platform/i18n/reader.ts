import { AsyncLocalStorage } from 'node:async_hooks'

/** Languages of the interface. English texts are in the source; the others have a folder each. */
export const LANGUAGES = ['en', 'es'] as const

export type Language = (typeof LANGUAGES)[number]

/**
 * Subjects that change the translation of a text: by their gender and number, or because a word is an action and not a
 * state.
 */
export const SUBJECTS = [
  'action',
  'category',
  'checklist_item',
  'company',
  'conversations',
  'date',
  'dispute',
  'filter',
  'import',
  'invoice',
  'invoices',
  'jobs',
  'link',
  'location',
  'message',
  'note',
  'payment',
  'phone',
  'provider',
  'quote',
  'quotes',
  'requests',
  'sender',
  'step',
  'sum',
  'tag',
  'tax_rate',
  'time',
  'visit',
  'work_order',
] as const

export type TextSubject = (typeof SUBJECTS)[number]

/** Language of a reader, and the country (ISO 3166-1) whose conventions dates and money follow. */
export type Reader = { language: Language; country: string; subject?: TextSubject | undefined }

const AMERICAN: Reader = { language: 'en', country: 'US' }

const READER = new AsyncLocalStorage<{ reader: Reader }>()

/** Returns the current reader; American English by default. */
export const currentReader = (): Reader => READER.getStore()?.reader ?? AMERICAN

/** Runs `work` with this reader, including its asynchronous parts. */
export const withReader = <T>(reader: Reader, work: () => T): T => READER.run({ reader }, work)

/** Runs `work` with the subject of its texts, for languages in which they agree with it. */
export const withSubject = <T>(subject: TextSubject | undefined, work: () => T): T =>
  withReader({ ...currentReader(), subject }, work)

/** Changes the reader of the enclosing `withReader`, once more is known about them. */
export function changeReader(reader: Partial<Reader>): void {
  const store = READER.getStore()
  if (store !== undefined) store.reader = { ...store.reader, ...reader }
}

/** Returns the locale of a reader, such as `en-US` or `es-US` (BCP 47). */
export const currentLocale = (): string => {
  const { language, country } = currentReader()
  return `${language}-${country}`
}

/**
 * Returns the first supported language of a tag such as `es-MX`, or of an Accept-Language list (RFC 9110, 12.5.4);
 * otherwise `otherwise`.
 */
export function languageOf(header: string | null | undefined, otherwise: Language = 'en'): Language {
  const tags = (header ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      const [language = ''] = tag.split('-')
      return { language, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return tags.map(({ language }) => LANGUAGES.find((one) => one === language)).find((language) => language) ?? otherwise
}
