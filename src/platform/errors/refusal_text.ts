/**
 * The texts of a refusal as ICU messages: `agent` in English with the way out and tool names, `en` and `es` for people.
 */
export type RefusalTexts = { readonly agent: string; readonly en: string; readonly es: string }

/** The name of another field that a text mentions. A page writes the field's label instead. */
export type FieldName = { readonly name: string }

/** Text that somebody outside the company wrote. A model reads it inside a fence. */
export type QuotedText = { readonly quoted: string }

/** Words with names of fields and quoted texts between them, written one after another. */
type RefusalWords = { readonly words: readonly (string | FieldName | QuotedText)[] }

/** A value that people read in their own way, such as a date, and under another name, such as a title for a number. */
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

/** Why something was refused, as data: a key, the texts of that key, and their values. */
export type RefusalDetail = {
  readonly key: string
  readonly texts: RefusalTexts
  readonly values: RefusalValues
  /** Words before and after the text that only agents read. */
  readonly around?: { readonly before: AgentWords; readonly after: AgentWords }
}

/** English words that name fields and quote texts. */
export type AgentWords = readonly (string | FieldName | QuotedText)[]

const all = new Map<string, RefusalTexts>()

/** Every refusal of the modules that are loaded, by key. */
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

/** What a tool warns of: declared and rendered like a refusal. */
export type Warning = RefusalDetail

/** Declares the warnings of a folder. They stand beside its refusals. */
export const defineWarnings = <const Texts extends Readonly<Record<string, RefusalTexts>>>(
  folder: string,
  texts: Texts,
): { readonly [Name in keyof Texts]: (values?: RefusalValues) => Warning } =>
  defineRefusals(`${folder}.warnings`, texts)

/** How a reader sees other fields and quoted text. `and` is the locale of a list, empty for agents. */
type ValueStyle = { nameOf: (field: FieldName) => string; quote: (text: string) => string; and: string }

/** Writes the values of a refusal for a reader. */
export const writeValues = (values: RefusalValues, style: ValueStyle): Record<string, string | number> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, writeValue(value, style)]))

function writeValue(value: RefusalValue, style: ValueStyle): string | number {
  const { nameOf, quote, and } = style
  if (typeof value === 'string' || typeof value === 'number') return value
  if ('quoted' in value) return quote(value.quoted)
  if ('name' in value) return nameOf(value)
  if ('forPeople' in value) return and === '' ? writeValue(value.forAgent, style) : value.forPeople()
  if ('words' in value) return value.words.map((part) => writeValue(part, style)).join('')
  const names = value.map((one) => (typeof one === 'string' ? one : nameOf(one)))
  return and === '' ? names.join(', ') : new Intl.ListFormat(and, { type: 'disjunction' }).format(names)
}
