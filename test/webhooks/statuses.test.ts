import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, type Sql } from '../../src/platform/db/database.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'

let service: TestService
let company: Company
let invoice: string
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  provider = providerOf(service)
  company = await makeCompany(service)
  const { id } = await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
  invoice = (
    await company.call('invoices_create', { customer_id: id, line_items: [{ name: 'x', unit_price_cents: 100 }] })
  )['id']
})
after(() => service.stop())

type Channel = 'sms' | 'email'
type Message = { status: string; error_message: string | null; error_code: string | null; read_at: string | null }
const write = (query: Sql, tenant = company.tenant): Promise<Message[]> =>
  writeTenant(service.database, { tenant }, (db) => db.all<Message>(query))

const columns = sql`status, error_message, error_code, read_at`
const TABLES = {
  communications: {
    add: (channel: Channel, id: string, status = 'queued', tenant = company.tenant, direction = 'outbound') =>
      write(
        sql`
      insert into communications (tenant_id, id, channel, direction, status, provider, provider_message_id, sender, sender_address, recipients)
      values (${tenant}, ${newId()}, ${channel}, ${direction}, ${status}, 'test', ${id}, 'us', 'us', array['them']) returning ${columns}`,
        tenant,
      ),
    read: async (id: string, tenant = company.tenant) =>
      (
        await write(
          sql`select ${columns} from communications where tenant_id = ${tenant} and provider_message_id = ${id}`,
          tenant,
        )
      )[0]!,
  },
  invoice_deliveries: {
    add: (channel: Channel, id: string, status = 'queued') =>
      write(sql`
      insert into invoice_deliveries (tenant_id, id, invoice_id, channel, provider_id, status, recipient)
      values (${company.tenant}, ${newId()}, ${invoice}, ${channel}, ${id}, ${status}, 'them') returning ${columns}`),
    read: async (id: string) =>
      (
        await write(
          sql`select ${columns} from invoice_deliveries where tenant_id = ${company.tenant} and provider_id = ${id}`,
        )
      )[0]!,
  },
} as const

const sms = async (id: string, status: string, more: Record<string, string> = {}): Promise<void> => {
  const { status: answered, text } = await provider.smsStatus({ MessageSid: id, MessageStatus: status, ...more })
  assert.deepEqual([answered, text], [200, ''])
}
const email = async (
  id: unknown,
  type: unknown,
  { data, ...more }: { data?: object; created_at?: string } = {},
): Promise<void> => {
  assert.equal((await provider.emailEvent({ type, data: { email_id: id, ...data }, ...more })).status, 200)
}
const statusOf = async (table: keyof typeof TABLES, id: string): Promise<string> =>
  (await TABLES[table].read(id)).status

for (const table of ['communications', 'invoice_deliveries'] as const) {
  const { add, read } = TABLES[table]

  describe(`SMS status callbacks, ${table}`, () => {
    const expected: [sent: string, stored: string][] = [
      ['accepted', 'queued'],
      ['scheduled', 'queued'],
      ['queued', 'queued'],
      ['sending', 'sending'],
      ['sent', 'sending'],
      ['delivered', 'delivered'],
      ['undelivered', 'failed'],
      ['failed', 'failed'],
      ['read', 'queued'],
      ['receiving', 'queued'],
      ['received', 'queued'],
      ['canceled', 'queued'],
      ['constructor', 'queued'],
      ['', 'queued'],
    ]
    for (const [sent, stored] of expected) {
      it(`${sent} is stored as ${stored}`, async () => {
        const id = newId()
        await add('sms', id)
        await sms(id, sent)
        assert.equal(await statusOf(table, id), stored)
      })
    }

    const moves: [from: string, callback: string, to: string][] = [
      ['sending', 'queued', 'sending'],
      ['delivered', 'queued', 'delivered'],
      ['delivered', 'sent', 'delivered'],
      ['delivered', 'failed', 'delivered'],
      ['failed', 'delivered', 'failed'],
      ['failed', 'queued', 'failed'],
      ['sending', 'undelivered', 'failed'],
      ['sending', 'delivered', 'delivered'],
    ]
    for (const [from, callback, to] of moves) {
      it(`${callback} after ${from} gives ${to}`, async () => {
        const id = newId()
        await add('sms', id, from)
        await sms(id, callback, { ErrorMessage: 'why', ErrorCode: '30003' })
        const { status, error_message } = await read(id)
        assert.deepEqual([status, error_message], [to, to === 'failed' && from !== 'failed' ? 'why' : null])
      })
    }

    it('keep the error message and code of the first failure', async () => {
      const id = newId()
      await add('sms', id)
      await sms(id, 'sent', { ErrorMessage: 'early', ErrorCode: '1' })
      assert.deepEqual(await read(id), { status: 'sending', error_message: null, error_code: null, read_at: null })
      await sms(id, 'undelivered', { ErrorMessage: 'Unreachable\0 \ud83d', ErrorCode: '30003' })
      const failed = await read(id)
      assert.deepEqual([failed.error_message, failed.error_code], ['Unreachable �', '30003'])
      await sms(id, 'failed')
      await sms(id, 'failed', { ErrorMessage: '', ErrorCode: '' })
      await sms(id, 'failed', { ErrorMessage: 'another', ErrorCode: '2' })
      assert.deepEqual(await read(id), failed)
    })

    it('add an error message and code that arrive later', async () => {
      const id = newId()
      await add('sms', id)
      await sms(id, 'failed')
      await sms(id, 'failed', { ErrorMessage: 'why', ErrorCode: '30003' })
      assert.deepEqual([(await read(id)).error_message, (await read(id)).error_code], ['why', '30003'])
    })
  })

  describe(`email status callbacks, ${table}`, () => {
    const expected: [type: string, stored: string][] = [
      ['email.sent', 'sending'],
      ['email.delivered', 'delivered'],
      ['email.opened', 'delivered'],
      ['email.clicked', 'delivered'],
      ['email.bounced', 'failed'],
      ['email.complained', 'failed'],
      ['email.failed', 'failed'],
      ['email.delivery_delayed', 'queued'],
      ['contact.created', 'queued'],
    ]
    for (const [type, stored] of expected) {
      it(`${type} is stored as ${stored}`, async () => {
        const id = newId()
        await add('email', id)
        await email(id, type)
        const { status, read_at } = await read(id)
        assert.deepEqual([status, read_at !== null], [stored, type === 'email.opened' || type === 'email.clicked'])
      })
    }

    const moves: [from: string, type: string, to: string][] = [
      ['delivered', 'email.bounced', 'failed'],
      ['delivered', 'email.complained', 'failed'],
      ['delivered', 'email.failed', 'delivered'],
      ['delivered', 'email.sent', 'delivered'],
      ['failed', 'email.delivered', 'failed'],
      ['failed', 'email.opened', 'failed'],
      ['sending', 'email.sent', 'sending'],
    ]
    for (const [from, type, to] of moves) {
      it(`${type} after ${from} gives ${to}`, async () => {
        const id = newId()
        await add('email', id, from)
        await email(id, type)
        assert.equal((await read(id)).status, to)
      })
    }

    it('keep the first read time reported', async () => {
      const id = newId()
      await add('email', id)
      await email(id, 'email.opened', { created_at: '2026-03-01T10:00:00.123Z' })
      await email(id, 'email.clicked', { created_at: '2026-02-01T10:00:00Z' })
      assert.equal((await read(id)).read_at, '2026-03-01T10:00:00.123Z')
    })

    it('store the bounce reason', async () => {
      const id = newId()
      await add('email', id)
      await email(id, 'email.bounced', { data: { bounce: { message: 'No such mailbox' } } })
      assert.equal((await read(id)).error_message, 'No such mailbox')
    })
  })

  describe(`a status callback before its message, ${table}`, () => {
    it('is applied when the message is saved', async () => {
      const [id, failed, read_] = [newId(), newId(), newId()]
      await sms(id, 'sent')
      await sms(id, 'queued')
      assert.equal((await add('sms', id))[0]!.status, 'sending')
      await sms(failed, 'failed', { ErrorMessage: 'why', ErrorCode: '7' })
      await sms(failed, 'delivered')
      assert.deepEqual((await add('sms', failed))[0], {
        status: 'failed',
        error_message: 'why',
        error_code: '7',
        read_at: null,
      })
      await email(read_, 'email.opened', { created_at: '2026-03-01T10:00:00Z' })
      assert.deepEqual((await add('email', read_, 'sending'))[0], {
        status: 'delivered',
        error_message: null,
        error_code: null,
        read_at: '2026-03-01T10:00:00.000Z',
      })
    })

    it("isn't applied to another channel, which accepts its own callbacks", async () => {
      const id = newId()
      await sms(id, 'delivered')
      assert.equal((await add('email', id))[0]!.status, 'queued')
      await email(id, 'email.sent')
      assert.equal(await statusOf(table, id), 'sending')
    })

    it('is dropped after 7 days', async () => {
      const [old, young] = [newId(), newId()]
      for (const id of [old, young]) await sms(id, 'delivered')
      await service.database.send([
        sql`update sent_messages set kept_at = now() - interval '7 days 1 minute' where provider_id = ${old}`,
      ])
      await service.database.send([
        sql`update sent_messages set kept_at = now() - interval '6 days 23 hours' where provider_id = ${young}`,
      ])
      assert.deepEqual(
        [(await add('sms', old))[0]!.status, (await add('sms', young))[0]!.status],
        ['queued', 'delivered'],
      )
    })

    it('is applied if the message is saved concurrently', async () => {
      const ids = Array.from({ length: 30 }, newId)
      await Promise.all(ids.flatMap((id) => [add('sms', id), sms(id, 'delivered')]))
      for (const id of ids) assert.equal(await statusOf(table, id), 'delivered')
    })
  })
}

describe('the message of a status callback', () => {
  it('is looked up in communications first, then in invoice deliveries', async () => {
    const id = newId()
    await TABLES.invoice_deliveries.add('sms', id)
    await TABLES.communications.add('sms', id)
    await sms(id, 'delivered')
    assert.deepEqual(
      [await statusOf('communications', id), await statusOf('invoice_deliveries', id)],
      ['delivered', 'queued'],
    )
  })

  it('is matched in every company with the id, and never among inbound messages', async () => {
    const other = await makeCompany(service)
    const [id, inbound] = [newId(), newId()]
    await TABLES.communications.add('sms', id)
    await TABLES.communications.add('sms', id, 'queued', other.tenant)
    await TABLES.communications.add('sms', inbound, 'received', company.tenant, 'inbound')
    await Promise.all([sms(id, 'sent'), sms(inbound, 'delivered')])
    assert.deepEqual(
      [
        await statusOf('communications', id),
        (await TABLES.communications.read(id, other.tenant)).status,
        await statusOf('communications', inbound),
      ],
      ['sending', 'sending', 'received'],
    )
  })
})

describe('signed status callbacks', () => {
  it('return 200 for any content', async () => {
    for (const form of [
      {},
      { MessageSid: '' },
      { MessageStatus: 'delivered' },
      { MessageSid: 'x'.repeat(10_000), MessageStatus: 'sent' },
      { MessageSid: '\0', MessageStatus: 'sent' },
    ]) {
      assert.equal((await provider.smsStatus(form as Record<string, string>)).status, 200)
    }
    for (const body of [
      '',
      'x',
      '[]',
      'null',
      '{}',
      '{"type":7}',
      '{"type":"email.sent"}',
      '{"type":"email.sent","data":7}',
      '{"type":"__proto__","data":{"email_id":"x"}}',
      '{"type":"email.sent","data":{"email_id":{}}}',
      '{"type":"email.sent","data":{"email_id":"\\u0000"}}',
    ]) {
      assert.equal((await provider.email('/api/webhooks/email/email-events', body)).status, 200, body)
    }
    await email('x', 'email.opened', { created_at: 'nonsense' })
    await email('y', 'email.opened', { created_at: '9999-01-01T00:00:00Z' })
  })
})
