import { html, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { money } from '../../format/formats.ts'
import { invoicesOfQuote } from '../../invoices/index.ts'
import { jobsOfQuote } from '../../jobs/index.ts'
import { recordLink } from '../../page/links.ts'
import type { PageContext } from '../../page/page_context.ts'
import { part, statusTag } from '../../page/parts.ts'
import type { Quote } from '../fields.ts'

/** Renders the jobs made from a quote, and the invoices unless its billing lists them. */
export async function newRecordsHtml(context: PageContext, { id, status }: Quote): Promise<Html | ''> {
  const [jobs, invoices] = await Promise.all([
    context.may('read:jobs') ? context.read((db) => jobsOfQuote(db, id)) : [],
    context.may('read:invoices') && status !== 'accepted' ? context.read((db) => invoicesOfQuote(db, id)) : [],
  ])
  return jobs.length + invoices.length === 0
    ? ''
    : part(
        say`Created records`,
        html`
<ul class="links">${jobs.map(
          (job) => html`
  <li>${recordLink(context, 'jobs', job.id, `${job.display_number} ${job.title}`)} ${statusTag(job.status)}</li>`,
        )}${invoices.map(
          (invoice) => html`
  <li>${recordLink(
    context,
    'invoices',
    invoice.id,
    say`Invoice ${invoice.display_number}`,
  )} ${statusTag(invoice.status)} ${money(invoice.total_cents, context.company.currency)}</li>`,
        )}
</ul>`,
      )
}
