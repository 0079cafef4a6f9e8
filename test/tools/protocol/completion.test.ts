import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { changeMember } from '../../../src/identity/people/people.ts'
import { onlyAreas } from '../../harness/identity/ceilings.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../../harness/harness.ts'
import { newProtocolClient, type RpcResponse } from '../../harness/clients/protocol.ts'

let service: TestService
let company: Company
let ana: string
let harbor: string
before(async () => {
  service = await startTestService()
  company = await makeCompany(service, { timezone: 'Pacific/Auckland', country: 'US' })
  ana = (
    await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      last_name: 'Núñez',
      phone: '512-555-0143',
    })
  )['id']
  harbor = (
    await company.call('customers_create', {
      customer_type: 'company',
      company_name: 'Harbor Dental',
      email: 'desk@harbor.example',
    })
  )['id']
  const theirs = await makeCompany(service)
  await theirs.call('customers_create', { customer_type: 'individual', first_name: 'Ana', phone: '512-555-0143' })
})
after(() => service.stop())

type Ref = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }
const prompt = (name: string): Ref => ({ type: 'ref/prompt', name })
const template = (kind: string): Ref => ({ type: 'ref/resource', uri: `svc://${kind}/{id}` })

const ask = (ref: Ref, name: string, value: string, by: { key: string } = company.owner): Promise<RpcResponse> =>
  newProtocolClient(service.url, by.key).handshake('completion/complete', { ref, argument: { name, value } })
async function readCompletion(ref: Ref, name: string, value: string, by?: { key: string }): Promise<Result> {
  const { result, error } = await ask(ref, name, value, by)
  assert.ok(result, JSON.stringify(error))
  assert.deepEqual(Object.keys(result), ['completion'])
  return result['completion'] as Result
}
const readRefusal = async (ref: Ref, name: string, value = '', by?: { key: string }): Promise<string> => {
  const { error } = await ask(ref, name, value, by)
  assert.equal(error!.code, -32602)
  return error!.message
}
const NONE = { values: [], total: 0, hasMore: false }

describe('completion of a customer_id', () => {
  it('finds customers by name, phone in any format, email, or empty input', async () => {
    for (const name of ['customer-job-draft', 'draft-invoice']) {
      for (const typed of ['ana', 'Nunez', '(512) 555-0143', '5550143']) {
        assert.deepEqual(
          await readCompletion(prompt(name), 'customer_id', typed),
          { values: [ana], total: 1, hasMore: false },
          typed,
        )
      }
      assert.deepEqual((await readCompletion(prompt(name), 'customer_id', 'desk@harbor'))['values'], [harbor])
      assert.deepEqual(await readCompletion(prompt(name), 'customer_id', ''), {
        values: [harbor, ana],
        total: 2,
        hasMore: false,
      })
      assert.deepEqual(await readCompletion(prompt(name), 'customer_id', 'nobody'), NONE)
    }
  })

  it('finds a customer by the start of its id', async () => {
    assert.deepEqual((await readCompletion(prompt('draft-invoice'), 'customer_id', ana.slice(0, 30)))['values'], [ana])
    assert.deepEqual((await readCompletion(prompt('draft-invoice'), 'customer_id', ana.toUpperCase()))['values'], [ana])
    assert.deepEqual((await readCompletion(template('customer'), 'id', harbor.slice(0, 30)))['values'], [harbor])
  })

  it('returns nothing for input that no customer name can match', async () => {
    for (const typed of ['x'.repeat(201), 'a\u0007b', '\ud800'])
      assert.deepEqual(await readCompletion(prompt('draft-invoice'), 'customer_id', typed), NONE)
  })

  it('returns at most 100 values and sets hasMore', async () => {
    const many = await makeCompany(service)
    await Promise.all(
      Array.from({ length: 101 }, (_, i) =>
        many.call('customers_create', { customer_type: 'individual', last_name: `Many ${i}` }),
      ),
    )
    for (const [ref, name] of [
      [prompt('draft-invoice'), 'customer_id'],
      [template('customer'), 'id'],
    ] as const) {
      const { values, ...rest } = await readCompletion(ref, name, 'many', many.owner)
      assert.equal(new Set(values as string[]).size, 100)
      assert.deepEqual(rest, { hasMore: true })
    }
  })
})

describe('completion of a date', () => {
  it("suggests 31 days from today in the company's time zone", async () => {
    const before = Temporal.Now.plainDateISO('Pacific/Auckland')
    const { values, total, hasMore } = await readCompletion(prompt('plan-my-day'), 'date', '')
    const first = Temporal.PlainDate.from(values[0])
    assert.ok(
      Temporal.PlainDate.compare(first, before) >= 0 &&
        Temporal.PlainDate.compare(first, Temporal.Now.plainDateISO('Pacific/Auckland')) <= 0,
    )
    assert.deepEqual(
      [values, total, hasMore],
      [Array.from({ length: 31 }, (_, i) => first.add({ days: i }).toString()), 31, false],
    )
  })

  it('suggests the matching days of the typed month', async () => {
    assert.equal((await readCompletion(prompt('plan-my-day'), 'date', '2028-02'))['total'], 29)
    assert.deepEqual((await readCompletion(prompt('plan-my-day'), 'date', '2028-02-3'))['values'], [])
    assert.deepEqual((await readCompletion(prompt('plan-my-day'), 'date', '2028-03-3'))['values'], [
      '2028-03-30',
      '2028-03-31',
    ])
    assert.deepEqual((await readCompletion(prompt('plan-my-day'), 'date', '2028-03-31'))['values'], ['2028-03-31'])
    for (const typed of ['2028-13', 'tomorrow', '1999'])
      assert.deepEqual(await readCompletion(prompt('plan-my-day'), 'date', typed), NONE)
  })
})

describe('completion of free text', () => {
  it('returns nothing', async () => {
    assert.deepEqual(await readCompletion(prompt('customer-job-draft'), 'notes', 'Boil'), NONE)
    assert.deepEqual(await readCompletion(prompt('draft-invoice'), 'work_summary', ''), NONE)
  })
})

describe('completion of a resource template id', () => {
  it('finds records by id, number, title and customer', async () => {
    const line_items = [{ name: 'Cleaning', unit_price_cents: 100 }]
    const { id: first, display_number } = await company.call('jobs_create', { customer_id: ana, title: 'Boiler' })
    const { id: second } = await company.call('jobs_create', { customer_id: harbor, title: 'Chair' })
    const { id: invoice } = await company.call('invoices_create', {
      customer_id: harbor,
      subject: 'Chairs',
      line_items,
    })
    const { id: quote } = await company.call('quotes_create', { customer_id: ana, title: 'New boiler', line_items })
    assert.deepEqual(await readCompletion(template('job'), 'id', ''), {
      values: [second, first],
      total: 2,
      hasMore: false,
    })
    for (const typed of ['boil', display_number, 'NUNEZ', first])
      assert.deepEqual((await readCompletion(template('job'), 'id', typed))['values'], [first], typed)
    assert.deepEqual((await readCompletion(template('invoice'), 'id', 'harbor'))['values'], [invoice])
    assert.deepEqual((await readCompletion(template('quote'), 'id', 'new boiler'))['values'], [quote])
    assert.deepEqual(await readCompletion(template('quote'), 'id', 'chair'), NONE)
    assert.deepEqual((await readCompletion(template('customer'), 'id', '512 555 0143'))['values'], [ana])
  })

  it("returns nothing for records the caller can't read", async () => {
    const reader = await company.tenantKey(['read:jobs'])
    for (const kind of ['customer', 'invoice', 'quote'])
      assert.deepEqual(await readCompletion(template(kind), 'id', '', reader), NONE)
    assert.equal((await readCompletion(template('job'), 'id', '', reader))['total'], 2)
  })
})

describe('completion of a record history URI', () => {
  const history: Ref = { type: 'ref/resource', uri: 'callout://history/{kind}/{id}' }
  const idOf = async (kind: string | undefined, typed: string, by = company.owner): Promise<Result> => {
    const { result } = await newProtocolClient(service.url, by.key).handshake('completion/complete', {
      ref: history,
      argument: { name: 'id', value: typed },
      ...(kind !== undefined && { context: { arguments: { kind } } }),
    })
    return result!['completion'] as Result
  }

  it('suggests the kinds the caller can read', async () => {
    assert.equal((await readCompletion(history, 'kind', ''))['total'], 13)
    assert.deepEqual((await readCompletion(history, 'kind', 'job'))['values'], ['job', 'job_series'])
    const reader = await company.tenantKey(['read:jobs'])
    assert.deepEqual((await readCompletion(history, 'kind', '', reader))['values'], ['job'])
  })

  it('suggests ids for each kind', async () => {
    const { id: tag } = await company.call('tags_create', { name: 'Gate code' })
    const { id: rate } = await company.call('tax_rates_create', { name: 'Austin', rate_percentage: 8.25 })
    assert.deepEqual((await idOf('customer', '(512) 555-0143'))['values'], [ana])
    assert.deepEqual((await idOf('tag', 'gate'))['values'], [tag])
    assert.deepEqual((await idOf('tax_rate', 'austin'))['values'], [rate])
    for (const kind of (await readCompletion(history, 'kind', ''))['values'] as string[])
      assert.ok(Array.isArray((await idOf(kind, ''))['values']), kind)
  })

  it("suggests no ids without a kind, for an unknown kind, or for one the caller can't read", async () => {
    const reader = await company.tenantKey(['read:jobs'])
    for (const [kind, by] of [
      [undefined, company.owner],
      ['weather', company.owner],
      ['constructor', company.owner],
      ['customer', reader],
    ] as const)
      assert.deepEqual(await idOf(kind, '', by as typeof company.owner), NONE)
  })
})

describe('a completion request', () => {
  it("is refused with insufficient_scope for a prompt outside the caller's scopes", async () => {
    const reader = await company.tenantKey(['read:notes'])
    assert.equal(
      await readRefusal(prompt('draft-invoice'), 'customer_id', 'ana', reader),
      'insufficient_scope: draft-invoice needs read:customers',
    )
    assert.equal(
      await readRefusal(prompt('plan-my-day'), 'date', '', reader),
      'insufficient_scope: plan-my-day needs read:jobs',
    )
  })

  it('follows a scope change immediately', async () => {
    const office = await company.member('office', { ceiling: onlyAreas({ 'Customers & contacts': 'view' }) })
    const set = (areas: object) =>
      changeMember(service.database, { tenant: company.tenant }, office.id, { areas: onlyAreas(areas) })
    assert.equal((await readCompletion(prompt('draft-invoice'), 'customer_id', 'ana', office))['total'], 1)
    await set({ 'Jobs & scheduling': 'view' })
    assert.match(await readRefusal(prompt('draft-invoice'), 'customer_id', 'ana', office), /insufficient_scope/)
    assert.deepEqual(await readCompletion(template('customer'), 'id', 'ana', office), NONE)
    await set({ 'Customers & contacts': 'view' })
    assert.deepEqual((await readCompletion(template('customer'), 'id', 'ana', office))['values'], [ana])
    assert.equal((await readCompletion(prompt('draft-invoice'), 'customer_id', 'ana', office))['total'], 1)
  })

  it('is refused for an unknown prompt, template or argument, with the nearest or all valid names', async () => {
    assert.equal(
      await readRefusal(prompt('draft_invoice'), 'customer_id'),
      'Invalid params: unknown prompt "draft_invoice"; did you mean draft-invoice?',
    )
    assert.equal(
      await readRefusal(prompt('weather'), 'x'),
      'Invalid params: unknown prompt "weather"; valid names: customer-job-draft, draft-invoice, plan-my-day, morning-brief, chase-overdue-invoices, answer-customer, quote-from-notes, plan-next-week, fit-this-in, bill-finished-work',
    )
    assert.equal(
      await readRefusal(prompt('draft-invoice'), 'customerid'),
      'Invalid params: unknown argument "customerid"; did you mean customer_id?',
    )
    assert.equal(
      await readRefusal(prompt('draft-invoice'), 'toString'),
      'Invalid params: unknown argument "toString"; valid names: customer_id, work_summary',
    )
    assert.equal(
      await readRefusal(template('jobs'), 'id'),
      'Invalid params: unknown resource template "svc://jobs/{id}"; did you mean svc://job/{id}?',
    )
    const plan = await readRefusal({ type: 'ref/resource', uri: `svc://plan/${ana}` }, 'id')
    assert.match(plan, /^Invalid params: unknown resource template .*; valid names: svc:\/\/customer\/\{id\}, /)
    assert.equal(
      await readRefusal(template('job'), 'number'),
      'Invalid params: unknown argument "number"; valid names: id',
    )
  })

  it('is refused with -32602 for an invalid reference', async () => {
    const given = { ref: { type: 'ref/tool', name: 'x' }, argument: { name: 'a', value: '' } }
    const { error } = await newProtocolClient(service.url, company.owner.key).handshake('completion/complete', given)
    assert.equal(error!.code, -32602)
  })
})

describe('a completion request of 2026-07-28', () => {
  it('returns a typed result without cache hints', async () => {
    const { result } = await newProtocolClient(service.url, company.owner.key).stateless('completion/complete', {
      ref: prompt('draft-invoice'),
      argument: { name: 'customer_id', value: 'ana' },
    })
    assert.deepEqual(Object.keys(result!).toSorted(), ['_meta', 'completion', 'resultType'])
    assert.deepEqual(result!['completion'], { values: [ana], total: 1, hasMore: false })
  })
})
