export { expireQuotes, findQuote, findQuoteSource, markConverted, quoteNamed, requireQuoteOf } from './quote.ts'
export type { Quote } from './quote.ts'
