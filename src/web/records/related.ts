import { html, type Html } from '../../platform/html/html.ts'
import type { Screen } from '../../records/page/screen.ts'
import { linksPart } from '../customer_portal/links_part.ts'
import { conversationHtml } from '../messaging/inbox/conversation.ts'
import type { MemberContext } from '../member_context.ts'
import { remindersLine } from '../messaging/compose/exclusion.ts'
import { bounceNotices } from '../messaging/compose/bounce_notices.ts'
import { messageLog } from '../messaging/compose/sent_log.ts'
import { visitRecords } from '../visit_records/parts.ts'
import { customerMethodPart } from '../accounting/saved/customer_part.ts'
import { invoiceMethodPart } from '../accounting/saved/invoice_part.ts'
import { planAutopayPart } from '../accounting/saved/plan_part.ts'
import { bookingPart } from './online_booking.ts'
import { notesHtml } from './notes_on.ts'

/** Records that messages are sent about. */
const SENT: ReadonlySet<string> = new Set(['invoices', 'quotes', 'jobs', 'plans'])

/**
 * Draws what follows a record on its page: what its customer saved to pay with, addresses that mail came back from, what
 * was recorded on site, what was sent of it, its customer links, its notes, and what was written with a customer.
 */
export async function relatedHtml(context: MemberContext, screen: Screen, id: string): Promise<Html> {
  const isCustomer = screen.entity.name === 'customers'
  const [booking, saved, bounced, visit, sent, links, notes, conversation, reminders] = await Promise.all([
    screen.entity.name === 'jobs' ? bookingPart(context, id) : '',
    methodPart(context, screen.entity.name, id),
    bounceNotices(context, screen.entity.name, id),
    screen.entity.name === 'jobs' ? visitRecords(context, id) : '',
    SENT.has(screen.entity.name) ? messageLog(context, id) : '',
    linksPart(context, screen.entity.name, id),
    notesHtml(context, screen, id),
    isCustomer ? conversationHtml(context, id) : '',
    isCustomer ? remindersLine(context, id) : '',
  ])
  return html`${booking}${saved}${bounced}${visit}${sent}${links}${notes}${conversation}${reminders}`
}

function methodPart(context: MemberContext, entity: string, id: string): Promise<Html | ''> | '' {
  if (entity === 'plans') return planAutopayPart(context, id)
  if (entity === 'invoices') return invoiceMethodPart(context, id)
  return entity === 'customers' ? customerMethodPart(context, id) : ''
}
