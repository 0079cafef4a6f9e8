import type { Option } from '../../platform/html/parts/field.ts'
import type { Html } from '../../platform/html/html.ts'
import type { PageContext } from '../page/page_context.ts'

/** Form values by input name; a name may have several. */
export type FormValues = URLSearchParams

/** Form field for one value of a record: renders it, and parses it into a tool argument. */
export type FormField = {
  /** Name of the tool argument; a refusal with this path appears at this field. */
  name: string
  label: string
  /** Name of the record's field if it differs: `assignees` come from `assignments`. */
  from?: string
  /** Form that has the field; default: both. */
  on?: 'create' | 'update'
  /** Labels of its inputs if it has several, by the last step of a refusal's path. */
  parts?: Readonly<Record<string, string>>
  /** Heading above the field. */
  group?: string
  /** Whether it shares a line with the half field before or after it. */
  isHalf?: boolean
  /**
   * Puts it into the fold of further fields, which opens if one of them has a problem, or has a value and isn't
   * `closed`. `closed` is for fields that always have a value.
   */
  fold?: 'open' | 'closed'
  /** Checks whether the form has the field, by scope, role or other values of the form. */
  isFor?: (context: PageContext, values: FormValues) => boolean
  /** Choices, or a function that loads them; `values` include the customer's id. */
  options?: readonly Option[] | ((context: PageContext, values: FormValues) => Promise<readonly Option[]>)
  /** Returns a record's value as form entries. */
  toEntries(value: unknown, locale: Locale, record: Shape): [name: string, value: string][]
  /** Returns the argument; undefined if it is empty. Throws a `Refusal` that names the field. */
  read(values: FormValues, context: FieldContext): unknown
  html(values: FormValues, context: FieldContext & { error: string | undefined }): Html
}

/** Formatting settings of a company: its time zone, currency and country. */
export type Locale = { timezone: string; currency: string; country: string }

/** Locale and choices to render and parse a field with. */
export type FieldContext = Locale & { options: readonly Option[] }

type Shape = Readonly<Record<string, unknown>>

/** Returns the form values of an existing record. */
export const fillForm = (fields: readonly FormField[], record: Shape, locale: Locale): FormValues =>
  new URLSearchParams(fields.flatMap((field) => field.toEntries(record[field.from ?? field.name], locale, record)))

/** Returns the single value of a name, trimmed. */
export const fieldValue = (values: FormValues, name: string): string => (values.get(name) ?? '').trim()

/** Returns the nonempty entries of a field, including its parts. */
export const entriesOf = (values: FormValues, name: string): [string, string][] =>
  [...values].filter(([key, value]) => (key === name || key.startsWith(`${name}.`)) && value !== '')
