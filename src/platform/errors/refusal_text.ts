/** Texts of a refusal as ICU messages: `agent` in English with the fix and tool names, `en` and `es` for people. */
export type RefusalTexts = { readonly agent: string; readonly en: string; readonly es: string }

/** Name of another field in a text. A page shows the field's label instead. */
export type FieldName = { readonly name: string }

/** Text by somebody outside the company. Models get it inside a fence. */
export type QuotedText = { readonly quoted: string }

/** Text with field names and quoted texts in it, concatenated in order. */
type RefusalWords = { readonly words: readonly (string | FieldName | QuotedText)[] }

/** Value that people see in another form: a localized date, or a title instead of a number. */
export type ReaderValue = { readonly forAgent: string | QuotedText; readonly forPeople: () => string }

type RefusalValue =
  | string
  | number
  | FieldName
  | QuotedText
  | RefusalWords
  | ReaderValue
  | readonly (string | FieldName)[]
export type RefusalValues = Readonly<Record<string, RefusalValue>>

/** Reason for a refusal, as data: a key, the texts of that key, and their values. */
export type RefusalDetail = {
  readonly key: string
  readonly texts: RefusalTexts
  readonly values: RefusalValues
  /** Text before and after it, for agents only. */
  readonly around?: { readonly before: AgentWords; readonly after: AgentWords }
}

/** English text with field names and quoted texts in it. */
export type AgentWords = readonly (string | FieldName | QuotedText)[]

const all = new Map<string, RefusalTexts>()

/** Refusals of all loaded modules, by key. */
export const definedRefusals: ReadonlyMap<string, RefusalTexts> = all

/**
 * Declares the refusals of a folder, each as a function of its values. Throws on a key that exists.
 *
 *     const refusals = defineRefusals('tags', { unknown: { agent: '…', en: 'Choose a tag.', es: '…' } })
 *     throw invalidField('tag_ids[0]', refusals.unknown())
 */
export function defineRefusals<const Texts extends Readonly<Record<string, RefusalTexts>>>(
  folder: string,
  texts: Texts,
): { readonly [Name in keyof Texts]: (values?: RefusalValues) => RefusalDetail } {
  const makers = Object.entries(texts).map(([name, text]) => {
    const key = `${folder}.${name}`
    if (all.has(key)) throw new Error(`The refusal ${key} is declared twice`)
    all.set(key, text)
    return [name, (values: RefusalValues = {}): RefusalDetail => ({ key, texts: text, values })] as const
  })
  return Object.fromEntries(makers) as { readonly [Name in keyof Texts]: (values?: RefusalValues) => RefusalDetail }
}

/** Warning of a tool, declared and rendered like a refusal. */
export type Warning = RefusalDetail

/** Declares the warnings of a folder, beside its refusals. */
export const defineWarnings = <const Texts extends Readonly<Record<string, RefusalTexts>>>(
  folder: string,
  texts: Texts,
): { readonly [Name in keyof Texts]: (values?: RefusalValues) => Warning } =>
  defineRefusals(`${folder}.warnings`, texts)

/** Format of field names and quoted text for a reader. `and` is the locale of a list, empty for agents. */
type ValueStyle = { nameOf: (field: FieldName) => string; quote: (text: string) => string; and: string }

/** Formats the values of a refusal for a reader. */
export const formatValues = (values: RefusalValues, style: ValueStyle): Record<string, string | number> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, formatValue(value, style)]))

function formatValue(value: RefusalValue, style: ValueStyle): string | number {
  const { nameOf, quote, and } = style
  if (typeof value === 'string' || typeof value === 'number') return value
  if ('quoted' in value) return quote(value.quoted)
  if ('name' in value) return nameOf(value)
  if ('forPeople' in value) return and === '' ? formatValue(value.forAgent, style) : value.forPeople()
  if ('words' in value) return value.words.map((part) => formatValue(part, style)).join('')
  const names = value.map((one) => (typeof one === 'string' ? one : nameOf(one)))
  return and === '' ? names.join(', ') : new Intl.ListFormat(and, { type: 'disjunction' }).format(names)
}
