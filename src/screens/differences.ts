import { isId } from '../shape/id.ts'
import type { Changes } from '../tools/outcome.ts'
import { moment, money, words } from './formats.ts'
import type { Locale } from './fields/form_field.ts'

/** Describes a field before and after, in people's words. */
export type Difference = { label: string; before: string; after: string }

/** Returns what changed of a record. Ids mean nothing to people, so a name beside one replaces it. */
export const differences = (changed: Changes, locale: Locale): Difference[] => {
  const names = Object.keys(changed)
  return names
    .filter((name) => !isNamed(name, names))
    .map((name) => {
      const [before, after] = changed[name]!
      return {
        label: labelOf(name),
        before: brief(before, name, locale),
        after: isIdText(before) && isIdText(after) ? 'another one' : brief(after, name, locale),
      }
    })
}

/** Tells whether another field says what an id is of: `owner_name` beside `owner_id`. */
const isNamed = (name: string, names: readonly string[]): boolean =>
  name.endsWith('_id') &&
  names.some((other) => other !== name && (other === name.slice(0, -3) || other.startsWith(name.slice(0, -2))))

const labelOf = (name: string): string => words(name.replace(/_(cents|id)$/, '').replace(/_ids$/, 's'))

function brief(value: unknown, name: string, locale: Locale): string {
  if (value === null || value === '') return 'nothing'
  if (Array.isArray(value)) return listed(value, locale)
  if (typeof value === 'number') return name.endsWith('_cents') ? money(value, locale.currency) : String(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'object' && name === 'discount') return discount(value as Discount, locale)
  if (typeof value === 'object')
    return (
      clipped(
        Object.entries(value)
          .map(([part, inner]) => `${labelOf(part)} ${brief(inner, part, locale)}`)
          .join(', '),
      ) || 'none'
    )
  if (typeof value !== 'string') return 'something'
  if (isId(value)) return 'one'
  return INSTANT.test(value)
    ? moment(value, locale.timezone)
    : clipped(WORD.test(value) ? value.replaceAll('_', ' ') : value)
}

type Discount = { type: 'percent' | 'amount'; value: number }

const discount = ({ type, value }: Discount, { currency }: Locale): string =>
  type === 'percent' ? `${value}%` : money(value, currency)

function listed(values: readonly unknown[], locale: Locale): string {
  if (values.length === 0) return 'none'
  return values.every(isIdText)
    ? String(values.length)
    : clipped(values.map((value) => nameIn(value, locale)).join(', '))
}

const isIdText = (value: unknown): boolean => typeof value === 'string' && isId(value)

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const WORD = /^[a-z]+(_[a-z]+)+$/

const clipped = (text: string): string => (text.length > 160 ? `${text.slice(0, 159)}…` : text)

/** Returns a line with what it comes to, a person by name. */
function nameIn(value: unknown, locale: Locale): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const { line_total_cents, ...told } = value as Readonly<Record<string, unknown>>
  const name = nameOf(told)
  if (name === '') return 'one'
  return typeof line_total_cents === 'number' ? `${name} ${money(line_total_cents, locale.currency)}` : name
}

/** Returns what people call a contact, a location or anything else that has a name. */
const nameOf = ({
  name,
  first_name,
  last_name,
  email,
  phone,
  formatted_address,
  title,
}: Readonly<Record<string, unknown>>): string =>
  [name, [first_name, last_name].filter(isText).join(' '), email, phone, formatted_address, title].find(isText) ?? ''

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
