import { accountsOf, agingOf, overdueOf, listUnbilledJobs } from '../../records/invoices/index.ts'
import { parseDay } from '../../platform/validation/formats/days.ts'
import { todayIn, utc } from '../../platform/validation/formats/instants.ts'
import { overduePart } from './day.ts'
import { truncate, type Overview } from './overview.ts'
import type { OverviewSheet, SheetPart } from './sheet.ts'

const MAX_CUSTOMERS = 20
const MAX_INVOICES = 15
const MAX_JOBS = 25

export const receivables: Overview = {
  path: 'receivables',
  name: 'receivables',
  title: 'Receivables',
  description: 'What each customer owes, by how late it is, and the overdue invoices',
  tools: ['invoices_list'],
  async read({ db, caller: { tenant } }) {
    const today = todayIn(tenant.timezone).toString()
    const [aging, overdue] = await Promise.all([agingOf(db, today, MAX_CUSTOMERS), overdueOf(db, today, MAX_INVOICES)])
    const ages = [
      { name: 'current_cents', label: 'Not due' },
      { name: 'to_30_cents', label: '1-30 days' },
      { name: 'to_60_cents', label: '31-60' },
      { name: 'to_90_cents', label: '61-90' },
      { name: 'over_90_cents', label: 'Over 90' },
      { name: 'balance_cents', label: 'Owed' },
    ] as const
    return {
      title: `Receivables on ${today}`,
      currency: tenant.currency,
      says: [`Amounts are in ${tenant.currency}.`],
      parts: [
        {
          name: 'customers',
          title: `Customers (${aging.customers})`,
          emptyText: 'Nobody owes anything.',
          columns: [
            { name: 'customer', label: 'Customer', kind: 'words' },
            { name: 'invoices', label: 'Invoices' },
            ...ages.map((age) => ({ ...age, kind: 'cents' as const })),
          ],
          rows: aging.rows.map((row) => ({
            customer: truncate(row.customer_name, 40),
            invoices: row.invoices,
            ...Object.fromEntries(ages.map(({ name }) => [name, row[name] === 0 ? null : row[name]])),
          })),
          sums: { invoices: 'Total', ...aging.sums },
          more: aging.customers - aging.rows.length,
        },
        overduePart(overdue, 'invoices_list with overdue true'),
      ],
    }
  },
}

export const unbilled: Overview = {
  path: 'unbilled',
  name: 'unbilled',
  title: 'Unbilled work',
  description: 'Finished jobs that are not on an invoice, oldest first, with the subtotals of their lines',
  tools: ['jobs_list', 'invoices_list'],
  async read({ db, caller: { tenant } }) {
    const since = todayIn(tenant.timezone).subtract({ years: 1 })
    const { rows, count, sum_cents } = await listUnbilledJobs(
      db,
      utc(since.toZonedDateTime(tenant.timezone).toInstant()),
      MAX_JOBS,
    )
    return {
      title: 'Unbilled work',
      currency: tenant.currency,
      says: [
        `Jobs finished since ${since.toString()}. Amounts are in ${tenant.currency}, ` +
          `before discounts and tax. invoices_create with from_job_id bills one job.`,
      ],
      parts: [
        {
          name: 'jobs',
          title: `Jobs (${count})`,
          emptyText: 'All finished work is billed.',
          columns: [
            { name: 'job', label: 'Job' },
            { name: 'title', label: 'What', kind: 'words' },
            { name: 'customer', label: 'Customer', kind: 'words' },
            { name: 'done', label: 'Done' },
            { name: 'subtotal_cents', label: 'Lines', kind: 'cents' },
          ],
          rows: rows.map(({ display_number, title, customer_name, completed_at, subtotal_cents }) => ({
            job: display_number,
            title: truncate(title, 60),
            customer: truncate(customer_name, 40),
            done: Temporal.Instant.from(completed_at).toZonedDateTimeISO(tenant.timezone).toPlainDate().toString(),
            subtotal_cents,
          })),
          sums: { job: 'Total', subtotal_cents: sum_cents },
          more: count - rows.length,
          moreHint: 'read this again after billing these',
        },
      ],
    }
  },
}

export const reports: Overview = {
  path: 'reports',
  name: 'reports',
  title: 'Money by month',
  description: 'Amounts invoiced, received and overdue in each of the last twelve months',
  tools: ['invoices_list'],
  async read({ db, caller: { tenant } }) {
    const today = todayIn(tenant.timezone)
    const from = today.with({ day: 1 }).subtract({ months: 11 }).toString()
    const accounts = await accountsOf(db, 'month', { from, to: today.toString() }, today.toString(), 12)
    return accountsSheet(`Money by month since ${from}`, tenant.currency, {
      ...accountsPart('months', 'Month', { ...accounts, count: accounts.rows.length }),
      moreHint: '',
    })
  },
}

export const monthReport: Overview = {
  path: 'reports/{month}',
  name: 'month_report',
  title: 'Money by customer',
  description: 'Amounts invoiced, received and overdue in a month such as 2026-11, by customer',
  tools: ['invoices_list'],
  completes: {
    month: async ({ caller }, text) => {
      const first = todayIn(caller.tenant.timezone).with({ day: 1 })
      const values = Array.from({ length: 12 }, (_, i) => first.subtract({ months: i }).toString().slice(0, 7)).filter(
        (month) => month.startsWith(text),
      )
      return { values, total: values.length, hasMore: false }
    },
  },
  async read({ db, caller: { tenant } }, { month = '' }) {
    const first = parseDay(`${month}-01`)
    if (first === undefined) return undefined
    const range = { from: first.toString(), to: first.add({ months: 1 }).subtract({ days: 1 }).toString() }
    const today = todayIn(tenant.timezone).toString()
    const accounts = await accountsOf(db, 'customer', range, today, MAX_CUSTOMERS)
    return accountsSheet(
      `Money in ${month} by customer`,
      tenant.currency,
      accountsPart('customers', 'Customer', accounts),
    )
  },
}

const accountsSheet = (title: string, currency: string, part: SheetPart): OverviewSheet => ({
  title,
  currency,
  says: [
    `Amounts are in ${currency}. Invoiced: issued invoices by issue date, with tax. ` +
      `Received: payments by payment date, minus refunds. ` +
      'Overdue: still owed on invoices due in the month.',
  ],
  parts: [part],
})

const accountsPart = (
  name: string,
  label: string,
  { rows, count, sums }: Awaited<ReturnType<typeof accountsOf>>,
): SheetPart => ({
  name,
  title: `By ${label.toLowerCase()}`,
  emptyText: 'Nothing was invoiced, received or due.',
  columns: [
    { name: label.toLowerCase(), label, ...(label === 'Customer' && { kind: 'words' as const }) },
    { name: 'invoiced_cents', label: 'Invoiced', kind: 'cents' },
    { name: 'received_cents', label: 'Received', kind: 'cents' },
    { name: 'overdue_cents', label: 'Overdue', kind: 'cents' },
  ],
  rows: rows.map(({ name, invoiced_cents, received_cents, overdue_cents }) => ({
    [label.toLowerCase()]: truncate(name, 40),
    invoiced_cents,
    received_cents,
    overdue_cents,
  })),
  sums: { [label.toLowerCase()]: 'Total', ...sums },
  more: count - rows.length,
  moreHint: 'invoices_list with group_by customer and the dates lists them all',
})
