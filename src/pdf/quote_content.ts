import type { Company } from '../identity/companies/company.ts'
import type { Quote } from '../records/quotes/index.ts'
import { say } from '../platform/i18n/say.ts'
import { money, shortDay } from '../records/format/formats.ts'
import type { PdfDocumentData } from './document.ts'
import { exemption, toParties, toPriceTable, toSums, type PdfRecipient, type PdfContent } from './parties.ts'

/** Returns a quote as its customer gets it, with a line to accept it on while it can be accepted. */
export const toQuoteContent = (quote: Quote, to: PdfRecipient, company: Company): PdfContent => ({
  name: say`Quote`,
  number: quote.display_number,
  at: quote.updated_at,
  mark: markOf(quote),
  headline: { amount: money(quote.total_cents, quote.currency), says: say`valid until ${shortDay(quote.valid_until)}` },
  parties: toParties(say`Prepared for`, quote, to, company),
  facts: [
    { label: say`Date`, value: shortDay(quote.issue_date) },
    { label: say`Valid until`, value: shortDay(quote.valid_until) },
    { label: say`Your contact`, value: quote.owner_name },
  ],
  title: quote.title,
  message: quote.message,
  table: toPriceTable(quote, quote.currency),
  sums: toSums(quote, quote.currency),
  remark: exemption(quote),
  parts: quote.terms === null ? [] : [{ title: say`Terms`, text: quote.terms }],
  signature:
    quote.status === 'draft' || quote.status === 'sent'
      ? { says: say`I accept this quote and its terms.`, blanks: [say`Signature`, say`Name`, say`Date`] }
      : undefined,
})

function markOf({ status }: Quote): PdfDocumentData['mark'] {
  if (status === 'draft') return { says: say`Draft`, look: 'open' }
  if (status === 'accepted') return { says: say`Accepted`, look: 'done' }
  if (status === 'declined') return { says: say`Declined`, look: 'ended' }
  return status === 'expired' ? { says: say`Expired`, look: 'ended' } : undefined
}
