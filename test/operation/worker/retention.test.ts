import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { openDatabase, sql, type Sql } from '../../../src/platform/db/database.ts'
import { COMMAND_LINE } from '../../../src/identity/people/review_scope.ts'
import { discardQuarantined } from '../../../src/messaging/inbox/quarantine/quarantine_review.ts'
import { startService } from '../../../src/start/service.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { PERIODIC_TASKS } from '../../../src/worker/periodic_tasks.ts'
import { retentionTask } from '../../../src/worker/tasks/retention.ts'
import { startTestService, type TestService } from '../../harness/harness.ts'
import { freshId, quarantinedUnder } from '../../harness/messaging/inbound.ts'
import { WEBHOOK_ENV, providerOf } from '../../harness/clients/webhook_calls.ts'
import { startWorkers } from '../../harness/processes/workers.ts'

let workers: Awaited<ReturnType<typeof startWorkers>>
let service: TestService
before(async () => {
  workers = await startWorkers()
  service = await startTestService(WEBHOOK_ENV)
})
after(async () => {
  await workers.stop()
  await service.stop()
})

const STATES = ['pending', 'routed', 'unrouted', 'stored', 'applied', 'review', 'discarded']
const ENDED = ['stored', 'applied', 'discarded']

const run = (statement: Sql) => workers.database.send([statement])
const event = async (state: string, days: number, ago: Temporal.Instant): Promise<string> => {
  const [id, settled] = [newId(), ENDED.includes(state) ? ago.subtract({ hours: 24 * days }).toString() : null]
  await run(sql`insert into payment_events (id, digest, mode_matches, event_id, endpoint, state, settled_at, received_at, raw)
    values (${id}, ${Buffer.from(id)}, true, ${id}, 'connect', ${state}, ${settled}, '2020-01-01', 'bytes')`)
  return id
}
const message = async (state: string, days: number, ago: Temporal.Instant): Promise<string> => {
  const [id, settled] = [newId(), state === 'open' ? null : ago.subtract({ hours: 24 * days }).toString()]
  await run(sql`insert into quarantined_messages (id, channel, provider_message_id, content_hash, reason, sender, recipients, excerpt, raw, state, settled_at, received_at)
    values (${id}, 'sms', ${id}, '', 'no_tenant', 'x', '{}', '', ${state === 'open' ? Buffer.from('bytes') : null}, ${state}, ${settled}, ${ago.subtract({ hours: 24 * days }).toString()})`)
  return id
}
const checkKept = async (ids: readonly string[]): Promise<boolean[]> => {
  const [found] = await run(
    sql`select id from payment_events where raw is not null and id = any(${[...ids]}::uuid[]) union all select id from quarantined_messages where id = any(${[...ids]}::uuid[])`,
  )
  return ids.map((id) => found!.rows.some((row) => row['id'] === id))
}
/** Runs the task with these retention days. */
async function sweep(paymentEventDays: number, quarantineDays: number): Promise<void> {
  workers.pass({ hours: 6 })
  const process = await workers.process([retentionTask({ paymentEventDays, quarantineDays })])
  await process.runDue()
  assert.deepEqual(process.lines, [])
}

describe('retention', () => {
  it('deletes the payload of events settled before the retention period, and keeps their rows', async () => {
    const now = workers.clock()
    const old = await Promise.all(STATES.map((state) => event(state, 11, now)))
    const young = await Promise.all(STATES.map((state) => event(state, 9, now)))
    await sweep(10, 0)
    assert.deepEqual(
      await checkKept(old),
      STATES.map((state) => !ENDED.includes(state)),
    )
    assert.deepEqual(
      await checkKept(young),
      STATES.map(() => true),
    )
    const [rows] = await run(sql`select id from payment_events where id = any(${old}::uuid[])`)
    assert.equal(rows!.count, STATES.length)
  })

  it('deletes messages settled before the retention period, and keeps open ones', async () => {
    const now = workers.clock()
    const ids = await Promise.all([
      message('discarded', 6, now),
      message('assigned', 6, now),
      message('discarded', 4, now),
      message('open', 6, now),
    ])
    await sweep(0, 5)
    assert.deepEqual(await checkKept(ids), [false, false, true, true])
  })

  it('deletes open messages after 90 days, even if retention is off', async () => {
    const now = workers.clock()
    const ids = await Promise.all([message('open', 91, now), message('open', 89, now), message('discarded', 91, now)])
    await sweep(0, 0)
    assert.deepEqual(await checkKept(ids), [false, true, true])
  })

  it('of 0 days keeps everything', async () => {
    const ids = [await event('applied', 9_999, workers.clock()), await message('discarded', 9_999, workers.clock())]
    await sweep(0, 0)
    assert.deepEqual(await checkKept(ids), [true, true])
  })

  it('deletes more rows than one batch', async () => {
    await run(sql`insert into payment_events (id, digest, mode_matches, event_id, endpoint, state, settled_at, raw)
      select gen_random_uuid(), ('x' || n)::bytea, true, 'many', 'connect', 'applied', '2020-01-01', 'bytes' from generate_series(1, 2500) n`)
    await sweep(10, 0)
    assert.equal((await run(sql`select from payment_events where event_id = 'many' and raw is not null`))[0]!.count, 0)
  })
})

describe('a status of an unknown message', () => {
  it('is kept for 7 days; that of a known message stays', async () => {
    const [old, young, known] = [newId(), newId(), newId()]
    const kept_at = (days: number): string =>
      workers
        .clock()
        .subtract({ hours: 24 * days })
        .toString()
    await run(sql`insert into sent_messages (channel, provider_id, status, kept_at, tenants) values ('sms', ${old}, 'sent', ${kept_at(8)}, '{}'),
      ('sms', ${young}, 'sent', ${kept_at(6)}, '{}'), ('sms', ${known}, null, ${kept_at(8)}, array[${newId()}::uuid])`)
    await (await workers.process(PERIODIC_TASKS.filter(({ name }) => name === 'status_sweep'))).runDue()
    const [left] = await run(sql`select provider_id from sent_messages where provider_id = any(${[old, young, known]})`)
    assert.deepEqual(new Set(left!.rows.map((row) => row['provider_id'])), new Set([young, known]))
  })
})

describe('an event whose payload was deleted', () => {
  it('is still recognized as a duplicate', async () => {
    const provider = providerOf(service)
    const sent = { id: `evt_${newId()}`, type: 'payout.paid' }
    await provider.event(sent)
    await service.database.send([
      sql`update payment_events set state = 'stored', settled_at = '2020-01-01' where event_id = ${sent.id}`,
    ])
    const pool = openDatabase(service.login)
    const working = await startService(service.config, pool, pino({ level: 'silent' }), [])
    const gone = sql`select from payment_events where event_id = ${sent.id} and raw is null`
    for (let tries = 0; (await service.database.send([gone]))[0]!.count === 0; tries++) {
      assert.ok(tries < 1_200, 'the service let go of nothing')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await working.stop(0)
    await pool.close()
    assert.equal((await provider.event(sent)).text, '{"received":true,"deduped":true}')
  })
})

describe('a quarantined message', () => {
  it('has settled_at once it is discarded', async () => {
    const sid = freshId()
    await providerOf(service).sms('/api/webhooks/sms/inbound-sms', {
      MessageSid: sid,
      From: '+16175550999',
      To: '+16175559999',
      Body: 'x',
    })
    const [waiting] = await quarantinedUnder(service.database, sid)
    assert.equal(waiting!['settled_at'], null)
    await discardQuarantined(service.database, COMMAND_LINE, String(waiting!['id']))
    assert.notEqual((await quarantinedUnder(service.database, sid))[0]!['settled_at'], null)
  })
})
