import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { bookReceipt } from '../../src/records/invoices/index.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { todayIn } from '../../src/platform/validation/formats/instants.ts'
import type { Result, TestService } from '../harness/harness.ts'
import {
  errorAt,
  formAt,
  openOffice,
  pageTextOf,
  sendForm,
  submit,
  type Office,
} from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', { last_name: 'Vance' })
})
after(() => service.stop())

const today = todayIn('America/New_York').toString()

async function invoiceOf(cents = 10_000, status = 'sent'): Promise<Result> {
  const lines = [{ name: 'Work', unit_price_cents: cents }]
  const made = await office.call('invoices_create', { customer_id: customer['id'], line_items: lines })
  return status === 'draft' ? made : office.call('invoices_update', { id: made['id'], status })
}
const formOf = (id: string): string => office.at('invoices', id, 'payment')
const backOf = (id: string, payment: string): string => office.at('invoices', id, 'payments', payment, 'take-back')
const standing = async (id: string): Promise<unknown[]> => {
  const { status, amount_paid_cents, balance_due_cents } = await office.call('invoices_get', { id })
  return [status, amount_paid_cents, balance_due_cents]
}
type Row = {
  id: string
  kind: string
  amount_cents: number
  method: string | null
  paid_on: string
  takes_back: string | null
  reference: string | null
  note: string | null
  created_by: string | null
}
const rowsOf = (id: string): Promise<Row[]> =>
  readTenant(service.database, { tenant: office.id }, (db) =>
    db.all<Row>(sql`select id, kind, amount_cents, method, paid_on, takes_back, reference, note, created_by
      from payments where tenant_id = ${office.id} and invoice_id = ${id} order by at, id`),
  )
const whole = (text: string): RegExp => new RegExp(text.replaceAll(/[$.]/g, String.raw`\$&`))

describe('recording a payment', () => {
  it('defaults to the balance, today and check, and appears on the invoice and in its activity', async () => {
    const { id, display_number } = await invoiceOf()
    const page = await office.browser.get(office.at('invoices', id))
    assert.ok(page.text.includes(`href="${formOf(id)}"`))
    const form = new URLSearchParams(formAt(await office.browser.get(formOf(id)), formOf(id)))
    assert.deepEqual([form.get('amount_cents'), form.get('method'), form.get('paid_on')], ['100.00', 'check', today])
    const { status, location } = await submit(office.browser, formOf(id), {
      reference: '1042',
      note: 'Left at the desk',
    })
    assert.deepEqual([status, location], [303, office.at('invoices', id)])
    assert.deepEqual(await standing(id), ['paid', 10_000, 0])
    const [{ id: _, ...row } = { id: '' }] = await rowsOf(id)
    assert.deepEqual(row, {
      kind: 'recorded',
      amount_cents: 10_000,
      method: 'check',
      paid_on: today,
      takes_back: null,
      reference: '1042',
      note: 'Left at the desk',
      created_by: office.owner.user_id,
    })
    const after = pageTextOf(await office.browser.get(office.at('invoices', id)))
    assert.match(after, new RegExp(`Payment recorded. ${display_number} is paid. Unpaid invoices Undo`))
    assert.match(after, /Check Left at the desk 1042 Ana Ruiz \$100.00 Receipt Undo payment…/)
    assert.match(after, /Ana Ruiz recorded a payment/)
    const [entry] = (await office.entries(id)).filter(({ tool }) => tool === 'invoices.record_payment')
    assert.deepEqual(
      [entry?.changed['status'], entry?.changed['amount_cents'], entry?.changed['method']],
      [
        ['sent', 'paid'],
        [null, 10_000],
        [null, 'check'],
      ],
    )
  })

  it('accepts a partial amount, then suggests the rest and the same method', async () => {
    const other = await office.customer('Rest')
    const { id } = await office.call('invoices_create', {
      customer_id: other['id'],
      line_items: [{ name: 'x', unit_price_cents: 10_000 }],
    })
    await office.call('invoices_update', { id, status: 'sent' })
    await submit(office.browser, formOf(id), { amount_cents: '$30.50', method: 'cash', paid_on: '2026-01-31' })
    assert.deepEqual(await standing(id), ['partially_paid', 3_050, 6_950])
    assert.match(pageTextOf(await office.browser.get(office.at('invoices', id))), /\$69.50 is left to pay/)
    const form = new URLSearchParams(formAt(await office.browser.get(formOf(id)), formOf(id)))
    assert.deepEqual([form.get('amount_cents'), form.get('method')], ['69.50', 'cash'])
  })

  it('issues a draft and reopens an uncollectible invoice', async () => {
    const draft = await invoiceOf(5_000, 'draft')
    assert.match(pageTextOf(await office.browser.get(formOf(draft['id']))), /a payment issues it as it stands/)
    await submit(office.browser, formOf(draft['id']), { amount_cents: '10' })
    assert.deepEqual(await standing(draft['id']), ['partially_paid', 1_000, 4_000])
    const lost = await invoiceOf(5_000, 'uncollectible')
    await submit(office.browser, formOf(lost['id']))
    assert.deepEqual(await standing(lost['id']), ['paid', 5_000, 0])
  })

  it('is rejected with an error next to the field, and nothing is saved', async () => {
    const { id } = await invoiceOf()
    const wrong: [Record<string, string | null>, string, RegExp][] = [
      [{ amount_cents: '100.01' }, 'amount_cents', /^Enter at most \$100\.00, the amount that is still owed\.$/],
      [{ amount_cents: '0' }, 'amount_cents', /^Enter an amount above 0, such as 125\.00\.$/],
      [{ amount_cents: '-5' }, 'amount_cents', /^Enter an amount above 0, such as 125\.00\.$/],
      [{ amount_cents: '1.005' }, 'amount_cents', /^Enter an amount, such as 125\.00\.$/],
      [
        { paid_on: todayIn('America/New_York').add({ days: 1 }).toString() },
        'paid_on',
        /^The payment date can’t be after /,
      ],
      [{ paid_on: '0026-01-01' }, 'paid_on', /^The payment date can’t be before Jan 1, 2000\.$/],
      [{ paid_on: 'soon' }, 'paid_on', /^Enter a date, such as 3\/31\/2027\.$/],
      [{ method: 'barter' }, 'method', /^Choose one of the options\.$/],
      [{ method: null }, 'method', /^Choose a method\.$/],
      [{ reference: 'x'.repeat(101) }, 'reference', /^Enter at most 100 characters\.$/],
    ]
    for (const [typed, field, says] of wrong) {
      const seen = await submit(office.browser, formOf(id), typed)
      assert.equal(seen.status, 422, field)
      assert.match(errorAt(seen, field) ?? '', says)
    }
    assert.deepEqual([await rowsOf(id), await standing(id)], [[], ['sent', 0, 10_000]])
  })

  it('returns 409 for an invoice that is void, paid or has nothing to pay', async () => {
    const [empty, gone, done] = [await invoiceOf(0), await invoiceOf(), await invoiceOf()]
    await office.call('invoices_void', { id: gone['id'] })
    await office.call('invoices_update', { id: done['id'], status: 'paid' })
    for (const [{ id }, says] of [
      [empty, /Nothing left to pay/],
      [gone, /It is void/],
      [done, /It is already paid/],
    ] as const) {
      assert.match(pageTextOf(await office.browser.get(formOf(id))), says)
      assert.ok(!(await office.browser.get(office.at('invoices', id))).text.includes(formOf(id)))
      const before = await rowsOf(id)
      const seen = await sendForm(office.browser, formOf(id), [
        ['amount_cents', '1'],
        ['method', 'cash'],
      ])
      assert.equal(seen.status, 409)
      assert.match(pageTextOf(seen), says)
      assert.deepEqual(await rowsOf(id), before)
    }
  })

  it("isn't available as a tool", async () => {
    const { id } = await invoiceOf()
    await assert.rejects(office.call('invoices_record_payment', { id, method: 'cash' }), /invoices_record_payment/)
    assert.deepEqual(await rowsOf(id), [])
  })

  it('happens once per form, and concurrent payments never exceed the balance', async () => {
    const twice = await invoiceOf()
    const fields = formAt(await office.browser.get(formOf(twice['id'])), formOf(twice['id'])).map(
      ([name, value]): [string, string] => [name, name === 'amount_cents' ? '40' : value],
    )
    const seen = await Promise.all([1, 2, 3].map(() => sendForm(office.browser, formOf(twice['id']), fields)))
    assert.deepEqual(
      seen.map(({ status }) => status),
      [303, 303, 303],
    )
    assert.deepEqual(await standing(twice['id']), ['partially_paid', 4_000, 6_000])
    const race = await invoiceOf()
    const sent = await Promise.all(
      [1, 2, 3, 4].map(() => submit(office.browser, formOf(race['id']), { amount_cents: '60' })),
    )
    assert.deepEqual(sent.map(({ status }) => status).sort(), [303, 422, 422, 422])
    assert.deepEqual(await standing(race['id']), ['partially_paid', 6_000, 4_000])
  })

  it('returns 404 to members without write access and to other companies', async () => {
    const { id } = await invoiceOf()
    const looker = await office.signInMember('office', { Invoices: 'view' })
    const tech = await office.signInMember('tech')
    const stranger = await openOffice(service, 'Strangers')
    for (const { browser } of [looker, tech, stranger]) {
      assert.equal((await browser.get(formOf(id))).status, 404)
      assert.equal(
        (
          await sendForm(browser, formOf(id), [
            ['amount_cents', '1'],
            ['method', 'cash'],
          ])
        ).status,
        404,
      )
    }
    assert.ok(!(await looker.browser.get(office.at('invoices', id))).text.includes(formOf(id)))
    const other = await sendForm(stranger.browser, stranger.at('invoices', id, 'payment'), [
      ['amount_cents', '1'],
      ['method', 'cash'],
    ])
    assert.equal(other.status, 404)
    assert.deepEqual(await rowsOf(id), [])
  })
})

describe('undoing a payment', () => {
  it('keeps the payment, adds a reversal that refers to it, and reopens the invoice', async () => {
    const { id } = await invoiceOf()
    await submit(office.browser, formOf(id), { paid_on: '2026-02-03' })
    const [payment] = await rowsOf(id)
    const undo = formAt(await office.browser.get(office.at('invoices', id)), backOf(id, payment!.id))
    assert.equal((await sendForm(office.browser, backOf(id, payment!.id), undo)).status, 303)
    assert.deepEqual(await standing(id), ['sent', 0, 10_000])
    const [, back] = await rowsOf(id)
    assert.deepEqual(
      [back?.kind, back?.amount_cents, back?.takes_back, back?.paid_on, back?.method],
      ['taken_back', -10_000, payment!.id, '2026-02-03', 'check'],
    )
    assert.match(
      pageTextOf(await office.browser.get(office.at('invoices', id))),
      /Payment undone. \$100.00 is left to pay/,
    )
    assert.ok((await office.entries(id)).some(({ tool }) => tool === 'invoices.take_back_payment'))
  })

  it('uses the entered date, from the payment date to today', async () => {
    const { id } = await invoiceOf()
    await submit(office.browser, formOf(id), { paid_on: '2026-02-03', amount_cents: '25' })
    const [payment] = await rowsOf(id)
    const early = await submit(office.browser, backOf(id, payment!.id), { paid_on: '2026-02-02' })
    assert.match(errorAt(early, 'paid_on') ?? '', /^The payment date can’t be before Feb 3, 2026\.$/)
    const late = await submit(office.browser, backOf(id, payment!.id), { paid_on: '2999-01-01' })
    assert.match(errorAt(late, 'paid_on') ?? '', /^The payment date can’t be after /)
    assert.equal((await submit(office.browser, backOf(id, payment!.id), { paid_on: '2026-02-10' })).status, 303)
    assert.equal((await rowsOf(id))[1]?.paid_on, '2026-02-10')
  })

  it('happens once for repeated and concurrent requests', async () => {
    const { id } = await invoiceOf()
    await submit(office.browser, formOf(id))
    const [payment] = await rowsOf(id)
    const asked = await Promise.all([1, 2, 3].map(() => sendForm(office.browser, backOf(id, payment!.id), [])))
    assert.deepEqual(asked.map(({ status }) => status).sort(), [303, 409, 409])
    assert.match(
      pageTextOf(await sendForm(office.browser, backOf(id, payment!.id), [])),
      /This payment was already undone\./,
    )
    assert.equal((await rowsOf(id)).length, 2)
  })

  it('is refused for provider payments, marked-as-paid entries, reversals and void invoices', async () => {
    const [charged, marked, void_, recorded] = [
      await invoiceOf(),
      await invoiceOf(),
      await invoiceOf(),
      await invoiceOf(),
    ]
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      bookReceipt(db, {
        invoice: charged['id'],
        isAssigned: false,
        currency: 'USD',
        names: ['ch_9'],
        source: newId(),
        kind: 'charge',
        amount_cents: 500,
      }),
    )
    await office.call('invoices_update', { id: marked['id'], status: 'paid' })
    for (const { id } of [void_, recorded]) await submit(office.browser, formOf(id as string))
    await office.call('invoices_void', { id: void_['id'] })
    const first = async ({ id }: Result): Promise<string> => (await rowsOf(id))[0]!.id
    await sendForm(office.browser, backOf(recorded['id'], await first(recorded)), [])
    for (const [{ id }, payment, says] of [
      [charged, await first(charged), /Refund it with the payment provider/],
      [marked, await first(marked), /was marked as paid without a payment/],
      [void_, await first(void_), /is void, so its payments can’t be changed/],
      [recorded, (await rowsOf(recorded['id']))[1]!.id, /takes a payment back/],
    ] as const) {
      const before = await rowsOf(id)
      const seen = await sendForm(office.browser, backOf(id, payment), [])
      assert.equal(seen.status, 409)
      assert.match(pageTextOf(seen), says)
      assert.deepEqual(await rowsOf(id), before)
    }
    assert.equal((await sendForm(office.browser, backOf(marked['id'], await first(charged)), [])).status, 404)
  })

  it("isn't needed for an invoice marked as paid, which can be set back to sent", async () => {
    const { id } = await invoiceOf()
    await office.call('invoices_update', { id, status: 'paid' })
    const page = await office.browser.get(office.at('invoices', id))
    assert.match(pageTextOf(page), whole('Marked as paid'))
    const action = office.at('invoices', id, 'do', 'invoices_update-sent')
    assert.equal((await sendForm(office.browser, action, formAt(page, action))).status, 303)
    assert.deepEqual([await standing(id), await rowsOf(id)], [['sent', 0, 10_000], []])
  })
})
