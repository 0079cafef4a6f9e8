import type { Option } from '../../platform/html/parts/field.ts'
import type { Html } from '../../platform/html/html.ts'
import type { PageContext } from '../page/page_context.ts'

/** The values of a form by the name of their input; a name may have several. */
export type FormValues = URLSearchParams

/** Describes one value of a record on a form: it shows what was typed, and reads it into a tool's argument. */
export type FormField = {
  /** The tools' argument; a refusal that names it is shown at this field. */
  name: string
  label: string
  /** The record's field where its name differs: `assignees` are read from `assignments`. */
  from?: string
  /** The form that has the field; both when left out. */
  on?: 'create' | 'update'
  /** Labels of its inputs where it has several, by the end of the path that a refusal names. */
  parts?: Readonly<Record<string, string>>
  /** Heading above the field. */
  group?: string
  /** The field shares a line with the half before or after it. */
  isHalf?: boolean
  /**
   * Puts it into the fold of further fields, which is open when one of them is wrong, or filled unless it is `closed`:
   * what always has a value.
   */
  fold?: 'open' | 'closed'
  /** Returns whether the form has it: for this scope or role, or for what is chosen elsewhere on the form. */
  isFor?: (context: PageContext, values: FormValues) => boolean
  /** Lists what can be chosen, or loads it; `values` have the customer's id. */
  options?: readonly Option[] | ((context: PageContext, values: FormValues) => Promise<readonly Option[]>)
  /** Returns a record's value as entries of the form. */
  toEntries(value: unknown, locale: Locale, record: Shape): [name: string, value: string][]
  /** Returns the argument; undefined when left empty. Throws a `Refusal` that names the field. */
  read(values: FormValues, context: FieldContext): unknown
  html(values: FormValues, context: FieldContext & { error: string | undefined }): Html
}

/** What values are formatted by: amounts in its currency, times on its clocks. */
export type Locale = { timezone: string; currency: string; country: string }

/** Holds what a field is drawn and read with: the locale, and what can be chosen. */
export type FieldContext = Locale & { options: readonly Option[] }

type Shape = Readonly<Record<string, unknown>>

/** Returns the values of a form for a record that exists. */
export const fillForm = (fields: readonly FormField[], record: Shape, locale: Locale): FormValues =>
  new URLSearchParams(fields.flatMap((field) => field.toEntries(record[field.from ?? field.name], locale, record)))

/** Returns the one value of a name, without blanks around it. */
export const fieldValue = (values: FormValues, name: string): string => (values.get(name) ?? '').trim()

/** Returns all that a form holds of a field, its parts included. */
export const entriesOf = (values: FormValues, name: string): [string, string][] =>
  [...values].filter(([key, value]) => (key === name || key.startsWith(`${name}.`)) && value !== '')
