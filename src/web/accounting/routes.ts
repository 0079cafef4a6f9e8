import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { sendAging, showAging } from './aging.ts'
import { askLedgerBack, makeLedger, sendLedger, showLedger, takeBackLedger } from './files/ledger.ts'
import { sendExport, showExports } from './files/exports.ts'
import { recordPayment, showPayment } from './payments/payment.ts'
import { sendPayments, showPayments } from './payments/payments.ts'
import { sendReceived, showReceived } from './payments/received.ts'
import { sendTips, showTips } from './payments/tips.ts'
import { sendBooked, sendQuotes, sendSources } from './overview/files.ts'
import { showReports } from './overview/reports.ts'
import { sendProfit, showProfit } from './profit/profit.ts'
import { sendSales, showSales } from './sales.ts'
import { changeSavedOf } from './saved/customer_part.ts'
import { makeCharge, showCharge } from './saved/charge.ts'
import { downloadReceipt, mailReceipt, showReceipt } from './payments/receipt.ts'
import { mailOneStatement } from './statements/mail.ts'
import { showStatementRun, showStatementRuns, startStatementRun, stopStatementRun } from './statements/runs.ts'
import { sendStatement, showStatement } from './statements/statement.ts'
import { askTakeBack, takeBack } from './files/payment_reversal.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'
const INVOICE = `${TENANT}/invoices/:id{[0-9a-f-]{36}}`
const CUSTOMER = `${TENANT}/customers/:id{[0-9a-f-]{36}}`
const PAYMENT = `${INVOICE}/payments/:payment{[0-9a-f-]{36}}`

/** Returns the pages of the company's money: payments that people record, reports, and files for the books. */
export const moneyRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .route('/', paymentRoutes(site))
    .route('/', ledgerRoutes(site))
    .route('/', reportRoutes(site))
    .route('/', statementRoutes(site))

const paymentRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(`${INVOICE}/payment`, (visit) => showPayment(site, visit))
    .post((visit) => recordPayment(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${PAYMENT}/receipt`, (visit) => showReceipt(site, visit))
    .post((visit) => mailReceipt(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${PAYMENT}/receipt.pdf`, (visit) => downloadReceipt(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${INVOICE}/charge`, (visit) => showCharge(site, visit))
    .post((visit) => makeCharge(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .post(`${CUSTOMER}/saved`, (visit) => changeSavedOf(site, visit))
    .all(methodNotAllowed('POST'))
    .get(`${PAYMENT}/take-back`, (visit) => askTakeBack(site, visit))
    .post((visit) => takeBack(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))

const LEDGER = `${TENANT}/reports/ledger`
const BATCH = `${LEDGER}/:number{[1-9][0-9]{0,8}}`

const ledgerRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(LEDGER, (visit) => showLedger(site, visit))
    .post((visit) => makeLedger(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${BATCH}/file`, (visit) => sendLedger(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${BATCH}/take-back`, (visit) => askLedgerBack(site, visit))
    .post((visit) => takeBackLedger(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))

const PAGES: Readonly<Record<string, (site: Site, visit: PageRequest) => Promise<Response>>> = {
  reports: showReports,
  'reports/aging': showAging,
  'reports/aging.csv': sendAging,
  'reports/sales': showSales,
  'reports/sales.csv': sendSales,
  'reports/profit': showProfit,
  'reports/profit.csv': sendProfit,
  'reports/received': showReceived,
  'reports/received.csv': sendReceived,
  'reports/tips': showTips,
  'reports/tips.csv': sendTips,
  'reports/quotes.csv': sendQuotes,
  'reports/booked.csv': sendBooked,
  'reports/sources.csv': sendSources,
  'reports/exports': showExports,
  'reports/exports/:file{[a-z-]+\\.csv}': sendExport,
  payments: showPayments,
  'payments.csv': sendPayments,
}

function reportRoutes(site: Site): PageRouter {
  const pages = newPageRouter()
  for (const [path, show] of Object.entries(PAGES))
    pages.get(`${TENANT}/${path}`, (visit) => show(site, visit)).all(methodNotAllowed('GET, HEAD'))
  return pages
}

const RUNS = `${TENANT}/reports/statements`
const RUN = `${RUNS}/:run{[0-9a-f-]{36}}`

const statementRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(`${CUSTOMER}/statement`, (visit) => showStatement(site, visit))
    .post((visit) => mailOneStatement(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(RUNS, (visit) => showStatementRuns(site, visit))
    .post((visit) => startStatementRun(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(RUN, (visit) => showStatementRun(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .post(`${RUN}/stop`, (visit) => stopStatementRun(site, visit))
    .all(methodNotAllowed('POST'))
    .get(`${CUSTOMER}/statement.pdf`, (visit) => sendStatement(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
