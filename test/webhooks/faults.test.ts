import assert from 'node:assert/strict'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import { openDatabase } from '../../src/platform/db/database.ts'
import { startService } from '../../src/start/service.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { asOwner } from '../harness/messaging/inbound.ts'
import { WEBHOOK_ENV, providerOf, type Answered } from '../harness/clients/webhook_calls.ts'

let service: TestService
let company: Company
let provider: ReturnType<typeof providerOf>
let admin: pg.Client
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  provider = providerOf(service)
  company = await makeCompany(service)
  admin = new pg.Client(service.owner)
  await admin.connect()
})
after(async () => {
  await admin.end()
  await service.stop()
})

const FAILED = '{"error":"ingest_failed"}'
const INGESTED = '{"received":true,"ingested":1}'
const REPEATED = '{"received":true,"deduped":true}'
const makeEvent = () => ({ id: `evt_${newId()}` })
const sleep = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Asserts that each sender gets a response before the blocked statement is released. The limit is under 5 s;
 * src/webhooks/body/intake.test.ts tests the time.
 */
const assertFailed = async (answered: Promise<Answered>): Promise<void> => {
  const { status, text } = await answered
  assert.deepEqual([status, text], [500, FAILED])
}

describe('webhooks during a table lock', () => {
  it('fail with 500 while tools keep working, and accept a redelivery after the lock', async () => {
    const events = Array.from({ length: 40 }, makeEvent)
    await admin.query('begin; lock table payment_events in access exclusive mode')
    const answers = events.map((event) => assertFailed(provider.event(event)))
    await waitingBackend()
    for (let i = 0; i < 10; i++) await company.call('customers_search', { query: 'a' })
    await Promise.all(answers)
    await admin.query('commit')
    assert.equal((await provider.event(makeEvent())).text, INGESTED)
    await noneWaiting()
    for (const event of events.slice(0, 3)) assert.match((await provider.event(event)).text, /ingested":1|deduped/)
  })

  it('succeed if the lock is released in time', async () => {
    await admin.query('begin; lock table payment_events in access exclusive mode')
    const answers = Array.from({ length: 12 }, () => provider.event(makeEvent()))
    await waitingBackend()
    await admin.query('commit')
    assert.deepEqual(
      (await Promise.all(answers)).map(({ text }) => text),
      Array.from({ length: 12 }, () => INGESTED),
    )
  })

  it('return 200 at the status endpoints', async () => {
    await admin.query('begin; lock table sent_messages in access exclusive mode')
    const answers = await Promise.all([
      provider.smsStatus({ MessageSid: 'x', MessageStatus: 'sent' }),
      provider.emailEvent({ type: 'email.sent', data: { email_id: 'x' } }),
    ])
    await admin.query('commit')
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
  })
})

describe('webhooks during a frozen database process', () => {
  it('fail the affected event and store the next one over another connection', async () => {
    const event = makeEvent()
    await admin.query('begin; lock table payment_events in access exclusive mode')
    const answer = assertFailed(provider.event(event))
    const pid = await waitingBackend()
    process.kill(pid, 'SIGSTOP')
    try {
      await admin.query('commit')
      assert.ok((await company.call('tags_list')) !== undefined)
      assert.equal((await provider.event(makeEvent())).text, INGESTED)
      await answer
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    for (let tries = 0; ; tries++) {
      const { text } = await provider.event(event)
      if (text === REPEATED || text === INGESTED) break
      assert.ok(tries < 10, text)
    }
    assert.equal((await provider.event(event)).text, REPEATED)
  })
})

/** Waits until a backend is blocked on the locked table and returns its pid. */
async function waitingBackend(): Promise<number> {
  for (;;) {
    const [pid] = await inserting("wait_event_type = 'Lock'")
    if (pid !== undefined) return pid
    await sleep(20)
  }
}

/** Waits until no backend inserts an event. */
async function noneWaiting(): Promise<void> {
  while ((await inserting("state = 'active'")).length > 0) await sleep(20)
}

async function inserting(condition: string): Promise<number[]> {
  await admin.query('select pg_stat_clear_snapshot()')
  const { rows } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and ${condition} and query like '%insert into payment_events%' and pid <> pg_backend_pid()`,
  )
  return rows.map(({ pid }) => pid)
}

describe('webhooks without a database', () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket.on('error', () => {})))
  before(() => new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve)))
  after(() => {
    sockets.forEach((socket) => socket.destroy())
    silent.close()
  })

  for (const [name, port] of [
    ['refuses connections', () => 1],
    ['accepts them and says nothing', () => (silent.address() as AddressInfo).port],
  ] as const) {
    it(`that ${name}: return 5xx for events and messages and 200 for statuses, and the service stays up`, async () => {
      const database = openDatabase({ host: '127.0.0.1', port: port(), user: 'x', database: 'x' })
      const other = await startService(service.config, database, pino({ level: 'silent' }), null)
      const origin = `http://127.0.0.1:${other.port}`
      const at = providerOf({ config: service.config, origin })
      await Promise.all([
        ...Array.from({ length: 20 }, () => assertFailed(at.event(makeEvent()))),
        at
          .sms('/api/webhooks/sms/inbound-sms', { MessageSid: 'SM1', From: '+16175550100', To: '+16175550101' })
          .then(({ status }) => assert.equal(status, 500)),
        at
          .email('/api/webhooks/email/inbound', { from: 'a@b.example', to: 'c@d.example', messageId: 'm', text: 'x' })
          .then(({ status }) => assert.equal(status, 503)),
        at.smsStatus({ MessageSid: 'x', MessageStatus: 'sent' }).then(({ status }) => assert.equal(status, 200)),
        at.emailEvent({ type: 'email.sent', data: { email_id: 'x' } }).then(({ status }) => assert.equal(status, 200)),
      ])
      assert.equal((await fetch(`${origin}/health/live`)).status, 200)
      await other.stop(0)
      await database.close()
    })
  }
})

describe('a failed transaction', () => {
  /** Makes the next inserts fail with an SQLSTATE. In a cluster, the first machine counts them. */
  async function failing(code: string, times: number): Promise<void> {
    await asOwner(
      service,
      `drop trigger if exists fail_some on payment_events;
      drop sequence if exists failures; create sequence failures; grant usage on failures to callout_app;
      create or replace function fail_some() returns trigger language plpgsql as $$ begin
        if nextval(to_regclass('failures')) <= ${times} then raise exception 'asked for' using errcode = '${code}'; end if;
        return new;
      end $$;
      create trigger fail_some before insert on payment_events for each row execute function fail_some()`,
    )
  }
  after(() => asOwner(service, 'drop trigger fail_some on payment_events'))

  for (const code of ['40001', '40P01']) {
    it(`${code} is retried three times, then fails`, async () => {
      await failing(code, 3)
      assert.equal((await provider.event(makeEvent())).text, INGESTED)
      await failing(code, 4)
      const event = makeEvent()
      await assertFailed(provider.event(event))
      assert.equal((await provider.event(event)).text, INGESTED)
    })
  }

  it("isn't retried after any other SQLSTATE", async () => {
    await failing('22012', 1)
    await assertFailed(provider.event(makeEvent()))
    assert.equal((await provider.event(makeEvent())).text, INGESTED)
  })
})
