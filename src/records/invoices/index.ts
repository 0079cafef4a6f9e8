export { accountsOf, overdueOf } from './accounting/accounts.ts'
export type { AccountRow, OverdueInvoice } from './accounting/accounts.ts'
export { agingOf } from './accounting/aging.ts'
export type { Ages, Aging, AgingRow } from './accounting/aging.ts'
export { billingStateOf, findPayee } from './billing/billing.ts'
export type { Billing, Payee, Payment, PaymentKind } from './billing/billing.ts'
export { changeInvoice } from './change.ts'
export { deductionsOf } from './billing/deposits.ts'
export type { DeductedDeposit } from './billing/deposits.ts'
export { exportCustomers, exportInvoices, ratesInvoiced } from './accounting/exported.ts'
export type { ExportedCustomer, ExportedInvoice, InvoicePlace, InvoicedRate } from './accounting/exported.ts'
export { addInvoice } from './billing/add.ts'
export { findInvoice, invoicesOfJob, lockInvoice, owedBy } from './invoice.ts'
export type { Invoice } from './invoice.ts'
export {
  LEDGER_FORMATS,
  entriesDue,
  exportLedger,
  findLedger,
  listLedger,
  takeLedgerBack,
} from './accounting/ledger.ts'
export type { LedgerBatch, LedgerEntry, LedgerFormat } from './accounting/ledger.ts'
export { invoicesNamed, invoicesOfQuote, invoicesOwedBy } from './overview/named.ts'
export type { OwedInvoice } from './overview/named.ts'
export { paymentNamed } from './payments/payment_names.ts'
export { methodSaid, paymentSaid, wayPaid } from './payments/payment_words.ts'
export { SALES_BY, salesOf } from './accounting/sales.ts'
export type { DayRange, SalesBy, SalesReport, SalesRow } from './accounting/sales.ts'
export { WAYS_PAID, listPayments, receivedOf } from './payments/received.ts'
export type { PaymentPlace, PaymentRow, ReceivedRow, WayPaid } from './payments/received.ts'
export { book } from './payments/receipts.ts'
export type { Booked, Receipt } from './payments/receipts.ts'
export { METHODS as PAYMENT_METHODS, usualMethodOf } from './payments/recorded_payments.ts'
export type { PaymentMethod } from './payments/recorded_payments.ts'
export type { InvoiceStatus } from './status.ts'
export { noTaxForm, untaxedLetterNotice } from './billing/untaxed.ts'
export { unbilledSince } from './billing/unbilled.ts'
export type { UnbilledJob } from './billing/unbilled.ts'
