export { changeQuote } from './change.ts'
export {
  expireQuotes,
  findQuote,
  findQuoteSource,
  lockQuote,
  markConverted,
  quoteNamed,
  quotesOpenTo,
  requireQuoteOf,
} from './quote.ts'
export type { Quote, QuoteTerms } from './quote.ts'
export { expireQuotes, findQuote, findQuoteSource, markConverted, quoteNamed, requireQuoteOf } from './quote.ts'
export type { Quote } from './quote.ts'
export type { OpenQuote, Quote, QuoteTerms } from './quote.ts'
