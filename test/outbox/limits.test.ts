import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql, writeTenant, type Db } from '../../src/platform/db/tenant.ts'
import { allowNumber, confirmStop, holdNumber } from '../../src/messaging/opt_out/suppression.ts'
import { canSend, createSenders } from '../../src/messaging/outbox/senders/senders.ts'
import { quietHoursEnd, setLimits } from '../../src/messaging/outbox/limits.ts'
import { resendMessage } from '../../src/messaging/outbox/decisions.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { runDue } from '../../src/worker/worker.ts'
import { startMailServer } from '../harness/messaging/mail_server.ts'
import { openOutboxScene, type OutboxScene } from '../harness/messaging/outbox_scene.ts'
import { startSmsProvider } from '../harness/messaging/sms_provider.ts'

const LIMITS = { emails_a_day: 500, texts_a_day: 250, quiet_from: '21:00', quiet_until: '08:00' }

let server: Awaited<ReturnType<typeof startMailServer>>
let provider: Awaited<ReturnType<typeof startSmsProvider>>
let office: OutboxScene
before(async () => {
  server = await startMailServer()
  provider = await startSmsProvider()
  office = await openOutboxScene({ mailServer: server.config, smsAccount: provider.account })
})
after(async () => {
  await office.stop()
  await server.stop()
  await provider.stop()
})
beforeEach(async () => {
  await office.write(sql`delete from outbox`)
  await setTo(LIMITS)
  office.shop.setClock('2083-03-01T12:00:00Z')
})

const setTo = (limits: typeof LIMITS): Promise<void> =>
  writeTenant(office.shop.database, { tenant: office.tenant }, (db) => setLimits(db, limits))

describe('a queued text to a number whose reply may be an opt-out', () => {
  const at = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    writeTenant(office.shop.database, { tenant: office.tenant }, work)

  it('waits for review, then is sent if the reply was no STOP, or fails if it was', async () => {
    for (const [to, decide, state] of [
      ['+16175550301', (db: Db) => allowNumber(db, '+16175550301'), 'handed_over'],
      ['+16175550302', (db: Db) => confirmStop(db, '+16175550302'), 'failed'],
    ] as const) {
      const id = await office.text({ to })
      await at((db) => holdNumber(db, to, 'Stop texting me'))
      const before = provider.taken.length
      for (let i = 0; i < 2; i++) {
        await office.run()
        office.shop.pass({ hours: 1 })
      }
      const waiting = await office.row(id)
      assert.deepEqual([waiting.state, waiting.reason, waiting.attempts], ['queued', 'unclear', 0])
      assert.equal(provider.taken.length, before)
      await at<unknown>(decide)
      await office.run()
      assert.equal((await office.row(id)).state, state)
      assert.equal(provider.taken.length, before + (state === 'failed' ? 0 : 1))
    }
  })
})

describe('quiet hours', () => {
  const cases: [now: string, from: string, until: string, zone: string, end: string | undefined][] = [
    ['2083-03-01T20:59:00Z', '21:00', '08:00', 'UTC', undefined],
    ['2083-03-01T21:00:00Z', '21:00', '08:00', 'UTC', '2083-03-02T08:00:00Z'],
    ['2083-03-02T07:59:59Z', '21:00', '08:00', 'UTC', '2083-03-02T08:00:00Z'],
    ['2083-03-02T08:00:00Z', '21:00', '08:00', 'UTC', undefined],
    ['2083-03-01T13:00:00Z', '12:00', '14:00', 'UTC', '2083-03-01T14:00:00Z'],
    ['2083-03-01T14:00:00Z', '12:00', '14:00', 'UTC', undefined],
    ['2083-03-01T12:00:00Z', '12:00', '12:00', 'UTC', undefined],
    ['2083-03-02T03:00:00Z', '21:00', '08:00', 'America/New_York', '2083-03-02T13:00:00Z'],
    ['2083-03-14T05:00:00Z', '21:00', '02:30', 'America/New_York', '2083-03-14T07:30:00Z'],
  ]
  for (const [now, quiet_from, quiet_until, zone, end] of cases)
    it(`from ${quiet_from} until ${quiet_until} in ${zone} hold at ${now} until ${end ?? 'never'}`, () =>
      assert.equal(
        quietHoursEnd({ ...LIMITS, quiet_from, quiet_until }, Temporal.Instant.from(now), zone)?.toString(),
        end,
      ))

  it("follow the time zones of the customer's addresses, or the company's if there are none", async () => {
    const customer = newId()
    await office.write(sql`insert into customers (tenant_id, id, customer_type, display_name, sort_name, name_words, first_name, status, tax_exempt, do_not_service, fields)
      values (${office.tenant}, ${customer}, 'individual', 'Ana', 'ana', 'ana', 'Ana', 'active', false, false, '{}')`)
    const text = (): Promise<string> => office.text({ cause: 'sent', customerId: customer, body: newId() })
    const waits = async (at: string, id: string): Promise<string | null> => {
      office.shop.setClock(at)
      await office.run()
      const { state, next_at } = await office.row(id)
      return state === 'queued' ? next_at : null
    }
    assert.equal(await waits('2083-03-01T22:00:00Z', await text()), '2083-03-02T08:00:00.000Z', 'no address: UTC')
    await office.write(sql`insert into locations (tenant_id, id, customer_id, type, address_line1, region, country, formatted_address, is_primary)
      values (${office.tenant}, ${newId()}, ${customer}, 'service', '1 A St', 'or', 'US', '1 A St, OR', true)`)
    assert.equal(await waits('2083-03-02T22:00:00Z', await text()), null)
    assert.equal(await waits('2083-03-03T15:30:00Z', await text()), '2083-03-03T16:00:00.000Z', '7:30 in Los Angeles')
    assert.equal(await waits('2083-03-04T04:30:00Z', await text()), '2083-03-04T15:00:00.000Z', '21:30 in Denver')
  })

  it('hold reminders and document texts, but not replies, on-my-way texts or email sent by a person', async () => {
    office.shop.setClock('2083-03-01T22:00:00Z')
    const held = [
      await office.queue({ cause: 'reminder' }),
      await office.text({ cause: 'sent' }),
      await office.text({ cause: 'reminder' }),
    ]
    const gone = [
      await office.queue({ cause: 'sent' }),
      await office.text({ cause: 'reply' }),
      await office.text({ cause: 'on_my_way' }),
    ]
    await office.run()
    for (const id of held) {
      const { state, reason, next_at } = await office.row(id)
      assert.deepEqual([state, reason, next_at], ['queued', 'quiet_hours', '2083-03-02T08:00:00.000Z'])
    }
    for (const id of gone) assert.equal((await office.row(id)).state, 'handed_over')
    office.shop.setClock('2083-03-02T08:00:00Z')
    await office.run()
    for (const id of held) assert.equal((await office.row(id)).state, 'handed_over')
  })
})

describe('the daily message limit', () => {
  it('holds the rest until midnight in company time, separately by channel', async () => {
    await setTo({ ...LIMITS, emails_a_day: 2 })
    const ids = [await office.queue(), await office.queue(), await office.queue()]
    const text = await office.text()
    await office.run()
    const rows = await Promise.all(ids.map(office.row))
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['handed_over', 'handed_over', 'queued'],
    )
    assert.deepEqual([rows[2]!.reason, rows[2]!.next_at], ['daily_limit', '2083-03-02T00:00:00.000Z'])
    assert.equal((await office.row(text)).state, 'handed_over')
    office.shop.setClock('2083-03-02T00:00:00Z')
    await office.run()
    assert.equal((await office.row(ids[2]!)).state, 'handed_over')
  })
})

describe('the daily text limit', () => {
  it('counts a long text by its segments', async () => {
    await setTo({ ...LIMITS, texts_a_day: 3 })
    const long = await office.text({ body: 'í'.repeat(71) })
    const [short, late] = [await office.text(), await office.text()]
    await office.run()
    const rows = await Promise.all([long, short, late].map(office.row))
    assert.deepEqual(
      rows.map(({ state, reason }) => [state, reason]),
      [
        ['handed_over', null],
        ['handed_over', null],
        ['queued', 'daily_limit'],
      ],
    )
  })
})

describe('without a configured sender', () => {
  it('a message is held, and sent after there is one and a person resends it', async () => {
    const nobody = createSenders({ mailServer: null, smsAccount: null, smsFrom: null, baseUrl: 'http://callout.test' })
    const process = await office.shop.process(office.chores(nobody))
    const [mail, text] = [await office.queue({ by: newId() }), await office.text()]
    await process.runDue()
    for (const id of [mail, text]) {
      const { state, reason, status } = await office.row(id)
      assert.deepEqual([state, reason, status], ['held', 'no_sender', 'queued'])
    }
    await office.run()
    assert.equal((await office.row(mail)).state, 'held')
    await writeTenant(office.shop.database, { tenant: office.tenant }, (db) => resendMessage(db, newId(), mail))
    await office.run()
    assert.equal((await office.row(mail)).state, 'handed_over')
  })

  it('canSend returns false for the channel', async () => {
    const can = (tenant: string, senders = office.senders) =>
      writeTenant(office.shop.database, { tenant }, async (db) => [
        await canSend(db, senders, 'email'),
        await canSend(db, senders, 'sms'),
      ])
    assert.deepEqual(await can(office.tenant), [true, true])
    const numberless = await office.shop.tenant()
    assert.deepEqual(await can(numberless), [true, false])
    assert.deepEqual(
      await can(numberless, { ...office.senders, sms: { ...office.senders.sms!, from: '+16175550111' } }),
      [true, true],
    )
    assert.deepEqual(await can(office.tenant, { ...office.senders, email: null, sms: null }), [false, false])
  })
})

describe('a company with a slow provider', () => {
  it('delays neither other companies nor its own other channel', async () => {
    const other = await office.shop.tenant()
    let release = (): void => {}
    const slow = new Promise<undefined>((resolve) => (release = () => resolve(undefined)))
    server.how.atEnd = ({ from }) => (from === 'office@alder.example' ? slow : undefined)
    const mine = await office.queue()
    const theirs = await office.queue({}, other)
    const text = await office.text()
    const { shop } = await office.shop.process([])
    const running = runDue(shop, office.chores(), 3)
    const stateOf = async (id: string, tenant: string): Promise<string> =>
      (await office.read<{ state: string }>(sql`select state from outbox where id = ${id}`, tenant))[0]!.state
    while ((await stateOf(theirs, other)) !== 'handed_over') await new Promise((resolve) => setTimeout(resolve, 20))
    while ((await stateOf(text, office.tenant)) !== 'handed_over')
      await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal(await stateOf(mine, office.tenant), 'attempting')
    release()
    await running
    assert.equal(await stateOf(mine, office.tenant), 'handed_over')
    server.how.atEnd = () => undefined
  })

  it("with many messages lets another company's message in between", async () => {
    const other = await office.shop.tenant()
    for (let i = 0; i < 4; i++) await office.queue({ to: `many${i}@example.com` })
    await office.queue({ to: 'few@example.com' }, other)
    server.taken.length = 0
    const process = await office.shop.process([])
    const chores = office.chores(office.senders, undefined, { maxMessages: 2 })
    await runDue(process.shop, chores)
    office.shop.pass({ seconds: 30 })
    await runDue(process.shop, chores)
    const order = server.taken.map(({ to }) => to[0]!.replace(/\d?@.*/, ''))
    assert.deepEqual(order, ['many', 'many', 'few', 'many', 'many'])
  })
})
