import {
  findBankPayment,
  findInvoice,
  listReceipts,
  type BankPayment,
  type Invoice,
  type PaymentReceipt,
} from '../../../records/invoices/index.ts'
import { findDeposit } from '../../../records/quotes/index.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { currentReader } from '../../../platform/i18n/reader.ts'
import { say } from '../../../platform/i18n/say.ts'
import { mayPayOnline } from '../../../payments/checkout.ts'
import { findPaymentSettings } from '../../../payments/saved/payment_settings.ts'
import { hasOpenCharge, hasUnbookedCharge } from '../../../payments/saved/open_charges.ts'
import { isPaymentUnderWay } from '../../../payments/checkout_pages.ts'
import { readPdfDocument } from '../../../pdf/read_document.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { day, money, shortDay } from '../../../records/format/formats.ts'
import { multilineText } from '../../../records/page/parts.ts'
import { documentHtml } from '../../print/document.ts'
import { takeFlashMessage, type FlashMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { unknownLinkPage } from '../link_errors.ts'
import { isVisible, type PortalDocument } from '../document.ts'
import type { LinkContext } from '../link_context.ts'
import { actionBar, pdfButton, questionButton } from '../action_bar.ts'
import { autopayNotice, findMethodState, methodLine } from '../saved/saved_notice.ts'
import { customerPage } from '../customer_page.ts'
import { payChoices, payForm } from './pay_form.ts'

/** Shows an invoice in its current state, and how to pay the balance. */
export const showInvoice = (
  context: LinkContext,
  document: PortalDocument,
  request: PageRequest,
  site: Site,
): Promise<Response> =>
  invoicePage(site, context, document, {
    flashMessage: takeFlashMessage(request),
    refreshCount: Number(request.req.query('look')),
  })

type InvoicePageOptions = {
  flashMessage?: FlashMessage | undefined
  status?: number
  problem?: string
  /** Number of times that the page has refreshed itself to look for a payment. */
  refreshCount?: number
}

export async function invoicePage(
  site: Site,
  context: LinkContext,
  document: PortalDocument,
  { problem, refreshCount = 0, ...more }: InvoicePageOptions = {},
): Promise<Response> {
  const { company } = context
  const invoice = await findVisibleInvoice(context, document)
  if (invoice === undefined) return unknownLinkPage()
  const title = say`Invoice ${invoice.display_number}`
  if (invoice.status === 'draft') return draftPage(context, document, title, more)
  const [pdfDocument, isPayableOnline, receipts, methodState, settings] = await context.read((db) =>
    Promise.all([
      readPdfDocument(db, { kind: 'invoices', id: invoice.id, language: currentReader().language }),
      mayPayOnline(db, site.payments, invoice),
      listReceipts(db, invoice.id),
      findMethodState(db, context.link, invoice.id),
      findPaymentSettings(db),
    ]),
  )
  const progress = await findProgress(site, context, invoice)
  const isPaymentPending = progress.isUnderWay || progress.bank?.state === 'pending'
  const canPayHere = isOwed(invoice) && isPayableOnline && !isPaymentPending
  return customerPage({
    ...more,
    ...(progress.isUnderWay && problem === undefined && { headers: refreshHeader(document, refreshCount) }),
    from: company,
    back: document.back,
    title,
    leavesSite: canPayHere,
    scripts: ['form.js'],
    body: html`${when(problem, (problem) => notice({ kind: 'error', title: problem }))}
${stateNotices(context, document, invoice, progress)}${when(isOwed(invoice) && !isPaymentPending, () =>
      autopayNotice(methodState, invoice),
    )}
${documentHtml({ ...pdfDocument, parts: [] }, `${context.base}/logo`)}${when(canPayHere, () =>
      payChoices(document, invoice, settings),
    )}${methodLine(context, methodState)}${when(
      isOwed(invoice) && !isPaymentPending ? company.how_to_pay : null,
      (instructions) => paymentOptions(instructions, canPayHere),
    )}${when(
      isOwed(invoice) && !isPaymentPending && !canPayHere && company.how_to_pay === null,
      () => html`
<p>${say`To pay, please contact ${company.name}.`}</p>`,
    )}
${receiptsPart(document, invoice, receipts)}
${actionBar(
  invoice.subject ?? title,
  money(invoice.balance_due_cents, invoice.currency),
  canPayHere ? payForm(document, invoice) : '',
  html`${questionButton(document)}${pdfButton(document)}`,
)}`,
  })
}

/** Draws the page of an invoice that became a draft again. */
const draftPage = (
  { company }: LinkContext,
  { back }: PortalDocument,
  title: string,
  more: Omit<InvoicePageOptions, 'problem' | 'refreshCount'>,
): Response =>
  customerPage({
    ...more,
    from: company,
    back,
    title,
    body: notice({
      kind: 'warning',
      title: say`${company.name} is changing this invoice`,
      body: say`There is nothing to pay yet. Ask ${company.name} if you expected it.`,
    }),
  })

/** Draws the payments received, each with its receipt. */
const receiptsPart = (
  { base }: PortalDocument,
  { currency }: Invoice,
  receipts: readonly PaymentReceipt[],
): Html | '' =>
  when(
    receipts.some(({ is_taken_back }) => !is_taken_back),
    () => html`
<section class="part"><h2>${say`Receipts`}</h2>
  <ul class="links">${receipts
    .filter(({ is_taken_back }) => !is_taken_back)
    .map(
      ({ id, paid_on, amount_cents }) => html`
    <li><a href="${base}/receipts/${id}">${say`Receipt of ${shortDay(paid_on)}`}</a> ${money(
      amount_cents,
      currency,
    )}</li>`,
    )}
  </ul></section>`,
  )

/** Progress of a payment. `isUnderWay` is decided within minutes, a bank payment within days. */
type PaymentProgress = { isUnderWay: boolean; isUnbooked: boolean; bank: BankPayment | undefined }

/** Returns the progress of a payment, after asking the provider, which may have given up on a bank payment. */
async function findProgress(site: Site, context: LinkContext, invoice: Invoice): Promise<PaymentProgress> {
  if (!isOwed(invoice)) return { isUnderWay: false, isUnbooked: false, bank: undefined }
  const isCheckoutUnderWay =
    site.payments !== null && (await isPaymentUnderWay(context.write, site.payments, invoice.id, false))
  const [bank, isCharging, isUnbooked] = await context.read((db) =>
    Promise.all([findBankPayment(db, invoice.id), hasOpenCharge(db, invoice.id), hasUnbookedCharge(db, invoice.id)]),
  )
  return { isUnderWay: (isCheckoutUnderWay || isCharging) && bank?.state !== 'pending', isUnbooked, bank }
}

/** Returns an invoice that the link shows. A link to a quote shows its deposit invoice once issued. */
export async function findVisibleInvoice(context: LinkContext, { id }: PortalDocument): Promise<Invoice | undefined> {
  const { link, today } = context
  try {
    const [invoice, deposit] = await context.read((db) =>
      Promise.all([findInvoice(db, id, today), link.kind === 'quotes' ? findDeposit(db, link.record) : undefined]),
    )
    const isTheirs =
      link.kind === 'quotes'
        ? deposit?.invoice?.id === invoice.id && invoice.status !== 'draft'
        : isVisible(context, invoice)
    return isTheirs ? invoice : undefined
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return undefined
    throw error
  }
}

const isOwed = ({ status, balance_due_cents }: Pick<Invoice, 'status' | 'balance_due_cents'>): boolean =>
  status !== 'draft' && status !== 'void' && balance_due_cents > 0

const paymentOptions = (instructions: string, canPayHere: boolean): Html => html`
<section class="part"><h2>${canPayHere ? say`Other ways to pay` : say`How to pay`}</h2>${multilineText(instructions)}</section>`

/** Seconds between refreshes of a page with a payment in progress, for about two minutes in total. */
const REFRESH_DELAYS: readonly number[] = [2, 3, 5, 10, 15, 20, 30, 30]

/** Returns the header that refreshes the page; none after the last pause. */
function refreshHeader({ base }: PortalDocument, refreshCount: number): Record<string, string> {
  const [index, seconds] = [
    refreshCount >= 1 ? Math.floor(refreshCount) : 0,
    REFRESH_DELAYS[refreshCount >= 1 ? Math.floor(refreshCount) : 0],
  ]
  return seconds === undefined ? {} : { Refresh: `${seconds}; url=${base}?look=${index + 1}` }
}

const underWayNotice = ({ base }: PortalDocument): Html =>
  notice({
    kind: 'good',
    title: say`Thank you. Your payment is on its way.`,
    body: html`${say`It will show here as soon as it is confirmed. You don’t need to pay again.`} <a href="${base}">${say`Check again`}</a>`,
  })

/** Draws the payment status. A payment in progress takes precedence over the due date. */
function stateNotices(
  context: LinkContext,
  document: PortalDocument,
  invoice: Invoice,
  { isUnderWay, isUnbooked, bank }: PaymentProgress,
): Html | '' {
  const amount = money(bank?.amount_cents ?? invoice.balance_due_cents, invoice.currency)
  if (bank?.state === 'pending')
    return notice({
      kind: 'good',
      title: say`Your bank payment of ${amount} is being processed`,
      body: say`Your bank can take several business days. You don’t need to pay again.`,
    })
  if (isUnderWay) return underWayNotice(document)
  if (isUnbooked)
    return notice({
      kind: 'warning',
      title: say`Your payment is being checked`,
      body: say`${context.company.name} has a payment that doesn’t match. Ask them before you pay again.`,
    })
  if (bank === undefined) return stateNotice(context, invoice)
  return html`${notice({
    kind: 'warning',
    title: say`Your bank payment of ${amount} didn’t go through`,
    body: say`Nothing was charged. Please pay again.`,
  })}${stateNotice(context, invoice)}`
}

function stateNotice({ company }: LinkContext, invoice: Invoice): Html | '' {
  switch (invoice.status) {
    case 'void':
      return notice({
        kind: 'info',
        title: say`This invoice is void`,
        body: say`You don’t owe anything on it. If you paid it already, ask ${company.name}.`,
      })
    case 'paid':
      return notice({
        kind: 'good',
        title: say`Paid in full. Thank you.`,
        body:
          invoice.paid_at === null
            ? ''
            : day(Temporal.Instant.from(invoice.paid_at).toZonedDateTimeISO(company.timezone).toPlainDate().toString()),
      })
    default:
      return invoice.is_overdue
        ? notice({ kind: 'warning', title: say`This invoice was due on ${shortDay(invoice.due_date)}` })
        : ''
  }
}
