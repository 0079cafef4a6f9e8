import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

const ZONE = 'America/Chicago'
const today = Temporal.Now.plainDateISO(ZONE)
const plus = (days: number): string => today.add({ days }).toString()

let service: TestService
let company: Company
let ana: string
let bo: string
const made = new Map<string, Result>()
before(async () => {
  service = await startTestService()
  company = await makeCompany(service, { timezone: ZONE })
  ana = (await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })).id
  bo = (await company.call('customers_create', { customer_type: 'company', company_name: 'Bo Ltd' })).id
  const job = (await company.call('jobs_create', { customer_id: ana, title: 'Pump' })).id
  const add = async (name: string, given: object, status?: string): Promise<void> => {
    const { id } = await company.call('invoices_create', {
      subject: name,
      line_items: [{ name: 'Visit', unit_price_cents: 1000 }],
      ...given,
    })
    if (status === 'void') await company.call('invoices_void', { id })
    else if (status !== undefined) await company.call('invoices_update', { id, status })
    made.set(name, await company.call('invoices_get', { id }))
  }
  await add('a', { customer_id: ana, job_ids: [job] })
  await add('b', { customer_id: bo, issue_date: plus(-30), due_date: plus(-1) }, 'sent')
  await add('c', { customer_id: ana, issue_date: plus(-10), due_date: plus(0) }, 'partially_paid')
  await add('d', { customer_id: ana, issue_date: plus(-90), due_date: plus(-60), job_ids: [job] }, 'paid')
  await add('e', { customer_id: bo, issue_date: plus(-30), due_date: plus(-5) }, 'void')
  await add('f', { customer_id: bo, issue_date: plus(-30), due_date: plus(-20) }, 'uncollectible')
})
after(() => service.stop())

const name = ({ id }: Result): string => [...made].find(([, invoice]) => invoice['id'] === id)?.[0] ?? '?'
const list = (given: object = {}): Promise<Result> => company.call('invoices_list', given)
const listNames = async (given: object = {}): Promise<string> => (await list(given)).rows.map(name).join('')

describe('the invoice list', () => {
  it('sorts newest first and includes void invoices only on request', async () => {
    assert.equal(await listNames(), 'fdcba')
    assert.equal(await listNames({ status: 'void' }), 'e')
    assert.equal(await listNames({ status: ['void', 'draft', 'sent'] }), 'eba')
  })

  it('returns summary rows with the customer name', async () => {
    const { rows } = await list({ status: 'sent' })
    const b = made.get('b')!
    assert.deepEqual(rows, [
      {
        id: b['id'],
        number: b['number'],
        display_number: b['display_number'],
        status: 'sent',
        is_overdue: true,
        customer_id: b['customer_id'],
        customer_name: 'Bo Ltd',
        issue_date: plus(-30),
        due_date: plus(-1),
        total_cents: 1000,
        balance_due_cents: 1000,
        currency: 'USD',
        updated_at: b['updated_at'],
      },
    ])
  })

  it('applies each filter, alone and combined', async () => {
    const cases: [object, string][] = [
      [{ customer_id: ana }, 'dca'],
      [{ customer_id: crypto.randomUUID() }, ''],
      [{ job_id: made.get('a')!['job_ids'][0] }, 'da'],
      [{ job_id: crypto.randomUUID() }, ''],
      [{ overdue: true }, 'b'],
      [{ overdue: false }, 'fdca'],
      [{ overdue: true, status: 'draft' }, ''],
      [{ number: made.get('c')!['number'] }, 'c'],
      [{ number: 1 }, ''],
      [{ issued_from: plus(-30) }, 'fcba'],
      [{ issued_to: plus(-30) }, 'fdb'],
      [{ issued_from: plus(-30), issued_to: plus(-10) }, 'fcb'],
      [{ due_from: plus(0) }, 'ca'],
      [{ due_to: plus(-1) }, 'fdb'],
      [{ due_from: plus(-20), due_to: plus(-1), status: ['void', 'sent'] }, 'eb'],
      [{ customer_id: ana, status: ['paid', 'draft'], issued_to: plus(-1) }, 'd'],
    ]
    for (const [given, expected] of cases) assert.equal(await listNames(given), expected, JSON.stringify(given))
  })

  it('accepts a date, or an instant as its local date', async () => {
    const late = today.add({ days: -30 }).toZonedDateTime({ timeZone: ZONE, plainTime: '23:30' })
    assert.equal(await listNames({ issued_to: late.toInstant().toString() }), 'fdb')
    assert.equal(await listNames({ issued_to: `${plus(-31)}T23:59` }), 'd')
  })

  it('supports paging, include_total and updated_since', async () => {
    const first = await list({ limit: 2, include_total: true })
    assert.deepEqual(
      [first['page'], first['limit'], first['hasMore'], first['total'], first['rows'].map(name).join('')],
      [1, 2, true, 5, 'fd'],
    )
    const last = await list({ limit: 2, page: 3 })
    assert.deepEqual([last['hasMore'], last['rows'].map(name).join(''), last['total']], [false, 'a', undefined])
    assert.equal((await list({ status: 'void', include_total: true }))['total'], 1)
    const { updated_at } = await company.call('invoices_update', { id: made.get('b')!['id'], status: 'uncollectible' })
    await company.call('invoices_update', { id: made.get('a')!['id'], subject: 'x' })
    assert.equal(await listNames({ updated_since: updated_at }), 'ba')
    assert.equal(await listNames({ updated_since: made.get('a')!['created_at'], status: ['void'] }), 'e')
  })

  it('shows no invoices of another company', async () => {
    assert.deepEqual((await (await makeCompany(service)).call('invoices_list', {})).rows, [])
  })
})

describe('the invoice list with invalid filters', () => {
  it('returns invalid_input with the field and the rule', async () => {
    const cases: [object, RegExp][] = [
      [{ status: 'overdue' }, /status/],
      [{ status: [] }, /status must have at least 1/],
      [{ limit: 101 }, /limit must be a whole number from 1 to 100/],
      [{ page: 0 }, /page must be/],
      [{ page: 1000, limit: 100 }, /narrow the filter/],
      [{ number: 0 }, /number must be/],
      [{ issued_from: 'yesterday' }, /issued_from must be a date/],
      [{ due_form: plus(0) }, /unknown field 'due_form' \(did you mean 'due_from'\?\)/],
      [{ overdue: 'yes' }, /overdue must be true or false/],
    ]
    for (const [given, message] of cases) {
      const text = await company.refusal('invoices_list', given)
      assert.match(text, /^invalid_input: /)
      assert.match(text, message)
    }
  })
})
