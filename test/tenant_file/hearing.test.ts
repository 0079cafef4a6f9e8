import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { freezeCompany, thawCompany } from '../../src/identity/companies/freeze.ts'
import { sql } from '../../src/platform/db/database.ts'
import { connectPaymentAccount } from '../../src/payments/accounts.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { startTestService, type TestService } from '../harness/harness.ts'
import { freshId, makeReceiver, quarantinedUnder, type Receiver } from '../harness/messaging/inbound.ts'
import { WEBHOOK_ENV, providerOf, type Answered } from '../harness/clients/webhook_calls.ts'

let service: TestService
let provider: ReturnType<typeof providerOf>
let moving: Receiver
let other: Receiver
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  provider = providerOf(service)
  moving = await makeReceiver(service)
  other = await makeReceiver(service)
  await connectPaymentAccount(service.database, null, moving.tenant, 'acct_moving')
  await connectPaymentAccount(service.database, null, other.tenant, 'acct_other')
})
after(() => service.stop())

const sms = ({ number }: Receiver, sid: string): Promise<Answered> =>
  provider.sms('/api/webhooks/sms/inbound-sms', {
    MessageSid: sid,
    To: number,
    From: '+16175550999',
    Body: 'Is 3pm ok?',
  })
const mail = ({ address }: Receiver, id: string): Promise<Answered> =>
  provider.email('/api/webhooks/email/inbound', {
    messageId: id,
    from: 'Ana <ana@example.com>',
    to: address,
    subject: 'Tuesday',
    text: 'Is 3pm ok?',
  })
const paid = (account: string, id: string): Promise<Answered> =>
  provider.event({ id, type: 'invoice.paid', account, livemode: false })
const eventsUnder = async (id: string): Promise<number> =>
  (await service.database.send([sql`select from payment_events where event_id = ${id}`]))[0]!.count

describe('a frozen company', () => {
  it('rejects webhooks so that providers retry, and accepts each once after thawing', async () => {
    const [event, sid, id] = [`evt_${newId()}`, freshId(), `<${freshId('m')}@mail.example.com>`]
    await freezeCompany(service.owner, moving.tenant)
    for (const answered of [await paid('acct_moving', event), await sms(moving, sid), await mail(moving, id)])
      assert.ok([500, 503].includes(answered.status), `${answered.status} ${answered.text}`)
    assert.equal(await eventsUnder(event), 0)
    assert.deepEqual(await moving.messages(), [])
    for (const one of [sid, id]) assert.deepEqual(await quarantinedUnder(service.database, one), [])
    await thawCompany(service.owner, moving.tenant)
    for (let round = 0; round < 2; round++)
      for (const answered of [await paid('acct_moving', event), await sms(moving, sid), await mail(moving, id)])
        assert.equal(answered.status, 200, answered.text)
    assert.equal(await eventsUnder(event), 1)
    assert.equal((await moving.messages()).length, 2)
  })

  it("doesn't affect the webhooks of other companies", async () => {
    const [event, sid, id] = [`evt_${newId()}`, freshId(), `<${freshId('m')}@mail.example.com>`]
    await freezeCompany(service.owner, moving.tenant)
    for (const answered of [await paid('acct_other', event), await sms(other, sid), await mail(other, id)])
      assert.equal(answered.status, 200, answered.text)
    assert.deepEqual([await eventsUnder(event), (await other.messages()).length], [1, 2])
    await thawCompany(service.owner, moving.tenant)
  })
})
