import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
})
after(() => service.stop())

const make = (given: object = {}, by: Company = company): Promise<Result> =>
  by.call('tax_rates_create', { rate_percentage: 8.25, ...given })
const defaults = async (by: Company): Promise<string[]> =>
  (await by.call('tax_rates_list', { limit: 100 })).rows
    .filter((row: Result) => row.is_default)
    .map((row: Result) => row.id)

describe('tax rate tools', () => {
  it('create with a default name, not as the default rate, and return percentage and decimal', async () => {
    const made = await make()
    assert.deepEqual(
      [
        made.name,
        made.rate_percentage,
        made.rate_decimal,
        made.is_default,
        made.is_archived,
        made.archived_at,
        made.created_by,
      ],
      ['Sales tax', 8.25, 0.0825, false, false, null, company.owner.id],
    )
    assert.equal('url' in made, false)
    assert.deepEqual(await company.call('tax_rates_get', { id: made.id }), made)
  })

  it('keep every decimal of a rate', async () => {
    const cases = [
      [0, 0, 0],
      [100, 100, 1],
      [8.875, 8.875, 0.08875],
      [0.0001, 0.0001, 0.000001],
      [7.0001, 7.0001, 0.070001],
      [1e-4, 0.0001, 0.000001],
    ] as const
    for (const [given, percentage, decimal] of cases) {
      const { rate_percentage, rate_decimal } = await make({ rate_percentage: given })
      assert.deepEqual([rate_percentage, rate_decimal], [percentage, decimal])
    }
    const { text } = await company.owner.send('tax_rates_create', { rate_percentage: 0.0001 })
    assert.match(text, /"rate_decimal":0\.000001,/)
  })

  it('list the default first, then by name ignoring case, without archived rates', async () => {
    const other = await makeCompany(service)
    for (const name of ['beta', 'Alpha', 'Órdago', 'omega']) await make({ name }, other)
    const last = await make({ name: 'zulu', is_default: true }, other)
    const gone = await make({ name: 'gone' }, other)
    await other.call('tax_rates_archive', { id: gone.id })
    const { rows, ...page } = await other.call('tax_rates_list', { include_total: true })
    assert.deepEqual(
      rows.map((row: Result) => row.name),
      ['zulu', 'Alpha', 'beta', 'omega', 'Órdago'],
    )
    assert.deepEqual(rows[0], {
      id: last.id,
      name: 'zulu',
      rate_decimal: 0.0825,
      rate_percentage: 8.25,
      is_default: true,
      is_archived: false,
    })
    assert.deepEqual(page, { page: 1, limit: 25, hasMore: false, total: 5 })
    const all = await other.call('tax_rates_list', { include_archived: true, include_total: true })
    assert.deepEqual(
      all.rows.find((row: Result) => row.id === gone.id),
      { id: gone.id, name: 'gone', rate_decimal: 0.0825, rate_percentage: 8.25, is_default: false, is_archived: true },
    )
    assert.equal(all.total, 6)
  })

  it('support paging, and updated_since with the oldest change first', async () => {
    const other = await makeCompany(service)
    const [a, b] = [await make({ name: 'a' }, other), await make({ name: 'b' }, other)]
    const renamed = await other.call('tax_rates_update', { id: a.id, name: 'z' })
    const ids = async (given: object) => (await other.call('tax_rates_list', given)).rows.map((row: Result) => row.id)
    assert.deepEqual(await ids({ updated_since: b.updated_at }), [b.id, a.id])
    assert.deepEqual(await ids({ updated_since: renamed.updated_at }), [a.id])
    const first = await other.call('tax_rates_list', { limit: 1 })
    assert.deepEqual([first.rows.map((row: Result) => row.id), first.hasMore], [[b.id], true])
    assert.deepEqual(await ids({ limit: 1, page: 2 }), [a.id])
  })

  it('keep one default: the latest one set, none after is_default false', async () => {
    const other = await makeCompany(service)
    const first = await make({ is_default: true }, other)
    const second = await make({ is_default: true }, other)
    assert.deepEqual(await defaults(other), [second.id])
    assert.notEqual((await other.call('tax_rates_get', { id: first.id })).updated_at, first.updated_at)
    assert.equal((await other.call('tax_rates_update', { id: first.id, is_default: true })).is_default, true)
    assert.deepEqual(await defaults(other), [first.id])
    await other.call('tax_rates_update', { id: first.id, is_default: true })
    assert.deepEqual(await defaults(other), [first.id])
    await other.call('tax_rates_update', { id: second.id, is_default: false })
    assert.deepEqual(await defaults(other), [first.id])
    await other.call('tax_rates_update', { id: first.id, is_default: false })
    assert.deepEqual(await defaults(other), [])
  })

  it('accept an update with the same percentage', async () => {
    const made = await make()
    const after = await company.call('tax_rates_update', { id: made.id, rate_percentage: 8.25, name: 'County' })
    assert.deepEqual([after.name, after.rate_percentage, 'url' in after], ['County', 8.25, false])
  })

  it('archive and report whether the rate was the default', async () => {
    const other = await makeCompany(service)
    const [plain, standard] = [await make({}, other), await make({ is_default: true }, other)]
    const archived = await other.call('tax_rates_archive', { id: plain.id })
    assert.deepEqual(Object.keys(archived).sort(), ['archived_at', 'id', 'was_default'])
    assert.equal(archived.was_default, false)
    assert.equal((await other.call('tax_rates_archive', { id: standard.id })).was_default, true)
    assert.deepEqual(await defaults(other), [])
  })

  it('leave exactly one default after fifty concurrent calls that set it', async () => {
    const other = await makeCompany(service)
    const rates = await Promise.all(Array.from({ length: 25 }, (_, i) => make({ name: `r${i}` }, other)))
    const answers = await Promise.all([
      ...rates.map(({ id }) => other.owner.send('tax_rates_update', { id, is_default: true })),
      ...rates.map((_, i) => other.owner.send('tax_rates_create', { rate_percentage: i, is_default: true })),
    ])
    assert.deepEqual(
      answers.filter(({ isError }) => isError).map(({ text }) => text),
      [],
    )
    assert.equal((await defaults(other)).length, 1)
  })

  it('allow writes with a company key and record no user', async () => {
    const key = await company.tenantKey()
    const made = await key.call('tax_rates_create', { rate_percentage: 4 })
    assert.deepEqual([made.created_by, made.updated_by], [null, null])
    await key.call('tax_rates_update', { id: made.id, name: 'Four' })
    await key.call('tax_rates_archive', { id: made.id })
  })
})

describe('tax rate tools: invalid_input', () => {
  it('is returned for a percentage that is missing, out of range or has over 4 decimals', async () => {
    assert.equal(await company.refusal('tax_rates_create', {}), 'invalid_input: rate_percentage is required')
    const cases = [
      [-1, 'must be at least 0'],
      [100.0001, 'must be at most 100'],
      [8.12345, 'must have at most 4 decimals'],
      ['8.25', 'must be a number \\(got "8\\.25"\\)'],
      [true, 'must be a number'],
      [null, 'must be a number'],
    ] as const
    for (const [given, rule] of cases) {
      assert.match(
        await company.refusal('tax_rates_create', { rate_percentage: given }),
        new RegExp(`^invalid_input: rate_percentage ${rule}`),
      )
    }
  })

  it('is returned for a name that is empty or too long, and for an unknown field', async () => {
    assert.match(
      await company.refusal('tax_rates_create', { rate_percentage: 1, name: ' ' }),
      /^invalid_input: name must not be empty/,
    )
    assert.match(
      await company.refusal('tax_rates_create', { rate_percentage: 1, name: 'x'.repeat(101) }),
      /^invalid_input: name must be at most 100/,
    )
    assert.match(
      await company.refusal('tax_rates_create', { rate_percentage: 1, is_defualt: true }),
      /unknown field 'is_defualt' \(did you mean 'is_default'\?\)/,
    )
  })

  it('is returned for a changed percentage', async () => {
    const { id } = await make()
    assert.equal(
      await company.refusal('tax_rates_update', { id, rate_percentage: 8.5 }),
      'invalid_input: rate_percentage cannot be changed (it is 8.25, got 8.5); create a new rate with tax_rates_create and archive this one',
    )
    assert.match(
      await company.refusal('tax_rates_update', { id, rate_decimal: 0.0825 }),
      /^invalid_input: unknown field 'rate_decimal'/,
    )
  })

  it('is returned for a location whose tax rate is archived', async () => {
    const rate = await make()
    const place = { address_line1: '1 Main St', tax_rate_id: rate.id }
    const customer = await company.call('customers_create', {
      customer_type: 'company',
      company_name: 'Rated',
      locations: [place],
    })
    assert.equal(customer.locations[0].tax_rate_id, rate.id)
    await company.call('tax_rates_archive', { id: rate.id })
    assert.match(
      await company.refusal('locations_create', { customer_id: customer.id, ...place }),
      /^invalid_input: tax_rate_id is not a live tax rate/,
    )
    assert.match(
      await company.refusal('customers_create', {
        customer_type: 'company',
        company_name: 'X',
        locations: [{ address_line1: '1' }, place],
      }),
      /^invalid_input: locations\[1\]\.tax_rate_id is not a live tax rate/,
    )
    const bare = await company.call('locations_create', { customer_id: customer.id, address_line1: '2' })
    assert.match(
      await company.refusal('locations_update', { id: bare.id, tax_rate_id: rate.id }),
      /^invalid_input: tax_rate_id is not a live/,
    )
    const kept = await company.call('locations_update', {
      id: customer.locations[0].id,
      tax_rate_id: rate.id,
      name: 'Lake house',
    })
    assert.deepEqual([kept.tax_rate_id, kept.name], [rate.id, 'Lake house'])
    assert.equal((await company.call('locations_update', { id: kept.id, tax_rate_id: null })).tax_rate_id, null)
  })
})

describe('tax rate tools: not_found', () => {
  it('is returned for an archived rate by every tool', async () => {
    const { id } = await make()
    await company.call('tax_rates_archive', { id })
    for (const [tool, given] of [
      ['get', {}],
      ['update', { name: 'x' }],
      ['update', { is_default: true }],
      ['archive', {}],
    ] as const) {
      assert.equal(
        await company.refusal(`tax_rates_${tool}`, { id, ...given }),
        'not_found: tax rate not found; find its id with tax_rates_list',
      )
    }
  })

  it("is returned for another company's rate", async () => {
    const other = await makeCompany(service)
    const { id } = await make({}, other)
    assert.equal(
      await company.refusal('tax_rates_get', { id }),
      'not_found: tax rate not found; find its id with tax_rates_list',
    )
    const customer = await company.call('customers_create', { customer_type: 'company', company_name: 'Y' })
    assert.match(
      await company.refusal('locations_create', { customer_id: customer.id, address_line1: '1', tax_rate_id: id }),
      /^invalid_input: tax_rate_id/,
    )
  })
})

describe('tax rate tools: conflict', () => {
  it('is returned if the rate changed since expected_updated_at', async () => {
    const seen = await make()
    await company.call('tax_rates_update', { id: seen.id, name: 'Changed' })
    assert.match(
      await company.refusal('tax_rates_update', { id: seen.id, name: 'Mine', expected_updated_at: seen.updated_at }),
      /^conflict: the record changed/,
    )
  })
})

describe('tax rate scopes', () => {
  it('require read:tax_rates for reads and write:tax_rates for writes', async () => {
    const reader = await company.tenantKey(['read:tax_rates'])
    await reader.call('tax_rates_list')
    assert.equal(
      await reader.refusal('tax_rates_create', { rate_percentage: 1 }),
      'insufficient_scope: tax_rates.create needs write:tax_rates',
    )
    const writer = await company.tenantKey(['write:tax_rates'])
    await writer.call('tax_rates_create', { rate_percentage: 1 })
    assert.equal(await writer.refusal('tax_rates_list'), 'insufficient_scope: tax_rates.list needs read:tax_rates')
  })
})
