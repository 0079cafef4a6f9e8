import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { callerOf } from '../../harness/harness.ts'
import { pageTextOf, submit } from '../../harness/identity/people_pages.ts'
import { openStaging, type Share, type Staging } from './staging.ts'

let { service, office, customer, createAcceptedQuote, bill, progressOf, readCentsLeft, final } = {} as Staging
before(async () => {
  ;({ service, office, customer, createAcceptedQuote, bill, progressOf, readCentsLeft, final } = await openStaging())
})
after(() => service.stop())

describe('a quote billed in stages', () => {
  it('has a deposit, stages and a final invoice that add up, and shows what is left to bill', async () => {
    const { id, total_cents } = await createAcceptedQuote(1_000_000, { type: 'percent', value: '20' })
    assert.equal(total_cents, 1_082_500)
    assert.equal((await bill(id, { type: 'percent', value: '30' })).status, 303)
    assert.equal((await bill(id, { type: 'amount', value: '2000' }, 'Tiles')).status, 303)
    const { invoices, billed_cents, left_cents } = await progressOf(id)
    assert.deepEqual(
      invoices.map(({ kind, total_cents, subject, status }) => [kind, total_cents, subject, status]),
      [
        ['deposit', 216_500, 'Bathroom', 'draft'],
        ['stage', 324_750, 'Rough-in', 'draft'],
        ['stage', 200_000, 'Tiles', 'draft'],
      ],
    )
    assert.deepEqual([billed_cents, left_cents], [741_250, 341_250])
    const page = pageTextOf(await office.browser.get(office.at('quotes', id)))
    assert.match(
      page,
      /Billing .*Deposit .*Stage: Rough-in .*Total of the quote \$10,825\.00 Billed \$7,412\.50 .*Left to bill \$3,412\.50/,
    )
    assert.equal((await office.call('quotes_get', { id }))['converted_invoice_id'], null)
    const last = await final(id)
    assert.deepEqual([last['total_cents'], last['tax_cents'], await readCentsLeft(id)], [341_250, 82_500, 0])
    const sheet = pageTextOf(await office.browser.get(office.at('invoices', last['id'])))
    assert.match(sheet, /Deposit \S+ -\$2,165\.00 Stage \S+ -\$3,247\.50 Stage \S+ -\$2,000\.00 Total \$3,412\.50/)
    assert.match(sheet, /Left to bill \$0\.00/)
    const stage = pageTextOf(await office.browser.get(office.at('invoices', invoices[1]!.id)))
    assert.match(stage, /This is a stage, billed on account It is deducted on/)
  })

  it("shows its billing on the job's page", async () => {
    const { id } = await createAcceptedQuote(100_000)
    await bill(id, { type: 'percent', value: '50' })
    const job = await office.call('jobs_create', { customer_id: customer['id'], title: 'Bathroom', quote_id: id })
    assert.match(pageTextOf(await office.browser.get(office.at('jobs', job['id']))), /Billing .*Left to bill \$541\.25/)
  })

  it("can't be billed above what is left, by a new stage or a change to one", async () => {
    const { id } = await createAcceptedQuote(100_000)
    const above = await bill(id, { type: 'amount', value: '1082.51' })
    assert.deepEqual(
      [above.status, /Enter at most \$1,082\.50, the amount left to bill/.test(pageTextOf(above))],
      [422, true],
    )
    assert.equal((await bill(id, { type: 'percent', value: '60' })).status, 303)
    assert.equal((await bill(id, { type: 'percent', value: '60' })).status, 422)
    const [stage] = (await progressOf(id)).invoices
    const raise = (unit_price_cents: number) =>
      office.call('invoices_update', {
        id: stage!.id,
        line_items: [{ name: 'More', unit_price_cents, taxable: false }],
      })
    await assert.rejects(raise(108_251), /bill \$0\.01 more than is left on the quote/)
    assert.equal((await raise(108_250))['total_cents'], 108_250)
    assert.equal(await readCentsLeft(id), 0)
    for (const value of ['0', '-5', '']) assert.equal((await bill(id, { type: 'amount', value })).status, 422, value)
  })

  it('creates one stage for concurrent requests that bill the rest', async () => {
    const { id } = await createAcceptedQuote(100_000)
    const answers = await Promise.all(
      Array.from({ length: 3 }, () =>
        office.browser.post(office.at('quotes', id, 'do', 'invoices_bill_stage'), {
          name: 'Rest',
          'share.value': '100',
          'share.type': 'percent',
        }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422, 422])
    assert.equal((await progressOf(id)).invoices.length, 1)
  })

  it("can't have a deposit above its total", async () => {
    const { id } = await createAcceptedQuote(100_000, { type: 'percent', value: '20' })
    const [deposit] = (await progressOf(id)).invoices
    const raise = (unit_price_cents: number) =>
      office.call('invoices_update', {
        id: deposit!.id,
        line_items: [{ name: 'Deposit', unit_price_cents, taxable: false }],
      })
    await assert.rejects(raise(108_251), /bill \$0\.01 more than is left on the quote/)
    await raise(108_250)
    assert.equal((await bill(id, { type: 'amount', value: '0.01' })).status, 422)
  })

  it('is never billed above its total by concurrent deposits, stages, changes and invoices', async () => {
    const raise = (invoice: string, unit_price_cents: number) =>
      office
        .call('invoices_update', { id: invoice, line_items: [{ name: 'More', unit_price_cents, taxable: false }] })
        .catch((error: Error) => error)
    for (let round = 0; round < 6; round++) {
      const { id, total_cents } = await createAcceptedQuote(100_000, { type: 'percent', value: '10' })
      await bill(id, { type: 'percent', value: '10' })
      const job = await office.call('jobs_create', { customer_id: customer['id'], title: 'Bathroom', quote_id: id })
      const [deposit, stage] = (await progressOf(id)).invoices
      await Promise.all([
        raise(deposit!.id, 60_000),
        raise(stage!.id, 60_000),
        bill(id, { type: 'percent', value: '60' }),
        ...(round % 2 === 0 ? [bill(id, { type: 'percent', value: '55' })] : [final(id)]),
      ])
      assert.ok((await progressOf(id)).billed_cents <= total_cents, `round ${round}`)
      if (round % 2 === 1) continue
      await Promise.all([
        bill(id, { type: 'percent', value: '5' }),
        office.call('invoices_create', {
          customer_id: customer['id'],
          job_ids: [job['id']],
          line_items: [{ name: 'Bathroom', unit_price_cents: 100_000 }],
        }),
      ])
      assert.equal((await progressOf(id)).billed_cents, total_cents, `rest of round ${round}`)
    }
  })

  it('has its deposit and stays within its total when accepted and billed concurrently', async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await office.call('quotes_create', {
        customer_id: customer['id'],
        title: 'Bathroom',
        line_items: [{ name: 'Bathroom', unit_price_cents: 100_000 }],
      })
      const share = { 'deposit.value': '60', 'deposit.type': 'percent' }
      await submit(office.browser, office.at('quotes', id, 'do', 'quotes_ask_deposit'), share)
      await Promise.all([
        office.call('quotes_update', { id, status: 'accepted' }),
        office.browser.post(office.at('quotes', id, 'do', 'invoices_bill_stage'), {
          name: 'Rest',
          'share.value': '60',
          'share.type': 'percent',
        }),
      ])
      const { billed_cents, total_cents, invoices } = await progressOf(id)
      assert.ok(billed_cents <= total_cents)
      assert.equal(invoices.filter(({ kind }) => kind === 'deposit').length, 1)
    }
  })

  it("can't be billed above its total by an undo, which shows the excess", async () => {
    const { id: of, key } = await createKey(
      service.database,
      { tenant: office.id },
      { user: office.owner.user_id, name: 'Claude', scopes: SCOPES, expires_at: null },
    )
    const { id } = await createAcceptedQuote(100_000)
    await bill(id, { type: 'amount', value: '400' })
    const [stage] = (await progressOf(id)).invoices
    const line_items = [{ name: 'Less', unit_price_cents: 10_000, taxable: false }]
    await callerOf(service.url, key).call('invoices_update', { id: stage!.id, line_items })
    await bill(id, { type: 'amount', value: '900' })
    const span = { of, from: '2000-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' }
    const page = pageTextOf(await office.browser.get(`${office.at('undo')}?${new URLSearchParams(span).toString()}`))
    assert.match(page, /This bills \$217\.50 more than is left on the quote/)
  })

  it('regains the amount of a void stage, and its draft final invoice is updated', async () => {
    const { id } = await createAcceptedQuote(100_000)
    await bill(id, { type: 'amount', value: '400' })
    const last = await final(id)
    assert.equal(last['total_cents'], 68_250)
    const [stage] = (await progressOf(id)).invoices
    await office.call('invoices_void', { id: stage!.id })
    assert.equal((await office.call('invoices_get', { id: last['id'] }))['total_cents'], 108_250)
    assert.equal(await readCentsLeft(id), 0)
  })

  it("has no stages before acceptance, or for members who can't write invoices", async () => {
    const { id } = await office.call('quotes_create', { customer_id: customer['id'], title: 'Bathroom' })
    const at = office.at('quotes', id, 'do', 'invoices_bill_stage')
    assert.equal((await office.browser.get(at)).status, 404)
    const quote = await createAcceptedQuote(100_000)
    const colleague = await office.signInMember('tech')
    const there = office.at('quotes', quote['id'], 'do', 'invoices_bill_stage')
    const given = { name: 'Rest', 'share.value': '10', 'share.type': 'percent' }
    assert.ok([403, 404].includes((await colleague.browser.post(there, given)).status))
    assert.equal((await progressOf(quote['id'])).invoices.length, 0)
  })

  it('adds up to its total to the cent for any stages', async () => {
    const share = fc.oneof(
      fc.integer({ min: 1, max: 1_000_000 }).map((n): Share => ({ type: 'percent', value: String(n / 10_000) })),
      fc.integer({ min: 1, max: 300_000 }).map((n): Share => ({ type: 'amount', value: (n / 100).toFixed(2) })),
    )
    const cases = fc.record({
      cents: fc.integer({ min: 1, max: 400_000 }),
      deposit: fc.option(share, { nil: undefined }),
      stages: fc.array(share, { maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ cents, deposit, stages }) => {
        const usable = deposit?.type === 'amount' && Number(deposit.value) * 100 > cents ? undefined : deposit
        const { id, total_cents } = await createAcceptedQuote(cents, usable)
        for (const stage of stages) {
          const rest = BigInt(await readCentsLeft(id))
          // Percentages have four decimals. Half a cent rounds up.
          const [whole = '', part = ''] = stage.value.split('.')
          const wanted =
            stage.type === 'amount'
              ? BigInt(whole) * 100n + BigInt(part)
              : (BigInt(total_cents) * BigInt(whole + part.padEnd(4, '0')) * 2n + 1_000_000n) / 2_000_000n
          const { status } = await bill(id, stage)
          assert.equal(status, wanted < 1n || wanted > rest ? 422 : 303)
          assert.equal(BigInt(await readCentsLeft(id)), status === 303 ? rest - wanted : rest)
        }
        await final(id)
        const { invoices, billed_cents, left_cents } = await progressOf(id)
        assert.deepEqual([billed_cents, left_cents], [total_cents, 0])
        assert.ok(invoices.every((one) => one.total_cents >= 0))
      }),
      { numRuns: 30 },
    )
  })
})
