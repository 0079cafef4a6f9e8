import { addOperator } from '../../identity/people/operators.ts'
import { findUser } from '../../identity/people/users.ts'
import type { Database } from '../../platform/db/tenant.ts'
import { MAILBOXES, NUMBERS, addChannel } from '../../messaging/inbox/directory.ts'
import { parseEmail, receiveEmail } from '../../messaging/inbox/inbound/inbound_email.ts'
import { receiveSms } from '../../messaging/inbox/inbound/inbound_sms.ts'
import { backdateMessages, type MessageTimes } from './work/backdate.ts'
import { newId } from '../../platform/validation/id.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Highest company number that gets a phone number, because numbers reserved for fiction end at 0199. */
const MAX_COMPANY_NUMBER = 29

/** Incoming message: days ago, time and sender. A message with a subject is an email. */
type DemoMessage = { daysAgo: number; at: string; from: string; subject?: string; body: string; isUnread?: boolean }

const MESSAGES: readonly DemoMessage[] = [
  { daysAgo: 52, at: '08:12', from: '+15125550104', body: 'Buenos días, el calentador no prende. ¿Pueden venir hoy?' },
  {
    daysAgo: 47,
    at: '16:45',
    from: '+15125550101',
    body: 'The shutoff by the street will not close all the way. No rush, this week is fine. Ngozi',
  },
  {
    daysAgo: 41,
    at: '09:30',
    from: 'Farah Aziz <farah@lanternhill.example>',
    subject: 'Drinking fountain',
    body:
      'The fountain by the gym is out for good. Could you replace it with one that fills bottles? ' +
      'PO follows.\n\nFarah',
  },
  {
    daysAgo: 33,
    at: '11:20',
    from: '+15125550111',
    body: 'Kitchen sink is backing up again, unit B. Gwen said to call you.',
  },
  {
    daysAgo: 27,
    at: '14:05',
    from: 'Gwen Albright <gwen@hydeparkrentals.example>',
    subject: 'Speedway and Duval',
    body: 'Thanks for last week. Please send both invoices together, one line for each unit.\n\nGwen',
  },
  {
    daysAgo: 20,
    at: '07:50',
    from: '+15125550103',
    body: 'Walter here. The smell in the hall bath is gone. You guys are great.',
  },
  {
    daysAgo: 13,
    at: '17:30',
    from: '+15125550108',
    body: 'Can Marcus take a look at the pressure when he is here? It hammers at night.',
  },
  {
    daysAgo: 8,
    at: '10:10',
    from: 'Raymond Poole <facilities@stelmochurch.example>',
    subject: 'Unit 3',
    body: 'Unit 3 buzzes louder every day. The concert is in two weeks. What would it cost?\n\nRaymond',
  },
  {
    daysAgo: 2,
    at: '09:40',
    from: 'Roy McAllister <roy.mcallister@example.com>',
    subject: 'Your invoice',
    body: 'I was out of town. A check for the riser repair goes out on Friday.\n\nRoy',
    isUnread: true,
  },
  {
    daysAgo: 1,
    at: '18:22',
    from: '+15125550107',
    body: 'Hi, June here. Could you come to the lake house after 10? The gate code is 0822 now.',
    isUnread: true,
  },
  {
    daysAgo: 1,
    at: '18:24',
    from: '+15125550107',
    body: 'And please bring the key for the pump shed, mine is gone.',
    isUnread: true,
  },
  {
    daysAgo: 0,
    at: '07:05',
    from: '+15125550188',
    body: 'Is this the plumber? Our water heater is leaking into the garage. 1402 Alta Vista Ave.',
    isUnread: true,
  },
]

/** Creates a number and a mailbox, with two months of messages from customers and an unknown sender. */
export async function makeMessages(
  database: Database,
  { tenant, timezone, number }: { tenant: string; timezone: string; number: number },
): Promise<void> {
  if (number > MAX_COMPANY_NUMBER) return
  const [sms, mailbox] = [
    `+15125550${170 + number}`,
    number === 1 ? 'office@bartonridge.example' : `office${number}@bartonridge.example`,
  ]
  await Promise.all([addChannel(database, NUMBERS, tenant, sms), addChannel(database, MAILBOXES, tenant, mailbox)])
  const times: MessageTimes[] = []
  for (const { subject, ...content } of MESSAGES) {
    const id = subject === undefined ? `SM${newId().replaceAll('-', '')}` : `<${newId()}@example.com>`
    if (subject === undefined) await receiveSms(database, { sid: id, from: content.from, to: sms, body: content.body })
    else await receiveMail(database, { id, from: content.from, to: mailbox, subject, text: content.body })
    times.push(messageTimes(id, content, timezone))
  }
  await backdateMessages(database, tenant, times)
}

/** Makes the first demo's owner an operator and puts one message into quarantine. */
export async function makeOperator(database: Database, owner: string): Promise<void> {
  await addOperator(database, await findUser(database, owner))
  await receiveSms(database, {
    sid: `SM${newId().replaceAll('-', '')}`,
    from: '+15125550191',
    to: '+15125550199',
    body: 'You called me about a quote?',
  })
}

async function receiveMail(
  database: Database,
  { id, ...message }: { id: string; from: string; to: string; subject: string; text: string },
): Promise<void> {
  const body = Buffer.from(JSON.stringify({ ...message, messageId: id, dmarc: 'pass', attachments: [] }))
  await receiveEmail(database, requireValue(await parseEmail(body), 'The mail'), body)
}

/** Returns the times a message arrived (never in the future) and was read. */
function messageTimes(message: string, { daysAgo, at, isUnread = false }: DemoMessage, timezone: string): MessageTimes {
  const planned = todayIn(timezone)
    .subtract({ days: daysAgo })
    .toZonedDateTime({ timeZone: timezone, plainTime: at })
    .toInstant()
  const now = Temporal.Now.instant()
  const receivedAt = Temporal.Instant.compare(planned, now) < 0 ? planned : now
  return { message, at: receivedAt.toString(), read_at: isUnread ? null : receivedAt.add({ minutes: 25 }).toString() }
}
