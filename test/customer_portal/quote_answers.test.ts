import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import { canonicalJson } from '../../src/platform/validation/canonical.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { SIGNED, startAnswering, type Answering } from './answering.ts'
import { fieldValueOf, sha256 } from './portal_scene.ts'

let set: Answering
let { accept, acceptances, statusOf } = {} as Answering
before(async () => {
  set = await startAnswering()
  ;({ accept, acceptances, statusOf } = set)
})
after(() => set.service.stop())

describe('answering a quote by its link', () => {
  it('flags an answer from a network and browser used by company members', async () => {
    const agent = 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36'
    const answer = async (from: Record<string, string>, act: 'accept' | 'decline') => {
      const { path, quote } = await set.quoteLink()
      const browser = set.browser()
      const headers = { 'x-forwarded-for': browser.address, ...from, origin: 'null' }
      const shown = fieldValueOf((await browser.send(`${path}/${act}`, { headers })).text, 'shown')
      const body = new URLSearchParams({ shown, name: 'Maria Lopez', reason: 'Too late' })
      assert.equal((await browser.send(`${path}/${act}`, { method: 'POST', headers, body })).status, 303)
      return pageTextOf(await set.office.browser.get(set.office.at('quotes', String(quote['id']))))
    }
    const office = { 'x-forwarded-for': '198.51.100.20', 'user-agent': agent }
    const colleague = await set.office.signInMember('office')
    const mark = /Accepted from your company's network.*accepted it using the link, from your company's network/
    assert.doesNotMatch(await answer(office, 'accept'), /your company's network/)
    await colleague.browser.send(set.office.at('jobs'), { headers: office })
    assert.match(await answer(office, 'accept'), mark)
    assert.match(await answer({ ...office, 'x-forwarded-for': '198.51.100.99' }, 'accept'), mark, 'of one network')
    assert.match(await answer(office, 'decline'), /declined it using the link, from your company's network/)
    assert.doesNotMatch(await answer({ 'user-agent': agent }, 'accept'), /your company's network/)
    assert.doesNotMatch(await answer({ ...office, 'user-agent': 'iPhone Safari/605' }, 'accept'), /company's network/)
  })

  it('accepts, and stores an immutable copy with name, signature, address and user agent', async () => {
    const { path, quote } = await set.quoteLink({ message: 'As agreed' })
    const { status, location, address } = await accept(path)
    assert.deepEqual([status, location], [303, path])
    assert.equal(await statusOf(quote['id']), 'accepted')
    const [one, ...more] = await acceptances(quote['id'])
    assert.deepEqual(more, [])
    assert.deepEqual(
      [one!.name, one!.signature, one!.address, one!.user_agent],
      ['Maria Lopez', SIGNED, address, 'node'],
    )
    assert.equal(one!.hash.toString('hex'), sha256(canonicalJson(one!.content)))
    const content = one!.content as Record<string, unknown>
    assert.deepEqual(
      [
        content['display_number'],
        content['total_cents'],
        content['terms'],
        content['message'],
        content['customer_name'],
      ],
      [quote['display_number'], 18_518, 'Paid on the day.', 'As agreed', 'Maria Lopez'],
    )
    const page = pageTextOf(await set.browser().get(path))
    assert.match(page, /This quote was accepted on .* Accepted by the customer Maria Lopez/)
    assert.doesNotMatch(page, /Decline/)
  })

  it("is recorded in the history as the customer's action, and makes a lead active", async () => {
    const lead = await set.office.customer('Luis', { status: 'lead', locations: [{ address_line1: '2 Elm St' }] })
    const { path, quote } = await set.quoteLink({ customer_id: lead['id'] })
    await accept(path, { name: 'Luis Lopez' })
    const entries = await set.all<{ client: string; user_id: null; changed: Record<string, unknown> }>(
      sql`select client, user_id, changed from audit where record_id = ${quote['id']} and tool = 'quotes.accepted_by_link'`,
    )
    assert.deepEqual(
      entries.map(({ client, user_id, changed }) => [client, user_id, changed['status']]),
      [['Luis Lopez', null, ['sent', 'accepted']]],
    )
    assert.equal((await set.office.call('customers_get', { id: lead['id'] }))['status'], 'active')
    const page = pageTextOf(await set.office.browser.get(set.office.at('quotes', quote['id'])))
    assert.match(page, /Accepted by the customer Luis Lopez.*From 203\.0\.113\.\d+, node/)
    assert.match(page, /Luis Lopez accepted it using the link/)
  })

  it('accepts with a typed name and no signature', async () => {
    const { path, quote } = await set.quoteLink()
    assert.equal((await accept(path, { signature: '' })).status, 303)
    assert.deepEqual(
      (await acceptances(quote['id'])).map(({ signature }) => signature),
      [null],
    )
  })

  it('accepts once, even with repeated and concurrent submissions', async () => {
    const { path, quote } = await set.quoteLink()
    const answers = await Promise.all(Array.from({ length: 4 }, () => accept(path)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)).difference(new Set([200, 303])), new Set())
    assert.equal((await acceptances(quote['id'])).length, 1)
    assert.equal((await accept(path)).status, 200)
    assert.equal((await acceptances(quote['id'])).length, 1)
  })

  it('changes nothing on GET or HEAD, as by a mail scanner', async () => {
    const { path, quote } = await set.quoteLink()
    for (const step of ['', '/accept', '/decline', '/question', '/accept?name=Maria&shown=1'])
      for (const method of ['GET', 'HEAD'])
        assert.equal((await set.browser().send(path + step, { method })).status, 200, `${method} ${step}`)
    assert.equal(await statusOf(quote['id']), 'sent')
    assert.deepEqual(await acceptances(quote['id']), [])
  })

  it('rejects an invalid name or signature with 422', async () => {
    const { path, quote } = await set.quoteLink()
    for (const [fields, words] of [
      [{ name: '' }, 'Enter your name'],
      [{ name: '  ' }, 'Enter your name'],
      [{ name: 'x'.repeat(101) }, 'Enter your name'],
      [{ signature: 'M1 1L2 2"/><script>' }, 'Draw your signature again'],
      [{ signature: 'M1000 1' }, 'Draw your signature again'],
      [{ signature: 'L1 1' }, 'Draw your signature again'],
      [{ signature: `M1 1${'L2 2'.repeat(5_000)}` }, 'Draw your signature again'],
    ] as const) {
      const page = await accept(path, fields)
      assert.equal(page.status, 422, JSON.stringify(fields).slice(0, 60))
      assert.ok(pageTextOf(page).includes(words))
    }
    assert.equal(await statusOf(quote['id']), 'sent')
  })

  it('declines with or without a reason', async () => {
    for (const reason of ['Too  expensive\nfor us', '']) {
      const { path, quote } = await set.quoteLink()
      const browser = set.browser()
      const { text } = await browser.get(`${path}/decline`)
      const { status } = await browser.post(`${path}/decline`, { shown: fieldValueOf(text, 'shown'), reason })
      assert.equal(status, 303)
      const { status: became, decline_reason } = await set.office.call('quotes_get', { id: quote['id'] })
      assert.deepEqual([became, decline_reason], ['declined', reason === '' ? null : 'Too expensive for us'])
      assert.ok(pageTextOf(await browser.get(path)).includes('This quote was declined'))
    }
  })

  it('rejects a reason over 500 characters, and a form for another version', async () => {
    const { path, quote } = await set.quoteLink()
    const shown = fieldValueOf((await set.browser().get(`${path}/decline`)).text, 'shown')
    assert.equal((await set.browser().post(`${path}/decline`, { shown, reason: 'x'.repeat(501) })).status, 422)
    assert.equal((await set.browser().post(`${path}/decline`, { shown: '', reason: '' })).status, 409)
    assert.equal((await accept(path, { shown: 'a'.repeat(64) })).status, 409)
    assert.equal(await statusOf(quote['id']), 'sent')
  })
})
