import { countWaiting, visitsBetween, type DayVisit } from '../../records/jobs/index.ts'
import { overdueOf } from '../../records/invoices/index.ts'
import { countUnread } from '../../messaging/inbox/inbox.ts'
import { localAddress } from '../../records/page/contact_links.ts'
import { parseDay } from '../../platform/validation/formats/days.ts'
import { lowerBound, upperBound, todayIn, wallAt } from '../../platform/validation/formats/instants.ts'
import { days } from '../completions.ts'
import { truncate, type Overview, type OverviewContext } from './overview.ts'
import type { OverviewSheet, SheetPart } from './sheet.ts'

const MAX_VISITS = 18
const MAX_OVERDUE = 5

export const today: Overview = {
  path: 'today',
  name: 'today',
  title: 'Today',
  description:
    'The day sheet: visits by person with time, customer, address and status; ' +
    'unscheduled jobs, overdue invoices, unread messages',
  tools: ['jobs_list'],
  read: (by) => daySheet(by, todayIn(by.caller.tenant.timezone)),
}

export const dayOverview: Overview = {
  path: 'day/{date}',
  name: 'day',
  title: 'Day sheet',
  description: "A day's visits by person with time, customer, address and status",
  tools: ['jobs_list'],
  completes: { date: days },
  async read(by, { date = '' }) {
    const day = parseDay(date)
    return day && daySheet(by, day)
  },
}

/** Reads a day's sheet. Today's adds unscheduled jobs, overdue invoices and unread messages that the caller may see. */
async function daySheet(by: OverviewContext, day: Temporal.PlainDate): Promise<OverviewSheet> {
  const { db, caller } = by
  const { timezone, currency, country } = caller.tenant
  const now = Temporal.Now.zonedDateTimeISO(timezone)
  const isToday = day.equals(now.toPlainDate())
  const [{ visits, count }, waiting, overdue, unread] = await Promise.all([
    visitsBetween(db, lowerBound(timezone, day.toString()), upperBound(timezone, day.toString()), MAX_VISITS),
    isToday ? countWaiting(db) : undefined,
    isToday && by.may('invoices_list') ? overdueOf(db, day.toString(), MAX_OVERDUE) : undefined,
    isToday && by.may('customers_get') && caller.scopes.has('read:communications') ? countUnread(db) : undefined,
  ])
  const weekday = day.toLocaleString('en-US', { weekday: 'long' })
  return {
    title: `${weekday}, ${day.toString()}`,
    currency,
    says: [
      `Times are local, in ${timezone}.${
        isToday ? ` It is now ${now.toPlainTime().toString({ smallestUnit: 'minute' })}.` : ''
      }`,
      ...(waiting === undefined
        ? []
        : [
            `Unscheduled jobs: ${waiting.waiting}, ` +
              `${waiting.urgent} of them urgent (jobs_list with status unscheduled).`,
          ]),
      ...(unread === undefined ? [] : [`Unread messages: ${unread} (callout://messages).`]),
    ],
    parts: [
      visitsPart(visits, count, { zone: timezone, country, day }),
      ...(overdue === undefined ? [] : [overduePart(overdue, 'callout://receivables')]),
    ],
  }
}

type DayContext = { zone: string; country: string; day: Temporal.PlainDate }

const visitsPart = (visits: readonly DayVisit[], count: number, context: DayContext): SheetPart => ({
  name: 'visits',
  title: `Visits (${count})`,
  emptyText: 'Nothing is scheduled.',
  columns: [
    { name: 'person', label: 'Person' },
    { name: 'time', label: 'Time' },
    { name: 'job', label: 'Job' },
    { name: 'title', label: 'What', kind: 'words' },
    { name: 'customer', label: 'Customer', kind: 'words' },
    { name: 'address', label: 'Address', kind: 'words' },
    { name: 'status', label: 'Status' },
  ],
  rows: visits
    .map((visit) => rowOf(visit, context))
    .sort((a, b) => Number(a.person !== NOBODY) - Number(b.person !== NOBODY) || a.person.localeCompare(b.person)),
  more: count - visits.length,
  moreHint: `jobs_list with scheduled_from and scheduled_to ${context.day.toString()}`,
})

const NOBODY = 'nobody'

const rowOf = (visit: DayVisit, { zone, country, day }: DayContext) => ({
  person: visit.assignees.length === 0 ? NOBODY : visit.assignees.map(({ name }) => name).join(' + '),
  time: visit.all_day
    ? 'any time'
    : `${clockOn(visit.scheduled_start, zone, day)}-${clockOn(visit.scheduled_end, zone, day)}`,
  job: visit.display_number,
  title: truncate(visit.title, 50),
  customer: truncate(visit.customer_name, 32),
  address: visit.location_address === null ? null : truncate(localAddress(visit.location_address, country), 50),
  status:
    visit.priority === 'urgent' || visit.priority === 'high' ? `${visit.status}, ${visit.priority}` : visit.status,
})

/** Returns an instant as local time, with its date if that is another day. */
function clockOn(instant: string, zone: string, day: Temporal.PlainDate): string {
  const wall = wallAt(Temporal.Instant.from(instant), zone)
  const time = wall.toPlainTime().toString({ smallestUnit: 'minute' })
  return wall.toPlainDate().equals(day) ? time : `${wall.toPlainDate().toString()} ${time}`
}

/** Returns overdue invoices as a part of a sheet. */
export const overduePart = (
  { rows, count, sum_cents }: Awaited<ReturnType<typeof overdueOf>>,
  moreHint: string,
): SheetPart => ({
  name: 'overdue',
  title: `Overdue invoices (${count})`,
  emptyText: 'No overdue invoices.',
  columns: [
    { name: 'invoice', label: 'Invoice' },
    { name: 'customer', label: 'Customer', kind: 'words' },
    { name: 'due_date', label: 'Due' },
    { name: 'days_late', label: 'Days late' },
    { name: 'balance_due_cents', label: 'Owed', kind: 'cents' },
  ],
  rows: rows.map(({ display_number, customer_name, due_date, days_late, balance_due_cents }) => ({
    invoice: display_number,
    customer: truncate(customer_name, 40),
    due_date,
    days_late,
    balance_due_cents,
  })),
  sums: { invoice: 'Total', balance_due_cents: sum_cents },
  more: count - rows.length,
  moreHint,
})
