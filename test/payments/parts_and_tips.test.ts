import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { splitReversal, splitOutgoing } from '../../src/records/invoices/payments/tips.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { pageTextOf, submit } from '../harness/identity/people_pages.ts'
import { newProviderId } from '../harness/money/payments.ts'
import { fieldValueOf } from '../customer_portal/portal_scene.ts'
import { TOTAL, dayFromNow, openSavedScene, type SavedScene } from './saved_scene.ts'

let scene: SavedScene
before(async () => {
  scene = await openSavedScene()
  await scene.allow({ takes_parts: 'yes', takes_tips: 'yes' })
})
after(() => scene.stop())

/** Submits "Continue to pay" with a partial amount and a tip. */
async function press(fields: Record<string, string>, link?: { path: string; invoice: string }) {
  const { path, invoice } = link ?? (await makeInvoiceLink())
  const browser = scene.browser()
  const page = await browser.get(path)
  const answer = await browser.post(`${path}/pay`, { press: fieldValueOf(page.text, 'press'), ...fields })
  const session = scene.provider.started().findLast(({ asked }) => asked['client_reference_id'] === invoice)
  return { path, invoice, browser, page, answer, session }
}

async function makeInvoiceLink(): Promise<{ path: string; invoice: string }> {
  const { path, invoice } = await scene.invoiceLink()
  return { path, invoice: String(invoice['id']) }
}

type Line = { price_data: { unit_amount: number; product_data: { name: string } } }
const linesOf = (asked: Record<string, unknown>): [string, number][] =>
  (asked['line_items'] as Line[]).map(({ price_data }) => [price_data.product_data.name, price_data.unit_amount])

/** Returns the provider's events for a payment on a checkout page. */
function paymentOf(session: NonNullable<Awaited<ReturnType<typeof press>>['session']>) {
  const amount = linesOf(session.asked).reduce((sum, [, cents]) => sum + cents, 0)
  const { metadata } = session.asked['payment_intent_data'] as { metadata: object }
  const [intent, charge] = [newProviderId('pi'), newProviderId('ch')]
  const event = (type: string, object: object) => ({
    id: newProviderId('evt'),
    type,
    account: session.account,
    livemode: false,
    created: 1_900_000_000,
    data: { object },
  })
  const about = { currency: 'usd', amount }
  return {
    amount,
    paid: [
      event('charge.succeeded', {
        ...about,
        metadata,
        id: charge,
        object: 'charge',
        captured: true,
        payment_intent: intent,
      }),
      event('payment_intent.succeeded', {
        ...about,
        metadata,
        id: intent,
        object: 'payment_intent',
        amount_received: amount,
        latest_charge: charge,
      }),
    ],
    refund: (id: string, cents: number, status = 'succeeded') =>
      event('refund.updated', {
        id,
        object: 'refund',
        amount: cents,
        status,
        currency: 'usd',
        charge,
        payment_intent: intent,
      }),
    refunded: (cents: number) =>
      event('charge.refunded', {
        id: charge,
        object: 'charge',
        captured: true,
        amount_refunded: cents,
        currency: 'usd',
        payment_intent: intent,
      }),
    lost: (cents: number) =>
      event('charge.dispute.closed', {
        id: newProviderId('du'),
        amount: cents,
        status: 'lost',
        currency: 'usd',
        charge,
        payment_intent: intent,
      }),
  }
}

const tipsOf = (invoice: string): Promise<{ kind: string; amount_cents: number }[]> =>
  scene.all(sql`select kind, amount_cents from tips where invoice_id = ${invoice} order by at, id`)
const tipSum = async (invoice: string): Promise<number> =>
  (await tipsOf(invoice)).reduce((sum, { amount_cents }) => sum + amount_cents, 0)
const statesOf = async (invoice: string): Promise<string[]> =>
  (
    await scene.all<{ state: string }>(
      sql`select state from checkout_sessions where invoice_id = ${invoice} order by created_at`,
    )
  ).map(({ state }) => state)

describe('a partial payment', () => {
  it('charges the chosen amount and leaves the rest as the balance due', async () => {
    const { page, answer, session, invoice, path } = await press({ part: '100' })
    assert.match(pageTextOf(page), /Pay a part or add a tip.*Leave it empty to pay \$392\.41/)
    assert.equal(answer.status, 303)
    assert.deepEqual(
      linesOf(session!.asked).map(([, cents]) => cents),
      [10_000],
    )
    session!.status = 'complete'
    await scene.sendEvents(paymentOf(session!).paid)
    assert.deepEqual(await scene.money(invoice), ['partially_paid', 10_000])
    const rest = await press({}, { path, invoice })
    assert.deepEqual(
      linesOf(rest.session!.asked).map(([, cents]) => cents),
      [TOTAL - 10_000],
    )
  })

  it("must be between 1.00 and the balance, and isn't offered when the company disallows it", async () => {
    for (const part of ['0.99', '392.42', '0', '-5', 'x', '1.234']) {
      const { answer } = await press({ part })
      assert.equal(answer.status, 422, part)
      assert.match(pageTextOf(answer), /Enter a part of at least 1\.00 and at most the amount due\./)
    }
    assert.equal((await press({ part: '392.41' })).answer.status, 303)
    await scene.allow({ takes_parts: null, takes_tips: null })
    const { page, answer, session } = await press({ part: '100' })
    assert.doesNotMatch(pageTextOf(page), /Pay a part/)
    assert.equal(answer.status, 303)
    assert.deepEqual(
      linesOf(session!.asked).map(([, cents]) => cents),
      [TOTAL],
    )
    assert.equal((await press({ tip: '100' })).answer.status, 422)
    await scene.allow({ takes_parts: 'yes', takes_tips: 'yes' })
  })

  it('keeps its checkout page open while the balance covers it, and makes it stale after that', async () => {
    const { invoice } = await press({ part: '100' })
    const record = (amount_cents: string) =>
      submit(scene.office.browser, scene.office.at('invoices', invoice, 'payment'), { method: 'cash', amount_cents })
    await record('200')
    assert.deepEqual(await statesOf(invoice), ['open'])
    await record('100')
    assert.deepEqual(await statesOf(invoice), ['stale'])
  })
})

describe('a tip', () => {
  it('is charged with the invoice but excluded from its balance, tax and payments received', async () => {
    const { session, invoice } = await press({ tip: '5886' })
    assert.deepEqual(
      linesOf(session!.asked).map(([, cents]) => cents),
      [TOTAL, 5_886],
    )
    session!.status = 'complete'
    const { paid } = paymentOf(session!)
    await scene.sendEvents([...paid, ...paid.map((event) => ({ ...event, id: newProviderId('evt') }))])
    assert.deepEqual(await scene.money(invoice), ['paid', TOTAL])
    assert.deepEqual(
      (await tipsOf(invoice)).map((row) => ({ ...row })),
      [{ kind: 'tip', amount_cents: 5_886 }],
    )
    const { tax_cents, total_cents } = await scene.read(invoice)
    assert.deepEqual([tax_cents, total_cents], [0, TOTAL])
    assert.match(
      pageTextOf(await scene.office.browser.get(scene.office.at('invoices', invoice))),
      /Tips Date How Amount .* Tip \$58\.86/,
    )
    const report = pageTextOf(await scene.office.browser.get(scene.office.at('reports', 'tips')))
    assert.match(report, /Tips Month Number Amount .* 1 \$58\.86/)
    const file = await scene.office.browser.get(scene.office.at('reports', 'tips.csv'))
    assert.match(file.text, /58\.86/)
    const received = pageTextOf(await scene.office.browser.get(scene.office.at('reports', 'received')))
    assert.doesNotMatch(received, /451\.27/)
  })

  it('accepts a custom amount with a partial payment, and rejects a tip above the amount paid', async () => {
    const { session } = await press({ part: '50', other_tip: '7.50' })
    assert.deepEqual(
      linesOf(session!.asked).map(([, cents]) => cents),
      [5_000, 750],
    )
    for (const fields of [{ part: '50', other_tip: '50.01' }, { tip: '99999999' }, { tip: 'x' }, { other_tip: '-1' }])
      assert.equal((await press(fields)).answer.status, 422, JSON.stringify(fields))
  })

  it('is ignored if the metadata claims a tip as large as the payment', async () => {
    const { invoice } = await makeInvoiceLink()
    const object = { id: newProviderId('ch'), object: 'charge', amount: 1_000, captured: true, currency: 'usd' }
    await scene.sendEvents([
      {
        id: newProviderId('evt'),
        type: 'charge.succeeded',
        account: 'acct_ours',
        livemode: false,
        data: { object: { ...object, metadata: { invoice_id: invoice, tip_cents: '1000' } } },
      },
    ])
    assert.deepEqual([await scene.money(invoice), await tipSum(invoice)], [['partially_paid', 1_000], 0])
  })

  it('is refunded after the invoice amount, restored if the refund fails, and taken by a lost dispute', async () => {
    const { session, invoice } = await press({ part: '100', other_tip: '20' })
    const payment = paymentOf(session!)
    await scene.sendEvents(payment.paid)
    const refund = newProviderId('re')
    await scene.sendEvents([payment.refund(refund, 11_000), payment.refunded(11_000)])
    assert.deepEqual([await scene.money(invoice), await tipSum(invoice)], [['sent', 0], 1_000])
    await scene.sendEvents([payment.refund(refund, 11_000, 'failed')])
    assert.deepEqual([await scene.money(invoice), await tipSum(invoice)], [['partially_paid', 10_000], 2_000])
    await scene.sendEvents([payment.lost(12_000)])
    assert.deepEqual([await scene.money(invoice), await tipSum(invoice)], [['sent', 0], 0])
  })
})

describe('tips in accounting exports', () => {
  const ledger = (step = ''): string => scene.office.at('reports', 'ledger', ...(step === '' ? [] : step.split('/')))
  const days = { from: dayFromNow(-9), to: dayFromNow(9) }
  const make = () => scene.office.browser.post(ledger(), { ...days, format: 'csv' })
  const accounts = ['receivable', 'undeposited', 'clearing', 'bad_debts', 'income', 'deposits', 'tips', 'tax'] as const
  type Books = Record<(typeof accounts)[number], number>
  /** Exports new entries and returns the totals of all batches by account. */
  async function books(): Promise<Books> {
    await make()
    const [row] = await scene.all<Books>(sql`select sum(receivable)::int as receivable,
        sum(undeposited)::int as undeposited, sum(clearing)::int as clearing, sum(bad_debts)::int as bad_debts,
        sum(income)::int as income, sum(deposits)::int as deposits, sum(tips)::int as tips, sum(tax)::int as tax
      from ledger_entries`)
    return row!
  }

  it('have separate lines in the journal and in the payment files', async () => {
    const { session } = await press({ part: '100', other_tip: '20' })
    const payment = paymentOf(session!)
    await scene.sendEvents(payment.paid)
    await make()
    const batch = await scene.office.browser.get(ledger())
    const number = Math.max(...[...batch.text.matchAll(/ledger\/(\d+)\/file/g)].map(([, n]) => Number(n)))
    const file = await scene.office.browser.get(ledger(`${number}/file`))
    assert.match(file.text, /Tip on INV-\d+,INV-\d+,Callout online payments,20\.00,,USD/)
    assert.match(file.text, /Tip on INV-\d+,INV-\d+,Tips payable,,20\.00,USD/)
    for (const name of ['payments', 'xero-payments']) {
      const { text } = await scene.office.browser.get(
        `${scene.office.at('reports', 'exports', `${name}.csv`)}?${new URLSearchParams(days).toString()}`,
      )
      assert.match(text, /Tip,.*20\.00|20\.00,.*,Tip,/, name)
    }
  })

  it('keep the journal balanced with payments and refunds, without affecting sales, receivables or tax', async () => {
    await scene.office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25, is_default: true })
    const step = fc.record({
      part: fc.integer({ min: 100, max: 10_000 }),
      tip: fc.integer({ min: 0, max: 100 }),
      back: fc.integer({ min: 0, max: 12_000 }),
      isFailed: fc.boolean(),
      isLost: fc.boolean(),
    })
    let before = await books()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
        const link = await makeInvoiceLink()
        const { total_cents, tax_cents } = await scene.read(link.invoice)
        let held = 0
        for (const { part, tip, back, isFailed, isLost } of steps) {
          const { session } = await press({ part: (part / 100).toFixed(2), other_tip: (tip / 100).toFixed(2) }, link)
          session!.status = 'complete'
          const payment = paymentOf(session!)
          const refund = newProviderId('re')
          const cents = Math.min(back, payment.amount)
          const events = [
            ...payment.paid,
            ...(cents === 0 ? [] : [payment.refund(refund, cents)]),
            ...(cents > 0 && isFailed ? [payment.refund(refund, cents, 'failed')] : []),
          ]
          await scene.sendEvents(events)
          const left = cents > 0 && !isFailed ? payment.amount - cents : payment.amount
          if (isLost && left > 0) await scene.sendEvents([payment.lost(left)])
          held += isLost ? 0 : left
        }
        const now = await books()
        const change = Object.fromEntries(accounts.map((one) => [one, now[one] - before[one]])) as Books
        before = now
        const { amount_paid_cents } = await scene.read(link.invoice)
        const tips = await tipSum(link.invoice)
        assert.equal(Number(amount_paid_cents) + tips, held)
        assert.deepEqual(change, {
          receivable: Number(total_cents) - Number(amount_paid_cents),
          undeposited: 0,
          clearing: held,
          bad_debts: 0,
          income: Number(tax_cents) - Number(total_cents),
          deposits: 0,
          tips: 0 - tips,
          tax: 0 - Number(tax_cents),
        })
      }),
      { numRuns: 12 },
    )
  })
})

describe('splitting a refund between invoice and tip', () => {
  it('adds up to the full amount and takes from the tip last', () => {
    const cents = fc.integer({ min: 0, max: 1_000_000 })
    fc.assert(
      fc.property(cents, cents, cents, (back, paid, tip) => {
        const { invoice_cents, tip_cents } = splitOutgoing(back, paid, tip)
        assert.equal(invoice_cents + tip_cents, back)
        assert.ok(tip_cents >= 0 && tip_cents <= tip)
        // Independent calculation as the oracle.
        const left = Math.max(0, back - paid)
        assert.equal(tip_cents, left > tip ? tip : left)
      }),
    )
    fc.assert(
      fc.property(cents, cents, (back, refunded) => {
        const { invoice_cents, tip_cents } = splitReversal(0 - back, refunded)
        assert.equal(invoice_cents + tip_cents, 0 - back)
        assert.ok(tip_cents <= 0 && 0 - tip_cents <= refunded)
      }),
    )
  })
})
