import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant } from '../../src/platform/db/tenant.ts'
import { quoteOutcomes } from '../../src/records/quotes/index.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import type { Result } from '../harness/harness.ts'
import { line, openQuoteScene, type QuoteScene } from './quote_scene.ts'

let set: QuoteScene
before(async () => {
  set = await openQuoteScene()
})
after(() => set.service.stop())

/** Adds an option. Returns the quote that the response leads to. */
async function addOption(id: string, change: object = {}): Promise<Result> {
  const { status, location } = await set.press(id, 'quotes_add_option')
  assert.equal(status, 303)
  const copy = location?.split('/').at(-1)?.split('?')[0] ?? ''
  return set.office.call('quotes_update', { id: copy, ...change })
}

async function threeOptions(): Promise<{ path: string; quotes: [Result, Result, Result] }> {
  const good = await set.quote({ title: 'Good', ...line('Repair', 20_000) }, 'draft')
  const best = await addOption(good['id'], { title: 'Best', ...line('Replace with heat pump', 90_000) })
  const better = await addOption(best['id'], { title: 'Better', ...line('Replace', 50_000) })
  await set.office.call('quotes_update', { id: better['id'], status: 'sent' })
  const quotes = [
    await set.readQuote(good['id']),
    await set.readQuote(better['id']),
    await set.readQuote(best['id']),
  ] as [Result, Result, Result]
  return { path: await set.issue({ kind: 'quotes', id: better['id'] }), quotes }
}

describe('quote options', () => {
  it('are copies in one set, visible to agents as linked quotes, and sent together', async () => {
    const { quotes } = await threeOptions()
    const [good, better, best] = quotes
    assert.equal(new Set(quotes.map(({ option_set }) => option_set)).size, 1)
    assert.deepEqual(
      good['options'].map(({ id, title, status, total_cents }: Result) => [id, title, status, total_cents]),
      [
        [good['id'], 'Good', 'sent', 21_650],
        [better['id'], 'Better', 'sent', 54_125],
        [best['id'], 'Best', 'sent', 97_425],
      ],
    )
    assert.ok(quotes.every(({ sent_at }) => sent_at !== null))
    assert.deepEqual([best['terms'], best['location_id']], ['Paid on the day.', good['location_id']])
    assert.ok((await set.office.entries(good['id'])).some(({ tool }) => tool === 'quotes.option_sent'))
    const page = pageTextOf(await set.office.browser.get(set.office.at('quotes', good['id'])))
    assert.match(page, /Options .*accepts one.* Q-\d+ Good Sent \$216.50 Q-\d+ Better Sent \$541.25 Q-\d+ Best Sent/)
    assert.equal('options' in (await set.quote()), false)
  })

  it('are listed behind the link from cheapest, each with its own page', async () => {
    const { path, quotes } = await threeOptions()
    const page = await set.browser().get(path)
    assert.equal(page.status, 200)
    assert.match(pageTextOf(page), /Choose the option that suits you.*Good \$216.50.*Better \$541.25.*Best \$974.25/)
    for (const { id, title } of quotes) {
      const own = await set.browser().get(`${path}/quotes/${id}`)
      assert.match(pageTextOf(own), new RegExp(`${title}.*Accept`))
      assert.ok(page.text.includes(`href="${path}/quotes/${id}"`), title)
    }
    const other = await set.quote()
    assert.equal((await set.browser().get(`${path}/quotes/${other['id']}`)).status, 404, 'no quote of another link')
    assert.equal((await set.browser().get((await set.quoteLink()).path)).text.includes('class="options"'), false)
  })

  it("close when one is accepted, with the reason in each one's history", async () => {
    const { path, quotes } = await threeOptions()
    const [good, better, best] = quotes
    assert.equal((await set.accept(`${path}/quotes/${best['id']}`)).status, 303)
    assert.deepEqual(await set.readStatuses(good['id'], better['id'], best['id']), ['declined', 'declined', 'accepted'])
    assert.equal((await set.readQuote(good['id']))['decline_reason'], 'superseded')
    const page = pageTextOf(await set.office.browser.get(set.office.at('quotes', good['id'])))
    assert.match(page, new RegExp(`Another option was accepted.*Closed, since option ${best['display_number']} was`))
    const link = pageTextOf(await set.browser().get(path))
    assert.match(link, /You chose an option.*Good .*Not chosen.*Best .*Accepted/)
    assert.equal((await set.accept(`${path}/quotes/${good['id']}`)).status, 409)
    assert.deepEqual(await set.readStatuses(good['id']), ['declined'])
  })

  it('end with one accepted when several are accepted at once', async () => {
    const { path, quotes } = await threeOptions()
    const answers = await Promise.all([
      ...quotes.map(({ id }) => set.accept(`${path}/quotes/${id}`)),
      set.office.call('quotes_update', { id: quotes[0]['id'], status: 'accepted' }).catch((error: Error) => error),
    ])
    assert.ok(answers.length === 4)
    assert.deepEqual((await set.readStatuses(...quotes.map(({ id }) => id))).sort(), [
      'accepted',
      'declined',
      'declined',
    ])
  })

  it('can be sent or accepted again only when the accepted one is declined', async () => {
    const { quotes } = await threeOptions()
    const [good, better] = quotes
    await set.office.call('quotes_update', { id: good['id'], status: 'accepted' })
    await set.office.call('quotes_update', { id: better['id'], status: 'draft' })
    for (const status of ['sent', 'accepted'])
      await assert.rejects(
        set.office.call('quotes_update', { id: better['id'], status }),
        new RegExp(`conflict: ${good['display_number']}, another option of the set, is accepted`),
      )
    await set.office.call('quotes_update', { id: good['id'], status: 'declined' })
    await set.office.call('quotes_update', { id: better['id'], status: 'accepted' })
  })

  it('are declined together from the first page', async () => {
    const { path, quotes } = await threeOptions()
    const browser = set.browser()
    assert.match(pageTextOf(await browser.get(`${path}/decline`)), /Decline all options\?/)
    const { status, location } = await browser.post(`${path}/decline`, { reason: 'Too dear' })
    assert.deepEqual([status, location], [303, path])
    for (const { id } of quotes) {
      const quote = await set.readQuote(id)
      assert.deepEqual([quote['status'], quote['decline_reason']], ['declined', 'Too dear'])
    }
    assert.match(pageTextOf(await browser.get(path)), /These options can’t be accepted anymore/)
  })

  it("are limited to four, and cannot be added to an answered or a colleague's quote", async () => {
    const first = await set.quote({}, 'draft')
    for (let i = 0; i < 3; i++) await addOption(first['id'])
    const fifth = await set.press(first['id'], 'quotes_add_option')
    assert.deepEqual(
      [fifth.status, /This quote has 4 options, which is the limit/.test(pageTextOf(fifth))],
      [409, true],
    )
    const done = await set.quote({}, 'accepted')
    assert.equal((await set.press(done['id'], 'quotes_add_option')).status, 404, 'the button is not there')
    const colleague = await set.office.signInMember('office')
    const theirs = await colleague.browser.post(set.office.at('quotes', first['id'], 'do', 'quotes_add_option'), {})
    assert.equal(theirs.status, 404, 'nor on a quote of somebody else')
  })

  it('count as one quote in the won and lost figures', async () => {
    const day = { from: '2000-01-01', to: '2100-01-01' }
    const outcomes = () =>
      readTenant(set.service.database, { tenant: set.office.id }, async (db) => {
        const [sum] = await quoteOutcomes(db, day)
        return [sum?.won ?? 0, sum?.lost ?? 0, sum?.open ?? 0]
      })
    const [won = 0, lost = 0, open = 0] = await outcomes()
    const { path, quotes } = await threeOptions()
    assert.deepEqual(await outcomes(), [won, lost, open + 1])
    await set.accept(`${path}/quotes/${quotes[1]['id']}`)
    assert.deepEqual(await outcomes(), [won + 1, lost, open])
  })
})
