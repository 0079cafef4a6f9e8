import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { unsubscribePath } from '../../../src/messaging/outbox/unsubscribe_link.ts'
import { createSenders } from '../../../src/messaging/outbox/senders/senders.ts'
import { remindOfInvoice } from '../../../src/messaging/reminders/invoice_reminder.ts'
import { MAILBOXES, addChannel } from '../../../src/messaging/inbox/directory.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { providerOf } from '../../../test/harness/clients/webhook_calls.ts'
import { NOBODY, formBy, requestBy, type StateContext, type States } from './context.ts'

/** Sends a reminder. Returns the link that stops further reminders. */
async function sendReminder({ service, sandbox }: StateContext): Promise<string> {
  const { office } = sandbox
  const { id } = await sandbox.invoice()
  const [by, senders] = [office.owner.user_id, createSenders(service.config)]
  await writeTenant(service.database, { tenant: office.id }, (db) =>
    remindOfInvoice(db, String(id), { user: by, senders, today: '2030-01-01' }),
  )
  const [row] = await sandbox.all<{ message: string; secret: Buffer }>(
    sql`select id as message, unsubscribe_secret as secret from outbox
      where tenant_id = ${office.id} and unsubscribe_secret is not null order by id desc limit 1`,
  )
  return unsubscribePath({ tenant: office.id, ...row! })
}

let serial = 0

/** Receives a mail for the company, and returns its row. */
async function receiveMail(context: StateContext, from: string, texts: readonly string[] = ['It leaks']) {
  const { service, sandbox } = context
  const address = `box${++serial}@in.example.com`
  await addChannel(service.database, MAILBOXES, sandbox.office.id, address)
  const messageId = `<${newId()}@a.example>`
  for (const text of texts)
    await providerOf(service).email('/api/webhooks/email/inbound', {
      from,
      to: address,
      messageId,
      text,
      attachments: [],
    })
  const [message] = await sandbox.all<{ conversation: string; correspondent: string | null }>(
    sql`select conversation_id as conversation,
        (select id from correspondents where tenant_id = ${sandbox.office.id} and address = ${from}) as correspondent
      from communications where tenant_id = ${sandbox.office.id} and provider_message_id = ${messageId}`,
  )
  return message!
}

const newest = async ({ sandbox }: StateContext, query: ReturnType<typeof sql>): Promise<string> =>
  (await sandbox.all<{ id: string }>(query))[0]!.id

const reply = async (context: StateContext, steps: readonly string[]) => {
  const { office } = context.sandbox
  const page = await office.browser.get(office.at('messages', ...steps))
  return formBy(office.browser, page, office.at('messages', ...steps, 'send'), {
    subject: 'Your boiler',
    body: 'We come at nine.',
  })
}

/** Routes of messages: sent, answered, held and unsubscribed from. */
export const messageStates: States = {
  'GET /unsubscribe/:token': async (context) => requestBy(NOBODY, await sendReminder(context)),
  'POST /unsubscribe/:token': async (context) =>
    requestBy(NOBODY, await sendReminder(context), { 'List-Unsubscribe': 'One-Click' }),
  'POST /:tenant{[0-9a-f-]{36}}/messages/with/:customer{[0-9a-f-]{36}}/send': (context) =>
    reply(context, ['with', String(context.sandbox.customer['id'])]),
  'POST /:tenant{[0-9a-f-]{36}}/messages/:correspondent{[0-9a-f-]{36}}/send': async (context) => {
    const { correspondent } = await receiveMail(context, `cold-${newId()}@example.com`)
    return reply(context, [correspondent ?? ''])
  },
  'POST /:tenant{[0-9a-f-]{36}}/messages/:conversation{[0-9a-f-]{36}}/link': async (context) => {
    const { office, customer } = context.sandbox
    const { conversation } = await receiveMail(context, `cold-${newId()}@example.com`)
    return requestBy(office.browser, office.at('messages', conversation, 'link'), {
      customer_id: String(customer['id']),
    })
  },
  'POST /:tenant{[0-9a-f-]{36}}/review/messages/:id{[0-9a-f-]{36}}': async (context) => {
    const { office } = context.sandbox
    await receiveMail(context, 'maria@example.com', ['It leaks', 'It leaks no more'])
    const id = await newest(context, sql`select id from quarantined_messages order by id desc limit 1`)
    return requestBy(office.browser, office.at('review', 'messages', id), { act: 'discard' })
  },
  'GET /:tenant{[0-9a-f-]{36}}/review/events/:id{[0-9a-f-]{36}}': async (context) => {
    const { office } = context.sandbox
    return requestBy(office.browser, office.at('review', 'events', await holdForReview(context)))
  },
  'POST /:tenant{[0-9a-f-]{36}}/review/events/:id{[0-9a-f-]{36}}': async (context) => {
    const { office } = context.sandbox
    return requestBy(office.browser, office.at('review', 'events', await holdForReview(context)), { act: 'discard' })
  },
}

/** Holds a payment event for the company's decision. Returns its id. */
async function holdForReview({ service, sandbox }: StateContext): Promise<string> {
  const event = `evt_${newId()}`
  await providerOf(service).event({
    id: event,
    type: 'charge.succeeded',
    livemode: true,
    account: 'acct_sandbox',
    data: { object: { id: `ch_${newId()}`, object: 'charge', amount: 1_500, currency: 'usd', metadata: {} } },
  })
  const [answer] = await service.database.send([
    sql<{
      id: string
    }>`update payment_events set state = 'review', reason = 'mode_mismatch', tenant_id = ${sandbox.office.id}
      where event_id = ${event} returning id`,
  ])
  return answer.rows[0]!.id
}
