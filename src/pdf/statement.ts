import { companyOf, type Company } from '../identity/companies/company.ts'
import { findLogo } from '../files/logo.ts'
import { languageOf, withReader } from '../platform/i18n/reader.ts'
import { say, sayCount } from '../platform/i18n/say.ts'
import { sql, type Db } from '../platform/db/tenant.ts'
import {
  listAges,
  statementLabel,
  statementMethod,
  type DayRange,
  type OpenInvoice,
  type Statement,
  type StatementEntry,
} from '../records/invoices/index.ts'
import { money, shortDay } from '../records/format/formats.ts'
import { localAddress } from '../records/page/contact_links.ts'
import type { PdfDocumentData, PdfRow } from './document.ts'
import { addressLines, type PdfContent } from './content.ts'
import { toPdfDocument } from './read_document.ts'

/** Recipient of a statement. */
type StatementRecipient = {
  display_name: string
  preferred_language: string | null
  contact: string | null
  address: string | null
}

/** Returns a customer's statement as a document, in the language that the customer prefers. */
export async function readStatementDocument(db: Db, customer: string, statement: Statement): Promise<PdfDocumentData> {
  const [to, company, logo] = await Promise.all([findStatementRecipient(db, customer), companyOf(db), findLogo(db)])
  return withReader({ language: languageOf(to.preferred_language), country: company.country }, () =>
    toPdfDocument('statements', company, logo, toContent(statement, to, company)),
  )
}

/** Returns the file name of a statement: `statement-2026-11-30.pdf`. */
export const statementFileName = ({ to }: DayRange): string => `statement-${to}.pdf`

const findStatementRecipient = (db: Db, customer: string): Promise<StatementRecipient> =>
  db.present<StatementRecipient>(
    sql`select c.display_name, c.preferred_language, nullif(concat_ws(' ', k.first_name, k.last_name), '') as contact,
        (select l.formatted_address from locations l
          where l.tenant_id = ${db.tenant} and l.customer_id = c.id and l.is_primary and l.archived_at is null
          order by l.type = 'billing' desc limit 1) as address
      from customers c
      left join contacts k on k.tenant_id = ${db.tenant} and k.customer_id = c.id and k.is_primary
        and k.archived_at is null
      where c.tenant_id = ${db.tenant} and c.id = ${customer}`,
    'customer',
  )

function toContent(statement: Statement, to: StatementRecipient, company: Company): PdfContent {
  const { range, sums } = statement
  const amount = (cents: number): string => money(cents, company.currency)
  return {
    name: say`Statement`,
    number: shortDay(range.to),
    at: `${range.to}T00:00:00Z`,
    status: undefined,
    headline: { amount: amount(sums.end_cents), detail: say`balance on ${shortDay(range.to)}` },
    addressBlocks: [
      {
        label: say`Bill to`,
        name: to.display_name,
        lines: [
          ...(to.contact === null || to.contact === to.display_name ? [] : [to.contact]),
          ...(to.address === null ? [] : addressLines(localAddress(to.address, company.country))),
        ],
      },
    ],
    facts: [
      { label: say`First day`, value: shortDay(range.from) },
      { label: say`Last day`, value: shortDay(range.to) },
    ],
    title: null,
    message: null,
    table: toTable(statement, amount),
    sums: [
      ...listAges()
        .filter(({ age }) => sums[age] !== 0)
        .map(({ age, label }) => ({ label, amount: amount(sums[age]), look: 'plain' as const })),
      ...(sums.credit_cents === 0
        ? []
        : [{ label: say`Credit`, amount: amount(-sums.credit_cents), look: 'plain' as const }]),
      { label: say`Balance`, amount: amount(sums.end_cents), look: 'due' },
    ],
    sumsNote: undefined,
    parts: [
      ...(statement.open.length === 0 ? [] : [{ title: say`Open invoices`, text: openText(statement, amount) }]),
      ...(company.how_to_pay === null || sums.end_cents <= 0
        ? []
        : [{ title: say`How to pay`, text: company.how_to_pay }]),
    ],
    signature: undefined,
  }
}

type AmountFormatter = (cents: number) => string

const toTable = ({ range, sums, skipped, entries }: Statement, amount: AmountFormatter): PdfDocumentData['table'] => ({
  caption: say`Entries of the statement`,
  headers: [say`Entry`, say`Date`, say`Amount`, say`Balance`],
  rows: [
    { name: say`Balance before`, description: null, cells: [shortDay(range.from), '', amount(sums.before_cents)] },
    ...(skipped.count === 0
      ? []
      : [
          {
            name: sayCount(skipped.count, 'One earlier entry, not listed', '{0} earlier entries, not listed'),
            description: null,
            cells: ['', amount(skipped.cents), amount(sums.before_cents + skipped.cents)],
          },
        ]),
    ...entries.map((entry) => toRow(entry, amount)),
  ],
  empty: '',
})

const toRow = (entry: StatementEntry, amount: AmountFormatter): PdfRow => ({
  name: statementLabel(entry),
  description: entry.kind === 'invoice' ? say`due ${shortDay(entry.due_date)}` : statementMethod(entry),
  cells: [shortDay(entry.day), amount(entry.cents), amount(entry.balance_cents)],
})

function openText({ open, sums }: Statement, amount: AmountFormatter): string {
  const rest = sums.open_count - open.length
  return [
    ...open.map((invoice) => `${invoice.display_number} · ${dueText(invoice)} · ${amount(invoice.cents)}`),
    ...(rest === 0 ? [] : [sayCount(rest, 'One more invoice, not listed', '{0} more invoices, not listed')]),
  ].join('\n')
}

const dueText = ({ due_date, days_late }: OpenInvoice): string =>
  days_late <= 0
    ? say`due ${shortDay(due_date)}`
    : `${say`due ${shortDay(due_date)}`} · ${sayCount(days_late, 'one day late', '{0} days late')}`
