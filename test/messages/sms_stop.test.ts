import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, readTenant } from '../../src/db/tenant.ts'
import { NUMBERS, addChannel } from '../../src/messages/directory.ts'
import type { TestService } from '../harness/harness.ts'
import { freshId } from '../harness/inbound.ts'
import { openOffice, said, type Office } from '../harness/people_pages.ts'
import { startSite } from '../harness/visiting.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/webhook_calls.ts'

const NUMBER = '+16175550100'

let service: TestService
let office: Office
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startSite(WEBHOOK_ENV)
  provider = providerOf(service)
  office = await openOffice(service, 'Alder Plumbing')
  await addChannel(service.database, NUMBERS, office.id, NUMBER)
})
after(() => service.stop())

async function text(From: string, Body: string, MessageSid = freshId()): Promise<void> {
  const { status, text } = await provider.sms('/api/webhooks/sms/inbound-sms', { MessageSid, From, To: NUMBER, Body })
  assert.deepEqual([status, text], [200, '<Response></Response>'])
}
const stopped = async (contact: string): Promise<string | null> =>
  (
    await readTenant(service.database, { tenant: office.id }, (db) =>
      db.one<{ at: string | null }>(
        sql`select sms_stopped_at as at from contacts where tenant_id = ${office.id} and id = ${contact}`,
      ),
    )
  ).at

let serial = 0
const reached = async () => {
  const phone = `+1617556${String(++serial).padStart(4, '0')}`
  const { id, contacts } = await office.customer(`Ana ${serial}`, { phone })
  return { phone, id: id as string, contact: contacts[0].id as string }
}

describe('STOP and START', () => {
  it('count alone, in any case, each of their words', async () => {
    const { phone, contact } = await reached()
    for (const stop of ['STOP', 'stopall', ' Unsubscribe\n', 'cancel', 'End', 'quit']) {
      await text(phone, stop)
      assert.notEqual(await stopped(contact), null, stop)
      for (const odd of ['please start', 'YES!', 'No']) await text(phone, odd)
      assert.notEqual(await stopped(contact), null, stop)
      const start = ['START', 'yes', 'Unstop'][serial++ % 3]!
      await text(phone, start)
      assert.equal(await stopped(contact), null, start)
    }
    for (const odd of ['please stop', 'stop it', 'STOPP', '', 'the end', 'S T O P']) await text(phone, odd)
    assert.equal(await stopped(contact), null)
  })

  it('count for every contact of the company with the number, and for no other', async () => {
    const { phone, id, contact } = await reached()
    const [twin, other] = [
      await office.call('contacts_create', { customer_id: id, first_name: 'Bo', phone }),
      await reached(),
    ]
    const stranger = await openOffice(service, 'North Cleaning')
    const theirs = (await stranger.customer('Ana', { phone })).contacts[0].id
    await text(phone, 'STOP')
    assert.deepEqual(
      [await stopped(contact), await stopped(twin['id'])].map((at) => at !== null),
      [true, true],
    )
    assert.equal(await stopped(other.contact), null)
    const [, { rows }] = (await service.database.send([
      sql`select enter_tenant(${stranger.id}, null, 0)`,
      sql`select sms_stopped_at from contacts where tenant_id = ${stranger.id} and id = ${theirs}`,
    ])) as [unknown, { rows: unknown[] }]
    assert.deepEqual(rows, [{ sms_stopped_at: null }])
  })

  it('are heeded once: a repetition of an old message changes nothing, and a second STOP keeps the first time', async () => {
    const { phone, contact } = await reached()
    const sid = freshId()
    await text(phone, 'STOP', sid)
    const first = await stopped(contact)
    await text(phone, 'Stop')
    assert.equal(await stopped(contact), first)
    await text(phone, 'START')
    await text(phone, 'STOP', sid)
    assert.equal(await stopped(contact), null)
  })

  it("are told on the contact's page to people, and by no tool", async () => {
    const { phone, contact } = await reached()
    const before = await office.call('contacts_get', { id: contact })
    await text(phone, 'STOP')
    assert.deepEqual(await office.call('contacts_get', { id: contact }), before)
    assert.match(
      said(await office.browser.get(office.at('contacts', contact))),
      /Replied STOP .*No texts to this number/,
    )
    await text(phone, 'START')
    assert.ok(!said(await office.browser.get(office.at('contacts', contact))).includes('Replied STOP'))
  })
})
