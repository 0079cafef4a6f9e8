import { html, when, type Html } from '../../../platform/html/html.ts'
import { table } from '../../../platform/html/parts/table.ts'
import { say, sayFor } from '../../../platform/i18n/say.ts'
import { money } from '../../format/formats.ts'
import { recordLink } from '../../page/links.ts'
import type { PageContext } from '../../page/page_context.ts'
import { part, statusTag } from '../../page/parts.ts'
import type { StagedWork } from './add.ts'
import { findProgress, type BillingProgress, type ProgressInvoice } from './stages.ts'

/** Renders the billing progress of an accepted quote, or of a job billed in stages, for people who may see invoices. */
export async function progressPart(context: PageContext, work: StagedWork): Promise<Html | ''> {
  if (!context.may('read:invoices')) return ''
  const isOfQuote = 'quote' in work
  const progress = await context.read((db) => findProgress(db, work))
  const hasOtherInvoices = progress?.invoices.some(({ kind }) => isOfQuote || kind !== 'work')
  return progress === undefined || hasOtherInvoices !== true ? '' : progressHtml(context, progress, isOfQuote)
}

function progressHtml(context: PageContext, progress: BillingProgress, isOfQuote: boolean): Html {
  const { currency } = context.company
  const { total_cents, billed_cents, paid_cents, left_cents, invoices } = progress
  const excess = billed_cents - total_cents
  const totalLabel = isOfQuote ? say`Total of the quote` : say`Total of the job`
  const overLabel = isOfQuote ? say`Billed beyond the quote` : say`Billed beyond the job`
  return part(
    say`Billing`,
    html`${table({
      caption: say`Billing`,
      isCaptionHidden: true,
      columns: [
        { label: say`Invoice`, cell: (row) => recordLink(context, 'invoices', row.id, row.display_number) },
        { label: sayFor('invoice')`For`, cell: (row) => nameOf(row) },
        { label: say`Status`, cell: ({ status }) => statusTag(status), isOneLine: true },
        { label: sayFor('sum')`Paid`, cell: (row) => money(row.amount_paid_cents, currency), isNumber: true },
        { label: say`Total`, cell: (row) => money(row.total_cents, currency), isNumber: true },
      ],
      rows: invoices,
      empty: '',
    })}
<dl class="totals">
  <div><dt>${totalLabel}</dt><dd>${money(total_cents, currency)}</dd></div>
  <div><dt>${say`Billed`}</dt><dd>${money(billed_cents, currency)}</dd></div>
  <div><dt>${sayFor('sum')`Paid`}</dt><dd>${money(paid_cents, currency)}</dd></div>
  <div class="sum"><dt>${excess > 0 ? overLabel : say`Left to bill`}</dt><dd>${money(
    excess > 0 ? excess : left_cents,
    currency,
  )}</dd></div>
</dl>${when(
      left_cents > 0 && invoices.every(({ kind }) => kind !== 'work'),
      () => html`<p class="help">${say`The final invoice deducts what was billed on account.`}</p>`,
    )}`,
  )
}

function nameOf({ kind, subject }: ProgressInvoice): string {
  if (kind === 'deposit') return say`Deposit`
  return kind === 'stage' ? say`Stage: ${subject ?? ''}` : (subject ?? say`Work`)
}
