import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { openWitness, refusedEach, type Witness } from '../harness/clients/witness.ts'

let service: TestService
let witness: Witness
let company: Company
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  company = await makeCompany(service)
})
after(async () => {
  await witness.close()
  await service.stop()
})

const namesOf = ({ rows }: Result): string[] => rows.map(({ name }: Result) => name)

describe('tags', () => {
  it('are created with an uppercase color, and listed by name ignoring case', async () => {
    const made = await company.call('tags_create', { name: '  gate code ', color: '#aabbcc' })
    assert.equal(made.name, 'gate code')
    assert.equal(made.color, '#AABBCC')
    assert.equal(made.created_by, company.owner.id)
    assert.equal(made.url, undefined)
    await company.call('tags_create', { name: 'Àlpha' })
    await company.call('tags_create', { name: 'Zeta' })
    const listed = await company.call('tags_list', {})
    assert.deepEqual(namesOf(listed), ['Àlpha', 'gate code', 'Zeta'])
    assert.deepEqual([listed.page, listed.limit, listed.hasMore], [1, 25, false])
    assert.deepEqual(listed.rows[1], { id: made.id, name: 'gate code', color: '#AABBCC' })
    assert.deepEqual(Object.keys(listed.rows[0]), ['id', 'name'])
  })

  it('have an NFC-normalized name of up to 50 code points, and no color for null or blank', async () => {
    const { call } = await makeCompany(service)
    assert.equal((await call('tags_create', { name: 'cafe\u0301' })).name, 'caf\u00e9')
    assert.equal((await call('tags_create', { name: '😀'.repeat(50) })).name, '😀'.repeat(50))
    for (const [i, color] of [undefined, null, '', '  '].entries())
      assert.equal((await call('tags_create', { name: `plain ${i}`, color })).color, null)
  })

  it('are returned with the number of live customers that have them', async () => {
    const { call } = await makeCompany(service)
    const tag = await call('tags_create', { name: 'vip' })
    assert.deepEqual(await call('tags_get', { id: tag.id }), { ...tag, usage_count: 0 })
    const [, second] = await Promise.all(
      ['Ana', 'Ben'].map((first_name) =>
        call('customers_create', { customer_type: 'individual', first_name, tag_ids: [tag.id, tag.id] }),
      ),
    )
    assert.equal((await call('tags_get', { id: tag.id.toUpperCase() })).usage_count, 2)
    await call('customers_archive', { id: second!.id })
    assert.equal((await call('tags_get', { id: tag.id })).usage_count, 1)
  })

  it('change only the given fields on update, and return no url', async () => {
    const { call } = await makeCompany(service)
    const tag = await call('tags_create', { name: 'old', color: '#111111' })
    const renamed = await call('tags_update', { id: tag.id, name: 'New' })
    assert.deepEqual({ ...renamed, updated_at: 0 }, { ...tag, name: 'New', updated_at: 0 })
    assert.ok(renamed.updated_at > tag.updated_at)
    assert.equal((await call('tags_update', { id: tag.id, color: '#abcdef' })).color, '#ABCDEF')
    assert.equal((await call('tags_update', { id: tag.id, color: null })).color, null)
    assert.equal((await call('tags_update', { id: tag.id, name: 'NEW' })).name, 'NEW')
  })

  it('are deleted together with their assignments', async () => {
    const { call, refusal } = await makeCompany(service)
    const [tag, other] = await Promise.all([
      call('tags_create', { name: 'gone' }),
      call('tags_create', { name: 'kept' }),
    ])
    const customer = await call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      tag_ids: [tag.id, other.id],
    })
    await call('customers_create', { customer_type: 'individual', first_name: 'Ben', tag_ids: [tag.id] })
    assert.deepEqual(await call('tags_delete', { id: tag.id }), { id: tag.id, deleted: true, assignments_removed: 2 })
    assert.deepEqual((await call('customers_get', { id: customer.id })).tags, [
      { id: other.id, name: 'kept', color: null },
    ])
    for (const tool of ['tags_delete', 'tags_get', 'tags_update'])
      assert.equal(await refusal(tool, { id: tag.id }), 'not_found: tag not found; find its id with tags_list')
    assert.equal(await witness.value('select count(*)::int from customer_tags where tag_id = $1', tag.id), 0)
  })

  it('are listed with paging and totals, and found by a name prefix without wildcards', async () => {
    const { call } = await makeCompany(service)
    for (const name of ['50% off', '50 percent', 'a_b', 'axb', 'Éclair', 'eclipse', 'o\'hara "x" \\ y'])
      await call('tags_create', { name })
    assert.deepEqual(namesOf(await call('tags_list', { query: '50%' })), ['50% off'])
    assert.deepEqual(namesOf(await call('tags_list', { query: 'a_' })), ['a_b'])
    assert.deepEqual(namesOf(await call('tags_list', { query: 'ECL' })), ['Éclair', 'eclipse'])
    assert.deepEqual(namesOf(await call('tags_list', { query: 'O\'HARA "X" \\' })), ['o\'hara "x" \\ y'])
    assert.deepEqual(namesOf(await call('tags_list', { query: 'lair' })), [])
    assert.deepEqual(namesOf(await call('tags_list', { query: ' ' })).length, 7)
    const second = await call('tags_list', { page: 2, limit: 3, include_total: true })
    assert.deepEqual(
      { ...second, rows: namesOf(second) },
      { rows: ['axb', 'Éclair', 'eclipse'], page: 2, limit: 3, hasMore: true, total: 7 },
    )
    assert.deepEqual(await call('tags_list', { page: 4, limit: 3 }), { rows: [], page: 4, limit: 3, hasMore: false })
    assert.equal((await call('tags_list', { query: 'ecl', include_total: true })).total, 2)
  })

  it('are listed by updated_since, oldest change first', async () => {
    const { call } = await makeCompany(service)
    const made = []
    for (const name of ['a', 'b', 'c']) made.push(await call('tags_create', { name }))
    const changed = await call('tags_update', { id: made[0]!.id, color: '#000000' })
    const since = made[1]!.updated_at
    const expected = [made[1]!, made[2]!, changed].sort((one, other) =>
      one.updated_at + one.id < other.updated_at + other.id ? -1 : 1,
    )
    assert.deepEqual(namesOf(await call('tags_list', { updated_since: since })), namesOf({ rows: expected }))
    assert.deepEqual(namesOf(await call('tags_list', { updated_since: changed.updated_at })), ['a'])
    assert.deepEqual(namesOf(await call('tags_list', { updated_since: '2999-01-01T00:00:00Z' })), [])
  })
})

describe('tags: invalid_input', () => {
  it('names the field, rule, value and next step, and nothing is written', async () => {
    await refusedEach(witness, company.owner, 'tags_create', [
      [{}, 'invalid_input: name is required'],
      [{ name: '  ' }, 'invalid_input: name must not be empty (got "")'],
      [{ name: null }, 'invalid_input: name must be text (got null)'],
      [{ name: 'x'.repeat(51) }, /^invalid_input: name must be at most 50 characters \(got "x+"\)$/],
      [{ name: 'a\nb' }, 'invalid_input: name must not contain control characters (got "a\\nb")'],
      [{ name: 'a', color: 'red' }, 'invalid_input: color must be a color such as #1E90FF (got "red")'],
      [{ name: 'a', color: '#12345' }, 'invalid_input: color must be a color such as #1E90FF (got "#12345")'],
      [{ name: 'a', colour: '#123456' }, "invalid_input: unknown field 'colour' (did you mean 'color'?)"],
      [
        { name: 7, color: 7, x: 1 },
        "invalid_input: name must be text (got 7); color must be text (got 7); unknown field 'x' (the fields are name, color, idempotency_key)",
      ],
    ])
    const { id } = await company.call('tags_create', { name: 'here' })
    await refusedEach(witness, company.owner, 'tags_update', [
      [{ name: 'x' }, 'invalid_input: id is required'],
      [{ id: 'x' }, 'invalid_input: id must be a UUID (got "x")'],
      [{ id, name: null }, 'invalid_input: name must be text (got null)'],
      [{ id, name: '' }, 'invalid_input: name must not be empty (got "")'],
      [
        { id, usage_count: 1 },
        "invalid_input: unknown field 'usage_count' (the fields are id, expected_updated_at, name, color)",
      ],
    ])
    await refusedEach(witness, company.owner, 'tags_get', [
      [{ tag_id: id }, "invalid_input: id is required; unknown field 'tag_id' (did you mean 'id'?)"],
    ])
    await refusedEach(witness, company.owner, 'tags_delete', [
      [{ id: [id] }, 'invalid_input: id must be text (got 1 items)'],
    ])
  })

  it('is returned for invalid paging and list filters', async () => {
    await refusedEach(witness, company.owner, 'tags_list', [
      [{ page: 0 }, 'invalid_input: page must be a whole number from 1 to 1000 (got 0)'],
      [{ page: 1001 }, 'invalid_input: page must be a whole number from 1 to 1000 (got 1001)'],
      [{ limit: 101 }, 'invalid_input: limit must be a whole number from 1 to 100 (got 101)'],
      [{ limit: '10' }, 'invalid_input: limit must be a whole number from 1 to 100 (got "10")'],
      [{ page: 101, limit: 100 }, 'invalid_input: page x limit must be at most 10000 (got 10100); narrow the filter'],
      [{ include_total: 'yes' }, 'invalid_input: include_total must be true or false (got "yes")'],
      [{ updated_since: 'monday' }, /^invalid_input: updated_since must be an instant such as .* \(got "monday"\)$/],
      [{ query: 'x'.repeat(51) }, /^invalid_input: query must be at most 50 characters/],
      [
        { q: 'x' },
        "invalid_input: unknown field 'q' (the fields are query, page, limit, include_total, updated_since, include_removed)",
      ],
    ])
    assert.deepEqual((await company.call('tags_list', { page: 100, limit: 100 })).rows, [])
  })

  it('is returned for tags_create with a tenant key, which can update and delete', async () => {
    const integration = await company.tenantKey()
    const { id } = await company.call('tags_create', { name: 'theirs' })
    assert.equal(
      await witness.refused(integration, 'tags_create', { name: 'mine' }),
      'invalid_input: tags.create needs a user, which a tenant key lacks; use a user key or sign in',
    )
    const renamed = await integration.call('tags_update', { id, name: 'renamed' })
    assert.equal(renamed.updated_by, null)
    assert.equal(renamed.created_by, company.owner.id)
    assert.equal((await integration.call('tags_delete', { id })).deleted, true)
  })
})

describe('tags: not_found', () => {
  it('is returned for an unknown id', async () => {
    for (const tool of ['tags_get', 'tags_update', 'tags_delete']) {
      assert.equal(
        await witness.refused(company.owner, tool, { id: newId(), ...(tool === 'tags_update' ? { name: 'x' } : {}) }),
        'not_found: tag not found; find its id with tags_list',
      )
    }
  })
})

describe('tags: conflict', () => {
  it("is returned for another tag's name, ignoring case and white space", async () => {
    const { owner, call } = await makeCompany(service)
    await call('tags_create', { name: 'Gate Code' })
    const { id } = await call('tags_create', { name: 'other' })
    for (const name of ['Gate Code', 'gate  code', 'GATECODE', ' gate\u00a0code ', 'g a t e code']) {
      assert.equal(
        await witness.refused(owner, 'tags_create', { name }),
        "conflict: name is another tag's; find that one with tags_list, or choose another",
      )
      assert.equal(
        await witness.refused(owner, 'tags_update', { id, name }),
        "conflict: name is another tag's; find that one with tags_list, or choose another",
      )
    }
    assert.equal((await (await makeCompany(service)).call('tags_create', { name: 'Gate Code' })).name, 'Gate Code')
  })

  it('is returned to all but one of many concurrent creates or renames to one name', async () => {
    const { owner, tenant, call } = await makeCompany(service)
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, i) => owner.send('tags_create', { name: i % 2 ? 'Race' : 'r ace' })),
    )
    assert.equal(made.filter(({ isError }) => !isError).length, 1)
    assert.deepEqual(
      [...new Set(made.filter(({ isError }) => isError).map(({ text }) => text))],
      ["conflict: name is another tag's; find that one with tags_list, or choose another"],
    )
    const others = await Promise.all(Array.from({ length: 12 }, (_, i) => call('tags_create', { name: `number ${i}` })))
    const renamed = await Promise.all(others.map(({ id }) => owner.send('tags_update', { id, name: 'the one' })))
    assert.equal(renamed.filter(({ isError }) => !isError).length, 1)
    assert.equal(await witness.value('select count(*)::int from tags where tenant_id = $1', tenant), 13)
  })

  it('is returned for the 501st tag, also under concurrency', async () => {
    const { owner, tenant, call } = await makeCompany(service)
    await witness.rows(
      `insert into tags (tenant_id, id, name, name_folded, identity) select $1, gen_random_uuid(), n::text, n::text, n::text from generate_series(1, 499) n`,
      tenant,
    )
    const made = await Promise.all(
      Array.from({ length: 15 }, (_, i) => owner.send('tags_create', { name: `last ${i}` })),
    )
    assert.equal(made.filter(({ isError }) => !isError).length, 1)
    const full = 'conflict: the account has 500 tags, which is the maximum; delete an unused one with tags_delete'
    assert.ok(made.filter(({ isError }) => isError).every(({ text }) => text === full))
    assert.equal(await witness.refused(owner, 'tags_create', { name: 'one more' }), full)
    await call('tags_delete', { id: (await call('tags_list', { limit: 1 })).rows[0].id })
    await call('tags_create', { name: 'one more' })
  })
})

describe('tags: insufficient_scope', () => {
  it("names the tool and scope; write scopes don't include read scopes", async () => {
    const { id } = await company.call('tags_create', { name: 'scoped' })
    const reader = await company.member('office', { scopes: ['read:customers'] })
    assert.equal(
      await witness.refused(reader, 'tags_create', { name: 'x' }),
      'insufficient_scope: tags.create needs write:customers',
    )
    assert.equal(
      await witness.refused(reader, 'tags_update', { id, name: 'x' }),
      'insufficient_scope: tags.update needs write:customers',
    )
    assert.equal(
      await witness.refused(reader, 'tags_delete', { id }),
      'insufficient_scope: tags.delete needs write:customers',
    )
    assert.equal((await reader.call('tags_get', { id })).name, 'scoped')
    const writer = await company.member('office', { scopes: ['write:customers'] })
    assert.equal(await witness.refused(writer, 'tags_list', {}), 'insufficient_scope: tags.list needs read:customers')
    assert.equal(await witness.refused(writer, 'tags_get', { id }), 'insufficient_scope: tags.get needs read:customers')
    await writer.call('tags_delete', { id })
  })
})
