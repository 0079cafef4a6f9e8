import type { Customer } from '../../../records/customers/index.ts'
import {
  listAges,
  statementLabel,
  statementMethod,
  type OpenInvoice,
  type Statement,
  type StatementEntry,
} from '../../../records/invoices/index.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { field, hidden } from '../../../platform/html/parts/field.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { money, shortDay } from '../../../records/format/formats.ts'
import { numberLink } from '../../../records/page/links.ts'
import { part } from '../../../records/page/parts.ts'
import { frame } from '../../frame.ts'
import type { MemberContext } from '../../member_context.ts'
import { addressOf, rangeHtml, type RequestedRange } from '../range.ts'
import { newId } from '../../../platform/validation/id.ts'
import { maySendStatements } from './rights.ts'
import { reportTable } from '../report_table.ts'

/** Draws a customer's account: what changed the balance, and the open amounts at the end by age. */
export function statementPage(
  context: MemberContext,
  { customer, statement, range, to }: { customer: Customer; statement: Statement; range: RequestedRange; to: string },
): Html {
  const path = context.path('customers', customer.id, 'statement')
  const title = say`Statement`
  return frame(context, {
    title: `${title} · ${customer.display_name}`,
    here: context.path('customers'),
    styles: ['money.css'],
    body: html`
<header class="page-head">
  <div><p class="eyebrow"><a href="${context.path('customers', customer.id)}">${customer.display_name}</a></p>
  <h1>${title}</h1></div>
  <p class="actions">${linkButton(say`Download PDF`, addressOf(`${path}.pdf`, range))}</p>
</header>
${rangeHtml(path, range, context.company.timezone, { isOpen: range.problem !== undefined, problem: range.problem })}
${entriesTable(context, statement)}
<div class="parts">${part(say`Open invoices`, html`${agesTable(context, statement)}${openTable(context, statement)}`)}
${when(maySendStatements(context) && range.problem === undefined, () => mailPart(addressOf(path, range), to))}</div>`,
  })
}

/** Draws the form that emails the statement. */
const mailPart = (action: string, to: string): Html =>
  part(
    say`Send statement`,
    html`
<form class="form" method="post" action="${action}">${hidden('idempotency_key', newId())}
  ${field({ name: 'to', label: say`Email address`, type: 'email', value: to, isRequired: true })}
  <p class="actions">${button({ label: say`Email statement` })}</p>
</form>`,
  )

type Line = { day: string; label: Html | string; detail: string | null; amount: string; balance: string }

function entriesTable(context: MemberContext, statement: Statement): Html {
  const { currency } = context.company
  const { end_cents } = statement.sums
  return reportTable<Line>({
    caption: say`Entries of the statement`,
    empty: '',
    rows: [...openingLines(statement, currency), ...statement.entries.map((entry) => toLine(context, entry))],
    columns: [
      {
        label: say`Entry`,
        cell: ({ label, detail }) =>
          html`${label}${when(detail, (detail) => html` <small class="nothing">${detail}</small>`)}`,
        foot: say`Balance on ${shortDay(statement.range.to)}`,
      },
      { label: say`Date`, cell: ({ day }) => (day === '' ? '' : shortDay(day)) },
      { label: say`Amount`, cell: ({ amount }) => amount, isNumber: true },
      { label: say`Balance`, cell: ({ balance }) => balance, isNumber: true, foot: money(end_cents, currency) },
    ],
  })
}

/** Returns the opening balance, and one line for the entries too many to list. */
const openingLines = ({ range, sums, skipped }: Statement, currency: string): Line[] => [
  {
    day: range.from,
    label: say`Balance before`,
    detail: null,
    amount: '',
    balance: money(sums.before_cents, currency),
  },
  ...(skipped.count === 0
    ? []
    : [
        {
          day: '',
          label: sayCount(skipped.count, 'One earlier entry, not listed', '{0} earlier entries, not listed'),
          detail: null,
          amount: money(skipped.cents, currency),
          balance: money(sums.before_cents + skipped.cents, currency),
        },
      ]),
]

const toLine = (context: MemberContext, entry: StatementEntry): Line => ({
  day: entry.day,
  label: html`<a href="${context.path('invoices', entry.invoice_id)}">${statementLabel(entry)}</a>`,
  detail: entry.kind === 'invoice' ? say`due ${shortDay(entry.due_date)}` : statementMethod(entry),
  amount: money(entry.cents, context.company.currency),
  balance: money(entry.balance_cents, context.company.currency),
})

/** Draws the open amounts by age, down to the closing balance. */
function agesTable({ company: { currency } }: MemberContext, { sums, range }: Statement): Html {
  const rows = [
    ...listAges().map(({ age, label }) => ({ label, cents: sums[age] })),
    ...(sums.credit_cents === 0 ? [] : [{ label: say`Credit`, cents: -sums.credit_cents }]),
  ]
  return reportTable({
    caption: say`By age`,
    empty: '',
    rows,
    columns: [
      { label: say`Age`, cell: ({ label }) => label, foot: say`Balance on ${shortDay(range.to)}` },
      {
        label: say`Amount`,
        cell: ({ cents }) => (cents === 0 ? html`<span class="nothing">–</span>` : money(cents, currency)),
        isNumber: true,
        foot: money(sums.end_cents, currency),
      },
    ],
  })
}

function openTable(context: MemberContext, { open, sums }: Statement): Html {
  const rest = sums.open_count - open.length
  const { currency } = context.company
  return html`${reportTable<OpenInvoice>({
    caption: say`Open invoices`,
    empty: say`No unpaid invoices`,
    rows: open,
    columns: [
      {
        label: say`Invoice`,
        cell: ({ id, display_number }) => numberLink(context, 'invoices', id, display_number),
        foot: say`Total`,
      },
      { label: say`Due`, cell: ({ due_date }) => shortDay(due_date) },
      { label: say`Days late`, cell: ({ days_late }) => (days_late <= 0 ? '' : String(days_late)), isNumber: true },
      {
        label: say`Balance due`,
        cell: ({ cents }) => money(cents, currency),
        isNumber: true,
        foot: money(sums.balance_cents, currency),
      },
    ],
  })}${when(
    rest > 0,
    () => html`<p class="help">${sayCount(rest, 'One more invoice, not listed', '{0} more invoices, not listed')}</p>`,
  )}`
}
