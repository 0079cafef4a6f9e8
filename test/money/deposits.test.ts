import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { readTenant } from '../../src/platform/db/tenant.ts'
import { findDeposit, type DepositState } from '../../src/records/quotes/index.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { errorAt, openOffice, pageTextOf, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
let rate: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', { payment_terms_days: 7 })
  rate = await office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25, is_default: true })
})
after(() => service.stop())

type Asked = { type: 'percent' | 'amount'; value: string } | null

async function quoteOf(cents: number, deposit: Asked, more: object = {}): Promise<Result> {
  const lines = [{ name: 'Boiler', unit_price_cents: cents }]
  const given = { customer_id: customer['id'], title: 'New boiler', line_items: lines, ...more }
  const quote = await office.call('quotes_create', given)
  if (deposit !== null) assert.equal((await ask(quote['id'], deposit)).status, 303)
  return quote
}
const ask = (id: string, { type, value }: NonNullable<Asked>) =>
  submit(office.browser, office.at('quotes', id, 'do', 'quotes_ask_deposit'), {
    'deposit.value': value,
    'deposit.type': type,
  })
const accept = (id: string): Promise<Result> => office.call('quotes_update', { id, status: 'accepted' })
const stateOf = (id: string): Promise<DepositState | undefined> =>
  readTenant(service.database, { tenant: office.id }, (db) => findDeposit(db, id))
const depositOf = async (id: string): Promise<Result> =>
  office.call('invoices_get', { id: (await stateOf(id))!.invoice!.id })
const billQuote = (id: string): Promise<Result> =>
  office.call('invoices_create', { customer_id: customer['id'], from_quote_id: id })
const sums = ({ subtotal_cents, discount_cents, taxable_cents, tax_cents, total_cents }: Result): number[] => [
  subtotal_cents,
  discount_cents,
  taxable_cents,
  tax_cents,
  total_cents,
]

describe('a deposit', () => {
  it('is drafted when its quote is accepted, and deducted after tax on the next invoice', async () => {
    const { id } = await quoteOf(100_000, { type: 'percent', value: '50' })
    assert.match(pageTextOf(await office.browser.get(office.at('quotes', id))), /Deposit \$541.25 50% of the total/)
    const accepted = await accept(id)
    assert.deepEqual([accepted['converted_invoice_id'], accepted['converted_job_id']], [null, null])
    const deposit = await depositOf(id)
    assert.deepEqual(sums(deposit), [54_125, 0, 0, 0, 54_125])
    assert.deepEqual([deposit['status'], deposit['quote_id'], deposit['subject']], ['draft', id, 'New boiler'])
    assert.deepEqual(
      Object.keys(deposit['line_items'][0]).filter((name) => name !== 'tax_rate_id'),
      Object.keys((await office.call('quotes_get', { id }))['line_items'][0]).filter((name) => name !== 'tax_rate_id'),
    )
    assert.match(deposit['line_items'][0].name, /^Deposit for Q-\d+$/)
    assert.equal(Temporal.PlainDate.from(deposit['issue_date']).until(deposit['due_date']).days, 7)
    const final = await billQuote(id)
    assert.deepEqual(sums(final), [100_000, 54_125, 100_000, 8_250, 54_125])
    assert.equal((await office.call('quotes_get', { id }))['converted_invoice_id'], final['id'])
    const page = pageTextOf(await office.browser.get(office.at('invoices', final['id'])))
    assert.match(page, new RegExp(`Deposit ${deposit['display_number']} -\\$541.25 Total \\$541.25`))
    assert.doesNotMatch(page, /Discount -/)
    const of = pageTextOf(await office.browser.get(office.at('invoices', deposit['id'])))
    assert.match(of, new RegExp(`This is a deposit It is deducted on ${final['display_number']}`))
    assert.ok((await office.entries(deposit['id'])).some(({ tool }) => tool === 'invoices.deposit_drafted'))
  })

  it('is deducted on the invoice of the job that was created from the quote', async () => {
    const { id } = await quoteOf(10_000, { type: 'amount', value: '25' })
    await accept(id)
    const job = await office.call('jobs_create', {
      customer_id: customer['id'],
      title: 'Boiler',
      quote_id: id,
      line_items: [{ name: 'Boiler', unit_price_cents: 10_000 }],
    })
    const final = await office.call('invoices_create', { customer_id: customer['id'], from_job_id: job['id'] })
    assert.deepEqual(sums(final), [10_000, 2_500, 10_000, 825, 8_325])
  })

  it("can't exceed the total, and can be requested only on a draft quote by its owner", async () => {
    const whole = await quoteOf(10_000, { type: 'amount', value: '108.25' })
    assert.match(
      errorAt(await ask(whole['id'], { type: 'amount', value: '108.26' }), 'deposit.value') ?? '',
      /Enter a deposit of at most \$108\.25, the total of the quote\./,
    )
    assert.equal((await ask(whole['id'], { type: 'percent', value: '101' })).status, 422)
    await accept(whole['id'])
    const final = await billQuote(whole['id'])
    assert.deepEqual(sums(final), [10_000, 10_825, 10_000, 825, 0])
    const late = await office.browser.post(office.at('quotes', whole['id'], 'do', 'quotes_ask_deposit'), {})
    assert.equal(late.status, 404)
    const other = await office.signInMember('office')
    const mine = await quoteOf(10_000, null)
    assert.equal(
      (await other.browser.post(office.at('quotes', mine['id'], 'do', 'quotes_ask_deposit'), { 'deposit.value': '5' }))
        .status,
      404,
    )
    await accept(mine['id'])
    assert.equal(await stateOf(mine['id']), undefined)
  })

  it('is drafted once per quote with the new total when accepted again, unless already sent', async () => {
    const { id } = await quoteOf(10_000, { type: 'percent', value: '10' }, { tax_rate_id: null })
    await accept(id)
    const first = await depositOf(id)
    const again = async (cents: number): Promise<Result> => {
      await office.call('quotes_update', { id, status: 'declined' })
      await office.call('quotes_update', { id, status: 'draft' })
      await office.call('quotes_update', { id, line_items: [{ name: 'Boiler', unit_price_cents: cents }] })
      await accept(id)
      return depositOf(id)
    }
    assert.deepEqual([(await again(20_000))['total_cents'], (await again(20_000))['id']], [2_000, first['id']])
    await office.call('invoices_update', { id: first['id'], status: 'sent' })
    const kept = await again(50_000)
    assert.deepEqual([kept['id'], kept['total_cents']], [first['id'], 2_000])
    await office.call('invoices_void', { id: first['id'] })
    const anew = await again(50_000)
    assert.deepEqual([anew['id'] === first['id'], anew['total_cents']], [false, 5_000])
  })

  it("isn't deducted when void: a sent invoice warns, and one back in draft bills it again", async () => {
    const { id } = await quoteOf(10_000, { type: 'percent', value: '10' }, { tax_rate_id: null })
    await accept(id)
    const [deposit, final] = [await depositOf(id), await billQuote(id)]
    await office.call('invoices_update', { id: final['id'], status: 'sent' })
    await office.call('invoices_void', { id: deposit['id'] })
    assert.equal((await office.call('invoices_get', { id: final['id'] }))['total_cents'], 9_000)
    assert.match(
      pageTextOf(await office.browser.get(office.at('invoices', final['id']))),
      /This invoice still deducts \$10.00/,
    )
    const back = await office.call('invoices_update', { id: final['id'], status: 'draft' })
    assert.deepEqual([back['total_cents'], back['discount_cents']], [10_000, 0])
  })

  it('is deducted once by concurrent invoices', async () => {
    const { id } = await quoteOf(10_000, { type: 'percent', value: '10' }, { tax_rate_id: null })
    await accept(id)
    const made = await Promise.all([billQuote(id), billQuote(id), billQuote(id)])
    assert.deepEqual(
      made.map(({ total_cents }) => total_cents as number).sort((a, b) => a - b),
      [9_000, 10_000, 10_000],
    )
  })
})

const act = fc.oneof(
  fc.record({ do: fc.constant('bill' as const), cents: fc.integer({ min: 1, max: 9_000 }) }),
  fc.record({ do: fc.constant('reprice' as const), which: fc.nat(2), cents: fc.integer({ min: 1, max: 9_000 }) }),
  fc.record({ do: fc.constant('void' as const), which: fc.nat(2) }),
  fc.record({ do: fc.constant('change deposit' as const), cents: fc.integer({ min: 0, max: 9_000 }) }),
  fc.record({ do: fc.constant('void deposit' as const) }),
)

const line = fc.record({
  unit_price_cents: fc.integer({ min: 1, max: 99_999 }),
  quantity: fc.integer({ min: 1, max: 4_000 }).map((n) => n / 1_000),
  taxable: fc.boolean(),
})

/** Rounds half up in whole numbers, as the oracle. */
const divideAndRound = (over: bigint, under: bigint): number => Number((2n * over + under) / (2n * under))

describe('a deposit and the invoices after it', () => {
  it("add up to the quote's total and tax to the cent, for any lines and percentage", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.option(fc.integer({ min: 0, max: 99 })),
        async (lines, share, off) => {
          const discount = off === null ? {} : { discount: { type: 'percent', value: off } }
          const given = {
            line_items: lines.map((one) => ({ name: 'x', ...one })),
            tax_rate_id: rate['id'],
            ...discount,
          }
          const quote = await quoteOf(0, { type: 'percent', value: String(share / 10_000) }, given)
          await accept(quote['id'])
          const amount = divideAndRound(BigInt(quote['total_cents']) * BigInt(share), 1_000_000n)
          const final = await billQuote(quote['id'])
          const state = await stateOf(quote['id'])
          assert.equal(state?.invoice?.total_cents ?? 0, amount)
          assert.deepEqual(
            [final['subtotal_cents'], final['taxable_cents'], final['tax_cents'], final['total_cents'] + amount],
            [quote['subtotal_cents'], quote['taxable_cents'], quote['tax_cents'], quote['total_cents']],
          )
          assert.equal(final['total_cents'], final['subtotal_cents'] - final['discount_cents'] + final['tax_cents'])
        },
      ),
      { numRuns: 25, seed: 20_263 },
    )
  })

  it('match a model after every change: each invoice deducts only what remains', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 8 }), async (acts) => {
        const { id } = await quoteOf(8_000, { type: 'amount', value: '40' }, { tax_rate_id: null })
        await accept(id)
        const deposit = await depositOf(id)
        let asked = 4_000
        let isVoid = false
        const bills: { id: string; gross: number; less: number; isVoid: boolean }[] = []
        const deduct = (one: (typeof bills)[number]): void => {
          const others = bills
            .filter((other) => other !== one && !other.isVoid)
            .reduce((sum, { less }) => sum + less, 0)
          one.less = Math.min(one.gross, isVoid ? 0 : Math.max(0, asked - others))
        }
        const lines = (cents: number) => ({ line_items: [{ name: 'x', unit_price_cents: cents }] })
        for (const act of acts) {
          const bill = 'which' in act ? bills.filter((one) => !one.isVoid)[act.which] : undefined
          if (act.do === 'bill') {
            const given = { customer_id: customer['id'], quote_id: id, tax_rate_id: null, ...lines(act.cents) }
            bills.push({
              id: (await office.call('invoices_create', given))['id'],
              gross: act.cents,
              less: 0,
              isVoid: false,
            })
            deduct(bills.at(-1)!)
          } else if (act.do === 'reprice' && bill !== undefined) {
            await office.call('invoices_update', { id: bill.id, ...lines(act.cents) })
            bill.gross = act.cents
            deduct(bill)
          } else if (act.do === 'void' && bill !== undefined) {
            await office.call('invoices_void', { id: bill.id })
            bill.isVoid = true
          } else if (act.do === 'change deposit' && !isVoid) {
            await office.call('invoices_update', { id: deposit['id'], ...lines(act.cents) })
            asked = act.cents
          } else if (act.do === 'void deposit') {
            await office.call('invoices_void', { id: deposit['id'] })
            isVoid = true
          }
          if (act.do !== 'bill') bills.filter((one) => !one.isVoid).forEach(deduct)
          for (const one of bills.filter(({ isVoid }) => !isVoid)) {
            const { total_cents, discount_cents } = await office.call('invoices_get', { id: one.id })
            assert.deepEqual([total_cents, discount_cents], [one.gross - one.less, one.less])
          }
        }
      }),
      { numRuns: 25, seed: 20_264 },
    )
  })
})
