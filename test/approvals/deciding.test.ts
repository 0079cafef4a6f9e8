import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/database.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import { sweepProposals } from '../../src/approvals/undecided.ts'
import { newProtocolClient } from '../harness/clients/protocol.ts'
import { decide, formIn, idIn, openScene, planIn, wholeFormIn, type SceneCompany } from './scene.ts'
import type { BrowserResponse, Browser } from '../harness/web_client.ts'

let scene: Awaited<ReturnType<typeof openScene>>
let company: SceneCompany
let send: (browser: Browser, path: string, fields: readonly [string, string][]) => Promise<BrowserResponse>
before(async () => {
  scene = await openScene()
  company = await scene.startCompany('Comfort Air')
  send = (browser, path, fields) => decide(browser, path, fields, scene.service.config.baseUrl)
})
after(() => scene.service.stop())

const person = (first_name: string) => ({ customer_type: 'individual', first_name })

/** Proposes a customer and a job for it, with a new agent key. */
async function makePlan(name: string) {
  const agent = await company.keyOf(company.ownerId)
  const made = await agent.send('customers_create', person(name))
  const customer = idIn(made)
  const job = await agent.send('jobs_create', { customer_id: customer, title: `Boiler of ${name}` })
  return { agent, path: planIn(made), customer, job: idIn(job), jobPath: planIn(job) }
}

const approveAll = async (path: string): Promise<BrowserResponse> =>
  send(company.owner, path, [...wholeFormIn(await company.owner.get(path)), ['act', 'approve']])

const auditOf = (record: string) =>
  writeTenant(scene.service.database, { tenant: company.id }, (db) =>
    db.all<{ credential_id: string; user_id: string; approved_by: string | null; tool: string }>(
      sql`select credential_id, user_id, approved_by, tool from audit where tenant_id = ${db.tenant} and record_id = ${record}`,
    ),
  )

describe('a call that needs approval', () => {
  it('returns the link to its proposal and saves nothing that can be read', async () => {
    const { agent, customer, path, jobPath } = await makePlan('Nia')
    assert.equal(path, jobPath)
    const waiting = `${customer} was only proposed, and waits for approval at ${scene.service.config.baseUrl}${path}`
    const refusal = await agent.refusal('customers_get', { id: customer })
    assert.ok(refusal.startsWith('not_found: ') && refusal.endsWith(waiting), refusal)
    assert.doesNotMatch(
      await (await company.keyOf(company.ownerId)).refusal('customers_get', { id: customer }),
      /propos/,
    )
    assert.match(await company.acting.refusal('customers_get', { id: customer }), /^not_found: /)
    assert.deepEqual((await company.acting.call('customers_search', { query: 'Nia' }))['rows'], [])
    assert.equal((await company.owner.get(`${company.at('search', 'results')}?q=Nia`)).text.includes(customer), false)
  })

  it('is still validated, and invalid calls are not added to the proposal', async () => {
    const agent = await company.keyOf(company.ownerId)
    assert.match(await agent.refusal('customers_create', { customer_type: 'individual' }), /^invalid_input: /)
    assert.match(
      await agent.refusal('jobs_create', { customer_id: company.ownerId, title: 'x' }),
      /^not_found: customer not found/,
    )
    const made = await agent.send('customers_create', person('Ola'))
    const { text } = await company.owner.get(planIn(made))
    assert.equal(formIn({ text } as BrowserResponse).filter(([name]) => name === 'pick').length, 1)
  })

  it('shows everything it writes, including the contacts and addresses of a new customer', async () => {
    const agent = await company.keyOf(company.ownerId)
    const made = await agent.send('customers_create', {
      customer_type: 'company',
      company_name: 'Unseen Works',
      contacts: [{ first_name: 'Ilse', phone: '512-555-0161', email: 'ilse@unseen.example' }, { first_name: 'Otto' }],
      locations: [{ address_line1: '7 Hidden Lane', city: 'Austin', access_notes: 'Key under the mat' }],
    })
    const { text } = await company.owner.get(planIn(made))
    for (const written of [
      'Unseen Works',
      'Ilse',
      '555-0161',
      'ilse@unseen.example',
      'Otto',
      '7 Hidden Lane',
      'Key under the mat',
    ])
      assert.ok(text.includes(written), `${written} is written, and isn't shown`)
    assert.doesNotMatch(text, /Other records change with it/)
  })

  it('returns a normal result when it would change nothing', async () => {
    const { id } = await company.acting.call('customers_create', person('Same'))
    const agent = await company.keyOf(company.ownerId)
    assert.equal((await agent.call('customers_update', { id, first_name: 'Same' }))['first_name'], 'Same')
  })

  it('returns the same answer for a repeated idempotency key and adds nothing', async () => {
    const agent = await company.keyOf(company.ownerId)
    const given = { ...person('Once'), idempotency_key: 'once' }
    const first = await agent.send('customers_create', given)
    assert.deepEqual(await agent.send('customers_create', given), first)
    assert.match(
      await agent.refusal('customers_create', { ...person('Twice'), idempotency_key: 'once' }),
      /^conflict: idempotency_key 'once' was used with other arguments/,
    )
    await approveAll(planIn(first))
    assert.equal((await agent.call('customers_create', given))['id'], idIn(first))
  })

  it('is rejected after 50 calls in a proposal or when the proposal exceeds 262144 bytes', async () => {
    const agent = await company.keyOf(company.ownerId)
    for (let i = 0; i < 50; i++) await agent.refusal('tags_create', { name: `Tag ${i}` })
    assert.match(
      await agent.refusal('tags_create', { name: 'One more' }),
      /^conflict: 50 calls already wait for approval at /,
    )
    const writer = await company.keyOf(company.ownerId)
    const body = 'x'.repeat(9_000)
    let last = ''
    for (let i = 0; i < 40 && !last.includes('bytes'); i++) last = await writer.refusal('notes_create', { body })
    assert.match(last, /^conflict: the plan that waits for approval at \S+ would have more than 262144 bytes/)
  })
})

describe('approving a proposal', () => {
  it('uses the promised ids and records the connection and the approver in the audit log', async () => {
    const { agent, customer, job, path } = await makePlan('Ana')
    const page = await company.owner.get(path)
    assert.match(page.text, /Boiler of Ana/)
    const answered = await approveAll(path)
    assert.deepEqual([answered.status, answered.location], [303, company.at('proposals')])
    assert.equal((await agent.call('jobs_get', { id: job }))['customer_id'], customer)
    assert.deepEqual(await auditOf(job), [
      { credential_id: agent.id, user_id: company.ownerId, approved_by: company.ownerId, tool: 'jobs.create' },
    ])
    assert.match((await company.owner.get(company.at('jobs', job))).text, /approved by Ana Ruiz/)
    assert.equal((await approveAll(path)).status, 409)
  })

  it('assigns record numbers only on approval', async () => {
    const { job, path } = await makePlan('Num')
    const { id } = await company.acting.call('customers_create', person('Other'))
    const { number } = await company.acting.call('jobs_create', { customer_id: id, title: 'Before' })
    await approveAll(path)
    assert.equal((await company.acting.call('jobs_get', { id: job }))['number'], number + 1)
  })

  it('runs only the selected calls, reports declined ones to the agent and rejects a missing dependency', async () => {
    const { agent, customer, job, path } = await makePlan('Some')
    const shown = formIn(await company.owner.get(path))
    const marks = shown.filter(([name]) => name !== 'pick')
    const refused = await send(company.owner, path, [...marks, ['pick', '2'], ['act', 'approve']])
    assert.equal(refused.status, 422)
    assert.match(refused.text, /depends on another one\. Choose that one too\./)
    for (const pick of ['3', '99'])
      assert.equal(
        (await send(company.owner, path, [...marks, ['pick', '1'], ['pick', pick], ['act', 'approve']])).status,
        422,
      )
    const noted = [
      ...marks.filter(([name]) => name !== 'word'),
      ['pick', '1'],
      ['word', 'Ask her first'],
      ['act', 'approve'],
    ]
    assert.equal((await send(company.owner, path, noted as [string, string][])).status, 303)
    assert.equal((await agent.call('customers_get', { id: customer }))['first_name'], 'Some')
    assert.match(await agent.refusal('jobs_get', { id: job }), /^not_found: /)
    assert.match(
      await agent.refusal('jobs_update', { id: job, title: 'x' }),
      /was only proposed, and was left out when other calls in its plan were approved/,
    )
    assert.match(
      await agent.refusal('tags_create', { name: 'Next' }),
      /the previous plan was approved in part: 1 of 2 calls: "Ask her first"; approved: 1 customers_\w+ [\w-]+; declined, do not propose again: 2 jobs_create [\w-]+/,
    )
    const { result } = await newProtocolClient(scene.service.url, agent.key).handshake('resources/read', {
      uri: 'callout://connection',
    })
    const { text } = (result!['contents'] as [{ text: string }])[0]
    assert.match(text, /\|1\|customers_\w+\|[\w-]+\|approved\|[^|]+\|Ask her first\|/)
    assert.match(text, /\|2\|jobs_create\|[\w-]+\|declined\|[^|]+\|Ask her first\|/)
    assert.match(text, /\|1\|tags_create\|[\w-]+\|waits for approval\|/)
  })

  it("shows the agent's warnings in plain words for people", async () => {
    const { id: customer_id } = await company.acting.call('customers_create', person('Warned'))
    const line_items = [{ name: 'Labor', unit_price_cents: 100 }]
    const { id } = await company.acting.call('invoices_create', { customer_id, line_items })
    const agent = await company.keyOf(company.ownerId)
    const said = await agent.send('invoices_update', { id, status: 'sent' })
    assert.match(said.text, /warnings: .*nothing was emailed/)
    const { text } = await company.owner.get(planIn(said))
    assert.match(text, /class="call-warning">INV-\d+ is only marked as sent\. The customer gets no email\./)
    assert.doesNotMatch(text, /nothing was emailed|tax_rates_create/)
  })

  it('still names archived and deleted records afterwards', async () => {
    const { id } = await company.acting.call('customers_create', person('Quillon'))
    const { id: tag } = await company.acting.call('tags_create', { name: 'Xylophone' })
    const agent = await company.keyOf(company.ownerId)
    const path = planIn(await agent.send('customers_archive', { id }))
    await agent.send('tags_delete', { id: tag })
    await approveAll(path)
    const { text } = await company.owner.get(path)
    assert.match(text, /<b>1\. Quillon<\/b>/)
    assert.match(text, /<b>2\. Xylophone<\/b>/)
  })

  it('returns 422 when no call is selected', async () => {
    const { path } = await makePlan('None')
    const marks = formIn(await company.owner.get(path)).filter(([name]) => name !== 'pick')
    assert.equal((await send(company.owner, path, [...marks, ['act', 'approve']])).status, 422)
  })
})

describe('a proposal sent back', () => {
  it('gives its connection the note once, and again when it uses the proposed record', async () => {
    const { agent, customer, path } = await makePlan('Back')
    assert.equal(
      (
        await send(company.owner, path, [
          ['act', 'send_back'],
          ['word', 'Ask for the phone first'],
        ])
      ).status,
      303,
    )
    assert.match(
      await agent.refusal('jobs_create', { customer_id: customer, title: 'x' }),
      /^not_found: customer not found: \S+ was only proposed, and was sent back: "Ask for the phone first"/,
    )
    assert.match(
      await agent.refusal('tags_create', { name: 'After' }),
      /the previous plan was sent back: "Ask for the phone first"$/,
    )
    assert.doesNotMatch(await agent.refusal('tags_create', { name: 'Later' }), /sent back/)
    assert.match((await company.owner.get(path)).text, /Ask for the phone first/)
  })

  it("isn't proposed again by a retry with the same idempotency key", async () => {
    const agent = await company.keyOf(company.ownerId)
    const given = { ...person('Keyed'), idempotency_key: 'keyed' }
    await send(company.owner, planIn(await agent.send('customers_create', given)), [
      ['act', 'decline'],
      ['word', 'No'],
    ])
    assert.match(
      await agent.refusal('customers_create', given),
      /under this idempotency_key was declined: "No"; send a new key/,
    )
  })
})

describe('a proposal whose record has changed since', () => {
  it('shows both versions and returns 409 until it was reviewed again', async () => {
    const { id } = await company.acting.call('customers_create', person('Old'))
    const agent = await company.keyOf(company.ownerId)
    const path = planIn(await agent.send('customers_update', { id, first_name: 'Proposed' }))
    const before = formIn(await company.owner.get(path))
    await company.acting.call('customers_update', { id, first_name: 'Meanwhile' })
    const refused = await send(company.owner, path, [...before, ['act', 'approve']])
    assert.equal(refused.status, 409)
    assert.match(refused.text, /Something has changed since this page was shown/)
    assert.match(refused.text, /As proposed[\s\S]*Old[\s\S]*As it would be done now[\s\S]*Meanwhile/)
    assert.equal((await company.acting.call('customers_get', { id }))['first_name'], 'Meanwhile')
    const again = formIn(refused)
    assert.equal(
      again.some(([name]) => name === 'pick'),
      false,
    )
    assert.equal((await send(company.owner, path, [...again, ['pick', '1'], ['act', 'approve']])).status, 303)
    assert.equal((await company.acting.call('customers_get', { id }))['first_name'], 'Proposed')
  })

  it('says that the call can no longer be done when the record is archived', async () => {
    const { id } = await company.acting.call('customers_create', person('Gone'))
    const agent = await company.keyOf(company.ownerId)
    const path = planIn(await agent.send('customers_update', { id, first_name: 'Late' }))
    const before = formIn(await company.owner.get(path))
    await company.acting.call('customers_archive', { id })
    const { text } = await company.owner.get(path)
    assert.match(text, /This can no longer be done/)
    assert.equal((await send(company.owner, path, [...before, ['act', 'approve']])).status, 409)
  })
})

describe('expiry of a proposal', () => {
  const expiresAt = (path: string) =>
    writeTenant(scene.service.database, { tenant: company.id }, (db) =>
      db.one<{ expires_at: string; state: string }>(
        sql`select expires_at, state from proposals where tenant_id = ${db.tenant} and id = ${path.split('/').at(-1)}`,
      ),
    )

  it('happens after exactly seven days', async () => {
    const { agent, path } = await makePlan('Slow')
    const at = Temporal.Instant.from((await expiresAt(path)).expires_at)
    const swept = (now: Temporal.Instant) =>
      writeTenant(scene.service.database, { tenant: company.id }, (db) => sweepProposals(db, now))
    await swept(at.subtract({ milliseconds: 1 }))
    assert.equal((await expiresAt(path)).state, 'open')
    await swept(at)
    assert.equal((await expiresAt(path)).state, 'expired')
    assert.match((await company.owner.get(path)).text, /Expired/)
    assert.match(
      await agent.refusal('tags_create', { name: 'Anew' }),
      /the previous plan expired before anyone decided on it/,
    )
  })

  it('is enforced on approval and on the next call, even before the sweep runs', async () => {
    const { agent, customer, path } = await makePlan('Unswept')
    const shown = formIn(await company.owner.get(path))
    await writeTenant(scene.service.database, { tenant: company.id }, (db) =>
      db.run(
        sql`update proposals set expires_at = moment() where tenant_id = ${db.tenant} and id = ${path.split('/').at(-1)}`,
      ),
    )
    const refused = await send(company.owner, path, [...shown, ['act', 'approve']])
    assert.equal(refused.status, 409)
    assert.match(refused.text, /This proposal has expired/)
    const next = await agent.send('customers_create', person('Fresh'))
    assert.notEqual(planIn(next), path)
    assert.match(
      await agent.refusal('customers_update', { id: customer, first_name: 'x' }),
      /expired before anyone decided/,
    )
  })
})
