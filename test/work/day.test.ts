import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result } from '../harness/harness.ts'
import { day, totals, wallOf, openAgentOffice, type AgentOffice } from './agent_office.ts'

/** Runs an office's work from phone call to payment with tools only, through an MCP client. */
let { company, bundle, call, stop } = {} as AgentOffice
before(async () => {
  ;({ company, bundle, call, stop } = await openAgentOffice())
})
after(() => stop())

describe('a new lead', () => {
  it('is found by four phone digits, quoted, served, billed and paid', async () => {
    await call('customers_create', {
      customer_type: 'individual',
      first_name: 'Bob',
      last_name: 'Near',
      phone: '(512) 555-0199',
    })
    const lead = await call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      last_name: 'López',
      status: 'lead',
      phone: '(512) 555-0143',
      locations: [{ address_line1: '12 Pecan St', city: 'Austin', region: 'TX' }],
    })
    const {
      rows: [found, ...others],
    } = await call('customers_search', { query: '0143' })
    assert.deepEqual(
      [found.id, found.display_name, found.status, found.primary_phone, others],
      [lead['id'], 'Ana López', 'lead', '+15125550143', []],
    )

    // 1.5 x 95.00 + 45.99 = 188.49; 2 x 12.49 = 24.98; 213.47 less 10% (21.35) = 192.12; 8.25% of that is 15.85
    const line_items = [
      { catalog_item_id: bundle['id'] },
      { name: 'Sealant', kind: 'product', quantity: 2, unit_price_cents: 1249 },
    ]
    const discount = { type: 'percent', value: 10 }
    const quote = await call('quotes_create', {
      customer_id: found.id,
      title: 'New shower valve',
      line_items,
      discount,
    })
    assert.deepEqual(totals(quote), [21_347, 2135, 1585, 20_797])
    assert.deepEqual(
      quote['line_items'].map(({ kind, name, line_total_cents }: Result) => [kind, name, line_total_cents]),
      [
        ['bundle', 'Valve swap', 18_849],
        ['product', 'Sealant', 2498],
      ],
    )
    assert.equal(quote['url'], `http://callout.test/${company.tenant}/quotes/${quote['id']}`)

    assert.equal((await call('quotes_update', { id: quote['id'], status: 'sent' }))['status'], 'sent')
    assert.equal((await call('customers_get', { id: lead['id'] }))['status'], 'lead')
    assert.match((await call('quotes_update', { id: quote['id'], status: 'accepted' }))['accepted_at'], /Z$/)
    assert.equal((await call('customers_get', { id: lead['id'] }))['status'], 'active')

    const tech = await company.member('tech')
    const job = await call('jobs_create', {
      customer_id: lead['id'],
      title: 'Swap the valve',
      quote_id: quote['id'],
      scheduled_start: `${day(1)}T09:00`,
      duration_minutes: 90,
      assignees: [tech.email],
      line_items,
    })
    assert.deepEqual(
      [job['status'], wallOf(job['scheduled_start']), wallOf(job['scheduled_end']), job['subtotal_cents']],
      ['scheduled', `${day(1)}T09:00`, `${day(1)}T10:30`, 21_347],
    )
    assert.deepEqual([job['location_id'], job['contact_id']], [lead['locations'][0].id, lead['contacts'][0].id])
    assert.equal((await call('quotes_get', { id: quote['id'] }))['converted_job_id'], job['id'])
    assert.deepEqual(
      (await call('jobs_list', { assignee: tech.email, scheduled_from: day(1), scheduled_to: day(1) }))['rows'].map(
        ({ id }: Result) => id,
      ),
      [job['id']],
    )
    const done = await tech.call('jobs_update', { id: job['id'], status: 'done' })
    assert.deepEqual([done['status'], done['updated_by'], typeof done['completed_at']], ['done', tech.id, 'string'])

    const invoice = await call('invoices_create', {
      customer_id: lead['id'],
      from_job_id: job['id'],
      quote_id: quote['id'],
      discount,
    })
    assert.deepEqual(
      [invoice['status'], invoice['number'], ...totals(invoice)],
      ['draft', 1001, 21_347, 2135, 1585, 20_797],
    )
    assert.deepEqual(
      [
        invoice['taxes'].map(({ name, rate_decimal, base_cents }: Result) => [name, rate_decimal, base_cents]),
        invoice['due_date'],
      ],
      [[['County', 0.0825, 19_212]], day(14)],
    )
    const sent = await call('invoices_update', { id: invoice['id'], status: 'sent' })
    assert.deepEqual(
      [sent['balance_due_cents'], sent['is_overdue'], sent['location_address']],
      [20_797, false, '12 Pecan St, Austin, TX, US'],
    )
    assert.deepEqual((await call('customers_get', { id: lead['id'] }))['counts'], {
      open_jobs: 0,
      unpaid_invoices: 1,
      balance_due_cents: 20_797,
    })
    const paid = await call('invoices_update', { id: invoice['id'], status: 'paid' })
    assert.deepEqual(
      [paid['amount_paid_cents'], paid['balance_due_cents'], typeof paid['paid_at']],
      [20_797, 0, 'string'],
    )
    assert.deepEqual((await call('customers_get', { id: lead['id'] }))['counts'], {
      open_jobs: 0,
      unpaid_invoices: 0,
      balance_due_cents: 0,
    })
    assert.deepEqual(
      [
        (await call('jobs_get', { id: job['id'] }))['invoice_ids'],
        (await call('quotes_get', { id: quote['id'] }))['converted_invoice_id'],
      ],
      [[invoice['id']], invoice['id']],
    )
  })
})

describe('the list of overdue invoices', () => {
  it('contains only overdue invoices with their balances', async () => {
    const { id: customer_id } = await call('customers_create', {
      customer_type: 'individual',
      first_name: 'Late',
      payment_terms_days: 10,
    })
    const bill = async (cents: number, issued: number, status: string): Promise<string> => {
      const { id } = await call('invoices_create', {
        customer_id,
        issue_date: day(issued),
        line_items: [{ name: 'Visit', unit_price_cents: cents, taxable: false }],
      })
      if (status !== 'draft') await call('invoices_update', { id, status })
      return id
    }
    const late = await bill(10_000, -40, 'sent')
    const partly = await bill(2500, -11, 'partially_paid')
    await bill(1, -10, 'sent')
    for (const status of ['draft', 'paid', 'uncollectible']) await bill(7, -40, status)
    await call('invoices_void', { id: await bill(5, -40, 'sent') })
    const { rows, total } = await call('invoices_list', { customer_id, overdue: true, include_total: true })
    assert.deepEqual(
      [
        rows.map(({ id, is_overdue, balance_due_cents, due_date }: Result) => [
          id,
          is_overdue,
          balance_due_cents,
          due_date,
        ]),
        total,
      ],
      [
        [
          [partly, true, 2500, day(-1)],
          [late, true, 10_000, day(-30)],
        ],
        2,
      ],
    )
    assert.deepEqual((await call('customers_get', { id: customer_id }))['counts'], {
      open_jobs: 0,
      unpaid_invoices: 3,
      balance_due_cents: 12_501,
    })
  })
})
