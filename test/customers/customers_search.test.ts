import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { openWitness, refusedEach, type Witness } from '../harness/clients/witness.ts'
import { companyWith, firm, namesOf, person, searchNames } from './search_scene.ts'

let service: TestService
let witness: Witness
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
})
after(async () => {
  await witness.close()
  await service.stop()
})

describe('a customer search query', () => {
  let company: Company
  before(async () => {
    company = await companyWith(
      service,
      person('José Ñandú', { email: 'Jose.N@Example.com', phone: '(512) 555-0143' }),
      person("Ann O'Brien", { status: 'lead', phone: '512-555-0199' }),
      person('Bob Smith-Jones'),
      person('Bob Smith'),
      firm('Acme, Inc.', {
        contacts: [{ first_name: 'Zoë', last_name: 'Straßer', email: 'zoe@acme.test', phone: '+44 20 7946 0958' }],
      }),
      firm('100% Clean'),
      firm('50_50 Movers'),
      firm('The "Best" Co'),
      firm('A|B Pipes'),
      firm('Back\\slash'),
      person('Παύλος ΠΑΣΧΑΛΗΣ', { status: 'inactive' }),
    )
  })

  it('is refused if it has only invisible characters', async () => {
    for (const query of ['\u202e', '\u200b \u2060'])
      for (const field of ['query', 'q'])
        assert.match(await company.refusal('customers_search', { [field]: query }), /^invalid_input: /)
  })

  const cases: [what: string, query: string, names: string[]][] = [
    ['the beginning of a word', 'smi', ['Bob Smith', 'Bob Smith-Jones']],
    ['every word, in any order', 'smith BOB', ['Bob Smith', 'Bob Smith-Jones']],
    ['no word in the middle', 'mith', []],
    ['each term, not only one', 'bob brien', []],
    ['a name without its accents', 'jose nandu', ['José Ñandú']],
    ['a name with accents that it lacks', 'bób', ['Bob Smith', 'Bob Smith-Jones']],
    ['sharp s, and diaeresis of a contact', 'zoe strasser', ['Acme, Inc.']],
    ['the beginning of a Greek word, in capitals', 'ΠΑΣ', ['Παύλος ΠΑΣΧΑΛΗΣ']],
    ['a name with an apostrophe', "o'brien", ["Ann O'Brien"]],
    ['and with a typographic one', 'O’Brien', ["Ann O'Brien"]],
    ['the part behind it', 'brien', ["Ann O'Brien"]],
    ['the part behind a hyphen', 'jones', ['Bob Smith-Jones']],
    ['surname first, with a comma', 'Smith, Bob', ['Bob Smith', 'Bob Smith-Jones']],
    ['words without the commas of the name', 'acme inc', ['Acme, Inc.']],
    ['a name in quotes', '"best"', ['The "Best" Co']],
    ['a quote in the middle', 'the "best', ['The "Best" Co']],
    ['a per cent sign as itself', '100%', ['100% Clean']],
    ['a per cent sign as no wildcard', '%', []],
    ['an underscore as itself', '50_5', ['50_50 Movers']],
    ['an underscore as no wildcard', '5_m', []],
    ['a backslash as itself', 'back\\s', ['Back\\slash']],
    ['a bar like other punctuation', 'a|b', ['A|B Pipes']],
    ['SQL as words', "'; drop table customers; --", []],
    ['the middle of an email', 'n@examp', ['José Ñandú']],
    ['an email of a contact, in capitals', 'ZOE@ACME', ['Acme, Inc.']],
    ['a status', 'lead', ["Ann O'Brien"]],
    ['a status and a name', 'inactive παυλος', ['Παύλος ΠΑΣΧΑΛΗΣ']],
    ['no part of a status', 'inact', []],
    ['what nothing is called', 'zzz', []],
  ]
  for (const [what, query, names] of cases)
    it(`finds ${what}`, async () => assert.deepEqual(await searchNames(company, { query }), names))

  it('finds a phone in any format', async () => {
    for (const query of [
      '+1 (512) 555-0143',
      '512.555.0143',
      '5125550143',
      '1-512-555-0143',
      '512 555 0143',
      '(512)5550143',
      '512/555/0143',
      '+15125550143',
      '5550143',
      '555-0143',
      '0143',
      '00143',
    ]) {
      assert.deepEqual(await searchNames(company, { query }), ['José Ñandú'], query)
    }
    for (const query of ['+44 20 7946 0958', '020 7946 0958', '011 44 20 7946 0958', '7946 0958', '20-7946'])
      assert.deepEqual(await searchNames(company, { query }), ['Acme, Inc.'], query)
    assert.deepEqual(await searchNames(company, { query: '555-01' }), ["Ann O'Brien", 'José Ñandú'])
    for (const query of ['143', '512-555-0144', '0000', '9999 9999'])
      assert.deepEqual(await searchNames(company, { query }), [], query)
  })

  it('returns compact rows with names, without null fields', async () => {
    const tag = await company.call('tags_create', { name: 'row', color: '#00ff00' })
    const made = await company.call(
      'customers_create',
      firm('Row & Co', {
        tag_ids: [tag.id],
        email: 'row@example.com',
        phone: '512-555-0111',
        locations: [
          { address_line1: '9 Billing Rd', type: 'billing' },
          { address_line1: '1 Row St', city: 'Austin' },
        ],
        lead_source: 'secret',
      }),
    )
    const { rows, hasMore, nextCursor } = await company.call('customers_search', { query: 'row' })
    assert.deepEqual(rows, [
      {
        id: made.id,
        display_name: 'Row & Co',
        customer_type: 'company',
        status: 'active',
        primary_phone: '+15125550111',
        primary_email: 'row@example.com',
        primary_address: '1 Row St, Austin, US',
        tags: [{ id: tag.id, name: 'row', color: '#00FF00' }],
        updated_at: made.updated_at,
      },
    ])
    assert.deepEqual([hasMore, nextCursor], [false, null])
    const bare = (await company.call('customers_search', { query: 'movers' })).rows[0]
    assert.deepEqual(
      [Object.keys(bare).sort(), bare.tags],
      [['customer_type', 'display_name', 'id', 'status', 'tags', 'updated_at'], []],
    )
  })
})

describe('the order of customers_search', () => {
  it('is exact name or phone first, then by name, ignoring case and accents', async () => {
    const company = await companyWith(
      service,
      person('Émile Ann'),
      person('ann'),
      person('Ann Zola'),
      person('ANN ABEL'),
      person('Ännchen'),
      person('Zed'),
    )
    assert.deepEqual(await searchNames(company, { query: 'Ann' }), [
      'ann',
      'ANN ABEL',
      'Ann Zola',
      'Ännchen',
      'Émile Ann',
    ])
    await company.call('customers_create', person('Zoe', { phone: '+1 555 123 4567' }))
    await company.call(
      'customers_create',
      person('Abe', { phone: '+44 7555 123456', contacts: [{ phone: '+49 1555 1234567' }] }),
    )
    assert.deepEqual(await searchNames(company, { query: '555 123 4567' }), ['Zoe', 'Abe'])
  })

  it('is newest first without a query', async () => {
    const company = await companyWith(service, person('One'), person('Two'), person('Three'))
    assert.deepEqual(await searchNames(company, {}), ['Three', 'Two', 'One'])
    assert.deepEqual(await searchNames(company, { query: ' ', q: '' }), ['Three', 'Two', 'One'])
  })

  it('is oldest change first with updated_since, which is local time without an offset', async () => {
    const { call, ...company } = await companyWith(service, person('One'), person('Two'), person('Three'))
    const rows = (await call('customers_search', {})).rows.toReversed()
    const changed = await call('customers_update', { id: rows[0].id, lead_source: 'x' })
    assert.deepEqual(namesOf(await call('customers_search', { updated_since: rows[1].updated_at })), [
      'Two',
      'Three',
      'One',
    ])
    assert.deepEqual(namesOf(await call('customers_search', { updated_since: rows[1].updated_at, query: 't' })), [
      'Two',
      'Three',
    ])
    assert.deepEqual(namesOf(await call('customers_search', { updated_since: changed.updated_at })), ['One'])
    const local = Temporal.Instant.from(changed.updated_at)
      .toZonedDateTimeISO('America/New_York')
      .toPlainDateTime()
      .toString({ smallestUnit: 'millisecond' })
    assert.deepEqual(namesOf(await call('customers_search', { updated_since: local })), ['One'])
    await call('contacts_create', { customer_id: rows[1].id, first_name: 'x' })
    assert.deepEqual(namesOf(await call('customers_search', { updated_since: changed.updated_at })), ['One'])
    assert.ok(company.tenant)
  })
})

describe('customers_search filters', () => {
  it('can combine status, type, tag and query', async () => {
    const company = await makeCompany(service)
    const { call } = company
    const vip = await call('tags_create', { name: 'VIP 100%' })
    await call('tags_create', { name: 'unused' })
    for (const customer of [
      person('Ann', { status: 'lead', tag_ids: [vip.id] }),
      person('Abe', { status: 'lead' }),
      firm('Acme', { tag_ids: [vip.id] }),
      firm('Apex', { status: 'inactive' }),
    ])
      await call('customers_create', customer)
    assert.deepEqual(await searchNames(company, { query: 'a', status: 'lead' }), ['Abe', 'Ann'])
    assert.deepEqual(await searchNames(company, { query: 'a', customer_type: 'company' }), ['Acme', 'Apex'])
    for (const tag of ['VIP 100%', ' vip 100% ', vip.id, vip.id.toUpperCase()])
      assert.deepEqual(await searchNames(company, { query: 'a', tag }), ['Acme', 'Ann'], tag)
    assert.deepEqual(await searchNames(company, { tag: 'vip 100%', status: 'lead', customer_type: 'individual' }), [
      'Ann',
    ])
    for (const tag of ['vip', 'unused', '%', 'VIP_100%', '00000000-0000-4000-8000-000000000000'])
      assert.deepEqual(await searchNames(company, { tag }), [], tag)
    assert.deepEqual((await searchNames(company, { tag: '' })).length, 4)
  })
})

describe('q', () => {
  it('is an alias of query', async () => {
    const company = await companyWith(service, person('Ann'), person('Bob'))
    assert.deepEqual(await searchNames(company, { q: 'ann' }), ['Ann'])
    assert.deepEqual(await searchNames(company, { q: ' ann', query: 'ann ' }), ['Ann'])
    assert.equal(
      await witness.refused(company.owner, 'customers_search', { q: 'ann', query: 'bob' }),
      'invalid_input: q is an alias of query and differs from it; send one of them',
    )
  })
})

describe('customers_search: invalid_input', () => {
  it('names the field and its rule', async () => {
    const { owner } = await makeCompany(service)
    await refusedEach(witness, owner, 'customers_search', [
      [{ limit: 101 }, 'invalid_input: limit must be a whole number from 1 to 100 (got 101)'],
      [{ limit: '25' }, 'invalid_input: limit must be a whole number from 1 to 100 (got "25")'],
      [{ query: 'x'.repeat(201) }, /^invalid_input: query must be at most 200 characters/],
      [{ query: 5 }, 'invalid_input: query must be text (got 5)'],
      [{ status: 'archived' }, 'invalid_input: status must be one of lead, active, inactive (got "archived")'],
      [{ page: 2 }, /^invalid_input: unknown field 'page'/],
      [{ updated_since: '2027-13-01T00:00:00Z' }, /^invalid_input: updated_since must be an instant/],
      [{ updated_since: '2027-03-01T00:00:00+99:00' }, /^invalid_input: updated_since must be an instant/],
      [{ cursor: 'x'.repeat(513) }, /^invalid_input: cursor must be at most 512 characters/],
    ])
  })
})
