import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

let service: TestService
let witness: Witness
let company: Company
let ana: Result
let job: Result
let invoice: Result
let quote: Result
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  company = await makeCompany(service)
  const { call } = company
  ana = await call('customers_create', { customer_type: 'individual', first_name: 'Ana', last_name: 'Ruíz' })
  job = await call('jobs_create', { customer_id: ana['id'], title: 'Roof' })
  invoice = await call('invoices_create', { customer_id: ana['id'] })
  quote = await call('quotes_create', { customer_id: ana['id'], title: 'Roof' })
})
after(async () => {
  await witness.close()
  await service.stop()
})

const renameUser = (of: Company, user: string, name: string) =>
  writeTenant(service.database, { tenant: of.tenant }, (db) =>
    db.run(sql`update users set name = ${name} where id = ${user}`),
  )

describe('a display number in a call', () => {
  it('is accepted as the id of its record, in any case, to read and to update', async () => {
    const { call } = company
    assert.equal((await call('jobs_get', { id: job['display_number'].toLowerCase() }))['id'], job['id'])
    assert.equal((await call('invoices_get', { id: ` ${invoice['display_number']} ` }))['id'], invoice['id'])
    assert.equal((await call('quotes_get', { id: quote['display_number'] }))['id'], quote['id'])
    const after = await call('jobs_update', { id: job['display_number'], title: 'Roof, north' })
    assert.deepEqual([after['id'], after['title']], [job['id'], 'Roof, north'])
  })

  it('is accepted in id fields and lists of ids, and refused for an invalid subject_type', async () => {
    const { call } = company
    const made = await call('invoices_create', {
      customer_id: ana['id'],
      job_ids: [job['display_number'], job['id']],
      quote_id: quote['display_number'],
    })
    assert.deepEqual([made['job_ids'], made['quote_id']], [[job['id']], quote['id']])
    const note = await call('notes_create', { body: 'Gate', subject_type: 'job', subject_id: job['display_number'] })
    assert.equal(note['subject_id'], job['id'])
    for (const subject_type of [{ toString: 1 }, ['job']])
      assert.match(
        await company.refusal('notes_create', { body: 'Gate', subject_type, subject_id: job['display_number'] }),
        /^invalid_input: .*subject_type/,
      )
  })

  it('resolves to its invoice when the prefix ends with a digit', async () => {
    const other = await makeCompany(service)
    await writeTenant(service.database, { tenant: other.tenant }, (db) =>
      db.run(sql`update tenants set invoice_prefix = 'B2' where id = ${other.tenant}`),
    )
    const { id: customer_id } = await other.call('customers_create', { customer_type: 'individual', first_name: 'Bo' })
    const { id, display_number } = await other.call('invoices_create', { customer_id })
    assert.equal(display_number, 'B21001')
    assert.equal((await other.call('invoices_get', { id: 'B21001' }))['id'], id)
    assert.deepEqual((await other.call('invoices_list', { number: 'b21001' }))['rows'].length, 1)
    assert.deepEqual((await other.call('invoices_list', { number: 'INV-1001' }))['rows'], [])
  })

  it('filters the invoice list, and is refused when it is not a number', async () => {
    const { rows } = await company.call('invoices_list', { number: invoice['display_number'] })
    assert.deepEqual(
      rows.map((row: Result) => row['id']),
      [invoice['id']],
    )
    assert.match(
      await company.refusal('invoices_list', { number: 'the last one' }),
      /^invalid_input: number must be a whole number from 1 to 2147483647, or a display number such as INV-1002 \(got "the last one"\)$/,
    )
  })

  it("is refused without a change if unknown, another company's, or not readable by the caller", async () => {
    const stranger = await makeCompany(service)
    const blind = await company.member('office', { scopes: ['write:jobs', 'read:customers'] })
    const before = await witness.digest()
    assert.equal(
      await company.refusal('jobs_update', { id: 'J-9999', title: 'X' }),
      'not_found: job J-9999 not found; find its id with jobs_list',
    )
    assert.match(await stranger.refusal('jobs_get', { id: job['display_number'] }), /^not_found: /)
    assert.match(
      await blind.refusal('jobs_update', { id: job['display_number'], title: 'X' }),
      /^invalid_input: id must be a UUID/,
    )
    assert.deepEqual(await witness.digest(), before)
  })

  it('or a name replays by idempotency key even after the name became ambiguous', async () => {
    const given = { customer_id: ana['display_name'], title: 'Gutter', idempotency_key: 'gutter-1' }
    const first = await company.call('jobs_create', given)
    const twin = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      last_name: 'Ruiz',
    })
    assert.deepEqual(await company.call('jobs_create', given), first)
    await company.call('customers_archive', { id: twin['id'] })
  })
})

describe("a customer's exact name", () => {
  it('is accepted as an id if unique, ignoring case and accents', async () => {
    const made = await company.call('jobs_create', { customer_id: 'ana ruiz', title: 'Leak' })
    assert.equal(made['customer_id'], ana['id'])
    const { rows } = await company.call('jobs_list', { customer_id: 'Ana Ruíz', title: 'leak' })
    assert.equal(rows.length, 1)
  })

  it("is refused with the candidates' ids if several customers have it", async () => {
    const { call } = company
    const make = (email: string) =>
      call('customers_create', { customer_type: 'individual', first_name: 'Kim', last_name: 'Lee', email })
    const [one, two] = [await make('kim@one.example'), await make('kim@two.example')]
    assert.equal(
      await company.refusal('jobs_create', { customer_id: 'Kim Lee', title: 'X' }),
      `invalid_input: customer_id must be an id: «Kim Lee» is the name of «Kim Lee, kim@one.example» (${one['id']}), «Kim Lee, kim@two.example» (${two['id']}); ask the person which one they mean`,
    )
  })

  it('is refused if it contains control characters or lone surrogates', async () => {
    const before = await witness.digest()
    for (const customer_id of ['A\u0000na', 'Ana\u0001', 'Ana Ru\ud800z'])
      assert.match(
        await company.refusal('jobs_create', { customer_id, title: 'Roof' }),
        /^invalid_input: customer_id must be a UUID/,
      )
    assert.deepEqual(await witness.digest(), before)
  })

  it('is refused if unknown, archived, partial, unreadable, or sent as id to a customers tool', async () => {
    const wayOut = (field: string, got: string) =>
      `invalid_input: ${field} must be a UUID${field === 'id' ? '' : ', find it with customers_search'} (got "${got}")`
    const gone = await company.call('customers_create', { customer_type: 'company', company_name: 'Gone Long' })
    await company.call('customers_archive', { id: gone['id'] })
    for (const customer_id of ['Nobody Here', 'Gone Long', 'Ruiz'])
      assert.equal(
        await company.refusal('jobs_create', { customer_id, title: 'X' }),
        wayOut('customer_id', customer_id),
      )
    assert.equal(await company.refusal('customers_archive', { id: 'Ana Ruiz' }), wayOut('id', 'Ana Ruiz'))
    const blind = await company.member('office', { scopes: ['write:jobs', 'read:jobs'] })
    assert.equal(
      await blind.refusal('jobs_create', { customer_id: 'Ana Ruiz', title: 'X' }),
      wayOut('customer_id', 'Ana Ruiz'),
    )
  })
})

describe("a member's exact name", () => {
  it('is accepted as assignee and filter only if one active member has it', async () => {
    const other = await makeCompany(service)
    const [tomas, twin] = [await other.member('tech'), await other.member('tech')]
    await renameUser(other, tomas.id, 'Tomas Reed')
    const { id: customer_id } = await other.call('customers_create', { customer_type: 'individual', first_name: 'Bo' })
    const { assignments } = await other.call('jobs_create', { customer_id, title: 'Leak', assignees: ['tomas reed'] })
    assert.deepEqual(assignments, [{ user_id: tomas.id, name: 'Tomas Reed' }])
    assert.equal((await other.call('jobs_list', { assignee: 'Tomas Reed' }))['rows'].length, 1)

    await renameUser(other, twin.id, 'Tomas Reed')
    const refused = await other.refusal('jobs_create', { customer_id, title: 'Leak', assignees: ['Tomas Reed'] })
    assert.match(refused, /^invalid_input: assignees\[0\] is the name of Tomas Reed, \S+ \(\S+\) and Tomas Reed, /)
    for (const { id } of [tomas, twin]) assert.ok(refused.includes(id), refused)
    assert.match(
      await other.refusal('jobs_list', { assignee: 'Tomas Reed' }),
      /^invalid_input: assignee is the name of .*; send the id of one/,
    )
    await writeTenant(service.database, { tenant: other.tenant }, (db) =>
      db.run(
        sql`update members set deactivated_at = moment() where tenant_id = ${other.tenant} and user_id = ${twin.id}`,
      ),
    )
    assert.equal((await other.call('jobs_list', { assignee: 'Tomas Reed' }))['rows'].length, 1)
  })

  it("never takes precedence over another member's email address", async () => {
    const other = await makeCompany(service)
    const [lena, liar] = [await other.member('tech'), await other.member('tech')]
    await renameUser(other, liar.id, lena.email)
    const { id: customer_id } = await other.call('customers_create', { customer_type: 'individual', first_name: 'Bo' })
    const { assignments } = await other.call('jobs_create', { customer_id, title: 'Leak', assignees: [lena.email] })
    assert.equal(assignments[0].user_id, lena.id)
  })
})

describe('a request for an archived or merged record', () => {
  it('says so only to callers who can read the list', async () => {
    const { call, refusal } = company
    const { id: customer_id } = await call('customers_create', { customer_type: 'company', company_name: 'Old Mill' })
    const { id, display_number } = await call('quotes_create', { customer_id, title: 'Boiler' })
    await call('quotes_archive', { id })
    const day = Temporal.Now.plainDateISO('America/New_York').toString()
    const archived = new RegExp(
      `^not_found: quote not found: it is ${display_number}, archived on \\d{4}-\\d\\d-\\d\\d; quotes_list shows it only with status archived; find another with quotes_list$`,
    )
    assert.match(await refusal('quotes_get', { id }), archived)
    assert.match(await refusal('quotes_update', { id: display_number, title: 'X' }), /^not_found: quote not found/)
    const blind = await company.member('office', { scopes: ['write:quotes'] })
    assert.equal(
      await blind.refusal('quotes_archive', { id }),
      'not_found: quote not found; find its id with quotes_list',
    )

    await call('customers_archive', { id: customer_id })
    const gone =
      /^not_found: customer not found: it is «Old Mill», archived on (\S+) \(its jobs, quotes and invoices are kept\); find another with customers_search$/
    const [, said = ''] = gone.exec(await refusal('customers_get', { id: customer_id })) ?? []
    assert.ok(said >= day, said)
    assert.match(await refusal('jobs_create', { customer_id, title: 'X' }), gone)
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(
        sql`update customers set merged_into = ${ana['id']} where tenant_id = ${company.tenant} and id = ${customer_id}`,
      ),
    )
    assert.match(
      await refusal('customers_get', { id: customer_id }),
      new RegExp(
        `^not_found: customer not found: it was merged into «Ana Ruíz» \\(${ana['id']}\\) on \\S+; find another with customers_search$`,
      ),
    )
    const stranger = await makeCompany(service)
    assert.equal(
      await stranger.refusal('customers_get', { id: customer_id }),
      'not_found: customer not found; find its id with customers_search',
    )
  })
})

describe('an unknown tool name', () => {
  it('is refused with the name of the tool that does the same', async () => {
    for (const [wrong, right] of [
      ['customers_list', 'customers_search'],
      ['list_customers', 'customers_search'],
      ['find_customer', 'customers_search'],
      ['notes_search', 'notes_list'],
      ['create_job', 'jobs_create'],
      ['job_book', 'jobs_create'],
      ['invoices_delete', 'invoices_void'],
      ['jobs_archive', 'jobs_cancel'],
      ['tags_archive', 'tags_delete'],
      ['job_series_cancel', 'job_series_end'],
      ['customers.get', 'customers_get'],
      ['jobs_creat', 'jobs_create'],
    ])
      await assert.rejects(company.call(wrong!), new RegExp(`did you mean ${right}\\?`), wrong)
  })
})

describe('a refusal for a common term', () => {
  it('suggests the supported value', async () => {
    assert.match(
      await company.refusal('invoices_list', { status: ['overdue'] }),
      /^invalid_input: status\[0\] must be one of draft, .*; for unpaid ones past due_date send overdue: true \(got "overdue"\)$/,
    )
    const quarterly = { customer_id: ana['id'], title: 'Filter', rrule: 'FREQ=QUARTERLY', dtstart: '2027-03-01T09:00' }
    assert.match(
      await company.refusal('job_series_create', quarterly),
      /FREQ=QUARTERLY is not supported; use FREQ=MONTHLY;INTERVAL=3/,
    )
  })
})
