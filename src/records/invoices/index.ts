export { accountsOf, overdueOf } from './accounting/accounts.ts'
export { AGE_DAYS, agingOf, pastDueCents } from './accounting/aging.ts'
export type { Ages, Aging, AgingRow } from './accounting/aging.ts'
export { billingStateOf, findPayableInvoice } from './billing/billing.ts'
export type { Billing, PayableInvoice, Payment } from './billing/billing.ts'
export { changeInvoice } from './change.ts'
export { deductionLabel } from './billing/deposit_parts.ts'
export { deductionsOf } from './billing/deposits.ts'
export type { DeductedDeposit } from './billing/deposits.ts'
export {
  bookedColumns,
  exportCustomer,
  exportCustomers,
  exportInvoices,
  listInvoicedRates,
} from './accounting/export_rows.ts'
export type {
  BookedInvoice,
  ExportedCustomer,
  ExportedInvoice,
  InvoiceCursor,
  InvoicedRate,
} from './accounting/export_rows.ts'
export { discountOf, isInBooks, soldLines, taxByRate } from './accounting/exported_amounts.ts'
export { progressPart } from './billing/progress_part.ts'
export { findProgress, requireWithinTotals } from './billing/stages.ts'
export type { BillingProgress } from './billing/stages.ts'
export type { StagedWork } from './billing/add.ts'
export { stageAction } from './billing/stage_action.ts'
export { addInvoice } from './billing/add.ts'
export { findInvoice, invoicesOfJob, lockInvoice, customerBalance } from './invoice.ts'
export type { Invoice } from './fields.ts'
export { entriesDue, exportLedger, findLedgerBatch, listLedgerBatches, undoLedgerExport } from './accounting/ledger.ts'
export type { LedgerBatch, LedgerEntry, LedgerFormat } from './accounting/ledger.ts'
export { listInvoiceNames, invoicesOfQuote, invoicesOwedBy } from './overview/named.ts'
export type { OwedInvoice } from './overview/named.ts'
export { countOverdueInvoices } from './overview/overdue.ts'
export { findBankPayment, hasPendingPayment, isBankPaymentPending } from './payments/pending_payments.ts'
export type { BankPayment } from './payments/pending_payments.ts'
export { findPaymentByName } from './payments/payment_names.ts'
export { methodLabel, paymentLabel } from './payments/payment_labels.ts'
export { aggregateMarkedDays } from './accounting/days/aggregate_days.ts'
export { NO_KEY, markedDays } from './accounting/days/marked_days.ts'
export type { DailyReport } from './accounting/days/marked_days.ts'
export { aggregateSalesDays, largestCustomers, salesOf } from './accounting/days/sales_days.ts'
export { SALES_BY, isByTime } from './accounting/sales.ts'
export type { DayRange, SalesBy, SalesReport, SalesRow } from './accounting/sales.ts'
export { listAges, statementLabel, statementMethod } from './accounting/statement_labels.ts'
export { statementOf } from './accounting/statement.ts'
export type { OpenInvoice, Statement, StatementEntry } from './accounting/statement.ts'
export { PAYMENT_CHANNELS, listPayments, sumReceived } from './payments/payment_report.ts'
export type { PaymentCursor, PaymentRow, ReceivedRow, PaymentChannel } from './payments/payment_report.ts'
export { findReceipt, listReceipts } from './payments/payment_receipt.ts'
export type { PaymentReceipt } from './payments/payment_receipt.ts'
export { bookReceipt } from './payments/receipts.ts'
export type { BookingResult, Receipt } from './payments/receipts.ts'
export { METHODS as PAYMENT_METHODS, defaultPaymentMethod } from './payments/recorded_payments.ts'
export { exportTips, sumTips } from './payments/tips.ts'
export type { ExportedTip } from './payments/tips.ts'
export type { InvoiceStatus } from './status.ts'
export { noTaxForm, untaxedLetterNotice } from './billing/untaxed.ts'
export { listUnbilledJobs } from './billing/unbilled.ts'
export { listInvoiceEvents, listPaymentEvents, sumPaid } from './overview/invoice_events.ts'
export type { InvoiceEvent, InvoicePaymentEvent } from './overview/invoice_events.ts'
