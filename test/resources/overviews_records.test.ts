import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { writeTenant, sql } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany, type Result } from '../harness/harness.ts'
import { openResourceScene, today, tomorrow, type Reading } from './resource_scene.ts'

let opened: Reading
let { service, company, ana, markdown, json, isAbsent, job, invoice, late } = {} as Reading
before(async () => {
  opened = await openResourceScene()
  ;({ service, company, ana, markdown, json, isAbsent, job, invoice, late } = opened)
})
after(() => opened.service.stop())

describe('money overviews', () => {
  it('contain balances by customer and age, and overdue invoices', async () => {
    await late()
    const { customers, overdue, sums } = await json('callout://receivables')
    assert.deepEqual(customers, [
      {
        customer: 'Ana Okafor',
        invoices: 1,
        current_cents: null,
        to_30_cents: 10_000,
        to_60_cents: null,
        to_90_cents: null,
        over_90_cents: null,
        balance_cents: 10_000,
      },
    ])
    assert.equal(overdue[0].days_late, 10)
    assert.equal(sums.customers.balance_cents, 10_000)
  })

  it('contain finished work without a valid invoice', async () => {
    const makeDoneJob = async (more: object = {}): Promise<Result> => {
      const made = await job({ line_items: [{ name: 'x', unit_price_cents: 700 }], ...more })
      return company.call('jobs_update', { id: made['id'], status: 'done' })
    }
    const [open, billed, voided] = [
      await makeDoneJob({ title: 'Open' }),
      await makeDoneJob({ title: 'Billed' }),
      await makeDoneJob({ title: 'Voided' }),
    ]
    await invoice({ job_ids: [billed['id']] })
    await company.call('invoices_void', { id: (await invoice({ job_ids: [voided['id']] }))['id'] })
    const { jobs, sums } = await json('callout://unbilled')
    assert.deepEqual(
      jobs.map(({ job, title }: Result) => [job, title]),
      [
        [open['display_number'], 'Open'],
        [voided['display_number'], 'Voided'],
      ],
    )
    assert.equal(sums.jobs.subtotal_cents, 1400)
    assert.ok(
      (await markdown('callout://unbilled')).includes(
        `|${open['display_number']}|«Open»|«Ana Okafor»|${today().toString()}|7.00|`,
      ),
    )
  })

  it('contain invoiced, received and overdue amounts by month and by customer', async () => {
    const paying = await makeCompany(service)
    const make = (name: string) => paying.call('customers_create', { customer_type: 'company', company_name: name })
    const [big, small] = [await make('Big'), await make('Small')]
    const makeInvoice = async (
      customer_id: string,
      cents: number,
      issue_date: string,
      due_date: string,
      status = 'sent',
    ) => {
      const { id } = await paying.call('invoices_create', {
        customer_id,
        issue_date,
        due_date,
        line_items: [{ name: 'x', unit_price_cents: cents }],
      })
      await paying.call('invoices_update', { id, status })
    }
    const month = today().with({ day: 1 }).subtract({ months: 1 })
    const day = (n: number) => month.add({ days: n }).toString()
    await makeInvoice(big['id'], 5000, day(0), day(9))
    await makeInvoice(big['id'], 300, day(0), day(9), 'paid')
    await makeInvoice(small['id'], 70, day(3), today().add({ days: 60 }).toString())
    await paying.call('invoices_create', {
      customer_id: small['id'],
      issue_date: day(1),
      line_items: [{ name: 'draft', unit_price_cents: 9 }],
    })
    const { months } = await json('callout://reports', paying.owner)
    assert.deepEqual(months, [
      { month: day(0).slice(0, 7), invoiced_cents: 5370, received_cents: 0, overdue_cents: 5000 },
      { month: today().toString().slice(0, 7), invoiced_cents: 0, received_cents: 300, overdue_cents: 0 },
    ])
    const { customers } = await json(`callout://reports/${day(0).slice(0, 7)}`, paying.owner)
    assert.deepEqual(customers, [
      { customer: 'Big', invoiced_cents: 5300, received_cents: 0, overdue_cents: 5000 },
      { customer: 'Small', invoiced_cents: 70, received_cents: 0, overdue_cents: 0 },
    ])
  })
})

describe('callout://history and callout://connection', () => {
  it('show who changed what, with old and new values, newest first', async () => {
    const made = await job({ title: 'Before', scheduled_start: `${tomorrow()}T09:00` })
    await company.call('jobs_update', { id: made['id'], title: 'After' })
    const { changes } = await json(`callout://history/job/${made['id']}`)
    assert.deepEqual(
      changes.map(({ who, tool, changed }: Result) => [who, tool, changed]),
      [
        ['Test owner with owner', 'jobs.update', 'title: Before → After'],
        ['Test owner with owner', 'jobs.create', 'created'],
      ],
    )
    const mine = (await json('callout://connection'))['changes']
    assert.deepEqual(
      [mine[0].number, mine[0].changed, mine[1].changed],
      [made['display_number'], 'title: Before → After', 'created'],
    )
  })

  it("hide fields and records that the reader can't see", async () => {
    const item = await company.call('catalog_items_create', {
      kind: 'product',
      name: 'Pump',
      unit_price_cents: 1,
      cost_cents: 4711,
    })
    await company.call('catalog_items_update', { id: item['id'], cost_cents: 4712 })
    const uri = `callout://history/catalog_item/${item['id']}`
    assert.ok((await markdown(uri)).includes('4712'))
    assert.ok(!(await markdown(uri, await company.tenantKey(['read:catalog_items']))).includes('4712'))
    await isAbsent(uri, await company.tenantKey(['read:jobs']))
    const key = await company.member('owner', { scopes: ['write:tax_rates', 'write:customers', 'read:customers'] })
    await key.call('tax_rates_create', { name: 'Hidden rate', rate_percentage: 1 })
    await key.call('customers_create', { customer_type: 'individual', first_name: 'Shown' })
    const { changes } = await json('callout://connection', key)
    assert.deepEqual(
      changes.map(({ tool, customer }: Result) => [tool, customer]),
      [['customers.create', 'Shown']],
    )
  })
})

describe('callout://messages', () => {
  it("shows a customer's conversation, and the unread messages of the company", async () => {
    const message = (direction: string, subject: string | null, body: string, minute: number): Promise<unknown> =>
      writeTenant(service.database, { tenant: company.tenant }, (db) =>
        db.run(sql`insert into communications (tenant_id, id, channel, direction, status, provider, provider_message_id, sender, sender_address, recipients, subject, body, customer_id, occurred_at)
          values (${db.tenant}, ${newId()}, 'email', ${direction}, ${direction === 'inbound' ? 'received' : 'delivered'}, 'email', ${newId()}, 'ana@example.com', 'ana@example.com',
            ${['office@example.com']}, ${subject}, ${body}, ${ana['id']}, ${`2026-11-20T10:0${minute}:00Z`})`),
      )
    await message('inbound', 'Gate', `The code is 4711.\n${'More. '.repeat(200)}`, 1)
    await message('outbound', null, 'Thank you', 2)
    const { messages } = await json(`callout://messages/${ana['id']}`)
    assert.deepEqual(
      messages.map(({ from, subject }: Result) => [from, subject]),
      [
        ['Ana Okafor', 'Gate'],
        ['the company', null],
      ],
    )
    assert.ok(messages[0].text.startsWith('The code is 4711.') && messages[0].text.length < 400)
    assert.deepEqual(
      (await json('callout://messages'))['messages'].map(({ customer_id }: Result) => customer_id),
      [ana['id']],
    )
  })
})
