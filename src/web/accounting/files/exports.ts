import { pageResponse } from '../../../platform/http/answer.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { part } from '../../../records/page/parts.ts'
import { frame } from '../../frame.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import type { Site } from '../../site.ts'
import { invoiceFile, paymentFile } from './own_files.ts'
import { quickbooksCustomers, quickbooksInvoices, quickbooksPayments } from './quickbooks.ts'
import { addressOf, rangeHtml, readRange, type RequestedRange } from '../range.ts'
import { requireInvoiceReader } from '../report_page.ts'
import { sendSheet, type Sheet } from '../../sheet.ts'
import { xeroContacts, xeroInvoices, xeroPayments } from './xero.ts'

type File = (context: MemberContext, range: RequestedRange) => Promise<Omit<Sheet, 'name'>>

const FILES: Readonly<Record<string, File>> = {
  invoices: invoiceFile,
  payments: paymentFile,
  'quickbooks-customers': quickbooksCustomers,
  'quickbooks-invoices': quickbooksInvoices,
  'quickbooks-payments': quickbooksPayments,
  'xero-contacts': xeroContacts,
  'xero-invoices': xeroInvoices,
  'xero-payments': xeroPayments,
}

const CUSTOMER_FILES: ReadonlySet<string> = new Set(['quickbooks-customers', 'xero-contacts'])

/** Lists the bookkeeping exports for a date range. */
export async function showExports(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  const { timezone } = context.company
  const { problem, ...range } = readRange(new URL(request.req.url).searchParams, timezone)
  const files = (...entries: readonly (readonly [name: string, label: string])[]): Html => html`
<ul class="links">${entries
    .filter(([name]) => !CUSTOMER_FILES.has(name) || context.may('read:customers'))
    .map(
      ([name, label]) => html`
  <li><a href="${addressOf(context.path('reports', 'exports', `${name}.csv`), range)}">${label}</a></li>`,
    )}
</ul>`
  return pageResponse(
    frame(context, {
      title: say`Accounting exports`,
      here: context.path('reports'),
      styles: ['money.css'],
      body: html`
<header class="page-head">
  <div><p class="eyebrow"><a href="${context.path('reports')}">${say`Reports`}</a></p>
  <h1>${say`Accounting exports`}</h1></div>
</header>
${rangeHtml(context.path('reports', 'exports'), range, timezone, { problem })}
<div class="parts">
${part(say`For a spreadsheet`, files(['invoices', say`Invoices with tax by rate`], ['payments', say`Payments`]))}
${part(
  say`For QuickBooks Online`,
  html`${files(
    ['quickbooks-customers', say`Customers`],
    ['quickbooks-invoices', say`Invoices`],
    ['quickbooks-payments', say`Payments`],
  )}
<p class="help">${say`Import customers first. QuickBooks takes 100 invoices at a time; choose fewer days if there are more.`}</p>`,
)}
${part(
  say`For Xero`,
  html`${files(
    ['xero-contacts', say`Contacts`],
    ['xero-invoices', say`Invoices`],
    ['xero-payments', say`Payments, as a bank statement`],
  )}
<p class="help">${say`Import contacts first. Xero takes 500 invoices at a time. Sales go to account 200; change it in the file if yours is another.`}</p>`,
)}
</div>`,
    }),
    { status: problem === undefined ? 200 : 422 },
  )
}

export async function sendExport(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  const name = request.req.param('file')!.replace(/\.csv$/, '')
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined
  if (file === undefined || (CUSTOMER_FILES.has(name) && !context.may('read:customers'))) throw notFoundRefusal()
  const range = readRange(new URL(request.req.url).searchParams, context.company.timezone)
  const days = CUSTOMER_FILES.has(name) ? '' : `-${range.from}-${range.to}`
  return sendSheet(site, request, { name: `${name}${days}.csv`, ...(await file(context, range)) })
}
