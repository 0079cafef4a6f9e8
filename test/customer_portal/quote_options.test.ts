import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { readTenant, sql } from '../../src/platform/db/tenant.ts'
import { quoteOutcomes } from '../../src/records/quotes/index.ts'
import { canonicalJson } from '../../src/platform/validation/canonical.ts'
import { oracle } from '../../src/money/oracle/oracle.test-support.ts'
import { said, submit } from '../harness/identity/people_pages.ts'
import type { Result } from '../harness/harness.ts'
import { carried, sha256, startLinking, type Linking } from './setting.ts'

let set: Linking
let rate: Result
before(async () => {
  set = await startLinking()
  rate = await set.office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25, is_default: true })
})
after(() => set.service.stop())

type Line = { name: string; unit_price_cents: number; quantity?: number; taxable?: boolean }

const get = (id: string): Promise<Result> => set.office.call('quotes_get', { id })
const doOn = (quote: string, act: string, fields: Record<string, string> = {}) =>
  submit(set.office.browser, set.office.at('quotes', quote, 'do', act), fields)
/** Presses a button that asks nothing first. */
const press = (quote: string, act: string) => set.office.browser.post(set.office.at('quotes', quote, 'do', act), {})
const statuses = async (...ids: string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await get(id))['status']))

/** Fills the form of the optional lines. */
const optional = (id: string, lines: readonly Line[]) =>
  doOn(
    id,
    'quotes_set_optional_lines',
    Object.fromEntries(
      lines.flatMap(({ name, unit_price_cents, quantity = 1, taxable = true }, i) => [
        [`line_items.${i}.name`, name],
        [`line_items.${i}.quantity`, String(quantity)],
        [`line_items.${i}.price`, (unit_price_cents / 100).toFixed(2)],
        [`line_items.${i}.tax`, taxable ? 'yes' : 'no'],
      ]),
    ),
  )

/** Adds an option, which is the quote that the page leads to. */
async function addOption(id: string, change: object = {}): Promise<Result> {
  const { status, location } = await press(id, 'quotes_add_option')
  assert.equal(status, 303)
  const copy = location?.split('/').at(-1)?.split('?')[0] ?? ''
  return set.office.call('quotes_update', { id: copy, ...change })
}

const line = (name: string, unit_price_cents: number) => ({ line_items: [{ name, unit_price_cents }] })

async function threeOptions(): Promise<{ path: string; quotes: [Result, Result, Result] }> {
  const good = await set.quote({ title: 'Good', ...line('Repair', 20_000) }, 'draft')
  const best = await addOption(good['id'], { title: 'Best', ...line('Replace with heat pump', 90_000) })
  const better = await addOption(best['id'], { title: 'Better', ...line('Replace', 50_000) })
  await set.office.call('quotes_update', { id: better['id'], status: 'sent' })
  const quotes = [await get(good['id']), await get(better['id']), await get(best['id'])] as [Result, Result, Result]
  return { path: await set.issue({ kind: 'quotes', id: better['id'] }), quotes }
}

async function accept(path: string, add: readonly string[] = [], fields: Record<string, string> = {}) {
  const browser = set.browser()
  const query = add.length === 0 ? '' : `?${new URLSearchParams(add.map((id) => ['add', id])).toString()}`
  const { text } = await browser.get(`${path}/accept${query}`)
  const body = new URLSearchParams([
    ['shown', carried(text, 'shown')],
    ['name', 'Maria Lopez'],
    ...add.map((id) => ['add', id]),
    ...Object.entries(fields),
  ])
  const headers = { origin: 'null' }
  return { asked: text, ...(await browser.send(`${path}/accept`, { method: 'POST', headers, body })) }
}

describe('options of a quote', () => {
  it('are copies in one set, which agents see as linked quotes, and are sent together', async () => {
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
    const page = said(await set.office.browser.get(set.office.at('quotes', good['id'])))
    assert.match(page, /Options .*accepts one.* Q-\d+ Good Sent \$216.50 Q-\d+ Better Sent \$541.25 Q-\d+ Best Sent/)
    assert.equal('options' in (await set.quote()), false)
  })

  it('stand side by side behind the link, the cheapest first, each with a page of its own', async () => {
    const { path, quotes } = await threeOptions()
    const page = await set.browser().get(path)
    assert.equal(page.status, 200)
    assert.match(said(page), /Choose the option that suits you.*Good \$216.50.*Better \$541.25.*Best \$974.25/)
    for (const { id, title } of quotes) {
      const own = await set.browser().get(`${path}/quotes/${id}`)
      assert.match(said(own), new RegExp(`${title}.*Accept`))
      assert.ok(page.text.includes(`href="${path}/quotes/${id}"`), title)
    }
    const other = await set.quote()
    assert.equal((await set.browser().get(`${path}/quotes/${other['id']}`)).status, 404, 'no quote of another link')
    assert.equal((await set.browser().get((await set.quoteLink()).path)).text.includes('class="options"'), false)
  })

  it('accepting one closes the others, with the reason in the history of each', async () => {
    const { path, quotes } = await threeOptions()
    const [good, better, best] = quotes
    assert.equal((await accept(`${path}/quotes/${best['id']}`)).status, 303)
    assert.deepEqual(await statuses(good['id'], better['id'], best['id']), ['declined', 'declined', 'accepted'])
    assert.equal((await get(good['id']))['decline_reason'], 'superseded')
    const page = said(await set.office.browser.get(set.office.at('quotes', good['id'])))
    assert.match(page, new RegExp(`Another option was accepted.*Closed, since option ${best['display_number']} was`))
    const link = said(await set.browser().get(path))
    assert.match(link, /You chose an option.*Good .*Not chosen.*Best .*Accepted/)
    assert.equal((await accept(`${path}/quotes/${good['id']}`)).status, 409)
    assert.deepEqual(await statuses(good['id']), ['declined'])
  })

  it('accepts one, whoever else accepts another at once', async () => {
    const { path, quotes } = await threeOptions()
    const answers = await Promise.all([
      ...quotes.map(({ id }) => accept(`${path}/quotes/${id}`)),
      set.office.call('quotes_update', { id: quotes[0]['id'], status: 'accepted' }).catch((error: Error) => error),
    ])
    assert.ok(answers.length === 4)
    assert.deepEqual((await statuses(...quotes.map(({ id }) => id))).sort(), ['accepted', 'declined', 'declined'])
  })

  it('an option is offered again only when the accepted one is not', async () => {
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
    assert.match(said(await browser.get(`${path}/decline`)), /Decline all options\?/)
    const { status, location } = await browser.post(`${path}/decline`, { reason: 'Too dear' })
    assert.deepEqual([status, location], [303, path])
    for (const { id } of quotes) {
      const quote = await get(id)
      assert.deepEqual([quote['status'], quote['decline_reason']], ['declined', 'Too dear'])
    }
    assert.match(said(await browser.get(path)), /These options can’t be accepted any more/)
  })

  it('are four at most, and none is added to a quote that was answered', async () => {
    const first = await set.quote({}, 'draft')
    for (let i = 0; i < 3; i++) await addOption(first['id'])
    const fifth = await press(first['id'], 'quotes_add_option')
    assert.deepEqual([fifth.status, /These are 4 options, which is the limit/.test(said(fifth))], [409, true])
    const done = await set.quote({}, 'accepted')
    assert.equal((await press(done['id'], 'quotes_add_option')).status, 404, 'the button is not there')
    const colleague = await set.office.hired('office')
    const theirs = await colleague.browser.post(set.office.at('quotes', first['id'], 'do', 'quotes_add_option'), {})
    assert.equal(theirs.status, 404, 'nor on a quote of somebody else')
  })

  it('count as one quote among the won and lost', async () => {
    const day = { from: '2000-01-01', to: '2100-01-01' }
    const outcomes = () =>
      readTenant(set.service.database, { tenant: set.office.id }, async (db) => {
        const [sum] = await quoteOutcomes(db, day)
        return [sum?.won ?? 0, sum?.lost ?? 0, sum?.open ?? 0]
      })
    const [won = 0, lost = 0, open = 0] = await outcomes()
    const { path, quotes } = await threeOptions()
    assert.deepEqual(await outcomes(), [won, lost, open + 1])
    await accept(`${path}/quotes/${quotes[1]['id']}`)
    assert.deepEqual(await outcomes(), [won + 1, lost, open])
  })
})

describe('optional lines', () => {
  const extras: Line[] = [
    { name: 'Drain pan', unit_price_cents: 8_500 },
    { name: 'Haul away', unit_price_cents: 5_000, taxable: false },
  ]

  const none = { name: '', unit_price_cents: 0 }

  async function withExtras(given: object = {}): Promise<{ path: string; quote: Result; pan: string; haul: string }> {
    const { id } = await set.quote({ title: 'Heater', ...line('Heater', 100_000), ...given }, 'draft')
    assert.equal((await optional(id, extras)).status, 303)
    await set.office.call('quotes_update', { id, status: 'sent' })
    const quote = await get(id)
    const [pan, haul] = quote['optional_lines'].map((one: Result) => one['id'])
    return { path: await set.issue({ kind: 'quotes', id }), quote, pan, haul }
  }

  it('are not in the total until the customer ticks them, which the page adds up', async () => {
    const { path, quote, pan, haul } = await withExtras()
    assert.equal(quote['total_cents'], 108_250)
    const browser = set.browser()
    const page = await browser.get(path)
    assert.match(said(page), /Add to your quote Drain pan \+\$85.00 Haul away \+\$50.00 Update total/)
    assert.match(page.text, /<b>\$1,082.50<\/b>/)
    const ticked = await browser.get(`${path}?add=${pan}&add=${haul}`)
    assert.match(ticked.text, /<p class="link-total"><span>Heater<\/span> <b>\$1,224.51<\/b>/)
    assert.equal(ticked.text.match(/ checked/g)?.length, 2)
    assert.match(said(ticked), /Heater .* Drain pan .* Haul away .* Total \$1,224.51/)
    const strange = await browser.get(`${path}?add=${quote['id']}&add=%27`)
    assert.match(strange.text, /<b>\$1,082.50<\/b>/, 'what is no optional line adds nothing')
  })

  it('become the quote’s when they are accepted; the deposit and the record follow', async () => {
    const { id } = await set.quote({ title: 'Heater', ...line('Heater', 100_000) }, 'draft')
    await doOn(id, 'quotes_ask_deposit', { 'deposit.value': '50', 'deposit.type': 'percent' })
    await optional(id, extras)
    await set.office.call('quotes_update', { id, status: 'sent' })
    const path = await set.issue({ kind: 'quotes', id })
    const [pan, haul] = (await get(id))['optional_lines'].map((one: Result) => one['id'])
    const { status, asked } = await accept(path, [pan])
    assert.equal(status, 303)
    assert.match(asked, /With what you added:[^]*Drain pan[^]*\$85.00/)
    assert.match(asked, /A deposit of \$587.26 is due/)
    const after = await get(id)
    assert.deepEqual(
      [after['status'], after['total_cents'], after['line_items'].map((one: Result) => one['name'])],
      ['accepted', 117_451, ['Heater', 'Drain pan']],
    )
    assert.deepEqual(
      after['optional_lines'].map((one: Result) => one['id']),
      [haul],
      'what was not chosen stays optional',
    )
    const [kept] = await set.all<{ content: Record<string, unknown>; hash: Buffer }>(
      sql`select content, hash from acceptances where quote_id = ${id}`,
    )
    assert.deepEqual(
      [kept?.content['total_cents'], kept?.content['optional_lines'], kept?.hash.toString('hex')],
      [117_451, undefined, sha256(canonicalJson(kept?.content))],
    )
    const deposit = await set.office.call('invoices_list', { query: 'Heater' })
    assert.deepEqual(
      deposit['rows'].map(({ total_cents, status }: Result) => [total_cents, status]),
      [[58_726, 'sent']],
    )
    const link = said(await set.browser().get(path))
    assert.match(link, /This quote was accepted.*Drain pan.*Total \$1,174.51/)
    assert.doesNotMatch(link, /Haul away|Add to your quote/)
  })

  it('are accepted only as they were shown', async () => {
    const { path, quote, pan, haul } = await withExtras()
    const browser = set.browser()
    const shown = carried((await browser.get(`${path}/accept?add=${pan}`)).text, 'shown')
    const given = { shown, name: 'Maria Lopez' }
    assert.equal((await browser.post(`${path}/accept`, { ...given, add: haul })).status, 409, 'another line')
    assert.equal((await browser.post(`${path}/accept`, given)).status, 409, 'none')
    assert.deepEqual(await statuses(quote['id']), ['sent'])
    assert.equal((await browser.post(`${path}/accept`, { ...given, add: pan })).status, 303)
  })

  it('keep their rates when the default changes after the quote was sent', async () => {
    const { path, pan, quote } = await withExtras()
    const other = await set.office.call('tax_rates_create', { name: 'New tax', rate_percentage: 20, is_default: true })
    assert.equal((await accept(path, [pan])).status, 303)
    assert.equal((await get(quote['id']))['total_cents'], 117_451)
    await set.office.call('tax_rates_update', { id: rate['id'], is_default: true })
    await set.office.call('tax_rates_archive', { id: other['id'] })
  })

  it('are ticked by the office for a customer who says yes by phone', async () => {
    const { path, quote, haul } = await withExtras()
    const asks = await set.office.browser.get(set.office.at('quotes', quote['id'], 'do', 'quotes_accept'))
    assert.match(said(asks), /Optional lines that the customer chose Drain pan · \$85.00 Haul away · \$50.00/)
    assert.equal((await doOn(quote['id'], 'quotes_accept', { optional_lines: haul })).status, 303)
    const after = await get(quote['id'])
    assert.deepEqual([after['status'], after['total_cents']], ['accepted', 113_250])
    assert.match(said(await set.browser().get(path)), /This quote was accepted.*Haul away.*Total \$1,132.50/)
  })

  it('are changed in draft only, are no discounts, and are 20 at most', async () => {
    const { quote } = await withExtras()
    assert.equal((await press(quote['id'], 'quotes_set_optional_lines')).status, 404)
    const { id } = await set.quote({}, 'draft')
    const many = Array.from({ length: 21 }, (_, i) => ({ name: `Part ${i}`, unit_price_cents: 100 }))
    assert.equal((await optional(id, many)).status, 422)
    const off = await doOn(id, 'quotes_set_optional_lines', {
      'line_items.0.name': 'Off',
      'line_items.0.percent': '10',
    })
    assert.deepEqual([off.status, /An optional line can’t be a discount/.test(said(off))], [422, true])
    assert.equal((await get(id))['optional_lines'], null)
    assert.equal((await optional(id, extras)).status, 303)
    assert.equal((await get(id))['optional_lines'].length, 2)
    assert.equal((await optional(id, [none, none])).status, 303)
    assert.equal((await get(id))['optional_lines'], null)
  })

  it('come to the oracle’s total for any of them', async () => {
    const cents = fc.integer({ min: 0, max: 100_000 })
    const lines = (min: number) =>
      fc.array(fc.record({ cents, quantity: fc.integer({ min: 1, max: 9_999 }), taxable: fc.boolean() }), {
        minLength: min,
        maxLength: 4,
      })
    const discount = fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 100 }))
    const cases = fc.record({
      base: lines(1),
      more: lines(1),
      picks: fc.array(fc.boolean(), { maxLength: 4 }),
      discount,
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ base, more, picks, discount }) => {
        const toLine = ({ cents, quantity, taxable }: (typeof base)[number], i: number) => ({
          name: `Line ${i}`,
          unit_price_cents: cents,
          quantity: quantity / 1000,
          taxable,
        })
        const { id } = await set.quote(
          {
            line_items: base.map(toLine),
            ...(discount === null ? {} : { discount: { type: 'percent', value: discount } }),
          },
          'draft',
        )
        assert.equal((await optional(id, more.map(toLine))).status, 303)
        await set.office.call('quotes_update', { id, status: 'sent' })
        const path = await set.issue({ kind: 'quotes', id })
        const ids: string[] = (await get(id))['optional_lines'].map((one: Result) => one['id'])
        const add = ids.filter((_, i) => picks[i] === true)
        const picked = more.filter((_, i) => picks[i] === true)
        const tax = { id: 'tax', value: { over: 825n, under: 10_000n } }
        const expected = oracle({
          lines: [...base, ...picked].map((one) => ({
            sells: { over: BigInt(one.quantity), under: 1000n },
            price: BigInt(one.cents),
            rate: one.taxable ? tax : null,
          })),
          off: discount === null ? null : { percentOff: { over: BigInt(discount), under: 100n } },
          exempt: false,
        })
        assert.ok(expected !== 'refused')
        const { status } = await accept(path, add)
        assert.equal(status, 303)
        assert.equal(BigInt((await get(id))['total_cents']), expected.total)
      }),
      { numRuns: 40 },
    )
  })
})
