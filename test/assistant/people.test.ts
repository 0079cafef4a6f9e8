import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { configurableTasks } from '../../src/worker/configurable_tasks.ts'
import { sweepConversations } from '../../src/assistant/retention.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { eraseCustomer } from '../../src/privacy/erase/erase_customer.ts'
import { COLLECTIONS_OF_MEMBER } from '../../src/privacy/export/of_member.ts'
import { utc } from '../../src/platform/validation/formats/instants.ts'
import { createCompany } from '../harness/web_client.ts'
import { openAssistantScene, resultsIn, systemIn, toolsIn, type AssistantScene } from './scene.ts'

let scene: AssistantScene
before(async () => {
  scene = await openAssistantScene('anthropic')
})
after(() => scene.stop())

const person = (first_name: string) => ({ customer_type: 'individual', first_name })

describe('a conversation', () => {
  it('returns 404 to everyone but its owner', async () => {
    scene.provider.play({ text: 'Mine.' })
    const { path } = await scene.ask('A private question')
    const member = await scene.company.hire('owner')
    const other = await scene.signIn(member.email)
    assert.equal((await other.get(path)).status, 404)
    assert.ok(!(await other.get(scene.at('assistant'))).text.includes('A private question'))
    assert.equal(
      (await other.get(`${scene.at('assistant', 'panel')}?conversation=${path.split('/').at(-1)}`)).status,
      404,
    )
    assert.equal((await other.post(path, { text: 'Go on', page: '' })).status, 404)
    assert.equal((await other.post(`${path}/delete`, {})).status, 404)
    const elsewhere = await createCompany(scene.service, 'Other Works')
    const stranger = await scene.signIn(elsewhere.owner.email)
    assert.equal((await stranger.get(path)).status, 404)
    assert.equal((await stranger.post(path, { text: 'x', page: '' })).status, 404)
    assert.equal(scene.provider.requests.length, 1)
    assert.equal((await scene.owner.get(path)).status, 200)
  })

  it('sends the earlier messages with the next question', async () => {
    scene.provider.play({ text: 'First answer.' }, { text: 'Second answer.' })
    const { path } = await scene.ask('First question')
    const { page } = await scene.ask('Second question', { path })
    assert.match(page, /First question[^]*First answer[^]*Second question[^]*Second answer/)
    const sent = JSON.stringify(scene.provider.requests[1]!.body['messages'])
    assert.match(sent, /First question.*First answer.*Second question/)
  })

  it('can be deleted with its messages, and its tokens still count', async () => {
    scene.provider.play({ text: 'Gone soon.' })
    const { path } = await scene.ask('Delete me')
    assert.equal((await scene.owner.post(`${path}/delete`, {})).status, 303)
    assert.equal((await scene.owner.get(path)).status, 404)
    const { count } = await scene.read((db) =>
      db.one<{ count: number }>(sql`select count(*)::int as count from assistant_messages
        where tenant_id = ${db.tenant} and conversation_id = ${path.split('/').at(-1)}`),
    )
    assert.equal(count, 0)
    const days = await scene.read((db) =>
      db.one<{ tokens: number }>(sql`select sum(input_tokens)::int as tokens from assistant_days
        where tenant_id = ${db.tenant}`),
    )
    assert.ok(days.tokens > 0)
  })

  it('is deleted when its last message is older than the retention period', async () => {
    scene.provider.play({ text: 'Old.' }, { text: 'New.' })
    const old = await scene.ask('Old question')
    const young = await scene.ask('New question')
    const id = old.path.split('/').at(-1)
    await scene.read((db) =>
      db.run(sql`update assistant_conversations set updated_at = moment() - interval '91 days'
        where tenant_id = ${db.tenant} and id = ${id}`),
    )
    const task = configurableTasks(scene.service.config, scene.service.database).find(
      ({ name }) => name === 'conversation_sweep',
    )
    assert.ok(task?.of === 'tenant')
    const run = { now: Temporal.Now.instant(), write: scene.read }
    await task.run(run as never)
    assert.equal((await scene.owner.get(old.path)).status, 404)
    assert.equal((await scene.owner.get(young.path)).status, 200)
    assert.equal(await scene.read((db) => sweepConversations(db, utc(Temporal.Now.instant()), 1)), 1)
  })
})

describe("a person's assistant", () => {
  it("has the person's rights and no more", async () => {
    const member = await scene.company.hire('office', { Invoices: 'none' })
    const browser = await scene.signIn(member.email)
    scene.provider.play(
      { calls: [{ tool: 'invoices_list', input: {} }] },
      { calls: [{ tool: 'jobs_list', input: {} }] },
      { text: 'So it is.' },
    )
    await scene.ask('What do they owe?', { browser })
    assert.ok(!toolsIn(scene.provider.requests[0]!.body).includes('invoices_list'))
    const results = resultsIn(scene.provider.requests[2]!.body)
    assert.match(results[0]!, /^insufficient_scope: /)
    assert.match(results[1]!, /^\{"rows":/)
  })

  it('asks before writing by default and has no credential until its first use', async () => {
    const member = await scene.company.hire('office')
    const browser = await scene.signIn(member.email)
    assert.match((await browser.get(scene.at('settings', 'assistant'))).text, /name="proposes" value="yes" checked/)
    const count = () =>
      scene.read((db) =>
        db.one<{ count: number }>(sql`select count(*)::int as count from credentials
          where tenant_id = ${db.tenant} and user_id = ${member.user_id} and kind = 'assistant'`),
      )
    assert.deepEqual(await count(), { count: 0 })
    scene.provider.play({ text: 'Hello.' })
    await scene.ask('Hello', { browser })
    assert.deepEqual(await count(), { count: 1 })
  })

  it('stops when the person leaves the company, and continues when they return', async () => {
    const member = await scene.company.hire('office')
    const browser = await scene.signIn(member.email)
    scene.provider.play({ text: 'Wait', calls: [{ tool: 'jobs_list', input: {} }], pause: 40 }, { text: 'never' })
    const { events } = await scene.stream('Anything?', { browser })
    const seen: string[] = []
    let path = ''
    for await (const { event, data } of events) {
      if (event === 'conversation') path = data['path'] ?? ''
      if (event === 'text')
        await scene.read((db) =>
          db.run(sql`update members set deactivated_at = moment()
            where tenant_id = ${db.tenant} and user_id = ${member.user_id} and deactivated_at is null`),
        )
      if (event === 'item') seen.push(data['html'] ?? '')
    }
    assert.match(seen.join(''), /Your access to this company changed/)
    assert.equal(scene.provider.requests.length, 1)

    // Providers reject a call without a result, so a resumed conversation needs one.
    await scene.read((db) =>
      db.run(sql`update members set deactivated_at = null
        where tenant_id = ${db.tenant} and user_id = ${member.user_id}`),
    )
    scene.provider.play({ text: 'Where were we?' })
    const { page } = await scene.ask('Go on', { browser: await scene.signIn(member.email), path })
    assert.match(page, /Where were we\?/)
    assert.match(resultsIn(scene.provider.requests[0]!.body).join(), /^internal: the answer ended before the result/)
  })

  it('writes directly when the person turns that on, and offers an undo', async () => {
    const settings = scene.at('settings', 'assistant')
    assert.match((await scene.owner.get(scene.at('assistant'))).text, /Nothing is changed until you approve it/)
    assert.equal((await scene.owner.post(settings, { act: 'mode' })).status, 303)
    assert.match((await scene.owner.get(scene.at('assistant'))).text, /Changes are made at once/)
    scene.provider.play({ calls: [{ tool: 'customers_create', input: person('Una') }] }, { text: 'Done.' })
    const { page } = await scene.ask('Add Una now')
    assert.match(resultsIn(scene.provider.requests[1]!.body)[0]!, /^\{"id":/)
    assert.match(page, /class="call-undo"><a href="[^"]+\/undo\?change=/)
    await scene.owner.post(settings, { act: 'mode', proposes: 'yes' })
    scene.provider.play({ calls: [{ tool: 'customers_create', input: person('Vera') }] }, { text: 'Waits.' })
    await scene.ask('Add Vera')
    assert.match(resultsIn(scene.provider.requests[1]!.body)[0]!, /waits for approval/)
  })

  it('gets its credential with the first message, not from opening a page', async () => {
    const member = await scene.company.hire('owner')
    const browser = await scene.signIn(member.email)
    const count = () =>
      scene.read((db) =>
        db.one<{ count: number }>(sql`select count(*)::int as count from credentials
          where tenant_id = ${db.tenant} and user_id = ${member.user_id} and kind = 'assistant'`),
      )
    for (const page of [scene.at('settings', 'assistant'), scene.at('assistant')])
      assert.equal((await browser.get(page)).status, 200)
    assert.equal((await count()).count, 0)
    scene.provider.play({ text: 'Hello.' })
    await scene.ask('Hello', { browser })
    assert.equal((await count()).count, 1)
  })

  it("answers in the person's language", async () => {
    const member = await scene.company.hire('owner')
    await scene.read((db) => db.run(sql`update users set language = 'es' where id = ${member.user_id}`))
    const browser = await scene.signIn(member.email)
    scene.provider.play({ status: 500 })
    const { page } = await scene.ask('¿Qué hay hoy?', { browser })
    assert.match(systemIn(scene.provider.requests[0]!.body), /Write in Spanish/)
    assert.match(page, /No se puede contactar al proveedor del modelo/)
  })
})

describe('stored conversations', () => {
  const erases = async (first_name: string, last_name: string) => {
    const made = await scene.owner.post(scene.at('customers', 'new'), {
      customer_type: 'individual',
      first_name,
      last_name,
    })
    assert.equal(made.status, 303, made.text)
    const { id } = await scene.read((db) =>
      db.one<{ id: string }>(sql`select id from customers
        where tenant_id = ${db.tenant} and display_name = ${`${first_name} ${last_name}`.trim()}`),
    )
    await scene.read((db) => eraseCustomer(db, id, { by: { user: scene.company.owner.user_id }, keepUntil: null }))
  }

  it('are deleted with an erased customer whom they name, and others stay', async () => {
    scene.provider.play({ text: 'Rosalind Quimby is new to us.' }, { text: 'Two jobs.' })
    const named = await scene.ask('Who is she?')
    const other = await scene.ask('What is on today?')
    await erases('Rosalind', 'Quimby')
    assert.equal((await scene.owner.get(named.path)).status, 404)
    assert.equal((await scene.owner.get(other.path)).status, 200)
  })

  it("stay when the erased customer's name is only part of another word", async () => {
    scene.provider.play({ text: 'Your customer:\nJO, on Oak Street.' }, { text: 'Jobs in Joliet.' })
    const named = await scene.ask('Who is new?')
    const other = await scene.ask('What is on today?')
    await erases('Jo', '')
    assert.equal((await scene.owner.get(named.path)).status, 404)
    assert.equal((await scene.owner.get(other.path)).status, 200)
  })

  it("are in the member's data export", () => {
    const files = COLLECTIONS_OF_MEMBER.map(({ file }) => file)
    assert.ok(files.includes('assistant_conversations') && files.includes('assistant_messages'))
  })
})
