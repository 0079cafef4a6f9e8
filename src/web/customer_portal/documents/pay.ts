import { readFormFields, MAX_PUBLIC_FORM_BYTES } from '../../../platform/http/form.ts'
import { redirect } from '../../../platform/http/answer.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { currentReader } from '../../../platform/i18n/reader.ts'
import { say } from '../../../platform/i18n/say.ts'
import { startCheckout, type CheckoutRefusal } from '../../../payments/checkout.ts'
import { isPaymentUnderWay } from '../../../payments/checkout_pages.ts'
import { isId, newId } from '../../../platform/validation/id.ts'
import type { Site } from '../../site.ts'
import { unknownLinkPage } from '../link_errors.ts'
import type { PortalDocument } from '../document.ts'
import { invoicePage, findVisibleInvoice } from './invoice.ts'
import type { LinkContext } from '../link_context.ts'
import { LINK_HEADERS } from '../customer_page.ts'
import { readPayAmounts } from './pay_form.ts'

/** Sends the customer to the provider's page to pay the current balance. */
export async function startPayment(
  context: LinkContext,
  document: PortalDocument,
  request: PageRequest,
  site: Site,
): Promise<Response> {
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)
  const idempotencyKey = sent.get('press') ?? ''
  if ((await findVisibleInvoice(context, document)) === undefined) return unknownLinkPage()
  if (site.payments === null) return refusalPage(site, context, document, 'unavailable')
  const amounts = readPayAmounts(sent, context.currency)
  if (amounts === undefined) return refusalPage(site, context, document, 'bad_amount')
  const invoiceUrl = `${site.baseUrl}${document.base}`
  const checkout = await startCheckout(context.write, site.payments, {
    idempotencyKey: isId(idempotencyKey) ? idempotencyKey : newId(),
    invoice: document.id,
    today: context.today,
    language: currentReader().language,
    ...amounts,
    tipLabel: say`Tip`,
    labelOf: ({ display_number }) => say`Invoice ${display_number}`,
    paidUrl: `${invoiceUrl}/paid`,
    backUrl: invoiceUrl,
  })
  return typeof checkout === 'string'
    ? refusalPage(site, context, document, checkout)
    : redirect(checkout.url, LINK_HEADERS)
}

/**
 * Handles the return from the provider, and asks it whether the checkout was paid. The amount paid is known only from
 * its events, which the invoice page waits for.
 */
export async function returnFromPayment(
  context: LinkContext,
  document: PortalDocument,
  _: PageRequest,
  site: Site,
): Promise<Response> {
  if ((await findVisibleInvoice(context, document)) === undefined) return unknownLinkPage()
  if (site.payments !== null) await isPaymentUnderWay(context.write, site.payments, document.id, true)
  return redirect(document.base, LINK_HEADERS)
}

const STATUSES: Readonly<Record<CheckoutRefusal, number>> = {
  settled: 409,
  under_way: 409,
  moved: 409,
  busy: 409,
  refused: 409,
  unavailable: 409,
  unreachable: 503,
  bad_amount: 422,
}

const refusalPage = (
  site: Site,
  context: LinkContext,
  document: PortalDocument,
  reason: CheckoutRefusal,
): Promise<Response> =>
  invoicePage(site, context, document, { status: STATUSES[reason], problem: refusalText(reason, context) })

function refusalText(reason: CheckoutRefusal, { company }: LinkContext): string {
  switch (reason) {
    case 'settled':
      return say`There is nothing to pay on this invoice.`
    case 'under_way':
      return say`A payment is on its way. You don’t need to pay again.`
    case 'moved':
      return say`The amount has changed. Look at it again before you pay.`
    case 'busy':
      return say`A payment page is being opened already. Try again in a minute.`
    case 'bad_amount':
      return say`Enter a part of at least 1.00 and at most the amount due. A tip can’t be more than what you pay.`
    case 'refused':
      return say`This amount can’t be paid by card here. Ask ${company.name} how to pay.`
    case 'unreachable':
      return say`The payment page isn’t available right now. You haven’t been charged. Try again later.`
    case 'unavailable':
      return say`This invoice can’t be paid by card. Ask ${company.name} how to pay.`
  }
}
