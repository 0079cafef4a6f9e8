import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fiftyTimes, FULL, race, openRaceScene, tomorrow, visit, type RaceScene } from '../harness/database/races.ts'

/**
 * Sends fifty concurrent calls that end a record. Related tests: tags, contacts, locations, tax_rates, invoices_races,
 * catalog_categories, customers, idempotency, edit_conflict.
 */

let company: RaceScene['company']
let witness: RaceScene['witness']
let customer: RaceScene['customer']
let person: RaceScene['person']
let stop: RaceScene['stop']
before(async () => {
  ;({ company, witness, customer, person, stop } = await openRaceScene())
})
after(() => stop())

describe('ending a record under concurrency', { timeout: FULL }, () => {
  it('cancels a plan once among fifty cancels, pauses and resumes, with no change afterwards', async () => {
    const { id } = await company.call('plans_create', {
      customer_id: customer,
      name: 'Pool care',
      cadence: 'weekly',
      line_items: [visit],
    })
    const { ok } = await race(
      company,
      fiftyTimes((i) =>
        i % 10 === 9
          ? ['plans_cancel', { id, reason: `No ${i}` }]
          : ['plans_update', { id, status: i % 2 ? 'paused' : 'active' }],
      ),
      /^conflict: plan «Pool care» is cancelled and cannot be reactivated/,
    )
    const cancelled = ok.filter(({ status }) => status === 'cancelled')
    const { url: _, ...plan } = await company.call('plans_get', { id })
    assert.deepEqual(cancelled, [plan])
    assert.ok(ok.every(({ updated_at }) => updated_at <= plan['updated_at']))
    assert.equal(plan['next_run_date'], null)
  })

  it('keeps a job canceled, with one reason, through fifty updates and cancels', async () => {
    const { id } = await company.call('jobs_create', { customer_id: customer, title: 'Roof' })
    const { ok } = await race(
      company,
      fiftyTimes((i) =>
        i % 10 === 9
          ? ['jobs_cancel', { id, reason: `No ${i}` }]
          : ['jobs_update', { id, status: i % 2 ? 'done' : 'in_progress' }],
      ),
      /^conflict: .*cancelled/,
    )
    const job = await company.call('jobs_get', { id })
    const cancels = ok.filter(({ status }) => status === 'cancelled')
    assert.deepEqual([job['status'], cancels.length], ['cancelled', 5])
    assert.ok(
      cancels.every(
        ({ cancel_reason, cancelled_at }) =>
          cancel_reason === job['cancel_reason'] && cancelled_at === job['cancelled_at'],
      ),
    )
  })

  it('voids an invoice with its number and total, and no balance, whatever status changes compete', async () => {
    const { id, number } = await company.call('invoices_create', { customer_id: customer, line_items: [visit] })
    await race(
      company,
      fiftyTimes((i) =>
        i % 10 === 9
          ? ['invoices_void', { id }]
          : ['invoices_update', { id, status: ['sent', 'paid', 'draft'][i % 3] }],
      ),
      /^conflict: INV-\d+ is void|^conflict: .*is void/,
    )
    const invoice = await company.call('invoices_get', { id })
    assert.deepEqual(
      [invoice['status'], invoice['number'], invoice['total_cents'], invoice['balance_due_cents']],
      ['void', number, 100, 0],
    )
  })

  it('ends a series once among fifty ends and updates, with no duplicate or open job left', async () => {
    const { id } = await company.call('job_series_create', {
      customer_id: customer,
      title: 'Mow',
      rrule: 'FREQ=WEEKLY',
      dtstart: `${tomorrow}T09:00`,
    })
    const change = (i: number): object =>
      [
        { title: `Mow ${i}` },
        { dtstart: `${tomorrow}T1${i % 10}:00` },
        { rrule: i % 2 ? 'FREQ=DAILY;INTERVAL=3' : 'FREQ=WEEKLY' },
      ][i % 3]!
    const { ok, refused } = await race(
      company,
      fiftyTimes((i) =>
        i === 40 || i === 45 ? ['job_series_end', { id }] : ['job_series_update', { id, ...change(i) }],
      ),
      /^conflict: the series ended/,
    )
    assert.equal(ok.filter(({ status }) => status === 'ended').length, 1)
    assert.ok(refused.length >= 1)
    const jobs = await witness.rows(
      'select occurrence_key::text as slot, status, scheduled_start from jobs where series_id = $1',
      id,
    )
    assert.equal(new Set(jobs.map(({ slot }) => slot)).size, jobs.length)
    assert.deepEqual(
      jobs.filter(({ status }) => status !== 'cancelled'),
      [],
    )
  })
})

describe('a series under concurrency', { timeout: FULL }, () => {
  it('has the jobs of the last of fifty updates, one per slot', async () => {
    const { id } = await company.call('job_series_create', {
      customer_id: customer,
      title: 'Mow',
      rrule: 'FREQ=WEEKLY',
      dtstart: `${tomorrow}T09:00`,
    })
    const { ok } = await race(
      company,
      fiftyTimes((i) => [
        'job_series_update',
        { id, title: `Mow ${i}`, dtstart: `${tomorrow}T${String(8 + (i % 9)).padStart(2, '0')}:00` },
      ]),
    )
    const last = ok.toSorted((a, b) => (a['updated_at'] < b['updated_at'] ? 1 : -1))[0]!
    const jobs = await witness.rows(
      `select title, occurrence_key::text as slot, status from jobs where series_id = $1 order by 2`,
      id,
    )
    assert.equal(jobs.length, 13)
    assert.ok(
      jobs.every(
        ({ title, slot, status }) =>
          title === last['title'] && String(slot).endsWith(String(last['dtstart']).slice(11)) && status === 'scheduled',
      ),
      JSON.stringify([last, jobs[0]]),
    )
  })
})

describe('a quote under concurrency', { timeout: FULL }, () => {
  it('follows only allowed status changes through fifty updates', async () => {
    const lead = await person({ status: 'lead' })
    const { id } = await company.call('quotes_create', { customer_id: lead, title: 'Pump', line_items: [visit] })
    await company.call('quotes_update', { id, status: 'sent' })
    const { ok } = await race(
      company,
      fiftyTimes((i) => ['quotes_update', { id, status: ['accepted', 'declined', 'expired'][i % 3] }]),
      /^conflict: Q-\d+ is \w+ and can't become/,
    )
    const way = ok
      .toSorted((a, b) => (a['updated_at'] < b['updated_at'] ? -1 : 1))
      .map(({ status }) => status)
      .filter((status, i, all) => status !== all[i - 1])
    assert.ok(
      [['declined'], ['expired'], ['accepted'], ['accepted', 'declined']].some((legal) => legal.join() === way.join()),
      way.join(),
    )
    assert.equal(
      (await company.call('customers_get', { id: lead }))['status'],
      way[0] === 'accepted' ? 'active' : 'lead',
    )
  })
})

describe('archiving a customer under concurrency', { timeout: FULL }, () => {
  it('leaves no later job, invoice, quote or contact among fifty calls', async () => {
    const id = await person()
    const creates: [string, object][] = [
      ['jobs_create', { customer_id: id, title: 'Late' }],
      ['invoices_create', { customer_id: id, line_items: [visit] }],
      ['quotes_create', { customer_id: id, title: 'Late' }],
      ['contacts_create', { customer_id: id, first_name: 'Late' }],
      ['locations_create', { customer_id: id, address_line1: '1 Late Rd' }],
      ['notes_create', { body: 'Late', subject_type: 'customer', subject_id: id }],
    ]
    await race(
      company,
      fiftyTimes((i) => (i === 25 ? ['customers_archive', { id }] : creates[i % creates.length]!)),
      /^not_found: customer not found$|^not_found: /,
    )
    const late = await witness.rows(
      `
      select 'job' as kind from jobs t, customers c where c.tenant_id = $1 and t.tenant_id = $1 and c.id = t.customer_id and c.id = $2 and t.created_at > c.archived_at
      union all select 'invoice' from invoices t, customers c where c.tenant_id = $1 and t.tenant_id = $1 and c.id = t.customer_id and c.id = $2 and t.created_at > c.archived_at
      union all select 'quote' from quotes t, customers c where c.tenant_id = $1 and t.tenant_id = $1 and c.id = t.customer_id and c.id = $2 and t.created_at > c.archived_at
      union all select 'contact' from contacts t, customers c where c.tenant_id = $1 and t.tenant_id = $1 and c.id = t.customer_id and c.id = $2 and t.created_at > c.archived_at`,
      company.tenant,
      id,
    )
    assert.deepEqual(late, [])
    assert.match(
      await company.refusal('jobs_create', { customer_id: id, title: 'Later' }),
      /^not_found: customer not found: it is [^;]+, archived on /,
    )
  })
})
