import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { readTenant, sql, writeTenant, type Db } from '../../src/platform/db/tenant.ts'
import { aggregateSalesDays, largestCustomers, salesOf } from '../../src/records/invoices/index.ts'
import { soldInvoices, sumByGroup } from '../../src/records/invoices/accounting/sales.ts'
import type { TestService } from '../harness/harness.ts'
import { openOffice, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

const RANGE = { from: '2026-01-01', to: '2026-12-31' }
const SPLITS = ['month', 'week', 'day', 'technician', 'service', 'category'] as const

let service: TestService
let office: Office
const people: string[] = []
const categories: string[] = []
const items: string[] = []
const jobs: string[] = []
const invoices: string[] = []

before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  const [customer, other] = [await office.customer('Ana'), await office.customer('Bo')]
  for (const role of ['tech', 'tech', 'tech'] as const) people.push((await office.signInMember(role)).user_id)
  for (const name of ['Heating', 'Drains'])
    categories.push(String((await office.call('catalog_categories_create', { name }))['id']))
  for (const name of ['Flush', 'Search'])
    items.push(
      String(
        (
          await office.call('catalog_items_create', {
            name,
            kind: 'service',
            unit_price_cents: 1_000,
            category_id: categories[0],
          })
        )['id'],
      ),
    )
  for (let i = 0; i < 3; i++)
    jobs.push(String((await office.call('jobs_create', { customer_id: customer['id'], title: 'Work' }))['id']))
  for (let i = 0; i < 8; i++)
    invoices.push(
      String(
        (
          await office.call('invoices_create', {
            customer_id: (i < 5 ? customer : other)['id'],
            issue_date: `2026-0${1 + (i % 3)}-1${i}`,
            job_ids: i < 3 ? [jobs[i]] : [],
            line_items: [
              { name: 'x', unit_price_cents: 1_001 + i, catalog_item_id: items[i % 2] },
              { name: 'y', unit_price_cents: 77 },
            ],
          })
        )['id'],
      ),
    )
})
after(() => service.stop())

const read = <T>(work: (db: Db) => Promise<T>): Promise<T> => readTenant(service.database, { tenant: office.id }, work)
const write = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
  writeTenant(service.database, { tenant: office.id }, work)

/** Updates the cached days, as the hourly task does. */
async function keep(): Promise<void> {
  while (await write(aggregateSalesDays));
}

/** Asserts that each grouping equals the sum over all its invoices. */
async function requireSame(when: string): Promise<void> {
  for (const by of SPLITS) {
    const [kept, whole] = await read((db) =>
      Promise.all([
        salesOf(db, by, RANGE, 50),
        sumByGroup(db, by, soldInvoices(db, sql`i.issue_date between ${RANGE.from} and ${RANGE.to}`), { limit: 50 }),
      ]),
    )
    assert.deepEqual(kept, whole, `${by} ${when}`)
  }
  for (const most of [1, 5]) {
    const [largest, { rows }] = await read((db) =>
      Promise.all([largestCustomers(db, RANGE, most), salesOf(db, 'customer', RANGE, most)]),
    )
    assert.deepEqual(largest, rows, `customers ${when}`)
  }
}

const countMarks = (): Promise<{ marks: number; days: number }> =>
  read((db) =>
    db.one(sql`select (select count(*)::integer from report_marks
        where tenant_id = ${db.tenant} and report = 'sales') as marks,
      (select count(*)::integer from report_days where tenant_id = ${db.tenant}) as days`),
  )

const invoice = fc.nat(7)
const step = fc.oneof(
  fc.record({ do: fc.constant('send' as const), invoice }),
  fc.record({ do: fc.constant('date' as const), invoice, day: fc.integer({ min: 1, max: 28 }) }),
  fc.record({ do: fc.constant('void' as const), invoice }),
  fc.record({ do: fc.constant('lines' as const), invoice, cents: fc.integer({ min: 1, max: 9_999 }) }),
  fc.record({ do: fc.constant('jobs' as const), invoice, jobs: fc.subarray([0, 1, 2]) }),
  fc.record({ do: fc.constant('crew' as const), job: fc.nat(2), people: fc.subarray([0, 1, 2]) }),
  fc.record({ do: fc.constant('move' as const), item: fc.nat(1), category: fc.option(fc.nat(1)) }),
  fc.record({ do: fc.constant('keep' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Applies a step. A step that the service rejects changes nothing. */
async function take(one: Step): Promise<unknown> {
  const change = (entity: string, fields: object): Promise<unknown> =>
    office.call(`${entity}_update`, fields).catch(() => null)
  switch (one.do) {
    case 'send':
      return change('invoices', { id: invoices[one.invoice], status: 'sent' })
    case 'date': {
      const date = `2026-05-${String(one.day).padStart(2, '0')}`
      return change('invoices', { id: invoices[one.invoice], issue_date: date, due_date: date })
    }
    case 'void':
      return office.call('invoices_void', { id: invoices[one.invoice] }).catch(() => null)
    case 'lines':
      return change('invoices', {
        id: invoices[one.invoice],
        line_items: [{ name: 'z', unit_price_cents: one.cents, catalog_item_id: items[one.cents % 2] }],
      })
    case 'jobs':
      return change('invoices', { id: invoices[one.invoice], job_ids: one.jobs.map((i) => jobs[i]) })
    case 'crew':
      return change('jobs', { id: jobs[one.job], assignees: one.people.map((i) => people[i]) })
    case 'move':
      return change('catalog_items', {
        id: items[one.item],
        category_id: one.category === null ? null : categories[one.category],
      })
    case 'keep':
      return keep()
  }
}

describe('sales cached by day', () => {
  it('equal the sales of all invoices after any changes', async () => {
    for (const [i, one] of fc.sample(step, { numRuns: 70, seed: 20_266 }).entries()) {
      await take(one)
      await requireSame(`after ${i}: ${JSON.stringify(one)}`)
    }
    await keep()
    const { marks, days } = await countMarks()
    assert.equal(marks, 0)
    assert.ok(days > 0)
    await requireSame('at the end')
  })

  it('are read from the cache if nothing changed', async () => {
    await keep()
    await write((db) => db.run(sql`update report_days set records = records + 1000 where tenant_id = ${db.tenant}`))
    const { rows } = await read((db) => salesOf(db, 'service', RANGE, 50))
    assert.ok(rows.length > 0 && rows.every(({ invoices: count }) => count > 1000))
    await write((db) =>
      db.run(sql`insert into report_marks (tenant_id, report, from_day, to_day)
        values (${db.tenant}, 'sales', '-infinity', 'infinity')`),
    )
    await requireSame('with all days marked')
    await keep()
    await requireSame('after they are added up')
  })

  it('are recomputed completely after hundreds of changes', async () => {
    await write((db) =>
      db.run(sql`insert into report_marks (tenant_id, report, record_id)
        select ${db.tenant}, 'sales', gen_random_uuid() from generate_series(1, 600)`),
    )
    await write((db) => db.run(sql`update report_days set sums[1] = 0 where tenant_id = ${db.tenant}`))
    await keep()
    assert.equal((await countMarks()).marks, 0)
    await requireSame('after many marks')
  })

  it('stay marked as stale if a change was in progress during the update', async () => {
    await keep()
    const { id } = await read((db) =>
      db.one<{ id: string }>(sql`select id from invoices where tenant_id = ${db.tenant} and status = 'sent' limit 1`),
    )
    await write(async (db) => {
      await db.run(sql`update invoices set subtotal_cents = subtotal_cents, tax_exempt = not tax_exempt,
        issue_date = issue_date + 1 where tenant_id = ${db.tenant} and id = ${id}`)
      await keep()
    })
    assert.ok((await countMarks()).marks > 0)
    await requireSame('after the change')
    await keep()
    await requireSame('once it is added up')
  })
})
