import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '../../src/platform/validation/id.ts'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

/** Tests warnings about duplicates, leftover work and statuses that are only recorded (docs/spec/tools.md#warnings). */
let service: TestService
let company: Company
let serial = 0
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  // Avoids tax warnings, which `test/pages/untaxed.test.ts` covers.
  await writeTenant(service.database, { tenant: company.tenant }, (db) =>
    db.run(sql`update tenants set charges_no_tax = true where id = ${company.tenant}`),
  )
})
after(() => service.stop())

const visit = { name: 'Visit', unit_price_cents: 10_000 }
const lines = { line_items: [visit] }
const customer = async (): Promise<string> =>
  (await company.call('customers_create', { customer_type: 'individual', first_name: `Customer ${++serial}` }))['id']
const warningsOf = (record: Result): string[] => record['warnings'] ?? []

async function jobOf(customer_id: string, more: object = {}): Promise<Result> {
  return company.call('jobs_create', { customer_id, title: 'Roof', ...lines, ...more })
}

describe('status sent', () => {
  it('warns once that nothing was mailed', async () => {
    const customer_id = await customer()
    const paper = {
      invoices: await company.call('invoices_create', { customer_id, ...lines }),
      quotes: await company.call('quotes_create', { customer_id, title: 'Roof', ...lines }),
    }
    for (const [kind, { id, display_number }] of Object.entries(paper)) {
      const sent = await company.call(`${kind}_update`, { id, status: 'sent' })
      assert.deepEqual(warningsOf(sent), [
        `${display_number} is recorded as sent, but nothing was emailed. A person can email it at http://callout.test/${company.tenant}/${kind}/${id}/send`,
      ])
      assert.equal((await company.call(`${kind}_update`, { id, status: 'sent' }))['warnings'], undefined)
      assert.equal((await company.call(`${kind}_update`, { id, status: 'draft' }))['warnings'], undefined)
    }
  })

  it("doesn't warn while a message carries the document, but does if the message failed", async () => {
    const customer_id = await customer()
    const { id } = await company.call('invoices_create', { customer_id, ...lines })
    const message = newId()
    const state = (now: string) =>
      writeTenant(service.database, { tenant: company.tenant }, (db) =>
        db.run(sql`update outbox set state = ${now} where tenant_id = ${company.tenant} and id = ${message}`),
      )
    await writeTenant(service.database, { tenant: company.tenant }, async (db) => {
      await db.run(sql`insert into communications (tenant_id, id, channel, direction, status, provider, sender, sender_address, recipients)
        values (${company.tenant}, ${message}, 'email', 'outbound', 'queued', 'email', 'Us', 'us@example.com', array['ana@example.com'])`)
      await db.run(sql`insert into outbox (tenant_id, id, channel, cause, recipient, about_kind, about_id)
        values (${company.tenant}, ${message}, 'email', 'sent', 'ana@example.com', 'invoices', ${id})`)
    })
    assert.deepEqual(warningsOf(await company.call('invoices_update', { id, status: 'sent' })), [])
    await company.call('invoices_update', { id, status: 'draft' })
    await state('failed')
    assert.equal(warningsOf(await company.call('invoices_update', { id, status: 'sent' })).length, 1)
  })
})

describe('double billing', () => {
  const readInvoiceWarnings = async (given: object): Promise<string[]> =>
    warningsOf(await company.call('invoices_create', given))

  it('warns with the earlier invoice of the job, drafts included and void ones excluded', async () => {
    const customer_id = await customer()
    const job = await jobOf(customer_id)
    const first = await company.call('invoices_create', { customer_id, from_job_id: job['id'] })
    assert.deepEqual(warningsOf(first), [])
    const again = `${job['display_number']} is already billed by ${first['display_number']} (draft); ask whether both are intended`
    assert.deepEqual(await readInvoiceWarnings({ customer_id, from_job_id: job['id'] }), [again])
    const { rows } = await company.call('invoices_list', { job_id: job['id'] })
    for (const { id } of rows) await company.call('invoices_void', { id })
    assert.deepEqual(await readInvoiceWarnings({ customer_id, job_ids: [job['id']], ...lines }), [])
  })

  it('warns for a quote and its jobs, but not for two jobs of one quote', async () => {
    const customer_id = await customer()
    const quote = await company.call('quotes_create', { customer_id, title: 'Roof', ...lines })
    await company.call('quotes_update', { id: quote['id'], status: 'accepted' })
    const [one, two] = [
      await jobOf(customer_id, { quote_id: quote['id'] }),
      await jobOf(customer_id, { quote_id: quote['id'] }),
    ]
    const first = await company.call('invoices_create', { customer_id, from_job_id: one['id'] })
    assert.deepEqual(warningsOf(first), [])
    const second = await company.call('invoices_create', { customer_id, from_job_id: two['id'] })
    assert.deepEqual(warningsOf(second), [])
    const warningText = (what: Result, by: Result) =>
      `${what['display_number']} is already billed by ${by['display_number']} (draft); ask whether both are intended`
    const whole = await company.call('invoices_create', { customer_id, from_quote_id: quote['id'] })
    assert.deepEqual(warningsOf(whole), [warningText(one, first), warningText(two, second)])
    assert.deepEqual(await readInvoiceWarnings({ customer_id, quote_id: quote['id'], ...lines }), [
      warningText(one, first),
      warningText(two, second),
      warningText(quote, whole),
    ])
    assert.ok((await readInvoiceWarnings({ customer_id, from_job_id: one['id'] })).includes(warningText(quote, whole)))
  })

  it("doesn't warn because of a deposit invoice", async () => {
    const customer_id = await customer()
    const quote = await company.call('quotes_create', { customer_id, title: 'Roof', ...lines })
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(
        sql`update quotes set deposit = '{"type":"percent","value":50}' where tenant_id = ${company.tenant} and id = ${quote['id']}`,
      ),
    )
    const accepted = await company.call('quotes_update', { id: quote['id'], status: 'accepted' })
    assert.equal(accepted['converted_invoice_id'], null)
    const { rows } = await company.call('invoices_list', { customer_id })
    assert.equal(rows.length, 1)
    assert.deepEqual(await readInvoiceWarnings({ customer_id, from_quote_id: quote['id'] }), [])
  })

  it('warns once when a job is added to a draft', async () => {
    const customer_id = await customer()
    const job = await jobOf(customer_id)
    const first = await company.call('invoices_create', { customer_id, from_job_id: job['id'] })
    const { id } = await company.call('invoices_create', { customer_id, ...lines })
    const after = await company.call('invoices_update', { id, job_ids: [job['id']] })
    assert.deepEqual(warningsOf(after), [
      `${job['display_number']} is already billed by ${first['display_number']} (draft); ask whether both are intended`,
    ])
    assert.equal((await company.call('invoices_update', { id, job_ids: [job['id']] }))['warnings'], undefined)
    assert.equal(
      (await company.call('invoices_update', { id, job_ids: [job['id']], subject: 'Roof' }))['warnings'],
      undefined,
    )
  })

  it("omits the invoice number if the caller can't read invoices", async () => {
    const customer_id = await customer()
    const job = await jobOf(customer_id)
    await company.call('invoices_create', { customer_id, from_job_id: job['id'] })
    const blind = await company.member('office', { scopes: ['write:invoices'] })
    const made = await blind.call('invoices_create', { customer_id, from_job_id: job['id'] })
    assert.deepEqual(warningsOf(made), [
      `${job['display_number']} is already billed by another invoice; ask whether both are intended`,
    ])
  })
})

describe('an invoice without line items', () => {
  it('warns if quote_id copied no line items, but not if line items were sent', async () => {
    const customer_id = await customer()
    const quote = async () =>
      (
        await company.call('quotes_create', {
          customer_id,
          title: 'Boiler',
          line_items: [{ name: 'Boiler', unit_price_cents: 100 }],
        })
      )['id']
    const made = await company.call('invoices_create', { customer_id, quote_id: await quote() })
    assert.equal(made['total_cents'], 0)
    assert.deepEqual(warningsOf(made), [
      'quote_id copies no line items, so this invoice has a total of 0; add line_items with invoices_update, or create it with from_quote_id',
    ])
    const lines = { line_items: [{ name: 'Boiler', unit_price_cents: 100 }] }
    assert.deepEqual(
      warningsOf(await company.call('invoices_create', { customer_id, quote_id: await quote(), ...lines })),
      [],
    )
    assert.deepEqual(warningsOf(await company.call('invoices_create', { customer_id })), [])
  })

  it('warns if from_job_id had no line items to copy', async () => {
    const customer_id = await customer()
    const job = await jobOf(customer_id, { line_items: [] })
    const made = await company.call('invoices_create', { customer_id, from_job_id: job['id'] })
    assert.deepEqual(warningsOf(made), [
      'there were no line items to copy, so this invoice has a total of 0; add line_items with invoices_update',
    ])
    assert.deepEqual(warningsOf(await company.call('invoices_create', { customer_id })), [])
  })
})

describe('a double-booked member', () => {
  const at = (time: string): string => `2027-03-02T${time}`
  const clash = (name: string, { display_number }: Result, from: string, to: string) =>
    `${name} is double-booked: ${display_number} is 2027-03-02 ${from} to ${to}, local time`

  it('causes a warning with the other visit when a job is created, moved, assigned or reopened', async () => {
    const customer_id = await customer()
    const { id: who } = await company.member('tech')
    const job = await jobOf(customer_id, { scheduled_start: at('09:00'), assignees: [who] })
    assert.deepEqual(warningsOf(job), [])
    const beside = await jobOf(customer_id, { scheduled_start: at('10:00'), assignees: [who] })
    assert.deepEqual(warningsOf(beside), [])
    const over = await jobOf(customer_id, { scheduled_start: at('09:30'), assignees: [who] })
    assert.deepEqual(warningsOf(over), [
      clash('Test tech', job, '09:00', '10:00'),
      clash('Test tech', beside, '10:00', '11:00'),
    ])
    const moved = await company.call('jobs_update', { id: over['id'], scheduled_start: at('10:30') })
    assert.deepEqual(warningsOf(moved), [clash('Test tech', beside, '10:00', '11:00')])
    const given = await jobOf(customer_id, { scheduled_start: at('09:00') })
    assert.deepEqual(warningsOf(given), [])
    assert.deepEqual(warningsOf(await company.call('jobs_update', { id: given['id'], assignees: [who] })), [
      clash('Test tech', job, '09:00', '10:00'),
    ])
    await company.call('jobs_update', { id: given['id'], status: 'done' })
    assert.equal(warningsOf(await company.call('jobs_update', { id: given['id'], status: 'scheduled' })).length, 1)
  })

  it("causes no warning on unrelated changes, or for done, canceled, all-day or other members' visits", async () => {
    const customer_id = await customer()
    const { id: who } = await company.member('tech')
    const { id: other } = await company.member('tech')
    const whole = { scheduled_start: at('13:00'), assignees: [who] }
    const [done, off] = [
      await jobOf(customer_id, whole),
      await jobOf(customer_id, { ...whole, scheduled_start: at('14:00') }),
    ]
    await company.call('jobs_update', { id: done['id'], status: 'done' })
    await company.call('jobs_cancel', { id: off['id'] })
    await jobOf(customer_id, { ...whole, all_day: true, scheduled_start: '2027-03-02T00:00', duration_minutes: 1440 })
    await jobOf(customer_id, { ...whole, assignees: [other] })
    const job = await jobOf(customer_id, { ...whole, duration_minutes: 120 })
    assert.deepEqual(warningsOf(job), [])
    const twice = await jobOf(customer_id, whole)
    assert.equal(warningsOf(twice).length, 1)
    for (const change of [{ title: 'Gutter' }, { assignees: [who] }, { scheduled_start: at('13:00') }])
      assert.equal((await company.call('jobs_update', { id: twice['id'], ...change }))['warnings'], undefined)
  })

  it("causes at most three visit warnings plus a note, without job numbers if the caller can't read jobs", async () => {
    const customer_id = await customer()
    const { id: who } = await company.member('tech')
    const whole = { scheduled_start: at('16:00'), assignees: [who] }
    for (let i = 0; i < 4; i++) await jobOf(customer_id, whole)
    const fifth = warningsOf(await jobOf(customer_id, whole))
    assert.equal(fifth.length, 4)
    assert.equal(fifth[3], 'there are more visits at that time; list them with jobs_list')
    const blind = await company.member('office', { scopes: ['write:jobs'] })
    const [first] = warningsOf(await blind.call('jobs_create', { customer_id, title: 'Roof', ...whole }))
    assert.equal(first, 'Test tech is double-booked: another visit is 2027-03-02 16:00 to 17:00, local time')
  })
})

describe('archiving a customer', () => {
  it('warns about open jobs and unpaid invoices, with the tools to list them', async () => {
    const customer_id = await customer()
    const day = Temporal.Now.plainDateISO('America/New_York').add({ days: 3 }).toString()
    const job = await jobOf(customer_id, { scheduled_start: `${day}T09:00` })
    await jobOf(customer_id)
    await company.call('jobs_cancel', { id: (await jobOf(customer_id))['id'] })
    const { id } = await company.call('invoices_create', { customer_id, ...lines })
    await company.call('invoices_update', { id, status: 'sent' })
    const archived = await company.call('customers_archive', { id: customer_id })
    assert.deepEqual(warningsOf(archived), [
      `2 open jobs remain, 1 with an upcoming visit: list them with jobs_list and customer_id ${customer_id}, cancel one with jobs_cancel`,
      '1 unpaid invoice remains: list them with invoices_list and customer_id',
    ])
    const { rows } = await company.call('jobs_list', { customer_id, status: ['scheduled', 'unscheduled'] })
    assert.equal(rows.length, 2)
    await company.call('jobs_cancel', { id: job['id'] })
  })

  it("doesn't warn if the customer has no open work", async () => {
    assert.equal((await company.call('customers_archive', { id: await customer() }))['warnings'], undefined)
  })

  it("doesn't warn about invoices if the caller can't read them", async () => {
    const customer_id = await customer()
    const { id } = await company.call('invoices_create', { customer_id, ...lines })
    await company.call('invoices_update', { id, status: 'sent' })
    const blind = await company.member('office', { scopes: ['write:customers'] })
    assert.equal((await blind.call('customers_archive', { id: customer_id }))['warnings'], undefined)
  })
})

describe('a refusal that could lead to harm', () => {
  it('warns that status draft would undo the payment, and suggests a note instead', async () => {
    const customer_id = await customer()
    const { id, display_number } = await company.call('invoices_create', { customer_id, ...lines })
    await company.call('invoices_update', { id, status: 'paid' })
    for (const change of [{ internal_memo: 'Called' }, { fields: { gate: '4411' } }])
      assert.equal(
        await company.refusal('invoices_update', { id, ...change }),
        `conflict: ${display_number} is paid, and ${Object.keys(change)[0]} can be changed only in draft; leave it paid and add a note to it (notes_create), which undoes nothing: status draft would undo that it is paid`,
      )
    await company.call('notes_create', { subject_type: 'invoice', subject_id: id, body: 'Called' })
    assert.equal((await company.call('invoices_get', { id }))['status'], 'paid')
  })
})
