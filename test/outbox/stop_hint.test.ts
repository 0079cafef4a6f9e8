import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { queueMessage } from '../../src/messaging/outbox/queue.ts'
import { cancelMessage } from '../../src/messaging/outbox/decisions.ts'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
})
after(() => service.stop())

type Cause = 'sent' | 'reminder' | 'reply' | 'late'

const text = async (to: string, body: string, cause: Cause, customer: string): Promise<string> =>
  (await send(to, body, cause, customer)).sent

async function send(to: string, body: string, cause: Cause, customer: string): Promise<{ id: string; sent: string }> {
  const { tenant } = company
  const { id } = await writeTenant(service.database, { tenant }, (db) =>
    queueMessage(db, { channel: 'sms', to, toName: null, body, cause, customerId: customer, about: null, by: null }),
  )
  const { body: sent } = await readTenant(service.database, { tenant }, (db) =>
    db.one<{ body: string }>(sql`select body from communications where tenant_id = ${db.tenant} and id = ${id}`),
  )
  return { id, sent }
}

async function customer(preferred_language?: string): Promise<string> {
  const draft = { customer_type: 'individual', first_name: 'Ana', ...(preferred_language && { preferred_language }) }
  return String((await company.call('customers_create', draft))['id'])
}

describe('the opt-out hint in a text', () => {
  it('is added to the first text to a number only, also when that text is submitted twice', async () => {
    const ana = await customer()
    const first = await text('+16175550101', 'Your visit is tomorrow.', 'reminder', ana)
    assert.equal(first, 'Your visit is tomorrow.\nReply STOP to opt out.')
    assert.equal(await text('+16175550101', 'Your visit is tomorrow.', 'reminder', ana), first)
    assert.equal(await text('+16175550101', 'We are late.', 'late', ana), 'We are late.')
    const [sent] = await readTenant(service.database, { tenant: company.tenant }, (db) =>
      db.all<{ count: number }>(
        sql`select count(*)::int as count from outbox where tenant_id = ${db.tenant} and recipient = '+16175550101'`,
      ),
    )
    assert.equal(sent!.count, 2)
  })

  it("is in the customer's language", async () => {
    const body = await text('+16175550102', 'Su visita es mañana.', 'reminder', await customer('es'))
    assert.equal(body, 'Su visita es mañana.\nResponda ALTO para no recibir textos.')
  })

  it("isn't added to replies, or if the text already mentions STOP", async () => {
    const ana = await customer()
    assert.equal(await text('+16175550103', 'Yes, at nine.', 'reply', ana), 'Yes, at nine.')
    assert.equal(await text('+16175550104', 'Hi. STOP ends these.', 'sent', ana), 'Hi. STOP ends these.')
  })

  it('is added to the first text after a reply, and again if that text was canceled', async () => {
    const ana = await customer()
    await text('+16175550105', 'Yes, at nine.', 'reply', ana)
    const first = await send('+16175550105', 'Your visit is tomorrow.', 'reminder', ana)
    assert.equal(first.sent, 'Your visit is tomorrow.\nReply STOP to opt out.')
    const { tenant, owner } = company
    await writeTenant(service.database, { tenant }, (db) => cancelMessage(db, owner.id, first.id))
    assert.equal(await text('+16175550105', 'We are late.', 'late', ana), 'We are late.\nReply STOP to opt out.')
    assert.equal(await text('+16175550105', 'We are later.', 'late', ana), 'We are later.')
  })

  it('is added if only the company name contains a keyword, and omitted at the length limit', async () => {
    const ana = await customer()
    const { tenant } = company
    await writeTenant(service.database, { tenant }, (db) =>
      db.run(sql`update tenants set name = 'ALTO Plumbing' where id = ${tenant}`),
    )
    const body = 'ALTO Plumbing: we are late.'
    assert.equal(await text('+16175550106', body, 'late', ana), `${body}\nReply STOP to opt out.`)
    const long = 'a'.repeat(1_600)
    assert.equal(await text('+16175550107', long, 'sent', ana), long)
  })
})
