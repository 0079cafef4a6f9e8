import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../../src/platform/db/tenant.ts'
import { canonicalJson } from '../../../src/platform/validation/canonical.ts'
import type { Result } from '../../harness/harness.ts'
import { sha256 } from '../../customer_portal/portal_scene.ts'
import { fieldEvent } from '../../harness/messaging/phones.ts'
import { line, openOptions, outcomesOf, signatureOf, type OptionsScene } from './options_scene.ts'

const { priceBill } = (await import(new URL('../../../public/mobile/work/field_price.js', import.meta.url).href)) as {
  priceBill(bill: object): { total_cents: number } | null
}

let { service, office, mia, own, valve, labor, phoneFor, book, visitOfNew, setOn, quotesOf, all } = {} as OptionsScene
let ann: Result
let county: Result
before(async () => {
  ;({ service, office, mia, own, valve, labor, phoneFor, book, visitOfNew, setOn, quotesOf, all } = await openOptions())
  ann = await office.customer('Ann')
  county = await office.call('tax_rates_create', { name: 'County', rate_percentage: 1.375 })
})
after(() => service.stop())

const rowsOf = (customer: Result): Promise<Result[]> =>
  all(sql`select id, title, status, total_cents, decline_reason, option_set, terms, deposit from quotes
    where tenant_id = ${office.id} and customer_id = ${customer['id']} order by number`)
const acceptances = (quote: unknown): Promise<Result[]> =>
  all(sql`select encode(hash, 'hex') as hash, content from acceptances
    where tenant_id = ${office.id} and quote_id = ${String(quote)}`)
const statesOf = async (customer: Result): Promise<unknown[]> =>
  (await rowsOf(customer)).map(({ title, status, total_cents }) => [title, status, total_cents])

describe('quote options from a phone', () => {
  it('are one set, created and signed once even if sent twice; the others are declined', async () => {
    const { customer, job } = await visitOfNew()
    const quote = setOn(job)
    // Two valves and labor at 10% off, with 14.85 tax.
    const signed = signatureOf(quote, job, { option: 1, optional_lines: [0], total_cents: 23_985 })
    for (let i = 0; i < 2; i++) assert.deepEqual(await outcomesOf(mia, [quote, signed]), ['done', 'done'])
    assert.deepEqual(await statesOf(customer), [
      ['Good', 'declined', 10_825],
      ['Better', 'accepted', 23_985],
      ['Best', 'declined', 32_475],
    ])
    const [good, better, best] = (await rowsOf(customer)) as [Result, Result, Result]
    assert.deepEqual([good['decline_reason'], best['decline_reason']], ['superseded', 'superseded'])
    assert.equal(new Set([good, better, best].map(({ option_set }) => option_set)).size, 1)
    assert.deepEqual([good['terms'], better['terms'], best['terms'], best['deposit']], [null, 'Net 10', null, null])
    const [kept, ...more] = await acceptances(better['id'])
    assert.deepEqual(more, [])
    assert.equal(kept?.['hash'], sha256(canonicalJson(kept?.['content'])))
    const { total_cents, line_items, deposit_cents, optional_lines, terms } = Object(kept).content as Result
    assert.deepEqual(
      [total_cents, line_items.map(({ name }: Result) => name), deposit_cents, optional_lines, terms],
      [23_985, ['Valve', 'Labor'], 11_993, undefined, 'Net 10'],
    )
    const shown = await quotesOf(job)
    assert.deepEqual(
      shown.map(({ act, option, title, status, optional_lines }) => [act, option, title, status, optional_lines]),
      [
        [quote['id'], 0, 'Good', 'declined', []],
        [quote['id'], 1, 'Better', 'accepted', []],
        [quote['id'], 2, 'Best', 'declined', []],
      ],
    )
  })

  it('are created once by concurrent requests, and two concurrent signatures accept one', async () => {
    const { customer, job } = await visitOfNew()
    const quote = setOn(job)
    const made = await Promise.all([mia, mia, mia].map((phone) => outcomesOf(phone, [quote])))
    assert.deepEqual(made, [['done'], ['done'], ['done']])
    assert.equal((await rowsOf(customer)).length, 3)
    const both = await Promise.all([0, 2].map((option) => mia.do(signatureOf(quote, job, { option }))))
    assert.deepEqual(both.map(({ outcome }) => outcome).toSorted(), ['done', 'refused'])
    const states = await rowsOf(customer)
    assert.equal(states.filter(({ status }) => status === 'accepted').length, 1)
    const kept = await Promise.all(states.map(({ id }) => acceptances(id)))
    assert.equal(kept.flat().length, 1)
  })

  it('are refused when the signature comes first, or after the office changed or accepted one', async () => {
    const { customer, job } = await visitOfNew()
    const quote = setOn(job)
    assert.deepEqual(await outcomesOf(mia, [signatureOf(quote, job, { option: 1 }), quote]), ['refused', 'waits'])
    assert.deepEqual(await rowsOf(customer), [])
    assert.deepEqual(await outcomesOf(mia, [quote]), ['done'])
    const [good, better] = (await rowsOf(customer)) as [Result, Result]
    const refusal = async (fields: object): Promise<string> => {
      const { outcome, description } = await mia.do(signatureOf(quote, job, fields))
      assert.equal(outcome, 'refused', JSON.stringify(fields))
      return String(description)
    }
    assert.match(await refusal({ option: 3 }), /^The quote that was signed wasn’t saved\./)
    assert.match(await refusal({ option: 1, optional_lines: [2] }), /^The office changed Q-\d+ since the customer saw/)
    assert.equal(
      await refusal({ option: 1, optional_lines: [0], total_cents: 20_000 }),
      'Prices changed: option “Better” comes to $239.85 now, not $200.00. Correct it, and tell the customer.',
    )
    await own('quotes_update', { id: better['id'], title: 'Much better' })
    assert.match(await refusal({ option: 1 }), /^The office changed Q-\d+ since the customer saw it\. Ask/)
    await own('quotes_update', { id: good['id'], status: 'accepted' })
    assert.match(await refusal({ option: 0 }), /^Q-\d+ is already accepted\.$/)
    const [{ display_number }] = (await quotesOf(job)) as [Result]
    assert.equal(
      await refusal({ option: 2 }),
      `Option ${String(display_number)} of this quote is accepted. Mark it as declined first.`,
    )
    assert.deepEqual(
      (await rowsOf(customer)).map(({ status }) => status),
      ['accepted', 'declined', 'declined'],
    )
    assert.deepEqual(await acceptances(good['id']), [])
  })

  it('are refused when a price changed, an item is archived or the input is invalid', async () => {
    const { customer, job } = await visitOfNew()
    const tap = await office.call('catalog_items_create', { name: 'Tap', kind: 'product', unit_price_cents: 2_000 })
    const best = { title: 'Best', line_items: [line(tap)], total_cents: 2_165 }
    const quote = setOn(job, { options: [best] })
    await office.call('catalog_items_update', { id: tap['id'], unit_price_cents: 3_000 })
    const [refused, waits] = [await mia.do(quote), await outcomesOf(mia, [quote, signatureOf(quote, job)])]
    assert.deepEqual([refused['code'], waits], ['conflict', ['refused', 'waits']])
    assert.equal(
      refused['description'],
      'Prices changed: option “Best” comes to $32.48 now, not $21.65. Correct it, and tell the customer.',
    )
    await office.call('catalog_items_archive', { id: tap['id'] })
    assert.equal((await mia.do(quote))['code'], 'invalid_input')
    const many = (count: number, one: Result): Result[] => Array.from({ length: count }, () => one)
    for (const fields of [
      { options: many(4, best) },
      { options: [{ ...best, options: [] }] },
      { options: [{ title: 'None', line_items: [], total_cents: 0 }] },
      { optional_lines: many(21, line(valve)) },
      { discount: { type: 'percent', value: 101 } },
      { discount: { type: 'amount', value: 10_001 } },
      { deposit: { type: 'amount', value: 10_826 } },
      { title: '' },
    ]) {
      const { outcome, code } = await mia.do(setOn(job, fields))
      assert.deepEqual([outcome, code], ['refused', 'invalid_input'], JSON.stringify(fields).slice(0, 200))
    }
    const viewer = await phoneFor({ Quotes: 'view' })
    assert.equal((await viewer.do(setOn(job)))['code'], 'insufficient_scope')
    assert.deepEqual(await rowsOf(customer), [])
  })

  it("match the service's totals, with discounts and any optional lines", async () => {
    const items = await Promise.all(
      [
        { kind: 'product', unit_price_cents: 333, tax_rate_id: county['id'] },
        { kind: 'service', unit_price_cents: 14_995 },
        { kind: 'labor', unit_price_cents: 7_777, tax_rate_id: county['id'] },
      ].map((item, at) => office.call('catalog_items_create', { name: `Piece ${at}`, ...item })),
    )
    const job = await book(ann)
    const day = await mia.day()
    const { quote_tax } = (day['visits'] as Result[]).find(({ id }) => id === job['id']) ?? {}
    const ids = [...items, valve, labor].map(({ id }) => id)
    const catalog = (day['catalog'] as Result[]).filter(({ id }) => ids.includes(id))
    const lines = (min: number) =>
      fc.array(
        fc.record({
          item: fc.constantFrom(...catalog),
          quantity: fc.integer({ min: 1, max: 9_999 }).map((n) => n / 1_000),
        }),
        { minLength: min, maxLength: 4 },
      )
    const discount = fc.option(
      fc.oneof(
        fc.record({
          type: fc.constant('percent'),
          value: fc.integer({ min: 1, max: 1_000_000 }).map((n) => n / 10_000),
        }),
        fc.record({ type: fc.constant('amount'), value: fc.integer({ min: 1, max: 30_000 }) }),
      ),
    )
    const option = fc.record({ lines: lines(1), optional: lines(0), discount, ticks: fc.infiniteStream(fc.boolean()) })
    type Drawn = { item: Result; quantity: number }
    const toBillLine = ({ item, quantity }: Drawn): object => ({
      quantity,
      unit_price_cents: item['price_cents'],
      rate: item['rate'] === undefined ? quote_tax.rate : item['rate'],
    })
    const toLine = ({ item, quantity }: Drawn): Result => line(item, quantity)
    await fc.assert(
      fc.asyncProperty(fc.array(option, { minLength: 1, maxLength: 4 }), fc.nat(3), async (drawn, at) => {
        const priced = drawn.map(({ lines, optional, discount, ticks }) => {
          const ticked = [...ticks.take(optional.length)]
          const bill = { ...quote_tax, deposit_cents: 0, discount, lines: lines.map(toBillLine) }
          const chosen = optional.filter((_, i) => ticked[i])
          return {
            total: priceBill(bill)?.total_cents,
            signed: priceBill({ ...bill, lines: [...lines, ...chosen].map(toBillLine) })?.total_cents,
            optional_lines: optional.flatMap((_, i) => (ticked[i] ? [i] : [])),
            wire: {
              line_items: lines.map(toLine),
              optional_lines: optional.map(toLine),
              ...(discount !== null && { discount }),
            },
          }
        })
        const isOver = priced.some(({ total }) => total === undefined)
        const [first, ...options] = priced.map(({ wire, total }) => ({ ...wire, total_cents: total ?? 0 }))
        const quote = fieldEvent('quote', job, { ...first, options })
        const made = await mia.do(quote)
        if (isOver) return assert.equal(made['code'], 'invalid_input')
        assert.equal(made['outcome'], 'done', made['description'])
        const position = at % drawn.length
        const { signed, optional_lines } = priced[position]!
        const { bill, total_cents } = (await quotesOf(job)).find(
          (one) => one['act'] === quote['id'] && one['option'] === position,
        )!
        assert.equal(total_cents, priced[position]!.total)
        if (bill !== null) {
          const ticked = optional_lines.map((i) => bill.optional[i])
          assert.equal(priceBill({ ...bill, deposit_cents: 0, lines: [...bill.lines, ...ticked] })?.total_cents, signed)
        }
        const fields = { option: position, optional_lines, total_cents: signed }
        const { outcome, description } = await mia.do(signatureOf(quote, job, fields))
        assert.equal(outcome, 'done', description)
      }),
      { numRuns: 20 },
    )
  })

  it('are offered as templates only where every line matches a catalog item on the phone', async () => {
    const { customer, job } = await visitOfNew()
    await outcomesOf(mia, [setOn(job)])
    const [good] = (await rowsOf(customer)) as [Result]
    const save = (id: unknown, name: string) =>
      mia.browser.post(`/${office.id}/quotes/${String(id)}/do/quotes_save_template`, { name })
    await save(good['id'], 'Heater')
    const odd = await own('quotes_create', {
      customer_id: customer['id'],
      title: 'Odd',
      line_items: [line(valve), { name: 'Permit', unit_price_cents: 500 }],
    })
    await save(odd['id'], 'Odd')
    const dear = await own('quotes_create', {
      customer_id: customer['id'],
      title: 'Dear',
      line_items: [{ ...line(valve), unit_price_cents: 12_000 }],
    })
    await save(dear['id'], 'Dear')
    const day = await mia.day()
    const [template, ...more] = day['templates'] as Result[]
    assert.deepEqual([template?.['name'], more], ['Heater', []])
    const [first, ...options] = Object(template).options as Result[]
    assert.deepEqual(first, {
      title: 'Good',
      terms: null,
      discount: null,
      deposit: null,
      line_items: [line(valve)],
      optional_lines: [],
    })
    const totals = [19_485, 32_475]
    const again = fieldEvent('quote', job, {
      ...withoutNulls(first!),
      total_cents: 10_825,
      options: options.map((one, i) => ({ ...withoutNulls(one), total_cents: totals[i] })),
    })
    assert.equal((await mia.do(again))['outcome'], 'done')
    const viewer = await phoneFor({ Quotes: 'view' })
    assert.deepEqual((await viewer.day())['templates'], [])
    const { catalog_version } = day
    const short = await mia.browser.get(mia.at(`day.json?has=${String(catalog_version)}`))
    assert.deepEqual([JSON.parse(short.text).templates, JSON.parse(short.text).catalog], [null, null])
  })
})

const withoutNulls = (option: Result): Result =>
  Object.fromEntries(Object.entries(option).filter(([, value]) => value !== null))
