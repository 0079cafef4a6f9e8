import type { Results } from '../../../tools/declare/results.ts'
import { linesOf, type Catalog, type DemoLine } from './catalog.ts'
import type { Customers } from '../customers.ts'
import type { Jobs } from '../work/jobs.ts'
import type { Quotes } from './quotes.ts'
import { EARLIER_VISITS, earlierRef } from '../work/visits_long_before.ts'
import { workday, type DemoSite } from '../work/site.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

type DemoInvoice = {
  for: string
  /** Source of the line items: a job, a quote, or lines of its own. */
  job?: string
  quote?: string
  lines?: readonly DemoLine[]
  /** Days since its issue. Without `age` and `day`, it is issued on the working day before today. */
  age?: number
  /** Working day of its issue, relative to today. Use either this or `age`. */
  day?: number
  /** Status changes after its creation. `half_paid` records a payment of half the total. */
  statuses: readonly ('sent' | 'paid' | 'half_paid' | 'void')[]
  subject?: string
  message?: string
  internal_memo?: string
  po_number?: string
  reason?: string
}

type InvoiceSources = { customers: Customers; catalog: Catalog; jobs: Jobs; quotes: Quotes }

/** Invoices for the work of previous weeks. */
const EARLIER_INVOICES: readonly DemoInvoice[] = EARLIER_VISITS.flatMap(([day, , , customer, title, , billed], i) =>
  billed === 'free'
    ? []
    : [
        {
          for: customer,
          job: earlierRef(i),
          day,
          subject: title,
          statuses: [billed === 'unpaid' ? ('sent' as const) : billed],
        },
      ],
)

const issueDate = (today: Temporal.PlainDate, { age, day = -1 }: DemoInvoice): Temporal.PlainDate =>
  age === undefined ? workday(today, day) : today.subtract({ days: age })

/** Creates the invoices, oldest first, then applies their status changes. */
export async function makeInvoices(site: DemoSite, sources: InvoiceSources): Promise<void> {
  const invoices: { invoice: DemoInvoice; issue: Results['invoices_create'] }[] = []
  const sorted = [...EARLIER_INVOICES, ...INVOICES].sort((a, b) =>
    Temporal.PlainDate.compare(issueDate(site.today, a), issueDate(site.today, b)),
  )
  for (const invoice of sorted) invoices.push({ invoice, issue: await makeInvoice(site, sources, invoice) })
  await Promise.all(invoices.map(({ invoice, issue }) => setStatus(site, invoice, issue)))
}

function makeInvoice(
  { today, make }: DemoSite,
  { customers, catalog, jobs, quotes }: InvoiceSources,
  invoice: DemoInvoice,
): Promise<Results['invoices_create']> {
  const { for: customer, job, quote, lines, subject, message, internal_memo, po_number } = invoice
  return make(
    'invoices_create',
    {
      customer_id: requireValue(customers.get(customer), customer).id,
      subject,
      message,
      internal_memo,
      po_number,
      issue_date: issueDate(today, invoice).toString(),
      ...(job === undefined ? {} : { from_job_id: requireValue(jobs.get(job), job).id }),
      ...(quote === undefined ? {} : { from_quote_id: requireValue(quotes.get(quote), quote).id }),
      ...(lines === undefined ? {} : { line_items: linesOf(catalog, lines) }),
    },
    'priya',
  )
}

async function setStatus(
  site: DemoSite,
  { statuses, reason }: DemoInvoice,
  issue: Results['invoices_create'],
): Promise<void> {
  const { id, total_cents } = issue
  for (const status of statuses) {
    if (status === 'void') await site.make('invoices_void', { id, reason }, 'dana')
    else if (status === 'sent') await site.make('invoices_update', { id, status }, 'priya')
    else await pay(site, issue, status === 'paid' ? total_cents : Math.round(total_cents / 2))
  }
}

const METHODS = ['card', 'check', 'card', 'cash', 'bank_transfer'] as const

/** Records a payment one to nine days after the issue, at the latest today, with varying methods. */
function pay(
  { today, runAction }: DemoSite,
  { id, number, issue_date }: Results['invoices_create'],
  amount_cents: number,
): Promise<void> {
  const method = METHODS[number % METHODS.length] ?? 'card'
  const paid = Temporal.PlainDate.from(issue_date).add({ days: 1 + (number % 9) })
  return runAction(
    'invoices_record_payment',
    {
      id,
      amount_cents,
      method,
      paid_on: (Temporal.PlainDate.compare(paid, today) < 0 ? paid : today).toString(),
      ...(method === 'check' ? { reference: `#${2_000 + number}` } : {}),
    },
    'priya',
  )
}

const INVOICES: readonly DemoInvoice[] = [
  {
    for: 'bluestem',
    age: 68,
    statuses: ['sent'],
    subject: 'Zaragoza: underground',
    lines: [['plumber', 22], { kind: 'product', name: 'Underground material', unit_price_cents: 186_000 }],
    message: 'Net 30.',
    internal_memo: 'Travis says the draw comes at the end of the month.',
  },
  {
    for: 'mcallister',
    age: 41,
    statuses: ['sent'],
    subject: 'Galvanized riser repair',
    lines: ['trip', ['plumber', 3.5]],
    internal_memo: 'Agreed to a card on file before any new work.',
  },
  {
    for: 'lantern',
    age: 27,
    statuses: ['sent'],
    subject: 'Preschool restrooms',
    po_number: 'LH-2291',
    lines: ['trip', ['plumber', 2], { kind: 'product', name: 'Flush valve kit', unit_price_cents: 5_400 }],
  },
  { for: 'calaveras', age: 24, statuses: ['sent', 'paid'], subject: 'Grease trap, last month', lines: ['grease'] },
  {
    for: 'goldberg',
    age: 3,
    statuses: ['void'],
    subject: 'Water heater replacement',
    lines: ['heater', ['plumber', 4], 'permit'],
    reason: 'Billed by parts; replaced by the one at the bundle price.',
  },
  {
    for: 'brandt',
    job: 'brandt_drain',
    statuses: ['paid'],
    subject: 'Kitchen line',
    message: 'Paid by card on site, thank you.',
  },
  { for: 'singh', job: 'singh_descale', statuses: ['sent', 'paid'] },
  { for: 'hydepark', job: 'speedway_boiler', statuses: ['sent'], subject: 'Speedway fourplex: boiler' },
  { for: 'foundry', job: 'foundry_backflow', statuses: ['sent'], subject: 'Backflow tests' },
  {
    for: 'goldberg',
    job: 'goldberg_heater',
    statuses: ['sent', 'half_paid'],
    internal_memo: 'Half by check at the door, the rest when the permit is signed off.',
  },
  { for: 'riverbend', job: 'riverbend_room', statuses: [], subject: 'Exam room 2' },
  { for: 'stelmo', quote: 'contactor', age: 0, statuses: [], subject: 'Contactor of rooftop unit 3' },
]
