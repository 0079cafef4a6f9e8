import { html, when, type Html } from '../../../platform/html/html.ts'
import { sayCount } from '../../../platform/i18n/say.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import type { Results } from '../../../tools/declare/results.ts'
import { shortDay } from '../../format/formats.ts'
import type { ListPage, PageContext } from '../../page/page_context.ts'
import { statusTag } from '../../page/parts.ts'
import { findDisputed } from './named.ts'

/** A row of the invoice list, with fields that the page adds. */
export type InvoiceRow = Results['invoices_list']['rows'][number] & { disputed?: boolean }

/** Renders the status of an invoice, and whether it is overdue or disputed. */
export const invoiceStatusHtml = ({
  status,
  is_overdue,
  disputed = false,
}: Pick<InvoiceRow, 'status' | 'is_overdue' | 'disputed'>): Html =>
  html`${statusTag(status)}${
    is_overdue ? html` ${statusTag('overdue')}` : ''
  }${disputed ? html` ${statusTag('disputed')}` : ''}`

/** Renders the due date of an invoice, and the days past due. */
export function dueHtml(
  { company }: PageContext,
  { due_date, is_overdue }: Pick<InvoiceRow, 'due_date' | 'is_overdue'>,
): Html {
  const late = daysLate(due_date, company.timezone)
  return html`${shortDay(due_date)}${when(
    is_overdue,
    () => html` <span class="help">${sayCount(late, 'one day late', '{0} days late')}</span>`,
  )}`
}

const daysLate = (due: string, zone: string): number => Temporal.PlainDate.from(due).until(todayIn(zone)).days

/** Reads a page of the list, with the disputed flags, which the tool doesn't return. */
export async function readListPage(
  context: PageContext,
  filters: Readonly<Record<string, unknown>>,
): Promise<ListPage> {
  const list = await context.call('invoices_list', filters)
  const ids = list.rows.map(({ id }) => id)
  const disputed = await context.read((db) => findDisputed(db, ids))
  return { ...list, rows: list.rows.map((row) => ({ ...row, disputed: disputed.has(row.id) })) }
}
