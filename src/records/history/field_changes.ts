import { isRecord } from '../../platform/validation/is_record.ts'
import { say } from '../../platform/i18n/say.ts'
import type { WrittenRecord } from '../../tools/call/outcome.ts'
import { day, moment, money, phone } from '../format/formats.ts'
import type { PageContext } from '../page/page_context.ts'
import type { Screen } from '../page/screen.ts'
import { wordFor } from '../page/states.ts'
import { quantity } from '../format/units.ts'

/** Changed field, formatted for people. */
export type FieldChange = { label: string; before: string; after: string }

/** Labels of a record's fields, from its form and its declaration. */
type Labels = Pick<Screen, 'fields'> & Partial<Pick<Screen, 'entity'>>

/**
 * Returns the changes of labeled fields, formatted for people. `isFull` doesn't shorten long values: an approver must
 * see the whole change.
 */
export const describeChanges = (
  screen: Labels,
  { changes }: Pick<WrittenRecord, 'changes'>,
  company: Pick<PageContext['company'], 'currency' | 'timezone'>,
  isNew: boolean,
  { isFull = false }: { isFull?: boolean } = {},
): FieldChange[] =>
  Object.entries(changes).flatMap(([name, [before, after]]) => {
    const label = labelOf(screen, name)
    if (label === undefined || (isNew && isDefault(name, after))) return []
    const max = isFull ? Infinity : MAX_LENGTH
    const texts = {
      label,
      before: formatValue(name, before, company, max),
      after: formatValue(name, after, company, max),
    }
    return texts.before === texts.after ? [] : [texts]
  })

/** Checks whether a value is a default of a new record: no, zero, or the company's time zone. */
const isDefault = (name: string, value: unknown): boolean => value === false || value === 0 || name === 'timezone'

function labelOf({ entity, fields }: Labels, name: string): string | undefined {
  if (name === 'total_cents') return undefined
  if (name === 'customer_name') return say`Customer`
  if (name === 'status') return say`Status`
  if (name.endsWith('_id') || name.endsWith('_ids')) return undefined
  const field = fields.find((one) => (one.from ?? one.name) === name)
  return field?.label ?? entity?.record.fields[name]?.label?.()
}

const MAX_LENGTH = 300

/** Formats a value: amounts in the company's currency, times in its time zone; empty text for a missing one. */
export function formatValue(
  name: string,
  value: unknown,
  { currency, timezone }: Pick<PageContext['company'], 'currency' | 'timezone'>,
  max = MAX_LENGTH,
): string {
  const cut = (text: string): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text)
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? say`Yes` : say`No`
  if (typeof value === 'number') return name.endsWith('_cents') ? money(value, currency) : String(value)
  if (typeof value === 'string') {
    if (INSTANT.test(value)) return moment(value, timezone)
    if (DAY.test(value)) return day(value)
    if (PHONE.test(value)) return phone(value)
    return WORD_FIELDS.has(name) ? wordFor(value) : cut(value)
  }
  if (Array.isArray(value)) return cut(value.map((item) => formatItem(item, currency)).join('\n'))
  return cut(
    Object.entries(value)
      .map(([key, inner]) => `${wordFor(key)}: ${formatValue(key, inner, { currency, timezone }, max)}`)
      .join(', '),
  )
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const PHONE = /^\+[1-9]\d{6,14}$/
const DAY = /^\d{4}-\d\d-\d\d$/

/** Fields whose values are words of the wire format. */
const WORD_FIELDS = new Set(['status', 'priority', 'cadence', 'kind', 'customer_type', 'type', 'unit'])

/** Formats a list item: a line with its quantity, prices and description, any other by its name. */
function formatItem(item: unknown, currency: string): string {
  if (!isRecord(item)) return String(item)
  const {
    name,
    quantity: count,
    unit,
    description,
    unit_price_cents: unitPrice,
    line_total_cents,
    first_name,
    last_name,
    address_line1,
    formatted_address,
  } = item
  const itemName = [name, formatted_address, address_line1, [first_name, last_name].filter(Boolean).join(' ')].find(
    (one): one is string => typeof one === 'string' && one !== '',
  )
  if (typeof line_total_cents !== 'number') return itemName ?? ''
  const quantityText = typeof count === 'number' ? `${quantity(count, typeof unit === 'string' ? unit : null)} × ` : ''
  const price = typeof unitPrice === 'number' && count !== 1 ? ` (${say`${money(unitPrice, currency)} each`})` : ''
  const descriptionText = typeof description === 'string' && description !== '' ? `\n${description}` : ''
  return `${quantityText}${itemName ?? ''} ${money(line_total_cents, currency)}${price}${descriptionText}`
}
