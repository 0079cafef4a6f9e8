import { listMessages, type Message, type MessageFilter } from '../../messaging/inbox/inbox.ts'
import { findStranger } from '../../messaging/inbox/correspondents.ts'
import { quoteUntrusted } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import { wallAt } from '../../platform/validation/formats/instants.ts'
import { idsOf } from '../completions.ts'
import { truncate, type Overview, type OverviewContext } from './overview.ts'
import type { OverviewSheet } from './sheet.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

const MAX_MESSAGES = 10
const MAX_CHARACTERS = 350

export const unreadMessages: Overview = {
  path: 'messages',
  name: 'messages',
  title: 'Unread messages',
  description: 'Texts and mails of customers that nobody has read, the newest last',
  tools: ['customers_get'],
  scope: 'read:communications',
  read: (by) => messagesSheet(by, 'Unread messages', { unread: true }),
}

export const messagesOf: Overview = {
  path: 'messages/{customer_id}',
  name: 'customer_messages',
  title: 'Messages of a customer',
  description:
    'What a customer and the company wrote to each other lately, the newest last; ' +
    'of an unknown sender by the id in the address of their page',
  tools: ['customers_get'],
  scope: 'read:communications',
  completes: { customer_id: idsOf('customer', 'customers_search') },
  async read(by, { customer_id: customer = '' }) {
    if (!isId(customer)) return undefined
    const stranger = await findStranger(by.db, customer)
    if (stranger !== undefined) {
      const sheet = await messagesSheet(by, 'Messages of an unknown sender', { stranger })
      return { ...sheet, says: [...sheet.says, `They write from ${quoteUntrusted(stranger)}, which is no customer's.`] }
    }
    const customerCall = requireValue(by.tools.get('customers_get'), 'The tool that gets a customer').tool.run(by, {
      id: customer,
    })
    const [{ result }, sheet] = await Promise.all([
      customerCall,
      messagesSheet(by, 'Messages of a customer', { customer }),
    ])
    return {
      ...sheet,
      says: [...sheet.says, `Their page: ${by.baseUrl}/${by.caller.tenant.id}/customers/${result['id'] as string}`],
    }
  },
}

async function messagesSheet(
  { db, caller: { tenant } }: OverviewContext,
  title: string,
  which: MessageFilter,
): Promise<OverviewSheet> {
  const { rows, earlier } = await listMessages(db, which, { limit: MAX_MESSAGES })
  return {
    title,
    currency: tenant.currency,
    says: [`Times are local, in ${tenant.timezone}. No tool sends messages; people answer at the messages page.`],
    parts: [
      {
        name: 'messages',
        title: 'Messages',
        emptyText: 'None.',
        columns: [
          { name: 'at', label: 'When' },
          { name: 'from', label: 'From', kind: 'words' },
          { name: 'by', label: 'By' },
          { name: 'customer_id', label: 'Customer id' },
          { name: 'subject', label: 'Subject', kind: 'words' },
          { name: 'text', label: 'Text', kind: 'words' },
        ],
        rows: rows.map((message) => rowOf(message, tenant.timezone, which.unread !== true)),
        more: earlier !== null,
        moreHint: 'earlier ones are at the messages page',
      },
    ],
  }
}

const rowOf = (message: Message, zone: string, isOfOne: boolean) => ({
  at: wallAt(Temporal.Instant.from(message.occurred_at), zone).toString({ smallestUnit: 'minute' }).replace('T', ' '),
  from:
    message.direction === 'outbound'
      ? 'the company'
      : truncate(message.contact_name ?? message.customer_name ?? message.sender, 40),
  by: message.status === 'failed' ? `${message.channel}, not delivered` : message.channel,
  customer_id: isOfOne ? null : message.customer_id,
  subject: truncate(message.subject, 80),
  text: truncate(message.body, MAX_CHARACTERS),
})
