import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
let customer: string
let exempt: string
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  customer = (await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })).id
  exempt = (
    await company.call('customers_create', { customer_type: 'company', company_name: 'School', tax_exempt: true })
  ).id
})
after(() => service.stop())

const rates = new Map<string, Promise<string>>()
const rate = (percentage: number): Promise<string> => {
  const key = String(percentage)
  if (!rates.has(key))
    rates.set(
      key,
      company.call('tax_rates_create', { name: `${key}%`, rate_percentage: percentage }).then(({ id }) => id),
    )
  return rates.get(key)!
}
const item = (quantity: number | string, unit_price_cents: number, more: object = {}) => ({
  name: 'Item',
  quantity,
  unit_price_cents,
  ...more,
})
const untaxed = { taxable: false }
const make = (given: object): Promise<Result> => company.call('invoices_create', { customer_id: customer, ...given })
const totals = ({ subtotal_cents, discount_cents, tax_cents, total_cents }: Result): number[] => [
  subtotal_cents,
  discount_cents,
  tax_cents,
  total_cents,
]

describe('invoice totals, worked examples', () => {
  type Example = {
    name: string
    rate: number
    lines: (rate: (percentage: number) => Promise<string>) => object[] | Promise<object[]>
    discount?: object
    expected: number[]
    exempt?: true
  }
  const examples: Example[] = [
    { name: 'M1', rate: 8.25, lines: () => [item(1, 15000), item(2.5, 8500)], expected: [36250, 0, 2991, 39241] },
    { name: 'M2', rate: 9.75, lines: () => [item(1, 600)], expected: [600, 0, 59, 659] },
    { name: 'M3', rate: 0, lines: () => [item('1.005', 100)], expected: [101, 0, 0, 101] },
    { name: 'M4', rate: 8.25, lines: () => Array.from({ length: 10 }, () => item(1, 55)), expected: [550, 0, 45, 595] },
    {
      name: 'M5',
      rate: 6.5,
      lines: () => [item(2, 9500, { ...untaxed, kind: 'labor' }), item(1, 8735)],
      expected: [27735, 0, 568, 28303],
    },
    {
      name: 'M6',
      rate: 8.5,
      lines: () => [item(1, 10000), item(1, 2500, untaxed)],
      discount: { type: 'percent', value: 10 },
      expected: [12500, 1250, 765, 12015],
    },
    {
      name: 'M7',
      rate: 5,
      lines: () => [item(1, 10000), item(1, 20000)],
      discount: { type: 'amount', value: 1000 },
      expected: [30000, 1000, 1450, 30450],
    },
    {
      name: 'M8',
      rate: 10,
      lines: () => [item(1, 1000), item(1, 1000, untaxed), item(1, 1000, untaxed)],
      discount: { type: 'amount', value: 100 },
      expected: [3000, 100, 97, 2997],
    },
    {
      name: 'M9',
      rate: 8.875,
      lines: async (rate) => [item(1, 1880), item(1, 695), item(3, 333, { tax_rate_id: await rate(4) })],
      expected: [3574, 0, 269, 3843],
    },
    {
      name: 'M10',
      rate: 7.25,
      lines: () => [
        item(3.25, 7995, untaxed),
        item(4, 1249),
        { kind: 'discount', name: 'Loyalty', discount_type: 'percent', discount_value: 15 },
      ],
      discount: { type: 'amount', value: 500 },
      expected: [30980, 5147, 302, 26135],
    },
    { name: 'M11', rate: 8.25, lines: () => [item(1.333, 9555)], expected: [12737, 0, 0, 12737], exempt: true },
    {
      name: 'M12',
      rate: 8.25,
      lines: () => [item(1, 12999), { kind: 'discount', name: 'All', discount_type: 'percent', discount_value: 100 }],
      expected: [12999, 12999, 0, 0],
    },
    { name: 'M14', rate: 7.25, lines: () => [item(1, 3000)], expected: [3000, 0, 218, 3218] },
  ]
  for (const { name, rate: percentage, lines, discount, expected, exempt: isExempt } of examples) {
    it(name, async () => {
      const invoice = await make({
        ...(isExempt && { customer_id: exempt }),
        line_items: await lines(rate),
        discount,
        tax_rate_id: await rate(percentage),
      })
      assert.deepEqual(totals(invoice), expected)
      const sum = (field: string): number =>
        invoice.line_items.reduce((total: number, line: Result) => total + line[field], 0)
      assert.equal(sum('tax_cents'), invoice.tax_cents)
      assert.equal(sum('discount_share_cents'), invoice.discount_cents)
      assert.equal(
        invoice.taxes.reduce((total: number, { tax_cents }: Result) => total + tax_cents, 0),
        invoice.tax_cents,
      )
      assert.equal(invoice.balance_due_cents, invoice.total_cents)
      assert.deepEqual(await company.call('invoices_get', { id: invoice.id }), invoice)
    })
  }

  it('M13: rejects a discount above the subtotal', async () => {
    assert.match(
      await company.refusal('invoices_create', {
        customer_id: customer,
        line_items: [item(1, 5000)],
        discount: { type: 'amount', value: 5001 },
      }),
      /^invalid_input: discount must take off at most 5000 cents/,
    )
  })

  it('splits the M7 discount to the cent, and taxes the M9 lines once per rate', async () => {
    const seven = await make({
      line_items: [item(1, 10000), item(1, 20000)],
      discount: { type: 'amount', value: 1000 },
      tax_rate_id: await rate(5),
    })
    assert.deepEqual(
      seven.line_items.map(({ discount_share_cents }: Result) => discount_share_cents),
      [333, 667],
    )
    const nine = await make({
      line_items: [item(1, 1880), item(1, 695), item(3, 333, { tax_rate_id: await rate(4) })],
      tax_rate_id: await rate(8.875),
    })
    assert.deepEqual(
      nine.taxes.map(({ name, rate_decimal, base_cents, tax_cents }: Result) => [
        name,
        rate_decimal,
        base_cents,
        tax_cents,
      ]),
      [
        ['8.875%', 0.08875, 2575, 229],
        ['4%', 0.04, 999, 40],
      ],
    )
  })
})

describe('the tax rate of an invoice', () => {
  const one = { line_items: [item(1, 10000)] }

  it('falls back from line to invoice, location and default; null means untaxed', async () => {
    const { call } = (company = await makeCompany(service))
    rates.clear()
    const [fallback, local] = [await rate(1), await rate(2)]
    await call('tax_rates_update', { id: fallback, is_default: true })
    const { id } = await call('customers_create', {
      customer_type: 'individual',
      first_name: 'Bo',
      locations: [{ address_line1: '1 Elm', tax_rate_id: local }],
    })
    const { id: homeless } = await call('customers_create', { customer_type: 'individual', first_name: 'Cy' })
    const tax = async (given: object): Promise<unknown[]> => {
      const { tax_cents, tax_rate_id } = await make({ customer_id: id, ...one, ...given })
      return [tax_cents, tax_rate_id]
    }
    assert.deepEqual(await tax({}), [200, local])
    assert.deepEqual(await tax({ location_id: null }), [100, fallback])
    assert.deepEqual(await tax({ customer_id: homeless }), [100, fallback])
    assert.deepEqual(await tax({ tax_rate_id: await rate(3) }), [300, await rate(3)])
    assert.deepEqual(await tax({ tax_rate_id: null }), [0, null])
    assert.deepEqual(await tax({ tax_rate_id: null, line_items: [item(1, 10000, { tax_rate_id: await rate(4) })] }), [
      400,
      null,
    ])
    assert.deepEqual(await tax({ line_items: [item(1, 10000, { tax_rate_id: null })] }), [0, local])
    customer = homeless
  })

  it('is resolved at each save of a draft and frozen when the invoice leaves draft', async () => {
    const { call } = company
    const [draft, sent, dormant] = [await make(one), await make(one), await make(one)]
    await call('invoices_update', { id: sent.id, status: 'sent' })
    await call('tax_rates_update', { id: await rate(5), is_default: true })
    assert.equal((await call('invoices_get', { id: draft.id })).tax_cents, 100)
    assert.deepEqual(
      totals(await call('invoices_update', { id: draft.id, subject: 'saved again' })),
      [10000, 0, 500, 10500],
    )
    assert.equal((await call('invoices_update', { id: sent.id, status: 'paid' })).tax_cents, 100)
    assert.equal((await call('invoices_update', { id: dormant.id, status: 'sent' })).tax_cents, 100)
    assert.equal((await call('invoices_update', { id: dormant.id, status: 'draft' })).tax_cents, 100)
    assert.equal((await call('invoices_update', { id: dormant.id, subject: 'x', status: 'sent' })).tax_cents, 500)
  })

  it('stays on drafts that already use it after it is archived', async () => {
    const { call } = company
    const [chosen, byDefault, ofLine] = [
      await make({ ...one, tax_rate_id: await rate(6) }),
      await make(one),
      await make({ line_items: [item(1, 10000, { tax_rate_id: await rate(6) })] }),
    ]
    await call('tax_rates_archive', { id: await rate(5) })
    await call('tax_rates_archive', { id: await rate(6) })
    assert.equal((await call('invoices_get', { id: byDefault.id })).tax_cents, 500)
    assert.equal((await call('invoices_update', { id: byDefault.id, subject: 'x' })).tax_cents, 500)
    assert.equal(
      (await call('invoices_update', { id: chosen.id, tax_rate_id: await rate(6), line_items: [item(2, 10000)] }))
        .tax_cents,
      1200,
    )
    assert.equal((await call('invoices_update', { id: ofLine.id, subject: 'x' })).tax_cents, 600)
    assert.equal((await make(one)).tax_cents, 0)
    assert.match(
      await company.refusal('invoices_create', { customer_id: customer, tax_rate_id: await rate(6) }),
      /^invalid_input: tax_rate_id is not a live tax rate/,
    )
    assert.match(
      await company.refusal('invoices_create', {
        customer_id: customer,
        line_items: [item(1, 1, { tax_rate_id: await rate(6) })],
      }),
      /^invalid_input: line_items\[0\]\.tax_rate_id is not a live tax rate/,
    )
    assert.match(
      await company.refusal('invoices_update', { id: byDefault.id, tax_rate_id: await rate(6) }),
      /^invalid_input: tax_rate_id is not a live tax rate/,
    )
  })

  it("follows a draft's location, and the customer's exemption at the time of saving", async () => {
    const { call } = company
    const {
      id,
      locations: [home, shop],
    } = await call('customers_create', {
      customer_type: 'individual',
      first_name: 'Di',
      locations: [
        { address_line1: '1 Elm', tax_rate_id: await rate(2) },
        { address_line1: '2 Elm', tax_rate_id: await rate(3) },
      ],
    })
    const draft = await make({ customer_id: id, ...one })
    assert.deepEqual([draft.location_id, draft.tax_cents, draft.tax_exempt], [home.id, 200, false])
    assert.equal((await call('invoices_update', { id: draft.id, location_id: shop.id })).tax_cents, 300)
    await call('customers_update', { id, tax_exempt: true })
    const saved = await call('invoices_update', { id: draft.id, po_number: '7' })
    assert.deepEqual([saved.tax_cents, saved.tax_exempt, saved.taxable_cents], [0, true, 0])
  })
})
