import { readTenant, sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { MAILBOXES, NUMBERS, addChannel } from '../../../src/messaging/inbox/directory.ts'
import type { OutgoingMessage } from '../../../src/messaging/outbox/outgoing.ts'
import { queueMessage } from '../../../src/messaging/outbox/queue.ts'
import { createSenders, type Senders } from '../../../src/messaging/outbox/senders/senders.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { sendingTasks, type ReadDocument, type SendingLimits } from '../../../src/worker/tasks/sending.ts'
import { startWorkers } from '../processes/workers.ts'

export const MAIL: OutgoingMessage = {
  channel: 'email',
  to: 'ana@example.com',
  subject: 'Your invoice',
  body: 'Thank you.',
  about: null,
  customerId: null,
  cause: 'sent',
  by: null,
}
export const SMS: OutgoingMessage = { ...MAIL, channel: 'sms', to: '+16175550142', cause: 'reply', body: 'On my way' }

export type OutboxRow = {
  id: string
  state: string
  reason: string | null
  reply: string | null
  attempts: number
  next_at: string
  status: string
  provider_message_id: string | null
  error_message: string | null
}

/** Opens a company whose messages worker processes send under one clock, which starts at noon in its zone. */
export async function openOutboxScene(
  configured: Partial<Parameters<typeof createSenders>[0]>,
  pace: SendingLimits = {},
) {
  const workers = await startWorkers()
  workers.setClock('2083-03-01T12:00:00Z')
  const tenant = await workers.tenant()
  await addChannel(workers.database, MAILBOXES, tenant, 'office@alder.example')
  await addChannel(workers.database, NUMBERS, tenant, '+16175550100')
  const senders = createSenders({
    mailServer: null,
    smsAccount: null,
    smsFrom: null,
    baseUrl: 'http://callout.test',
    ...configured,
  })
  const chores = (with_: Senders = senders, readDocument?: ReadDocument, other: SendingLimits = pace) =>
    sendingTasks(with_, readDocument, other)
  const process = await workers.process(chores())
  const read = <Row extends object>(query: ReturnType<typeof sql>, of = tenant): Promise<Row[]> =>
    readTenant(workers.database, { tenant: of }, (db) => db.all<Row>(query))
  return {
    shop: workers,
    tenant,
    senders,
    chores,
    read,
    lines: process.lines,
    run: process.runDue,
    queue: async (outgoing: Partial<OutgoingMessage> = {}, of = tenant): Promise<string> =>
      (
        await writeTenant(workers.database, { tenant: of }, (db) =>
          queueMessage(db, { ...MAIL, body: `Thank you (${newId()}).`, ...outgoing }),
        )
      ).id,
    text: async (outgoing: Partial<OutgoingMessage> = {}): Promise<string> =>
      (
        await writeTenant(workers.database, { tenant }, (db) =>
          queueMessage(db, { ...SMS, body: `On my way (${newId()})`, ...outgoing }),
        )
      ).id,
    row: async (id: string): Promise<OutboxRow> =>
      (
        await read<OutboxRow>(sql`select o.id, o.state, o.reason, o.reply, o.attempts, o.next_at, m.status, m.provider_message_id, m.error_message
          from outbox o join communications m using (tenant_id, id) where o.id = ${id}`)
      )[0]!,
    write: (query: ReturnType<typeof sql>): Promise<number> =>
      writeTenant(workers.database, { tenant }, (db) => db.run(query)),
    stop: () => workers.stop(),
  }
}

export type OutboxScene = Awaited<ReturnType<typeof openOutboxScene>>
