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

type About = Pick<FormField, 'name' | 'label' | 'from' | 'on' | 'group' | 'isHalf' | 'fold' | 'isFor'> & {
  help?: string
  isRequired?: boolean
}

const entries = (name: string, value: unknown): [string, string][] =>
  value == null || value === ''
    ? []
    : [[name, typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)]]

const commonAttributes = ({ name, label, help, isRequired }: About, error: string | undefined) => ({
  name,
  label,
  help,
  error,
  ...(isRequired === undefined ? {} : { isRequired }),
})

const oneLine = (
  about: About,
  more: Pick<Field, 'type' | 'keys' | 'autocomplete'>,
  read: (text: string) => unknown,
): FormField => ({
  ...about,
  toEntries: (value) => entries(about.name, value),
  read: (values) => (fieldValue(values, about.name) === '' ? undefined : read(fieldValue(values, about.name))),
  html: (values, { error }) =>
    field({ ...commonAttributes(about, error), ...more, value: values.get(about.name) ?? '' }),
})

const identity = (text: string): string => text

export const textField = (about: About, type: Field['type'] = 'text'): FormField => oneLine(about, { type }, identity)

/** Makes a field of a calendar day. */
export const dayField = (about: About): FormField => oneLine(about, { type: 'date' }, identity)

/** Returns a number of few enough digits that none is lost; anything else stays text, which the tool refuses. */
export const parseNumber = (text: string): number | string =>
  /^-?\d{1,10}(\.\d{1,5})?$/.test(text) ? Number(text) : text

/** Makes a field of a number; the tool refuses what isn't one. */
export const numberField = (about: About): FormField => oneLine(about, { keys: 'decimal' }, parseNumber)

/** Makes a field of several lines of text. */
export const longField = (about: About & { rows?: number }): FormField => ({
  ...about,
  toEntries: (value) => entries(about.name, value),
  read: (values) =>
    fieldValue(values, about.name) === '' ? undefined : fieldValue(values, about.name).replaceAll('\r\n', '\n'),
  html: (values, { error }) =>
    textArea({ ...commonAttributes(about, error), value: values.get(about.name) ?? '', rows: about.rows ?? 4 }),
})

/** Makes a field of an amount in the company's currency, typed in its major unit. */
export const moneyField = (about: About): FormField => ({
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

/**
 * Returns the minor units of a typed amount, undefined when it is empty. Refuses digits that the currency doesn't have.
 */
export function readMoney(name: string, text: string, currency: string): number | undefined {
  if (text === '') return undefined
  const digits = digitsOf(currency)
  const [, sign = '', whole = '', part = ''] =
    /^(-?)\p{Sc}?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/u.exec(text.replaceAll(' ', '')) ?? []
  if (whole === '' || part.length > digits)
    throw invalidField(name, refusals.amount({ example: decimalText(12_500, digits), given: text.slice(0, 60) }))
  return Number(sign + whole.replaceAll(',', '') + part.padEnd(digits, '0'))
}

/** Makes a field of a date and time on the company's clocks. */
export const momentField = (about: About): FormField => ({
  ...about,
  toEntries: (value, { timezone }) => (typeof value === 'string' ? [[about.name, localText(value, timezone)]] : []),
  read: (values) => fieldValue(values, about.name) || undefined,
  html: (values, { error }) =>
    field({ ...commonAttributes(about, error), type: 'datetime-local', value: values.get(about.name) ?? '' }),
})

/** Returns an instant as a browser's date and time field writes it. */
const localText = (instant: string, zone: string): string =>
  wallAt(Temporal.Instant.from(instant), zone).toString({ smallestUnit: 'minute' })

/** Makes a checkbox; a form without the mark says no. */
export const tickField = (about: About): FormField => ({
  ...about,
  toEntries: (value) => (value === true ? [[about.name, 'yes']] : []),
  read: (values) => values.has(about.name),
  html: (values, { error }) => checkbox({ ...commonAttributes(about, error), isChecked: values.has(about.name) }),
})

type Choosing = { options: readonly Option[] | NonNullable<FormField['options']>; none?: string }

/** Makes a field of one of a list; `none` is the empty choice where there may be none. */
export const choiceField = (about: About & Choosing): FormField => ({
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

/** Makes a field of any of a list; `of` says what of the record's value is chosen. */
export const choicesField = (about: About & Choosing & { of?: (value: unknown) => readonly string[] }): FormField => ({
  ...about,
  toEntries: (value) => (about.of ?? strings)(value).map((one) => [about.name, one]),
  read: (values, { options }) => sortByOptions(options, values.getAll(about.name)),
  html: (values, { options, error }) =>
    checkboxes({
      ...commonAttributes(about, error),
      options: withChosen(options, values.getAll(about.name)),
      chosen: values.getAll(about.name),
    }),
})

/** Keeps what a record has among the choices where it can't be chosen anew: an archived location, a member who left. */
export const withChosen = (options: readonly Option[], chosen: readonly string[]): readonly Option[] => [
  ...options,
  ...[...new Set(chosen).difference(new Set(['', ...options.map(({ value }) => value)]))].map((value) => ({
    value,
    label: say`As it was`,
  })),
]

/** Puts what is chosen in the order of the choices, since a form has no order. */
function sortByOptions(options: readonly Option[], chosen: readonly string[]): string[] {
  const chosenValues = new Set(chosen)
  return withChosen(options, chosen)
    .map(({ value }) => value)
    .filter((value) => chosenValues.has(value))
}

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

/** Makes a field that is sent unseen: the customer a job is for. */
export const hiddenField = (name: string, on: 'create' | 'update'): FormField => ({
  name,
  label: name,
  on,
  toEntries: (value) => entries(name, value),
  read: (values) => fieldValue(values, name) || undefined,
  html: (values) => hidden(name, values.get(name) ?? ''),
})
