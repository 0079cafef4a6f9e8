import { AGE_DAYS, agingOf, listAges, type Ages, type AgingRow } from '../../records/invoices/index.ts'
import { html, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { money } from '../../records/format/formats.ts'
import { recordLink } from '../../records/page/links.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { ALL_ROWS, MAX_SHOWN, reportPage, requireInvoiceReader } from './report_page.ts'
import { reportTable, type ReportColumn } from './report_table.ts'
import { amountOf, sendSheet } from '../sheet.ts'

type Age = { age: keyof Ages; label: string }

/** Lists the columns: the total, then its parts by days overdue. */
const listColumns = (): Age[] => [{ age: 'balance_cents', label: say`Total` }, ...listAges()]

/** Shows what customers owe today, by customer and by days overdue. */
export async function showAging(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  const today = todayIn(context.company.timezone)
  const { rows, sums, customers } = await context.read((db) => agingOf(db, today.toString(), MAX_SHOWN))
  const { currency } = context.company
  return reportPage(context, {
    title: say`Unpaid invoices`,
    lead: say`What customers owe today, by how many days it is late.`,
    file: context.path('reports', 'aging.csv'),
    rowCount: customers,
    body: reportTable<AgingRow>({
      caption: say`Unpaid invoices`,
      empty: say`No unpaid invoices`,
      rows,
      columns: [
        {
          label: say`Customer`,
          cell: (row) => recordLink(context, 'customers', row.customer_id, row.customer_name),
          foot: say`Total`,
        },
        ...listColumns().map(({ age, label }): ReportColumn<AgingRow> => ({
          label,
          isNumber: true,
          cell: (row) => amountLink(context, row, age, today),
          foot: money(sums[age], currency),
        })),
      ],
    }),
  })
}

/** Links an amount to the invoices behind it. */
function amountLink(context: MemberContext, row: AgingRow, age: keyof Ages, today: Temporal.PlainDate): Html | string {
  if (row[age] === 0) return html`<span class="nothing">–</span>`
  const query = ageQuery(age, today)
  query.set('customer_id', row.customer_id)
  return html`<a href="${context.path('invoices')}?${query.toString()}">${money(
    row[age],
    context.company.currency,
  )}</a>`
}

/** Returns the list filter for invoices of an age. */
export function ageQuery(age: keyof Ages, today: Temporal.PlainDate): URLSearchParams {
  const { from, to } = AGE_DAYS[age]
  return new URLSearchParams({
    ...(from === null ? {} : { overdue: 'yes', due_to: today.subtract({ days: from }).toString() }),
    ...(to === null ? {} : { due_from: today.subtract({ days: to }).toString() }),
  })
}

/** Sends the same report as CSV, with every customer. */
export async function sendAging(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  const today = todayIn(context.company.timezone).toString()
  const { rows } = await context.read((db) => agingOf(db, today, ALL_ROWS))
  const ages = listColumns()
  return sendSheet(site, request, {
    name: `aging-${today}.csv`,
    columns: [say`Customer`, say`Invoices`, ...ages.map(({ label }) => label)],
    rows: rows.map((row) => [
      row.customer_name,
      row.invoices,
      ...ages.map(({ age }) => amountOf(row[age], context.company.currency)),
    ]),
  })
}
