export { findDeposit } from './deposit.ts'
export type { Deposit, DepositState } from './deposit.ts'
export { expireQuotes, findQuoteSource, markConverted, quoteNamed, requireQuoteOf } from './quote.ts'
export type { Quote } from './quote.ts'
