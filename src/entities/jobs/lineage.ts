import { html } from '../../html/html.ts'
import type { Html } from '../../html/html.ts'
import { money } from '../../screens/formats.ts'
import { recordLink } from '../../screens/links.ts'
import { part, state } from '../../screens/parts.ts'
import type { Desk } from '../../screens/page_context.ts'
import { invoicesNamed } from '../invoices/index.ts'
import { seriesNamed } from '../job_series/index.ts'
import { quoteNamed } from '../quotes/index.ts'
import type { Job } from './job.ts'

/** The series, the quote and the invoices of a job, as far as this person may see them. */
export async function lineage(desk: Desk, { series_id, is_exception, quote_id, invoice_ids = [] }: Pick<Job, 'series_id' | 'is_exception' | 'quote_id'> & { invoice_ids?: string[] }): Promise<Html | ''> {
  const [series, quote, invoices] = await Promise.all([
    series_id === null || !desk.may('read:job_series') ? undefined : desk.read((db) => seriesNamed(db, series_id)),
    quote_id === null || !desk.may('read:quotes') ? undefined : desk.read((db) => quoteNamed(db, quote_id)),
    desk.read((db) => invoicesNamed(db, invoice_ids)),
  ])
  const links = [
    ...(series === undefined ? [] : [html`A visit of ${recordLink(desk, 'job_series', series.id, series.title)}${is_exception ? ', changed by hand' : ''}`]),
    ...(quote === undefined ? [] : [html`From ${quote.status === 'archived' ? `${quote.display_number} ${quote.title}` : recordLink(desk, 'quotes', quote.id, `${quote.display_number} ${quote.title}`)} ${state(quote.status)}`]),
    ...invoices.map((invoice) => html`On ${recordLink(desk, 'invoices', invoice.id, invoice.display_number)} ${state(invoice.status)} ${money(invoice.total_cents, desk.company.currency)}`),
  ]
  return links.length === 0 ? '' : part('Belongs with', html`<ul class="links">${links.map((link) => html`<li>${link}</li>`)}</ul>`)
}
