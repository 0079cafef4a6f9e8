import { languageOf, currentLocale, withReader } from '../../platform/i18n/reader.ts'
import { say } from '../../platform/i18n/say.ts'
import { money, time } from '../../records/format/formats.ts'
import { localAddress } from '../../records/page/contact_links.ts'
import type { SubjectRecord } from './subject_record.ts'
import type { PlaceholderValues } from './placeholders.ts'

/** Values of a message that don't come from its record. */
type MessageExtras = { firstName?: string | null; link?: string; minutes?: number }

/** Returns the placeholder values, in the customer's language and the company's time zone. */
export const placeholderValues = (
  record: SubjectRecord,
  { firstName, link, minutes }: MessageExtras = {},
): PlaceholderValues =>
  withReader({ language: languageOf(record.language), country: record.company.country }, () => ({
    customer_first_name: firstName ?? record.first_name ?? record.customer_name,
    company_name: record.company.name,
    number: record.number ?? '',
    work: record.work ?? say`the work`,
    plan_name: record.work ?? '',
    total: money(record.total_cents, record.currency),
    balance: money(record.balance_cents, record.currency),
    balance_note:
      record.balance_cents > 0
        ? say`${money(record.balance_cents, record.currency)} is still due.`
        : say`The invoice is paid in full.`,
    amount_paid: money(record.paid_cents, record.currency),
    ...(record.day === null ? {} : daysOf(record.day)),
    ...visitOf(record),
    technician: crewOf(record),
    address: record.address === null ? say`your address` : localAddress(record.address, record.company.country),
    ...(minutes === undefined ? {} : { arrival: arrivalIn(minutes) }),
    ...(link === undefined ? {} : { link }),
  }))

/** Returns the time until arrival, in the reader's language. */
const arrivalIn = (minutes: number): string => (minutes === 60 ? say`about an hour` : say`about ${minutes} minutes`)

const daysOf = (date: string): PlaceholderValues => {
  const text = format(date, { dateStyle: 'long' })
  return { due_date: text, valid_until: text, end_date: text, statement_day: text }
}

function visitOf({ starts_at, all_day, window_minutes, company: { timezone } }: SubjectRecord): PlaceholderValues {
  if (starts_at === null) return { visit_day: say`a day to be agreed`, visit_time: say`any time` }
  const start = Temporal.Instant.from(starts_at)
  const visit_day = format(start.toZonedDateTimeISO(timezone).toPlainDate().toString(), {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  })
  if (all_day) return { visit_day, visit_time: say`any time` }
  const from = time(starts_at, timezone)
  if (window_minutes === 0) return { visit_day, visit_time: from }
  const to = time(start.add({ minutes: window_minutes }).toString(), timezone)
  return { visit_day, visit_time: say`between ${from} and ${to}` }
}

const crewOf = ({ crew }: SubjectRecord): string =>
  crew.length === 0
    ? say`our technician`
    : new Intl.ListFormat(currentLocale(), { type: 'conjunction' }).format(crew.map(({ name }) => name))

const format = (date: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(currentLocale(), { ...options, timeZone: 'UTC' }).format(
    Date.parse(`${date.slice(0, 10)}T00:00:00Z`),
  )
