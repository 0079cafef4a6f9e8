import { issueLink } from '../../customer_portal/link.ts'
import { mayShareKind } from '../../customer_portal/sharing.ts'
import { mayPayOnline } from '../../payments/checkout.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { qrPath } from '../../platform/html/parts/qr_code.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { say } from '../../platform/i18n/say.ts'
import { isId } from '../../platform/validation/id.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { lockInvoice } from '../../records/invoices/index.ts'
import type { MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { catchFaults } from './faults.ts'
import { NO_STORE_HEADERS, fieldRefusal, requireFieldMember, unreadableRefusal } from './member.ts'

/** Days that the link in a code works. */
const LINK_DAYS = 30

/**
 * Creates a link to an invoice, and returns it as a QR code for the customer's phone. A draft is issued first, since
 * its customer sees it now.
 */
export async function createPayCode(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireFieldMember(site, request)
  const id = request.req.param('invoice') ?? ''
  if (!isId(id)) throw unreadableRefusal(422, 'invalid_input')
  const { path, ...invoice } = await catchFaults(site, () =>
    issueInvoiceLink(site, context, id).catch(throwFieldRefusal),
  )
  const url = site.baseUrl + path
  return request.json({ ...invoice, url, code: qrPath(url) }, 200, NO_STORE_HEADERS)
}

type InvoiceLink = { path: string; online: boolean; due_cents: number }

const issueInvoiceLink = (site: Site, context: MemberContext, id: string): Promise<InvoiceLink> =>
  context.write(async (db) => {
    if (!mayShareKind(context.may, 'invoices') || !context.may('read:invoices'))
      throw fieldRefusal(403, 'insufficient_scope', say`You don’t have permission to bill visits. Ask an owner.`)
    const today = todayIn(context.company.timezone).toString()
    const { before } = await lockInvoice(db, id, today)
    if (before.status === 'void' || before.balance_due_cents <= 0)
      throw fieldRefusal(409, 'settled', say`There is nothing to pay on this invoice.`)
    if (before.status === 'draft') await context.within(db, 'invoices_update', { id, status: 'sent' })
    const { path } = await issueLink(db, { kind: 'invoices', id, by: context.user.id, days: LINK_DAYS })
    return { path, online: await mayPayOnline(db, site.payments, before), due_cents: before.balance_due_cents }
  })

/** Returns a rule's refusal in the form that the phone shows. */
function throwFieldRefusal(error: unknown): never {
  if (!(error instanceof Refusal)) throw error
  throw fieldRefusal(error.code === 'not_found' ? 404 : 409, error.code, refusalForPeople(error))
}
