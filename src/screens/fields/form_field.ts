import type { Option } from '../../html/field.ts'
import type { Html } from '../../html/html.ts'
import type { PageContext } from '../page_context.ts'

/** What a form holds, as it was typed: by name of input, several of one name possible. */
export type Typed = URLSearchParams

/** One value of a record on a form: it shows what was typed, and reads it into a tool's argument. */
export type FormField = {
  /** The argument of the tools; a refusal that begins with it is shown here. */
  name: string
  label: string
  /** The record's field where it is called otherwise: `assignees` are shown as `assignments`. */
  from?: string
  /** Where it stands; both when left out. */
  on?: 'create' | 'update'
  /** The labels of its inputs where it has several, by the end of the path that a refusal names. */
  parts?: Readonly<Record<string, string>>
  /** Fields of one heading stand together. */
  group?: string
  /** Needs this scope or role to be seen, or is there for what is chosen elsewhere on the form. */
  isFor?: (context: PageContext, typed: Typed) => boolean
  /** What can be chosen, or how it is loaded; `typed` says for which customer. */
  options?: readonly Option[] | ((context: PageContext, typed: Typed) => Promise<readonly Option[]>)
  /** How a record's value is typed, as entries of the form. */
  typed(value: unknown, locale: Locale, record: Shape): [name: string, value: string][]
  /** The argument; undefined when left empty. Throws a `Refusal` that begins with the name. */
  read(typed: Typed, posed: FieldContext): unknown
  html(typed: Typed, posed: FieldContext & { error: string | undefined }): Html
}

/** Where values are read: amounts in its currency, times on its clocks. */
export type Locale = { timezone: string; currency: string; country: string }

/** A field on a form at a place, with what can be chosen. */
export type FieldContext = Locale & { options: readonly Option[] }

type Shape = Readonly<Record<string, unknown>>

/** The values of a form for a record that exists. */
export const filled = (fields: readonly FormField[], record: Shape, locale: Locale): Typed =>
  new URLSearchParams(fields.flatMap((field) => field.typed(record[field.from ?? field.name], locale, record)))

/** The one value of a name, without the blanks around it. */
export const only = (typed: Typed, name: string): string => (typed.get(name) ?? '').trim()
