import type { Db } from '../../platform/db/tenant.ts'
import type { LineDraft } from '../line_items/inputs.ts'
import { copyLines } from '../line_items/line.ts'
import { invalidField, fieldName } from '../../platform/errors/refusal.ts'
import { applyPatch } from '../../platform/validation/patch.ts'
import type { ReportProblem } from '../../tools/declare/define.ts'
import { UNKNOWN_QUOTE, findQuoteSource } from '../quotes/index.ts'
import { findJobSource } from './billing/billed_jobs.ts'
import type { NewInvoice } from './billing/add.ts'
import { refusals } from './refusals.ts'

type Sources = {
  line_items?: readonly LineDraft[] | undefined
  from_job_id?: string | null | undefined
  from_quote_id?: string | null | undefined
  quote_id?: string | null | undefined
}

/** Reports an invoice whose lines come from more than one source: entered, a job, or a quote. */
export function requireOneSource(
  { line_items, from_job_id, from_quote_id, quote_id }: Sources,
  problem: ReportProblem,
): void {
  if (from_job_id != null && from_quote_id != null)
    problem('from_job_id', refusals.twoSources({ quote: fieldName('from_quote_id') }))
  if (line_items !== undefined && from_job_id != null)
    problem('line_items', refusals.linesBesideJob({ job: fieldName('from_job_id') }))
  if (line_items !== undefined && from_quote_id != null)
    problem('line_items', refusals.linesBesideQuote({ quote: fieldName('from_quote_id') }))
  if (from_quote_id != null && quote_id != null && quote_id !== from_quote_id)
    problem('quote_id', refusals.otherQuote({ quote: fieldName('from_quote_id') }))
}

/** The fields that a new invoice copies from another document. */
type SourceFields = Pick<
  NewInvoice,
  'lines' | 'job_ids' | 'quote_id' | 'location_id' | 'contact_id' | 'discount' | 'tax_rate_id' | 'is_rate_copied'
>

export async function readJobSource(db: Db, customer: string, id: string): Promise<SourceFields> {
  const job = await findJobSource(db, id)
  if (job?.customer_id !== customer) throw invalidField('from_job_id', refusals.unknownJob())
  return { lines: copyLines(job.line_items), job_ids: [id] }
}

/** Copies the quote's location, discount and rate too, so that the invoice has the agreed total. */
export async function readQuoteSource(db: Db, customer: string, id: string): Promise<SourceFields> {
  const quote = await findQuoteSource(db, id)
  if (quote?.customer_id !== customer) throw invalidField('from_quote_id', UNKNOWN_QUOTE)
  return {
    lines: copyLines(quote.line_items),
    quote_id: id,
    discount: quote.discount,
    location_id: quote.location_archived ? undefined : quote.location_id,
    contact_id: quote.contact_archived ? undefined : quote.contact_id,
    ...(quote.tax_rate_chosen ? { tax_rate_id: quote.tax_rate_id, is_rate_copied: true } : {}),
  }
}

/** Merges the entered fields over the copied ones; the jobs of both are billed. */
export const fillInvoice = (draft: Omit<NewInvoice, 'lines'>, source: SourceFields): NewInvoice =>
  applyPatch<NewInvoice>(
    { ...source, customer_id: draft.customer_id },
    {
      ...draft,
      job_ids: [...new Set([...(source.job_ids ?? []), ...(draft.job_ids ?? [])])],
      quote_id: source.quote_id ?? draft.quote_id,
      is_rate_copied: draft.tax_rate_id === undefined && source.is_rate_copied,
    },
  )
