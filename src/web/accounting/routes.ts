import type { PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { sendAging, showAging } from './aging.ts'
import { showLedgerUndo, makeLedger, sendLedger, showLedger, undoLedgerBatch } from './files/ledger.ts'
import { sendExport, showExports } from './files/exports.ts'
import { recordPayment, showPayment } from './payments/payment.ts'
import { sendPayments, showPayments } from './payments/payments.ts'
import { sendReceived, showReceived } from './payments/received.ts'
import { sendTips, showTips } from './payments/tips.ts'
import { sendBooked, sendQuotes, sendSources } from './overview/files.ts'
import { showReports } from './overview/reports.ts'
import { sendProfit, showProfit } from './profit/profit.ts'
import { sendSales, showSales } from './sales.ts'
import { changeSavedMethod } from './saved/customer_part.ts'
import { makeCharge, showCharge } from './saved/charge.ts'
import { downloadReceipt, mailReceipt, showReceipt } from './payments/receipt.ts'
import { mailOneStatement } from './statements/mail.ts'
import { showStatementRun, showStatementRuns, startStatementRun, stopStatementRun } from './statements/runs.ts'
import { sendStatement, showStatement } from './statements/statement.ts'
import { showPaymentReversal, reversePayment } from './files/payment_reversal.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'
const INVOICE = `${TENANT}/invoices/:id{[0-9a-f-]{36}}`
const CUSTOMER = `${TENANT}/customers/:id{[0-9a-f-]{36}}`
const PAYMENT = `${INVOICE}/payments/:payment{[0-9a-f-]{36}}`
const REPORTS = `${TENANT}/reports`
const LEDGER = `${REPORTS}/ledger`
const BATCH = `${LEDGER}/:number{[1-9][0-9]{0,8}}`
const RUNS = `${REPORTS}/statements`
const RUN = `${RUNS}/:run{[0-9a-f-]{36}}`

/** Returns the money pages: recorded payments, reports, and bookkeeping files. */
export const moneyRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${INVOICE}/payment`]: { get: showPayment, post: recordPayment },
    [`${PAYMENT}/receipt`]: { get: showReceipt, post: mailReceipt },
    [`${PAYMENT}/receipt.pdf`]: { get: downloadReceipt },
    [`${INVOICE}/charge`]: { get: showCharge, post: makeCharge },
    [`${CUSTOMER}/saved`]: { post: changeSavedMethod },
    [`${PAYMENT}/take-back`]: { get: showPaymentReversal, post: reversePayment },
    [LEDGER]: { get: showLedger, post: makeLedger },
    [`${BATCH}/file`]: { get: sendLedger },
    [`${BATCH}/take-back`]: { get: showLedgerUndo, post: undoLedgerBatch },
    [REPORTS]: { get: showReports },
    [`${REPORTS}/aging`]: { get: showAging },
    [`${REPORTS}/aging.csv`]: { get: sendAging },
    [`${REPORTS}/sales`]: { get: showSales },
    [`${REPORTS}/sales.csv`]: { get: sendSales },
    [`${REPORTS}/profit`]: { get: showProfit },
    [`${REPORTS}/profit.csv`]: { get: sendProfit },
    [`${REPORTS}/received`]: { get: showReceived },
    [`${REPORTS}/received.csv`]: { get: sendReceived },
    [`${REPORTS}/tips`]: { get: showTips },
    [`${REPORTS}/tips.csv`]: { get: sendTips },
    [`${REPORTS}/quotes.csv`]: { get: sendQuotes },
    [`${REPORTS}/booked.csv`]: { get: sendBooked },
    [`${REPORTS}/sources.csv`]: { get: sendSources },
    [`${REPORTS}/exports`]: { get: showExports },
    [`${REPORTS}/exports/:file{[a-z-]+\\.csv}`]: { get: sendExport },
    [`${TENANT}/payments`]: { get: showPayments },
    [`${TENANT}/payments.csv`]: { get: sendPayments },
    [`${CUSTOMER}/statement`]: { get: showStatement, post: mailOneStatement },
    [RUNS]: { get: showStatementRuns, post: startStatementRun },
    [RUN]: { get: showStatementRun },
    [`${RUN}/stop`]: { post: stopStatementRun },
    [`${CUSTOMER}/statement.pdf`]: { get: sendStatement },
  })
