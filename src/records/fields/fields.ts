import {
  checkbox,
  checkboxes,
  field,
  hidden,
  select,
  textArea,
  type Field,
  type Option,
} from '../../platform/html/parts/field.ts'
import { say } from '../../platform/i18n/say.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { wallAt } from '../../platform/validation/formats/instants.ts'
import { decimalText, digitsOf } from '../format/formats.ts'
import { fieldValue, type FormField } from './form_field.ts'
import { refusals } from './refusals.ts'

type FieldOptions = Pick<FormField, 'name' | 'label' | 'from' | 'on' | 'group' | 'isHalf' | 'fold' | 'isFor'> & {
  help?: string
  isRequired?: boolean
}

const entries = (name: string, value: unknown): [string, string][] =>
  value == null || value === ''
    ? []
    : [[name, typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)]]

const commonAttributes = ({ name, label, help, isRequired }: FieldOptions, error: string | undefined) => ({
  name,
  label,
  help,
  error,
  ...(isRequired === undefined ? {} : { isRequired }),
})

const oneLine = (
  about: FieldOptions,
  attributes: Pick<Field, 'type' | 'keys' | 'autocomplete'>,
  parse: (text: string) => unknown,
): FormField => ({
  ...about,
  toEntries: (value) => entries(about.name, value),
  read: (values) => (fieldValue(values, about.name) === '' ? undefined : parse(fieldValue(values, about.name))),
  html: (values, { error }) =>
    field({ ...commonAttributes(about, error), ...attributes, value: values.get(about.name) ?? '' }),
})

const identity = (text: string): string => text

export const textField = (about: FieldOptions, type: Field['type'] = 'text'): FormField =>
  oneLine(about, { type }, identity)

/** Builds a field for a calendar day. */
export const dayField = (about: FieldOptions): FormField => oneLine(about, { type: 'date' }, identity)

/** Returns the number if it has few enough digits to lose none; otherwise the text, which the tool rejects. */
export const parseNumber = (text: string): number | string =>
  /^-?\d{1,10}(\.\d{1,5})?$/.test(text) ? Number(text) : text

/** Builds a number field; the tool rejects text that isn't a number. */
export const numberField = (about: FieldOptions): FormField => oneLine(about, { keys: 'decimal' }, parseNumber)

/** Builds a multiline text field. */
export const textAreaField = (about: FieldOptions & { rows?: number }): FormField => ({
  ...about,
  toEntries: (value) => entries(about.name, value),
  read: (values) =>
    fieldValue(values, about.name) === '' ? undefined : fieldValue(values, about.name).replaceAll('\r\n', '\n'),
  html: (values, { error }) =>
    textArea({ ...commonAttributes(about, error), value: values.get(about.name) ?? '', rows: about.rows ?? 4 }),
})

/** Builds a field for an amount in the company's currency, entered in its major unit. */
export const moneyField = (about: FieldOptions): FormField => ({
  ...about,
  toEntries: (value, { currency }) =>
    typeof value === 'number' ? [[about.name, decimalText(value, digitsOf(currency))]] : [],
  read: (values, { currency }) => readMoney(about.name, fieldValue(values, about.name), currency),
  html: (values, { error, currency }) =>
    field({
      ...commonAttributes({ ...about, label: `${about.label} (${currency})` }, error),
      keys: 'decimal',
      value: values.get(about.name) ?? '',
    }),
})

/** Returns an entered amount in minor units; undefined if empty. Throws if it has more decimals than the currency. */
export function readMoney(name: string, text: string, currency: string): number | undefined {
  if (text === '') return undefined
  const digits = digitsOf(currency)
  const [, sign = '', whole = '', fraction = ''] =
    /^(-?)\p{Sc}?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/u.exec(text.replaceAll(' ', '')) ?? []
  if (whole === '' || fraction.length > digits)
    throw invalidField(name, refusals.amount({ example: decimalText(12_500, digits), given: text.slice(0, 60) }))
  return Number(sign + whole.replaceAll(',', '') + fraction.padEnd(digits, '0'))
}

/** Builds a date and time field in the company's time zone. */
export const dateTimeField = (about: FieldOptions): FormField => ({
  ...about,
  toEntries: (value, { timezone }) => (typeof value === 'string' ? [[about.name, localText(value, timezone)]] : []),
  read: (values) => fieldValue(values, about.name) || undefined,
  html: (values, { error }) =>
    field({ ...commonAttributes(about, error), type: 'datetime-local', value: values.get(about.name) ?? '' }),
})

/** Returns an instant in the format of a browser's date and time field. */
const localText = (instant: string, zone: string): string =>
  wallAt(Temporal.Instant.from(instant), zone).toString({ smallestUnit: 'minute' })

/** Builds a checkbox. A form without its value means no. */
export const checkboxField = (about: FieldOptions): FormField => ({
  ...about,
  toEntries: (value) => (value === true ? [[about.name, 'yes']] : []),
  read: (values) => values.has(about.name),
  html: (values, { error }) => checkbox({ ...commonAttributes(about, error), isChecked: values.has(about.name) }),
})

type ChoiceOptions = { options: readonly Option[] | NonNullable<FormField['options']>; none?: string }

/** Builds a select field; `none` labels the empty choice, if one is allowed. */
export const choiceField = (about: FieldOptions & ChoiceOptions): FormField => ({
  ...about,
  toEntries: (value) => entries(about.name, value),
  read: (values) => fieldValue(values, about.name) || undefined,
  html: (values, { options, error }) =>
    select({
      ...commonAttributes(about, error),
      options: withChosen(options, [values.get(about.name) ?? '']),
      chosen: values.get(about.name) ?? '',
      ...(about.none === undefined ? {} : { none: about.none }),
    }),
})

/** Builds a field with multiple choices; `valuesOf` returns the chosen ones from the record's value. */
export const choicesField = (
  about: FieldOptions & ChoiceOptions & { valuesOf?: (value: unknown) => readonly string[] },
): FormField => ({
  ...about,
  toEntries: (value) => (about.valuesOf ?? toStrings)(value).map((one) => [about.name, one]),
  read: (values, { options }) => sortByOptions(options, values.getAll(about.name)),
  html: (values, { options, error }) =>
    checkboxes({
      ...commonAttributes(about, error),
      options: withChosen(options, values.getAll(about.name)),
      chosen: values.getAll(about.name),
    }),
})

/** Adds a record's values that can no longer be chosen to the choices: an archived location, a member who left. */
export const withChosen = (options: readonly Option[], chosen: readonly string[]): readonly Option[] => [
  ...options,
  ...[...new Set(chosen).difference(new Set(['', ...options.map(({ value }) => value)]))].map((value) => ({
    value,
    label: say`As it was`,
  })),
]

/** Sorts the chosen values in the order of the choices, since a form has no order. */
function sortByOptions(options: readonly Option[], chosen: readonly string[]): string[] {
  const chosenValues = new Set(chosen)
  return withChosen(options, chosen)
    .map(({ value }) => value)
    .filter((value) => chosenValues.has(value))
}

const toStrings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

/** Builds a hidden field, such as the customer of a job. */
export const hiddenField = (name: string, on: 'create' | 'update'): FormField => ({
  name,
  label: name,
  on,
  toEntries: (value) => entries(name, value),
  read: (values) => fieldValue(values, name) || undefined,
  html: (values) => hidden(name, values.get(name) ?? ''),
})
