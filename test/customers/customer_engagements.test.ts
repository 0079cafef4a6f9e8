import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
})
after(() => service.stop())

const customer = async (): Promise<string> =>
  (await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })).id
const tomorrow = Temporal.Now.plainDateISO().add({ days: 1 }).toString()

describe("a customer's jobs and invoices", () => {
  it('are counted as open jobs, unpaid invoices and balance due', async () => {
    const [customer_id, other] = [await customer(), await customer()]
    const counts = async () => (await company.call('customers_get', { id: customer_id })).counts
    assert.deepEqual(await counts(), { open_jobs: 0, unpaid_invoices: 0, balance_due_cents: 0 })
    const [job, done, cancelled] = await Promise.all(
      ['Open', 'Done', 'Off'].map((title) => company.call('jobs_create', { customer_id, title })),
    )
    await company.call('jobs_update', { id: done!.id, status: 'done' })
    await company.call('jobs_cancel', { id: cancelled!.id })
    await company.call('jobs_create', { customer_id: other, title: 'Elsewhere' })
    const bill = (unit_price_cents: number) =>
      company.call('invoices_create', { customer_id, line_items: [{ name: 'Visit', unit_price_cents }] })
    const [sent, paid] = [await bill(1500), await bill(2500), await bill(4000)]
    await company.call('invoices_update', { id: sent.id, status: 'sent' })
    await company.call('invoices_update', { id: paid.id, status: 'paid' })
    assert.deepEqual(await counts(), { open_jobs: 1, unpaid_invoices: 1, balance_due_cents: 1500 })
    assert.equal(job!.status, 'unscheduled')
  })

  it('omit invoice counts and amounts for a caller without read:invoices', async () => {
    const id = await customer()
    const tech = await company.member('tech')
    const { counts, redacted_fields } = await tech.call('customers_get', { id })
    assert.deepEqual(
      [counts, redacted_fields],
      [{ open_jobs: 0 }, ['counts.unpaid_invoices', 'counts.balance_due_cents']],
    )
  })

  it("don't prevent archiving the customer while jobs are open and invoices unpaid", async () => {
    const id = await customer()
    await company.call('jobs_create', { customer_id: id, title: 'Open' })
    const { id: invoice } = await company.call('invoices_create', {
      customer_id: id,
      line_items: [{ name: 'Visit', unit_price_cents: 100 }],
    })
    await company.call('invoices_update', { id: invoice, status: 'sent' })
    assert.equal((await company.call('customers_archive', { id })).id, id)
    assert.match(
      await company.refusal('customers_get', { id }),
      /^not_found: customer not found: it is .*, archived on \S+ .*; find another with customers_search$/,
    )
  })
})

describe('archiving a customer with active work', () => {
  it('is refused with conflict until plans and series have ended', async () => {
    const id = await customer()
    const plan = await company.call('plans_create', {
      customer_id: id,
      name: 'Pool care',
      cadence: 'weekly',
      line_items: [{ name: 'Visit', unit_price_cents: 100 }],
    })
    const series = await company.call('job_series_create', {
      customer_id: id,
      title: 'Mowing',
      rrule: 'FREQ=WEEKLY',
      dtstart: `${tomorrow}T09:00`,
    })
    const refused = await company.refusal('customers_archive', { id })
    assert.match(refused, /^conflict: /)
    assert.ok(refused.includes(`plan «Pool care» (${plan.id}), job series «Mowing» (${series.id})`), refused)
    await company.call('plans_cancel', { id: plan.id })
    assert.match(await company.refusal('customers_archive', { id }), /^conflict: .*Mowing/)
    await company.call('job_series_end', { id: series.id })
    await company.call('customers_archive', { id })
  })

  it('succeeds only if a concurrent resume of its plan is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await customer()
      const plan = await company.call('plans_create', {
        customer_id: id,
        name: 'Pool care',
        cadence: 'weekly',
        line_items: [{ name: 'Visit', unit_price_cents: 100 }],
      })
      await company.call('plans_update', { id: plan.id, status: 'paused' })
      const ended = await Promise.all([
        company.owner.send('customers_archive', { id }),
        company.owner.send('plans_update', { id: plan.id, status: 'active' }),
      ])
      assert.equal(ended.filter(({ isError }) => isError).length, 1, ended.map(({ text }) => text).join('\n'))
    }
  })
})
