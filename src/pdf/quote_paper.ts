import type { Company } from '../identity/companies/company.ts'
import type { Quote } from '../records/quotes/index.ts'
import { say } from '../platform/i18n/say.ts'
import { money, shortDay } from '../records/format/formats.ts'
import type { Paper } from './paper.ts'
import { exemption, partiesOf, pricedTable, sumsOf, type Addressed, type Content } from './parties.ts'

/** Returns a quote as its customer gets it, with a line to accept it on while it can be accepted. */
export const quotePaper = (quote: Quote, to: Addressed, company: Company): Content => ({
  name: say`Quote`,
  number: quote.display_number,
  at: quote.updated_at,
  mark: markOf(quote),
  headline: { amount: money(quote.total_cents, quote.currency), says: say`valid until ${shortDay(quote.valid_until)}` },
  parties: partiesOf(say`Prepared for`, quote, to, company),
  facts: [
    { label: say`Date`, value: shortDay(quote.issue_date) },
    { label: say`Valid until`, value: shortDay(quote.valid_until) },
    { label: say`Your contact`, value: quote.owner_name },
  ],
  title: quote.title,
  message: quote.message,
  table: pricedTable(quote, quote.currency),
  sums: sumsOf(quote, quote.currency),
  remark: exemption(quote),
  parts: quote.terms === null ? [] : [{ title: say`Terms`, text: quote.terms }],
  signature:
    quote.status === 'draft' || quote.status === 'sent'
      ? { says: say`I accept this quote and its terms.`, blanks: [say`Signature`, say`Name`, say`Date`] }
      : undefined,
})

function markOf({ status }: Quote): Paper['mark'] {
  if (status === 'draft') return { says: say`Draft`, look: 'open' }
  if (status === 'accepted') return { says: say`Accepted`, look: 'done' }
  if (status === 'declined') return { says: say`Declined`, look: 'ended' }
  return status === 'expired' ? { says: say`Expired`, look: 'ended' } : undefined
}
