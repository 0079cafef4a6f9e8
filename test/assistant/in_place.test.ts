import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { callerOf } from '../harness/harness.ts'
import { newProtocolClient } from '../harness/clients/protocol.ts'
import { openAssistantScene, type AssistantScene } from './scene.ts'

let scene: AssistantScene
let key: string
let job: string
let invoice: string
before(async () => {
  scene = await openAssistantScene('anthropic')
  const made = await createKey(
    scene.service.database,
    { tenant: scene.company.id },
    { user: scene.company.owner.user_id, name: 'Host', scopes: [...SCOPES], expires_at: null },
  )
  key = made.key
  const { call } = callerOf(scene.service.url, key)
  const customer_id = String(
    (await call('customers_create', { customer_type: 'individual', first_name: 'A<b>' }))['id'],
  )
  const work = { customer_id, title: 'Pump', scheduled_start: '2027-03-02T09:00' }
  job = String((await call('jobs_create', work))['id'])
  const line_items = [{ name: 'Labor', quantity: 2, unit_price_cents: 13_500 }]
  invoice = String((await call('invoices_create', { customer_id, line_items }))['id'])
})
after(() => scene.stop())

/** Returns the result cards of a conversation, in order. */
const cardsIn = (page: string): string[] =>
  [...page.matchAll(/<div class="result-card">([\s\S]*?)<\/div>\s*<details><summary><span>Data/g)].map(
    ([, card]) => card!,
  )

const withoutLinks = (card: string): string => card.replaceAll(/<\/?a\b[^>]*>/g, '').trim()

describe('a tool result in the conversation', () => {
  it('shows the same card as an MCP host, with links to its records', async () => {
    const calls = [
      { tool: 'jobs_list', input: {} },
      { tool: 'invoices_get', input: { id: invoice } },
      { tool: 'customers_search', input: {} },
      { tool: 'invoices_get', input: { id: job } },
    ]
    scene.provider.play({ calls }, { text: 'There they are.' })
    const { page } = await scene.ask('What is booked?')
    const cards = cardsIn(page)
    assert.equal(cards.length, 2)
    for (const [i, { tool, input }] of calls.slice(0, 2).entries()) {
      const params = { name: tool, arguments: input }
      const { result } = await newProtocolClient(`${scene.service.url}?ui=1`, key).handshake('tools/call', params)
      const card = String(result!['_meta']['callout/card'])
      assert.equal(withoutLinks(cards[i]!), withoutLinks(card))
      assert.ok(!card.includes('<a '))
    }
    assert.ok(cards[0]!.includes(`<a href="${scene.at('jobs', job)}">Pump</a>`))
    assert.match(cards[0]!, /Tue, Mar 2, 2027[\s\S]*A&lt;b&gt;[\s\S]*Unassigned/)
    assert.match(cards[1]!, /Invoice INV-\d+[\s\S]*Draft[\s\S]*Labor[\s\S]*\$270\.00/)
  })
})

describe('a waiting call in a conversation', () => {
  it('can be edited before approval and links back to the conversation', async () => {
    const create = { tool: 'customers_create', input: { customer_type: 'individual', first_name: 'Nia' } }
    scene.provider.play({ calls: [create] }, { text: 'It waits.' })
    const { path, page } = await scene.ask('Add Nia')
    const edit = /<a href="([^"]+\/calls\/1\?conversation=[^"]+)">Edit<\/a>/.exec(page)?.[1] ?? ''
    const form = await scene.owner.get(edit)
    assert.equal(form.status, 200)
    const back = `${path}#plan-${edit.split('/')[3]}`
    assert.ok(form.text.includes(`href="${back}"`), form.text)
    const action = /<form[^>]* action="([^"]+\/calls\/1[^"]*)"/.exec(form.text)?.[1] ?? ''
    const version = /name="version" value="([^"]*)"/.exec(form.text)?.[1] ?? ''
    const sent = await scene.owner.post(action, { customer_type: 'individual', first_name: 'Nina', version })
    assert.equal(sent.location, back)
    assert.match((await scene.owner.get(path)).text, /<ins>Nina<\/ins>/)
    const elsewhere = await scene.owner.get(edit.replace(/conversation=.*/, 'conversation=//evil.example'))
    assert.ok(elsewhere.text.includes(`href="${scene.at('proposals', edit.split('/')[3]!)}#call-1"`))
    assert.ok(!elsewhere.text.includes('evil'))
  })
})
