import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { readTenant } from '../../../src/platform/db/tenant.ts'
import { entriesDue } from '../../../src/records/invoices/index.ts'
import type { Result } from '../../harness/harness.ts'
import { pageTextOf, submit } from '../../harness/identity/people_pages.ts'
import { openStaging, type Share, type Staging } from './staging.ts'

let { service, office, customer, progressOf, readCentsLeft } = {} as Staging
before(async () => {
  ;({ service, office, customer, progressOf, readCentsLeft } = await openStaging())
})
after(() => service.stop())

describe('a job billed in stages without a quote', () => {
  const jobOf = async (cents: number): Promise<string> =>
    String(
      (
        await office.call('jobs_create', {
          customer_id: customer['id'],
          title: 'Repipe',
          line_items: [{ name: 'Repipe', unit_price_cents: cents }],
        })
      )['id'],
    )
  const billJob = (job: string, { type, value }: Share, name = 'Deposit') =>
    submit(office.browser, office.at('jobs', job, 'do', 'invoices_bill_stage-job'), {
      name,
      'share.value': value,
      'share.type': type,
    })
  const invoiceOf = (job: string): Promise<Result> =>
    office.call('invoices_create', { customer_id: customer['id'], from_job_id: job })

  it('has stages and a final invoice that add up with tax, and shows what is left to bill', async () => {
    const job = await jobOf(1_000_000)
    assert.doesNotMatch(pageTextOf(await office.browser.get(office.at('jobs', job))), /Left to bill/)
    assert.equal((await billJob(job, { type: 'percent', value: '20' })).status, 303)
    assert.equal((await billJob(job, { type: 'amount', value: '3000' }, 'Rough-in')).status, 303)
    const page = pageTextOf(await office.browser.get(office.at('jobs', job)))
    assert.match(page, /Stage: Deposit .*Stage: Rough-in .*Total of the job \$10,825\.00 .*Left to bill \$5,660\.00/)
    await office.call('jobs_update', { id: job, status: 'done' })
    const last = await invoiceOf(job)
    assert.deepEqual([last['total_cents'], last['tax_cents'], await readCentsLeft({ job })], [566_000, 82_500, 0])
    const { invoices, billed_cents } = await progressOf({ job })
    assert.deepEqual([invoices.map(({ kind }) => kind), billed_cents], [['stage', 'stage', 'work'], 1_082_500])
    for (const { id } of invoices)
      assert.match(pageTextOf(await office.browser.get(office.at('invoices', id))), /Left to bill \$0\.00/)
    const stage = pageTextOf(await office.browser.get(office.at('invoices', invoices[0]!.id)))
    assert.match(stage, /This is a stage, billed on account It is deducted on/)
    await office.call('invoices_void', { id: invoices[0]!.id })
    assert.equal((await office.call('invoices_get', { id: last['id'] }))['total_cents'], 782_500)
  })

  it('counts as a deposit, not a sale, until the final invoice', async () => {
    const job = await jobOf(100_000)
    await billJob(job, { type: 'percent', value: '50' })
    await office.call('jobs_update', { id: job, status: 'done' })
    const [stage] = (await progressOf({ job })).invoices
    await office.call('invoices_update', { id: stage!.id, status: 'sent' })
    const page = pageTextOf(await office.browser.get(office.at('jobs', job)))
    assert.match(page, /Create invoice/)
    assert.doesNotMatch(page, /Create another invoice/)
    const books = await readTenant(service.database, { tenant: office.id }, (db) =>
      entriesDue(db, { from: '2000-01-01', to: '2100-01-01' }, '2026-01-01'),
    )
    const entry = books.find(({ source_id }) => source_id === stage!.id)
    assert.deepEqual([entry?.postings.deposits, entry?.postings.income], [-54_125, 0])
  })

  it("can't be billed above its total by a stage, a change to one or concurrent requests", async () => {
    const job = await jobOf(100_000)
    const above = await billJob(job, { type: 'amount', value: '1082.51' })
    assert.deepEqual(
      [above.status, /Enter at most \$1,082\.50, the amount left to bill/.test(pageTextOf(above))],
      [422, true],
    )
    const form = { name: 'Rest', 'share.value': '60', 'share.type': 'percent' }
    const answers = await Promise.all(
      [1, 2, 3].map(() => office.browser.post(office.at('jobs', job, 'do', 'invoices_bill_stage-job'), form)),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422, 422])
    const [stage] = (await progressOf({ job })).invoices
    const raise = (unit_price_cents: number) =>
      office.call('invoices_update', {
        id: stage!.id,
        line_items: [{ name: 'More', unit_price_cents, taxable: false }],
      })
    await assert.rejects(raise(108_251), /bill \$0\.01 more than is left on the job/)
    for (let round = 0; round < 4; round++) {
      const other = await jobOf(100_000)
      await Promise.all([billJob(other, { type: 'percent', value: '70' }), invoiceOf(other)])
      assert.ok((await progressOf({ job: other })).billed_cents <= 108_250, `round ${round}`)
    }
  })

  it("has no stages without lines, after cancellation or for members who can't write invoices", async () => {
    const bare = await office.call('jobs_create', { customer_id: customer['id'], title: 'Look' })
    const there = (id: string): string => office.at('jobs', id, 'do', 'invoices_bill_stage-job')
    assert.equal((await office.browser.get(there(bare['id']))).status, 404)
    const job = await jobOf(100_000)
    const colleague = await office.signInMember('tech')
    const given = { name: 'Rest', 'share.value': '10', 'share.type': 'percent' }
    assert.ok([403, 404].includes((await colleague.browser.post(there(job), given)).status))
    await office.call('jobs_cancel', { id: job })
    assert.equal((await office.browser.post(there(job), given)).status, 404)
  })

  it('adds up to its total to the cent for any stages', async () => {
    const share = fc
      .integer({ min: 1, max: 600_000 })
      .map((n): Share => ({ type: 'percent', value: String(n / 10_000) }))
    const cases = fc.record({ cents: fc.integer({ min: 1, max: 400_000 }), stages: fc.array(share, { maxLength: 3 }) })
    await fc.assert(
      fc.asyncProperty(cases, async ({ cents, stages }) => {
        const job = await jobOf(cents)
        for (const stage of stages) await billJob(job, stage)
        const before = await progressOf({ job })
        const last = await invoiceOf(job)
        const after = await progressOf({ job })
        assert.deepEqual([after.billed_cents, after.left_cents], [before.total_cents, 0])
        assert.equal(last['total_cents'], before.left_cents)
      }),
      { numRuns: 15 },
    )
  })
})
