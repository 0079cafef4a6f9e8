import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { queueMessage } from '../../src/messaging/outbox/queue.ts'
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

async function text(to: string, body: string, cause: Cause, customer: string): Promise<string> {
  const { tenant } = company
  const { id } = await writeTenant(service.database, { tenant }, (db) =>
    queueMessage(db, { channel: 'sms', to, toName: null, body, cause, customerId: customer, about: null, by: null }),
  )
  const { body: sent } = await readTenant(service.database, { tenant }, (db) =>
    db.one<{ body: string }>(sql`select body from communications where tenant_id = ${db.tenant} and id = ${id}`),
  )
  return sent
}

async function customer(preferred_language?: string): Promise<string> {
  const draft = { customer_type: 'individual', first_name: 'Ana', ...(preferred_language && { preferred_language }) }
  return String((await company.call('customers_create', draft))['id'])
}

describe('a text', () => {
  it('says how to stop when it is the first to its number, once, and the same press twice is one text', async () => {
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

  it("says it in the customer's language", async () => {
    const body = await text('+16175550102', 'Su visita es mañana.', 'reminder', await customer('es'))
    assert.equal(body, 'Su visita es mañana.\nResponda ALTO para no recibir textos.')
  })

  it("doesn't say it in an answer, or twice where the company's own template does", async () => {
    const ana = await customer()
    assert.equal(await text('+16175550103', 'Yes, at nine.', 'reply', ana), 'Yes, at nine.')
    assert.equal(await text('+16175550104', 'Hi. STOP ends these.', 'sent', ana), 'Hi. STOP ends these.')
  })
})
