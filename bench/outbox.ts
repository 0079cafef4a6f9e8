import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { sql, writeTenant } from '../src/platform/db/tenant.ts'
import { MAILBOXES, addChannel } from '../src/messaging/inbox/directory.ts'
import { SENDING_TASKS } from '../src/messaging/outbox/queue.ts'
import { createSenders } from '../src/messaging/outbox/senders/senders.ts'
import { newId } from '../src/platform/validation/id.ts'
import { sendingTasks } from '../src/worker/tasks/sending.ts'
import { startWorker } from '../src/worker/worker.ts'
import { makeDatabase } from '../test/harness/harness.ts'
import { startMailServer } from '../test/harness/messaging/mail_server.ts'

// node bench/outbox.ts [--messages 10000] [--companies 50] [--slow 5000]: queues email of many companies at once. The mail server
// takes `--slow` milliseconds for each email of the first company. Prints when the others were done, next to a run without delays.
const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '10000' },
    companies: { type: 'string', default: '50' },
    slow: { type: 'string', default: '5000' },
  },
})
const [messages, companies, slow] = [Number(values.messages), Number(values.companies), Number(values.slow)]

const rows: Record<string, unknown>[] = []
for (const slowMs of [0, slow]) {
  const testDatabase = await makeDatabase()
  const server = await startMailServer({
    atEnd: ({ from }) => (slowMs > 0 && from === 'office0@alder.example' ? sleep(slowMs) : undefined),
  })
  const each = Math.floor(messages / companies)
  for (let i = 0; i < companies; i++) {
    const tenant = newId()
    await writeTenant(testDatabase.database, { tenant }, async (db) => {
      await db.run(
        sql`insert into tenants (id, name, timezone, currency, country) values (${tenant}, ${`Company ${i}`}, 'UTC', 'USD', 'US')`,
      )
      await db.run(sql`insert into outbox_limits (tenant_id, emails_a_day) values (${tenant}, 100000)`)
      await db.run(sql`with made as (
          insert into communications (tenant_id, id, channel, direction, status, provider, sender, sender_address, recipients, subject, body)
          select ${tenant}, gen_random_uuid(), 'email', 'outbound', 'queued', 'email', 'Company', ${`office${i}@alder.example`}, array['c' || n || '@example.com'], 'Your invoice', 'Thank you.'
          from generate_series(1, ${each}) n returning id, recipients)
        insert into outbox (tenant_id, id, channel, cause, recipient) select ${tenant}, id, 'email', 'reply', recipients[1] from made`)
      await db.run(sql`select ask_chore_by(${tenant}, ${SENDING_TASKS.email}, moment())`)
    })
    await addChannel(testDatabase.database, MAILBOXES, tenant, `office${i}@alder.example`)
  }
  const done = new Map<string, { count: number; at: number }>()
  const senders = createSenders({
    mailServer: server.config,
    smsAccount: null,
    smsFrom: null,
    baseUrl: 'http://callout.test',
  })
  const begun = performance.now()
  const worker = startWorker(testDatabase.database, pino({ level: 'error' }), sendingTasks(senders))
  const others = each * (companies - 1)
  let processed = 0
  const isDone = (): boolean => {
    for (; processed < server.taken.length; processed++) {
      const { from } = server.taken[processed]!
      done.set(from, { count: (done.get(from)?.count ?? 0) + 1, at: (performance.now() - begun) / 1_000 })
    }
    const slowest = done.get('office0@alder.example')?.count ?? 0
    return server.taken.length - slowest >= others
  }
  while (!isDone()) await sleep(50)
  const seconds = (performance.now() - begun) / 1_000
  await worker.stop()
  const ends = [...done].filter(([from]) => from !== 'office0@alder.example').map(([, { at }]) => at)
  rows.push({
    'slow company': slowMs === 0 ? 'none' : `${slowMs} ms per email`,
    emails: each * companies,
    companies,
    'others done after (s)': Math.round(seconds),
    'emails per second': Math.round(others / seconds),
    'first company done after (s)': Math.round(Math.min(...ends)),
    'sent by the slow company': done.get('office0@alder.example')?.count ?? 0,
  })
  await server.stop()
  await testDatabase.drop()
}
console.table(rows)
