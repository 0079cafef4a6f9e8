import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addOperator } from '../../../src/identity/people/operators.ts'
import { findUser } from '../../../src/identity/people/users.ts'
import { MAILBOXES, addChannel } from '../../../src/messaging/inbox/directory.ts'
import type { TestService } from '../../harness/harness.ts'
import { freshId, messagesOf, quarantinedUnder } from '../../harness/messaging/inbound.ts'
import { WEBHOOK_ENV, providerOf } from '../../harness/clients/webhook_calls.ts'
import { createCompany, startSite, newBrowser, type Browser } from '../../harness/web_client.ts'

let service: TestService
let provider: ReturnType<typeof providerOf>
let company: Awaited<ReturnType<typeof createCompany>>
let owner: Browser
let operator: Browser

before(async () => {
  service = await startSite(WEBHOOK_ENV)
  provider = providerOf(service)
  company = await createCompany(service, 'Alder Plumbing')
  owner = newBrowser(service)
  await owner.signIn(company.owner.email)
  const boss = await createCompany(service, 'Installation')
  await addOperator(service.database, await findUser(service.database, boss.owner.email))
  operator = newBrowser(service)
  await operator.signIn(boss.owner.email)
})
after(() => service.stop())

/** Sends an email that matches no company. Returns its ID in quarantine. */
async function heldMail(to = `${freshId('x')}@in.example.com`, text = 'The heater is out') {
  const messageId = freshId('m')
  await provider.email('/api/webhooks/email/inbound', {
    from: 'ana@example.com',
    to,
    messageId,
    subject: '<b>Cold</b>',
    text,
    attachments: [],
  })
  return { messageId, id: String((await quarantinedUnder(service.database, messageId)).at(-1)!['id']) }
}

async function heldEvent(): Promise<string> {
  const id = freshId('evt_')
  await provider.event({
    id,
    type: 'charge.succeeded',
    livemode: true,
    account: 'acct_x',
    data: { object: { id: 'ch_1', amount: 1500, currency: 'usd' } },
  })
  const page = await operator.get('/operator')
  return [...page.text.matchAll(/\/operator\/events\/([0-9a-f-]{36})/g)][0]![1]!
}

describe("the operator's quarantine", () => {
  it('is open to operators only: members get 404, and signed-out users are sent to sign-in', async () => {
    assert.equal((await operator.get('/operator')).status, 200)
    assert.equal((await owner.get('/operator')).status, 404)
    assert.match((await newBrowser(service).get('/operator')).location ?? '', /^\/sign-in/)
    const { id } = await heldMail()
    assert.equal((await owner.get(`/operator/messages/${id}`)).status, 404)
    assert.equal((await owner.post(`/operator/messages/${id}`, { act: 'discard' })).status, 404)
  })

  it('shows a quarantined message in full, with its HTML escaped', async () => {
    const { id } = await heldMail()
    assert.ok((await operator.get('/operator')).text.includes(id))
    const { text } = await operator.get(`/operator/messages/${id}`)
    assert.ok(text.includes('&lt;b&gt;Cold') && !text.includes('<b>Cold') && text.includes('The heater is out'))
  })

  it('assigns a message to a company once', async () => {
    const { id, messageId } = await heldMail()
    assert.equal(
      (await operator.post(`/operator/messages/${id}`, { act: 'assign', tenant: company.id })).location,
      '/operator',
    )
    assert.equal(
      (await messagesOf(service.database, company.id)).filter((one) => one.provider_message_id === messageId).length,
      1,
    )
    assert.equal((await operator.post(`/operator/messages/${id}`, { act: 'assign', tenant: company.id })).status, 404)
  })

  it("replays a message by the current mailboxes, and says why if it can't", async () => {
    const to = `${freshId('box')}@in.example.com`
    const { id, messageId } = await heldMail(to)
    const refused = await operator.post(`/operator/messages/${id}`, { act: 'replay' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /No company uses the number or address/)
    await addChannel(service.database, MAILBOXES, company.id, to)
    assert.equal((await operator.post(`/operator/messages/${id}`, { act: 'replay' })).location, '/operator')
    assert.ok((await messagesOf(service.database, company.id)).some((one) => one.provider_message_id === messageId))
  })

  it('discards a message, and refuses unknown actions, unknown companies and cross-site forms', async () => {
    const { id } = await heldMail()
    assert.equal((await operator.post(`/operator/messages/${id}`, { act: 'burn' })).status, 422)
    assert.equal((await operator.post(`/operator/messages/${id}`, { act: 'assign', tenant: 'x' })).status, 422)
    assert.equal(
      (
        await operator.post(
          `/operator/messages/${id}`,
          { act: 'discard' },
          { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        )
      ).status,
      403,
    )
    assert.equal((await operator.get(`/operator/messages/${id}`)).status, 200)
    assert.equal((await operator.post(`/operator/messages/${id}`, { act: 'discard' })).location, '/operator')
    assert.equal((await operator.get(`/operator/messages/${id}`)).status, 404)
  })

  it('shows a quarantined event, refuses to replay it in the wrong mode, and discards it', async () => {
    const id = await heldEvent()
    const { text } = await operator.get(`/operator/events/${id}`)
    assert.ok(text.includes('charge.succeeded') && text.includes('It is a test event on a live service'))
    const refused = await operator.post(`/operator/events/${id}`, { act: 'replay' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /This event is in live mode, and this service isn’t\./)
    assert.equal((await operator.post(`/operator/events/${id}`, { act: 'discard' })).location, '/operator')
    assert.equal((await operator.get(`/operator/events/${id}`)).status, 404)
  })
})

describe("the owner's quarantine", () => {
  it('holds a second message with a used message ID, which only this company can accept', async () => {
    const to = `${freshId('own')}@in.example.com`
    await addChannel(service.database, MAILBOXES, company.id, to)
    const messageId = freshId('m')
    const send = (text: string) =>
      provider.email('/api/webhooks/email/inbound', {
        from: 'ana@example.com',
        to,
        messageId,
        subject: 'S',
        text,
        attachments: [],
      })
    await send('first')
    await send('second')
    const list = await owner.get(`/${company.id}/review`)
    const id = /review\/messages\/([0-9a-f-]{36})/.exec(list.text)![1]!
    assert.match((await owner.get(`/${company.id}/review/messages/${id}`)).text, /second/)
    const other = await createCompany(service, 'North Cleaning')
    const stranger = newBrowser(service)
    await stranger.signIn(other.owner.email)
    assert.equal((await stranger.get(`/${other.id}/review/messages/${id}`)).status, 404)
    assert.equal(
      (await owner.post(`/${company.id}/review/messages/${id}`, { act: 'assign', tenant: other.id })).status,
      404,
    )
    assert.equal(
      (await owner.post(`/${company.id}/review/messages/${id}`, { act: 'assign', tenant: company.id })).location,
      `/${company.id}/review`,
    )
    assert.equal(
      (await messagesOf(service.database, company.id)).filter((one) => one.provider_message_id.startsWith(messageId))
        .length,
      2,
    )
  })

  it('is open to owners, and shows nothing of other companies', async () => {
    const { id } = await heldMail()
    assert.equal((await owner.get(`/${company.id}/review/messages/${id}`)).status, 404)
    const office = newBrowser(service)
    await office.signIn((await company.hire('office')).email)
    assert.equal((await office.get(`/${company.id}/review`)).status, 404)
  })
})

describe('discarding quarantined messages in bulk', () => {
  it('reports how many were discarded, requires a criterion, and is refused to non-operators', async () => {
    const [one, two] = [await heldMail(), await heldMail()]
    const sent = await operator.post('/operator', { sender: 'ana@example.com', domain: '', days: '' })
    assert.equal(sent.status, 303)
    assert.match(sent.location ?? '', /^\/operator\?discarded=\d+$/)
    const page = await operator.get(sent.location!)
    assert.ok(
      /\d+ messages were discarded/.test(page.text) && !page.text.includes(one.id) && !page.text.includes(two.id),
    )
    const odd = await operator.post('/operator', { sender: '', domain: '', days: '' })
    assert.deepEqual([odd.status, odd.text.includes('Enter a sender, a domain, or a number of days.')], [422, true])
    const held = await heldMail()
    for (const [browser, path] of [
      [owner, '/operator'],
      [owner, `/${company.id}/review`],
    ] as const)
      await browser.post(path, { sender: 'ana@example.com', domain: '', days: '' })
    assert.ok((await operator.get('/operator')).text.includes(held.id))
    assert.equal((await owner.post('/operator', { domain: 'example.com' })).status, 404)
    assert.equal(
      (
        await operator.post(
          '/operator',
          { domain: 'example.com' },
          { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        )
      ).status,
      403,
    )
  })
})
