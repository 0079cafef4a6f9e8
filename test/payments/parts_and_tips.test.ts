import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { divideBack, divideOut } from '../../src/records/invoices/payments/tips.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { said, submit } from '../harness/identity/people_pages.ts'
import { fresh } from '../harness/money/paying.ts'
import { carried } from '../customer_portal/setting.ts'
import { openSavedScene, type SavedScene } from './saved_scene.ts'

let scene: SavedScene
before(async () => {
  scene = await openSavedScene()
  await scene.allow({ takes_parts: 'yes', takes_tips: 'yes' })
})
after(() => scene.stop())

const TOTAL = 39_241

/** Presses "Continue to pay" with a part and a tip. */
async function press(fields: Record<string, string>, link?: { path: string; invoice: string }) {
  const { path, invoice } = link ?? (await linked())
  const browser = scene.browser()
  const page = await browser.get(path)
  const answer = await browser.post(`${path}/pay`, { press: carried(page.text, 'press'), ...fields })
  const session = scene.provider.started().findLast(({ asked }) => asked['client_reference_id'] === invoice)
  return { path, invoice, browser, page, answer, session }
}

async function linked(): Promise<{ path: string; invoice: string }> {
  const { path, invoice } = await scene.invoiceLink()
  return { path, invoice: String(invoice['id']) }
}

type Line = { price_data: { unit_amount: number; product_data: { name: string } } }
const linesOf = (asked: Record<string, unknown>): [string, number][] =>
  (asked['line_items'] as Line[]).map(({ price_data }) => [price_data.product_data.name, price_data.unit_amount])

/** Returns the events of a payment on a page, as the provider sends them. */
function paymentOf(session: NonNullable<Awaited<ReturnType<typeof press>>['session']>) {
  const amount = linesOf(session.asked).reduce((sum, [, cents]) => sum + cents, 0)
  const { metadata } = session.asked['payment_intent_data'] as { metadata: object }
  const [intent, charge] = [fresh('pi'), fresh('ch')]
  const event = (type: string, object: object) => ({
    id: fresh('evt'),
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
        id: fresh('du'),
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

describe('a part of an invoice', () => {
  it('is what the customer chooses, books as much, and leaves the rest to pay', async () => {
    const { page, answer, session, invoice, path } = await press({ part: '100' })
    assert.match(said(page), /Pay a part or add a tip.*Leave it empty to pay \$392\.41/)
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

  it('is no less than 1.00 and no more than the balance, and not offered where it isn’t allowed', async () => {
    for (const part of ['0.99', '392.42', '0', '-5', 'x', '1.234']) {
      const { answer } = await press({ part })
      assert.equal(answer.status, 422, part)
      assert.match(said(answer), /Enter a part of at least 1\.00 and at most the amount due\./)
    }
    assert.equal((await press({ part: '392.41' })).answer.status, 303)
    await scene.allow({ takes_parts: null, takes_tips: null })
    const { page, answer, session } = await press({ part: '100' })
    assert.doesNotMatch(said(page), /Pay a part/)
    assert.equal(answer.status, 303)
    assert.deepEqual(
      linesOf(session!.asked).map(([, cents]) => cents),
      [TOTAL],
    )
    assert.equal((await press({ tip: '100' })).answer.status, 422)
    await scene.allow({ takes_parts: 'yes', takes_tips: 'yes' })
  })

  it('can be paid while as much is owed, and its page ends when less is', async () => {
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
  it('is paid on the same page, and booked apart from the invoice, its balance and its tax', async () => {
    const { session, invoice } = await press({ tip: '5886' })
    assert.deepEqual(
      linesOf(session!.asked).map(([, cents]) => cents),
      [TOTAL, 5_886],
    )
    session!.status = 'complete'
    const { paid } = paymentOf(session!)
    await scene.sendEvents([...paid, ...paid.map((event) => ({ ...event, id: fresh('evt') }))])
    assert.deepEqual(await scene.money(invoice), ['paid', TOTAL])
    assert.deepEqual(
      (await tipsOf(invoice)).map((row) => ({ ...row })),
      [{ kind: 'tip', amount_cents: 5_886 }],
    )
    const { tax_cents, total_cents } = await scene.read(invoice)
    assert.deepEqual([tax_cents, total_cents], [0, TOTAL])
    assert.match(
      said(await scene.office.browser.get(scene.office.at('invoices', invoice))),
      /Tips Date How Amount .* Tip \$58\.86/,
    )
    const report = said(await scene.office.browser.get(scene.office.at('reports', 'tips')))
    assert.match(report, /Tips Month Number Amount .* 1 \$58\.86/)
    const file = await scene.office.browser.get(scene.office.at('reports', 'tips.csv'))
    assert.match(file.text, /58\.86/)
    const received = said(await scene.office.browser.get(scene.office.at('reports', 'received')))
    assert.doesNotMatch(received, /451\.27/)
  })

  it('of one’s own choice beside a part; never more than what is paid', async () => {
    const { session } = await press({ part: '50', other_tip: '7.50' })
    assert.deepEqual(
      linesOf(session!.asked).map(([, cents]) => cents),
      [5_000, 750],
    )
    for (const fields of [{ part: '50', other_tip: '50.01' }, { tip: '99999999' }, { tip: 'x' }, { other_tip: '-1' }])
      assert.equal((await press(fields)).answer.status, 422, JSON.stringify(fields))
  })

  it('that its metadata says is more than the payment is none', async () => {
    const { invoice } = await linked()
    const object = { id: fresh('ch'), object: 'charge', amount: 1_000, captured: true, currency: 'usd' }
    await scene.sendEvents([
      {
        id: fresh('evt'),
        type: 'charge.succeeded',
        account: 'acct_ours',
        livemode: false,
        data: { object: { ...object, metadata: { invoice_id: invoice, tip_cents: '1000' } } },
      },
    ])
    assert.deepEqual([await scene.money(invoice), await tipSum(invoice)], [['partially_paid', 1_000], 0])
  })

  it('goes back after the invoice’s money, whichever event tells of it, and comes back first', async () => {
    const { session, invoice } = await press({ part: '100', other_tip: '20' })
    const payment = paymentOf(session!)
    await scene.sendEvents(payment.paid)
    const refund = fresh('re')
    await scene.sendEvents([payment.refund(refund, 11_000), payment.refunded(11_000)])
    assert.deepEqual([await scene.money(invoice), await tipSum(invoice)], [['sent', 0], 1_000])
    await scene.sendEvents([payment.refund(refund, 11_000, 'failed')])
    assert.deepEqual([await scene.money(invoice), await tipSum(invoice)], [['partially_paid', 10_000], 2_000])
    await scene.sendEvents([payment.lost(12_000)])
    assert.deepEqual([await scene.money(invoice), await tipSum(invoice)], [['sent', 0], 0])
  })
})

describe('what goes back of a payment', () => {
  it('is divided so that both parts are the whole, and the tip goes last', () => {
    const cents = fc.integer({ min: 0, max: 1_000_000 })
    fc.assert(
      fc.property(cents, cents, cents, (back, paid, tip) => {
        const { invoice_cents, tip_cents } = divideOut(back, paid, tip)
        assert.equal(invoice_cents + tip_cents, back)
        assert.ok(tip_cents >= 0 && tip_cents <= tip)
        // One cent at a time, as an oracle.
        const left = Math.max(0, back - paid)
        assert.equal(tip_cents, left > tip ? tip : left)
      }),
    )
    fc.assert(
      fc.property(cents, cents, (back, refunded) => {
        const { invoice_cents, tip_cents } = divideBack(0 - back, refunded)
        assert.equal(invoice_cents + tip_cents, 0 - back)
        assert.ok(tip_cents <= 0 && 0 - tip_cents <= refunded)
      }),
    )
  })
})
