import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import { pageTextOf, submit } from '../harness/identity/people_pages.ts'
import { TOTAL, dayFromNow, openSavedScene, type SavedScene } from './saved_scene.ts'

let scene: SavedScene
before(async () => void (scene = await openSavedScene()))
after(() => scene.stop())

const todayOf = async (): Promise<string> => pageTextOf(await scene.office.browser.get(scene.office.at()))
const runOf = async (invoice: string) =>
  (
    await scene.all<{ state: string; charge_on: string; failures: number; reason: string | null }>(
      sql`select state, charge_on, failures, reason from autopay_runs where invoice_id = ${invoice}`,
    )
  )[0]
const causes = async (invoice: string): Promise<string[]> =>
  (await scene.letters(invoice)).map(({ subject }) => subject)

type Card = Parameters<SavedScene['customerWithCard']>[0]

/** Makes a customer with a card and automatic payments for all invoices, plus one invoice due in `days` days. */
async function makeAutopayCustomer(days: number, card: Card = {}) {
  const one = await scene.customerWithCard(card)
  await agree(one)
  const invoice = await scene.invoiceOf(one.id, { issue_date: dayFromNow(0), due_date: dayFromNow(days) })
  return { ...one, invoice }
}

type Customer = Awaited<ReturnType<SavedScene['customer']>>
async function agree({ path, browser }: Pick<Customer, 'path' | 'browser'>, plan = ''): Promise<void> {
  assert.equal((await browser.post(`${path}/saved`, { act: 'autopay', plan })).status, 303)
}

async function stop({ path, browser, id }: Customer): Promise<void> {
  const [row] = await scene.all<{ id: string }>(
    sql`select id from autopay where customer_id = ${id} and stopped_at is null limit 1`,
  )
  assert.equal((await browser.post(`${path}/saved`, { act: 'stop', id: row!.id })).status, 303)
}

const COMING = /^Invoice \S+ will be paid automatically on /
const FAILED = /^Your automatic payment for invoice \S+ didn't go through$/
const RECEIPT = /^Receipt for invoice /

describe('autopay', () => {
  it('sends a notice three days ahead, charges on the due date and sends a receipt', async () => {
    const { invoice, path, browser } = await makeAutopayCustomer(10)
    await scene.workOn(6)
    assert.deepEqual(await causes(invoice), [])
    await scene.workOn(7)
    assert.match((await causes(invoice))[0]!, COMING)
    assert.match((await scene.letters(invoice))[0]!.body, /we will charge \$392\.41 for invoice/)
    const link = await scene.issue({ kind: 'invoices', id: invoice })
    assert.match(
      pageTextOf(await browser.get(link)),
      /\$392\.41 will be charged automatically on .* To Visa ending in 4242\./,
    )
    assert.match(pageTextOf(await browser.get(`${path}/saved`)), /Automatic payments to come Invoice/)
    await scene.workOn(9)
    await scene.workOn(10, '08:30')
    assert.equal(scene.taken(invoice).length, 0)
    for (let i = 0; i < 3; i++) await scene.workOn(10, '09:00')
    assert.deepEqual(
      scene.taken(invoice).map(({ amount }) => amount),
      [TOTAL],
    )
    assert.deepEqual(await scene.money(invoice), ['paid', TOTAL])
    assert.equal((await runOf(invoice))!.state, 'paid')
    const subjects = await causes(invoice)
    assert.match(subjects[1]!, RECEIPT)
    assert.equal(subjects.length, 2)
    assert.match(await scene.sheetOf(invoice), /Automatic Charged/)
  })

  it('notifies today and charges tomorrow when the invoice is due today', async () => {
    const { invoice } = await makeAutopayCustomer(0)
    await scene.workOn(0)
    assert.equal(scene.taken(invoice).length, 0)
    await scene.workOn(1)
    assert.equal(scene.taken(invoice).length, 1)
  })

  it('requires a card on file and stores the consent text with the IP address', async () => {
    const one = await scene.customer()
    assert.equal((await one.browser.post(`${one.path}/saved`, { act: 'autopay', plan: '' })).status, 404)
    const { id, path, browser } = await makeAutopayCustomer(30)
    await agree({ path, browser })
    const rows = await scene.all<{ consent: string; address: string }>(
      sql`select consent, address from autopay where customer_id = ${id}`,
    )
    assert.equal(rows.length, 1)
    assert.match(
      rows[0]!.consent,
      /^I allow Acme Plumbing to charge my saved card or bank account for each invoice when/,
    )
    assert.equal(rows[0]!.address, browser.address)
    assert.match(
      pageTextOf(await scene.office.browser.get(scene.office.at('customers', id))),
      /Automatic payments: all invoices Agreed on/,
    )
  })

  it('skips invoices that were overdue at consent or are disputed', async () => {
    const one = await scene.customerWithCard()
    const late = await scene.invoiceOf(one.id, { issue_date: dayFromNow(-20), due_date: dayFromNow(-5) })
    await agree(one)
    const disputed = await scene.invoiceOf(one.id, { due_date: dayFromNow(2), issue_date: dayFromNow(0) })
    await scene.run(sql`update invoices set disputed = true where id = ${disputed}`)
    for (const day of [0, 1, 2, 3]) await scene.workOn(day)
    assert.deepEqual([scene.taken(late).length, scene.taken(disputed).length], [0, 0])
  })

  it("for one plan issues the plan's draft and charges only that plan's invoices", async () => {
    const one = await scene.customerWithCard()
    const plan = await scene.office.call('plans_create', {
      customer_id: one.id,
      name: 'Filter plan',
      cadence: 'monthly',
      line_items: [{ name: 'Filter', unit_price_cents: 5_000 }],
    })
    assert.match(pageTextOf(await one.browser.get(`${one.path}/saved`)), /Filter plan I allow/)
    await agree(one, String(plan['id']))
    const page = pageTextOf(await scene.office.browser.get(scene.office.at('plans', String(plan['id']))))
    assert.match(page, /The customer pays this plan automatically Agreed on .* and charged then\./)
    const other = await scene.invoiceOf(one.id, { issue_date: dayFromNow(0), due_date: dayFromNow(2) })
    const drafted = await scene.office.call('invoices_create', {
      customer_id: one.id,
      issue_date: dayFromNow(0),
      due_date: dayFromNow(14),
      line_items: [{ name: 'Filter', unit_price_cents: 5_000 }],
    })
    const id = String(drafted['id'])
    await scene.run(
      sql`update invoices set plan_id = ${String(plan['id'])}, plan_run_date = ${dayFromNow(0)} where id = ${id}`,
    )
    await scene.workOn(10)
    assert.equal((await scene.read(id))['status'], 'draft')
    for (const day of [11, 12, 13, 14]) await scene.workOn(day)
    assert.deepEqual(await scene.money(id), ['paid', 5_000])
    assert.equal(scene.taken(other).length, 0)
    assert.match(await scene.sheetOf(id), /Issued for its automatic payment/)
  })

  it('retries a decline after 3, 5 and 7 days with a notice each time, then leaves it to the office', async () => {
    const { invoice } = await makeAutopayCustomer(4, { result: { decline_code: 'insufficient_funds' } })
    const tries: number[] = []
    for (let day = 1; day <= 30; day++) {
      const before = scene.intentsOf(invoice).length
      await scene.workOn(day)
      if (scene.intentsOf(invoice).length > before) tries.push(day)
    }
    assert.deepEqual(tries, [4, 7, 12, 19])
    assert.deepEqual(await scene.money(invoice), ['sent', 0])
    const run = (await runOf(invoice))!
    assert.deepEqual([run.state, run.failures, run.reason], ['failed', 4, 'insufficient_funds'])
    const subjects = await causes(invoice)
    assert.equal(subjects.filter((one) => FAILED.test(one)).length, 4)
    assert.match(
      await todayOf(),
      new RegExp(
        `Automatic payments that failed .*${String((await scene.read(invoice))['display_number'])} Ana\\d+, not tried again`,
      ),
    )
    assert.match(
      await scene.sheetOf(invoice),
      /The automatic payment failed There isn’t enough money on the account\. It won’t be tried again automatically\./,
    )
    await submit(scene.office.browser, scene.office.at('invoices', invoice, 'payment'), { method: 'cash' })
    assert.doesNotMatch(await todayOf(), /Automatic payments that failed/)
  })

  it("doesn't retry a permanent decline until the customer saves another card", async () => {
    const one = await makeAutopayCustomer(3, { result: { decline_code: 'stolen_card' } })
    for (const day of [1, 3, 6, 8]) await scene.workOn(day)
    assert.equal(scene.intentsOf(one.invoice).length, 1)
    assert.match(pageTextOf(await one.browser.get(`${one.path}/saved`)), /failed; please pay it, or save another card/)
    scene.saved.completeSetup(await scene.startSetup(one), {})
    await one.browser.get(`${one.path}/saved/done`)
    await scene.workOn(9)
    assert.deepEqual(await scene.money(one.invoice), ['paid', TOTAL])
  })

  it('succeeds on a retry after a soft decline', async () => {
    const one = await makeAutopayCustomer(3, { result: { decline_code: 'do_not_honor' } })
    for (const day of [1, 3]) await scene.workOn(day)
    const link = await scene.issue({ kind: 'invoices', id: one.invoice })
    assert.match(
      pageTextOf(await one.browser.get(link)),
      /didn’t go through Nothing was charged\. We will try again on/,
    )
    one.method.result = 'succeeded'
    for (const day of [4, 5, 6]) await scene.workOn(day)
    assert.deepEqual(await scene.money(one.invoice), ['paid', TOTAL])
  })
})

describe('autopay that is stopped', () => {
  it('makes no charge after a stop by the customer, the office or the provider', async () => {
    const stops: ((one: Awaited<ReturnType<typeof makeAutopayCustomer>>) => Promise<unknown>)[] = [
      (one) => stop(one),
      async (one) => {
        const [row] = await scene.all<{ id: string }>(sql`select id from autopay where customer_id = ${one.id}`)
        const answer = await scene.office.browser.post(scene.office.at('customers', one.id, 'saved'), {
          act: 'stop',
          id: row!.id,
        })
        assert.equal(answer.status, 303)
      },
      async (one) => {
        const begin = scene.saved.events.length
        scene.saved.detach(one.method)
        await scene.sendEvents(scene.saved.events.slice(begin))
      },
    ]
    for (const end of stops) {
      const one = await makeAutopayCustomer(3)
      await scene.workOn(1)
      await end(one)
      for (const day of [2, 3, 4]) await scene.workOn(day)
      assert.equal(scene.intentsOf(one.invoice).length, 0)
      assert.equal((await runOf(one.invoice))!.state, 'stopped')
      assert.doesNotMatch(pageTextOf(await one.browser.get(`${one.path}/saved`)), /Automatic payments to come/)
    }
  })

  it('resumes with the same invoice when the customer agrees again', async () => {
    const one = await makeAutopayCustomer(8)
    await scene.workOn(5)
    await stop(one)
    await agree(one)
    await scene.workOn(6)
    await scene.workOn(8)
    assert.deepEqual(await scene.money(one.invoice), ['paid', TOTAL])
    assert.equal((await causes(one.invoice)).filter((subject) => COMING.test(subject)).length, 2)
  })

  it('makes no charge if the invoice was paid, voided or disputed, or a bank payment is pending', async () => {
    const meanwhile: ((id: string) => Promise<unknown>)[] = [
      (id) => submit(scene.office.browser, scene.office.at('invoices', id, 'payment'), { method: 'cash' }),
      (id) => scene.office.call('invoices_void', { id, reason: 'mistake' }),
      (id) => scene.run(sql`update invoices set disputed = true where id = ${id}`),
      (id) =>
        scene.run(sql`insert into pending_payments (tenant_id, invoice_id, payment, amount_cents, pending_at)
          values (${scene.office.id}, ${id}, 'pi_other', 1, moment())`),
    ]
    for (const happens of meanwhile) {
      const one = await makeAutopayCustomer(3)
      await scene.workOn(1)
      await happens(one.invoice)
      for (const day of [3, 4]) await scene.workOn(day)
      assert.equal(scene.intentsOf(one.invoice).length, 0)
    }
  })
})

describe('the amount charged by autopay', () => {
  it('is the balance on the day; an increase is charged only after a new notice', async () => {
    const less = await makeAutopayCustomer(5)
    await scene.workOn(2)
    const form = scene.office.at('invoices', less.invoice, 'payment')
    await submit(scene.office.browser, form, { method: 'cash', amount_cents: '100' })
    await scene.workOn(5)
    assert.deepEqual(
      scene.taken(less.invoice).map(({ amount }) => amount),
      [TOTAL - 10_000],
    )
    const more = await makeAutopayCustomer(5)
    await submit(scene.office.browser, scene.office.at('invoices', more.invoice, 'payment'), {
      method: 'cash',
      amount_cents: '100',
    })
    await scene.workOn(2)
    const [{ id: payment }] = (await scene.all<{ id: string }>(
      sql`select id from payments where invoice_id = ${more.invoice}`,
    )) as [{ id: string }]
    await submit(scene.office.browser, scene.office.at('invoices', more.invoice, 'payments', payment, 'take-back'), {})
    await scene.workOn(5)
    assert.equal(scene.taken(more.invoice).length, 0)
    assert.equal((await causes(more.invoice)).filter((subject) => COMING.test(subject)).length, 2)
    await scene.workOn(6)
    assert.deepEqual(
      scene.taken(more.invoice).map(({ amount }) => amount),
      [TOTAL],
    )
  })

  it("isn't charged if the customer couldn't be notified", async () => {
    const one = await scene.customerWithCard()
    await agree(one)
    await scene.run(sql`update contacts set email = null, phone = null where customer_id = ${one.id}`)
    const invoice = await scene.invoiceOf(one.id, { issue_date: dayFromNow(0), due_date: dayFromNow(2) })
    for (const day of [0, 2]) await scene.workOn(day)
    assert.equal(scene.intentsOf(invoice).length, 0)
    assert.match(await scene.sheetOf(invoice), /The customer couldn’t be notified first, so nothing was charged\./)
  })
})
