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
  description: 'Unread texts and emails from customers, newest last',
  tools: ['customers_get'],
  scope: 'read:communications',
  read: (by) => messagesSheet(by, 'Unread messages', { unread: true }),
}

export const messagesOf: Overview = {
  path: 'messages/{customer_id}',
  name: 'customer_messages',
  title: 'Messages with a customer',
  description:
    'Recent messages between a customer and the company, newest last; ' +
    'for an unknown sender, use the id in the address of their page',
  tools: ['customers_get'],
  scope: 'read:communications',
  completes: { customer_id: idsOf('customer', 'customers_search') },
  async read(by, { customer_id: customer = '' }) {
    if (!isId(customer)) return undefined
    const stranger = await findStranger(by.db, customer)
    if (stranger !== undefined) {
      const sheet = await messagesSheet(by, 'Messages from an unknown sender', { stranger })
      const sender = `They write from ${quoteUntrusted(stranger)}, which belongs to no customer.`
      return { ...sheet, says: [...sheet.says, sender] }
    }
    const customerCall = requireValue(by.tools.get('customers_get'), 'The customers_get tool').tool.run(by, {
      id: customer,
    })
    const [{ result }, sheet] = await Promise.all([
      customerCall,
      messagesSheet(by, 'Messages with a customer', { customer }),
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
    says: [`Times are local, in ${tenant.timezone}. No tool sends messages; people reply on the messages page.`],
    parts: [
      {
        name: 'messages',
        title: 'Messages',
        emptyText: 'No messages.',
        columns: [
          { name: 'at', label: 'When' },
          { name: 'from', label: 'From', kind: 'words' },
          { name: 'by', label: 'Channel' },
          { name: 'customer_id', label: 'Customer id' },
          { name: 'subject', label: 'Subject', kind: 'words' },
          { name: 'text', label: 'Text', kind: 'words' },
        ],
        rows: rows.map((message) => rowOf(message, tenant.timezone, which.unread !== true)),
        more: earlier !== null,
        moreHint: 'earlier messages are on the messages page',
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
