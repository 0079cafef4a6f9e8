import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/platform/db/tenant.ts'
import { canonicalJson } from '../../src/platform/validation/canonical.ts'
import { oracle } from '../../src/money/oracle/oracle.test-support.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import type { Result } from '../harness/harness.ts'
import { line, openQuoteScene, type QuoteScene } from './quote_scene.ts'
import { fieldValueOf, sha256 } from './portal_scene.ts'

let set: QuoteScene
before(async () => {
  set = await openQuoteScene()
})
after(() => set.service.stop())

type Line = { name: string; unit_price_cents: number; quantity?: number; taxable?: boolean }

/** Submits the form of the optional lines. */
const optional = (id: string, lines: readonly Line[]) =>
  set.doOn(
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
    const quote = await set.readQuote(id)
    const [pan, haul] = quote['optional_lines'].map((one: Result) => one['id'])
    return { path: await set.issue({ kind: 'quotes', id }), quote, pan, haul }
  }

  it('are excluded from the total until selected; the page then shows the new total', async () => {
    const { path, quote, pan, haul } = await withExtras()
    assert.equal(quote['total_cents'], 108_250)
    const browser = set.browser()
    const page = await browser.get(path)
    assert.match(pageTextOf(page), /Add to your quote Drain pan \+\$85.00 Haul away \+\$50.00 Update total/)
    assert.match(page.text, /<b>\$1,082.50<\/b>/)
    const ticked = await browser.get(`${path}?add=${pan}&add=${haul}`)
    assert.match(ticked.text, /<p class="link-total"><span>Heater<\/span> <b>\$1,224.51<\/b>/)
    assert.equal(ticked.text.match(/ checked/g)?.length, 2)
    assert.match(pageTextOf(ticked), /Heater .* Drain pan .* Haul away .* Total \$1,224.51/)
    const strange = await browser.get(`${path}?add=${quote['id']}&add=%27`)
    assert.match(strange.text, /<b>\$1,082.50<\/b>/, 'what is no optional line adds nothing')
  })

  it('become part of the quote on acceptance, with the deposit and the record updated', async () => {
    const { id } = await set.quote({ title: 'Heater', ...line('Heater', 100_000) }, 'draft')
    await set.doOn(id, 'quotes_ask_deposit', { 'deposit.value': '50', 'deposit.type': 'percent' })
    await optional(id, extras)
    await set.office.call('quotes_update', { id, status: 'sent' })
    const path = await set.issue({ kind: 'quotes', id })
    const [pan, haul] = (await set.readQuote(id))['optional_lines'].map((one: Result) => one['id'])
    const { status, asked } = await set.accept(path, [pan])
    assert.equal(status, 303)
    assert.match(asked, /With what you added:[^]*Drain pan[^]*\$85.00/)
    assert.match(asked, /A deposit of \$587.26 is due/)
    const after = await set.readQuote(id)
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
    const link = pageTextOf(await set.browser().get(path))
    assert.match(link, /This quote was accepted.*Drain pan.*Total \$1,174.51/)
    assert.doesNotMatch(link, /Haul away|Add to your quote/)
  })

  it('are accepted only with the selection that was shown', async () => {
    const { path, quote, pan, haul } = await withExtras()
    const browser = set.browser()
    const shown = fieldValueOf((await browser.get(`${path}/accept?add=${pan}`)).text, 'shown')
    const given = { shown, name: 'Maria Lopez' }
    assert.equal((await browser.post(`${path}/accept`, { ...given, add: haul })).status, 409, 'another line')
    assert.equal((await browser.post(`${path}/accept`, given)).status, 409, 'none')
    assert.deepEqual(await set.readStatuses(quote['id']), ['sent'])
    assert.equal((await browser.post(`${path}/accept`, { ...given, add: pan })).status, 303)
  })

  it('keep their tax rates when the default changes after sending', async () => {
    const { path, pan, quote } = await withExtras()
    const other = await set.office.call('tax_rates_create', { name: 'New tax', rate_percentage: 20, is_default: true })
    assert.equal((await set.accept(path, [pan])).status, 303)
    assert.equal((await set.readQuote(quote['id']))['total_cents'], 117_451)
    await set.office.call('tax_rates_update', { id: set.rate['id'], is_default: true })
    await set.office.call('tax_rates_archive', { id: other['id'] })
  })

  it('can be selected by the office for a customer who accepts by phone', async () => {
    const { path, quote, haul } = await withExtras()
    const asks = await set.office.browser.get(set.office.at('quotes', quote['id'], 'do', 'quotes_accept'))
    assert.match(pageTextOf(asks), /Optional lines that the customer chose Drain pan · \$85.00 Haul away · \$50.00/)
    assert.equal((await set.doOn(quote['id'], 'quotes_accept', { optional_lines: haul })).status, 303)
    const after = await set.readQuote(quote['id'])
    assert.deepEqual([after['status'], after['total_cents']], ['accepted', 113_250])
    assert.match(pageTextOf(await set.browser().get(path)), /This quote was accepted.*Haul away.*Total \$1,132.50/)
  })

  it('can be changed only in draft, cannot be discounts, and are limited to 20', async () => {
    const { quote } = await withExtras()
    assert.equal((await set.press(quote['id'], 'quotes_set_optional_lines')).status, 404)
    const { id } = await set.quote({}, 'draft')
    const many = Array.from({ length: 21 }, (_, i) => ({ name: `Part ${i}`, unit_price_cents: 100 }))
    assert.equal((await optional(id, many)).status, 422)
    const off = await set.doOn(id, 'quotes_set_optional_lines', {
      'line_items.0.name': 'Off',
      'line_items.0.percent': '10',
    })
    assert.deepEqual([off.status, /An optional line can’t be a discount/.test(pageTextOf(off))], [422, true])
    assert.equal((await set.readQuote(id))['optional_lines'], null)
    assert.equal((await optional(id, extras)).status, 303)
    assert.equal((await set.readQuote(id))['optional_lines'].length, 2)
    assert.equal((await optional(id, [none, none])).status, 303)
    assert.equal((await set.readQuote(id))['optional_lines'], null)
  })

  it('add up to the total of the reference implementation for any selection', async () => {
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
        const ids: string[] = (await set.readQuote(id))['optional_lines'].map((one: Result) => one['id'])
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
        const { status } = await set.accept(path, add)
        assert.equal(status, 303)
        assert.equal(BigInt((await set.readQuote(id))['total_cents']), expected.total)
      }),
      { numRuns: 40 },
    )
  })
})
