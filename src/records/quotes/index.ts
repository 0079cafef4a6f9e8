export { archiveQuote, changeQuote } from './change.ts'
export { backdateQuote } from './overview/backdate.ts'
export { quoteOutcomes } from './overview/outcomes.ts'
export type { QuoteOutcomes } from './overview/outcomes.ts'
export { depositAmount, findDeposit } from './deposit/deposit.ts'
export type { DepositState } from './deposit/deposit.ts'
export { listOptions, requireOpenSet } from './options/option.ts'
export { MAX_OPTIONAL_LINES, optionalLines, priceWithOptional } from './options/optional_lines.ts'
export { readTemplates } from './options/template.ts'
export type { QuoteTemplate, TemplateLine } from './options/template.ts'
export {
  UNKNOWN_QUOTE,
  expireQuotes,
  findQuote,
  findQuoteSource,
  lockQuote,
  mayChangeQuote,
  mayChangeQuoteOf,
  markConverted,
  findQuoteName,
  listOpenQuotes,
  requireQuoteOwner,
  requireQuoteOf,
} from './quote.ts'
export type { Quote } from './fields.ts'
export type { OpenQuote, QuoteTerms } from './quote.ts'
export { quoteLinks } from './overview/quote_links.ts'
export { listQuoteEvents, listWaitingQuotes } from './overview/quote_events.ts'
export type { QuoteEvent, WaitingQuote } from './overview/quote_events.ts'
