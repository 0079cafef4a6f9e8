import { html, when, type Html } from '../../platform/html/html.ts'
import { sayHtml } from '../../platform/html/say_html.ts'
import { say } from '../../platform/i18n/say.ts'
import { money } from '../format/formats.ts'
import { recordLink } from '../page/links.ts'
import { part, statusTag } from '../page/parts.ts'
import type { PageContext } from '../page/page_context.ts'
import { listInvoiceNames } from '../invoices/index.ts'
import { findSeriesName } from '../job_series/index.ts'
import { quoteLinks } from '../quotes/index.ts'
import type { Job } from './fields.ts'

/** Renders a job's series, quote and invoices that the person may see. */
export async function lineageHtml(
  context: PageContext,
  {
    series_id,
    is_exception,
    quote_id,
    invoice_ids = [],
  }: Pick<Job, 'series_id' | 'is_exception' | 'quote_id'> & { invoice_ids?: string[] },
): Promise<Html | ''> {
  const [series, quotes, invoices] = await Promise.all([
    series_id === null || !context.may('read:job_series')
      ? undefined
      : context.read((db) => findSeriesName(db, series_id)),
    quoteLinks(context, quote_id),
    context.read((db) => listInvoiceNames(db, invoice_ids)),
  ])
  const links = [
    ...(series === undefined
      ? []
      : [
          html`${sayHtml`A visit of ${recordLink(context, 'job_series', series.id, series.title)}`}${when(
            is_exception,
            () => html`<span class="help">${say`Changed by hand`}</span>`,
          )}`,
        ]),
    ...quotes,
    ...invoices.map(
      (invoice) =>
        html`${recordLink(
          context,
          'invoices',
          invoice.id,
          invoice.display_number,
        )} ${statusTag(invoice.status)} ${money(invoice.total_cents, context.company.currency)}`,
    ),
  ]
  return when(links.length > 0, () =>
    part(say`Related`, html`<ul class="links">${links.map((link) => html`<li>${link}</li>`)}</ul>`),
  )
}
