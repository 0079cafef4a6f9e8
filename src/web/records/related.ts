import { html, type Html } from '../../platform/html/html.ts'
import type { Screen } from '../../records/page/screen.ts'
import { invoiceMethodPart } from '../accounting/saved/invoice_part.ts'
import { planAutopayPart } from '../accounting/saved/plan_part.ts'
import { linksPart } from '../customer_portal/links_part.ts'
import type { MemberContext } from '../member_context.ts'
import { bounceNotices } from '../messaging/compose/bounce_notices.ts'
import { messageLog } from '../messaging/compose/sent_log.ts'
import { notesHtml } from './record_notes.ts'

/** Entities that messages are sent about and whose pages have no activity story. */
const MESSAGED_ENTITIES: ReadonlySet<string> = new Set(['invoices', 'quotes', 'plans'])

/**
 * Draws the sections below a record: its customer's saved payment method, bounce notices, sent messages, customer links
 * and notes.
 */
export async function relatedHtml(context: MemberContext, screen: Screen, id: string): Promise<Html> {
  const [saved, bounced, sent, links, notes] = await Promise.all([
    methodPart(context, screen.entity.name, id),
    bounceNotices(context, screen.entity.name, id),
    MESSAGED_ENTITIES.has(screen.entity.name) ? messageLog(context, id) : '',
    linksPart(context, screen.entity.name, id),
    notesHtml(context, screen, id),
  ])
  return html`${saved}${bounced}${sent}${links}${notes}`
}

function methodPart(context: MemberContext, entity: string, id: string): Promise<Html | ''> | '' {
  if (entity === 'plans') return planAutopayPart(context, id)
  return entity === 'invoices' ? invoiceMethodPart(context, id) : ''
}
