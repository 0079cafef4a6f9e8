import { canSend } from '../../../messaging/outbox/senders/senders.ts'
import { sendReceipt } from '../../../messaging/notices/receipts.ts'
import { CHANNELS, type MessageChannel } from '../../../messaging/templates/kinds.ts'
import { listRecipients } from '../../../messaging/templates/recipients.ts'
import type { PdfDocumentData } from '../../../pdf/document.ts'
import { readReceiptDocument } from '../../../pdf/receipt.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'
import { pageResponse } from '../../../platform/http/answer.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { layout } from '../../../platform/html/layout.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { field } from '../../../platform/html/parts/field.ts'
import { refusalForPeople } from '../../../platform/i18n/refusal_for_people.ts'
import { say } from '../../../platform/i18n/say.ts'
import { findInvoice } from '../../../records/invoices/index.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { statusOf } from '../../faults.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { documentHtml } from '../../print/document.ts'
import { sendPdf } from '../../print/pdf_response.ts'
import type { Site } from '../../site.ts'
import { requireInvoiceReader } from '../report_page.ts'

type RequestedReceipt = { context: MemberContext; invoice: string; payment: string; document: PdfDocumentData }

/** Shows the receipt of a payment, to print or send. */
export async function showReceipt(site: Site, request: PageRequest): Promise<Response> {
  const receipt = await requireReceipt(site, request)
  const { addresses } = await findAddresses(site, receipt)
  return pageResponse(receiptPage(receipt, await canSendReceipt(site, receipt.context), { to: addresses[0] ?? '' }))
}

export async function downloadReceipt(site: Site, request: PageRequest): Promise<Response> {
  const { context, document } = await requireReceipt(site, request)
  return sendPdf(request, document, { company: context.company.id })
}

/** Sends the receipt by email or text to the address on the form, unless that address already has it. */
export async function mailReceipt(site: Site, request: PageRequest): Promise<Response> {
  const receipt = await requireReceipt(site, request)
  const { context, invoice, payment } = receipt
  const to = ((await readFormFields(request.req.raw)).get('to') ?? '').trim().slice(0, 254)
  const channel: MessageChannel = to.includes('@') ? 'email' : 'sms'
  try {
    await context.write((db) => {
      if (!maySend(context)) throw notFoundRefusal()
      return sendReceipt(db, { invoice, payment, channel, to, by: context.user.id, baseUrl: site.baseUrl })
    })
    return redirectWithMessage(context.path('invoices', invoice), {
      sentence: say`The receipt is on its way to ${to}.`,
      next: { label: say`Outbox`, href: context.path('outbox') },
    })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    const page = receiptPage(receipt, await canSendReceipt(site, context), { to, error: refusalForPeople(error) })
    return pageResponse(page, { status: statusOf(error) })
  }
}

const maySend = ({ may }: MemberContext): boolean => may('write:invoices') && may('read:customers')

const canSendReceipt = async (site: Site, context: MemberContext): Promise<boolean> =>
  maySend(context) && (await findSendChannels(site, context)).length > 0

const findSendChannels = async ({ senders }: Site, context: MemberContext): Promise<MessageChannel[]> => {
  const open = await context.read((db) => Promise.all(CHANNELS.map((channel) => canSend(db, senders, channel))))
  return CHANNELS.filter((_, at) => open[at])
}

/** Returns the customer's addresses that accept messages, email first. */
async function findAddresses(site: Site, { context, invoice }: RequestedReceipt): Promise<{ addresses: string[] }> {
  if (!maySend(context)) return { addresses: [] }
  const channels = await findSendChannels(site, context)
  return context.read(async (db) => {
    const invoiceRecord = await findInvoice(db, invoice, todayIn(context.company.timezone).toString())
    const lists = await Promise.all(channels.map((channel) => listRecipients(db, invoiceRecord, channel)))
    return { addresses: lists.flat().flatMap(({ address, hasOptedOut }) => (hasOptedOut ? [] : [address])) }
  })
}

async function requireReceipt(site: Site, request: PageRequest): Promise<RequestedReceipt> {
  const context = await requireInvoiceReader(site, request)
  const invoice = requireValue(request.req.param('id'), 'The invoice of a receipt')
  const payment = requireValue(request.req.param('payment'), 'The payment of a receipt')
  const namesContact = context.may('read:customers')
  const document = await context.read((db) => readReceiptDocument(db, { payment, invoice, namesContact }))
  return { context, invoice, payment, document }
}

type ReceiptForm = { to: string; error?: string }

function receiptPage(
  { context, invoice, payment, document }: RequestedReceipt,
  hasSendForm: boolean,
  form: ReceiptForm,
): Html {
  const path = context.path('invoices', invoice, 'payments', payment, 'receipt')
  return layout({
    title: `${document.name} ${document.number}`,
    person: context.user,
    company: context.company,
    styles: ['paper.css'],
    scripts: ['print.js', 'form.js'],
    body: html`
<div class="paper-tools">${linkButton(say`Back`, context.path('invoices', invoice))}
  <div class="actions">${linkButton(
    say`Download PDF`,
    `${path}.pdf`,
  )}<print-button label="${say`Print`}"></print-button></div>
</div>${when(
      hasSendForm,
      () => html`
<form class="form paper-tools" method="post" action="${path}">
  ${field({
    name: 'to',
    label: say`Email or mobile number`,
    value: form.to,
    isRequired: true,
    error: form.error,
    autocomplete: 'off',
  })}
  <p class="actions">${button({ label: say`Send receipt`, kind: 'main' })}</p>
</form>`,
    )}
${documentHtml(document, context.path('logo', document.from.logo?.id ?? ''))}`,
  })
}
