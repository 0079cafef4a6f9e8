import { backdateQuote } from '../../../records/quotes/index.ts'
import { instantIn, todayIn, utc } from '../../../platform/validation/formats/instants.ts'
import { priceToMatch } from '../amounts.ts'
import type { CreatedDocument, DocumentContext } from './document_context.ts'

/** Creates a quote in the state from the file. Nothing is sent to anyone. */
export async function makeQuote(context: DocumentContext): Promise<CreatedDocument> {
  const { db, caller, sourceDocument, customer, run, input } = context
  const { currency, timezone } = caller.tenant
  const { isEvenedOut, amounts, lines, days } = sourceDocument
  const today = todayIn(timezone).toString()
  const issue_date = typeof input['issue_date'] === 'string' ? input['issue_date'] : today
  const valid = days['valid_until'] ?? Temporal.PlainDate.from(issue_date).add({ days: 30 }).toString()
  const state = sourceDocument.state === 'sent' && valid < today ? 'expired' : sourceDocument.state
  const priced = await priceToMatch(db, lines, amounts, { currency, isExempt: customer.tax_exempt, isEvenedOut })
  const valid_until = valid < today ? today : valid
  const { outcome } = await run('quotes_create', { ...input, ...priced, valid_until })
  const id = String(outcome.result['id'])
  for (const status of STEPS[state] ?? [])
    await run('quotes_update', {
      id,
      status,
      ...(status === 'declined' && days['reason'] !== undefined ? { decline_reason: days['reason'] } : {}),
    })
  if (valid !== valid_until && state !== 'draft') await run('quotes_update', { id, valid_until: valid })
  if (days['answered'] !== undefined && (state === 'accepted' || state === 'declined'))
    await backdateQuote(db, id, utc(instantIn(timezone, days['answered'])))
  return { id, total_cents: Number(outcome.result['total_cents']) }
}

/** Status updates that lead to each state. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  sent: ['sent'],
  accepted: ['sent', 'accepted'],
  declined: ['sent', 'declined'],
  expired: ['sent', 'expired'],
}
