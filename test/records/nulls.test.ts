import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { ARGUMENTS, EXAMPLES, makeRecords, type Records } from '../harness/clients/every_tool.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
let of: Records
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  of = await makeRecords(company, 'Null')
})
after(() => service.stop())

const { tools, descriptions } = toolCatalogOf(entities)
const creates = descriptions.filter(({ name }) => name.endsWith('_create'))
const lists = descriptions.filter(({ name }) => name.endsWith('_list') || name.endsWith('_search'))

describe('null', () => {
  for (const { name, inputSchema } of creates) {
    it(`is the same as omitting an optional field of ${name}`, async () => {
      const needed = [
        ...((inputSchema['required'] ?? []) as string[]),
        ...(EXAMPLES.get(tools.get(name)!.entity.name)!.needs ?? []),
      ]
      const given: Result = Object.fromEntries(
        Object.entries(ARGUMENTS[name]!(of)[0]!).filter(([field]) => needed.includes(field)),
      )
      const left = Object.keys(inputSchema['properties'] as object).filter((field) => !(field in given))
      assert.ok(left.length > 0)
      const made = await company.call(name, { ...given, ...Object.fromEntries(left.map((field) => [field, null])) })
      assert.ok(made['id'])
    })
  }

  for (const { name, inputSchema } of lists) {
    it(`is the same as omitting an optional filter of ${name}`, async () => {
      const required = (inputSchema['required'] ?? []) as string[]
      const needed = Object.fromEntries(
        Object.entries(ARGUMENTS[name]!(of)[0]!).filter(([field]) => required.includes(field)),
      )
      const left = Object.keys(inputSchema['properties'] as object).filter(
        (field) => !(field in needed) && !(name === 'catalog_categories_list' && field === 'parent_id'),
      )
      const asked = { ...needed, ...Object.fromEntries(left.map((field) => [field, null])) }
      assert.deepEqual(await company.call(name, asked), await company.call(name, needed))
    })
  }

  it('as parent_id lists root categories', async () => {
    const { id } = await company.call('catalog_categories_create', { name: 'Above' })
    await company.call('catalog_categories_create', { name: 'Below', parent_id: id })
    const names = async (parent_id: null | ''): Promise<string[]> =>
      (await company.call('catalog_categories_list', { parent_id, limit: 100 })).rows.map((row: Result) => row.name)
    for (const root of [null, ''] as const)
      assert.deepEqual(
        (await names(root)).filter((name) => name === 'Above' || name === 'Below'),
        ['Above'],
      )
  })

  it("uses the field's default on create", async () => {
    const job = await company.call('jobs_create', {
      customer_id: of.customer,
      title: 'Null',
      priority: null,
      duration_minutes: null,
      all_day: null,
      line_items: null,
      fields: null,
    })
    assert.deepEqual(
      [job.priority, job.duration_minutes, job.all_day, job.line_items, job.fields],
      ['normal', 60, false, [], {}],
    )
    const customer = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Null',
      status: null,
      contacts: null,
      tag_ids: null,
    })
    assert.deepEqual([customer.status, customer.contacts, customer.tags], ['active', [], []])
  })

  it('empties a list or custom fields on update', async () => {
    const made = await company.call('jobs_create', {
      customer_id: of.customer,
      title: 'Full',
      line_items: [{ name: 'Pump', unit_price_cents: 5 }],
      assignees: [of.user],
      fields: { a: 1 },
    })
    const job = await company.call('jobs_update', {
      id: made.id,
      line_items: null,
      assignees: null,
      fields: null,
      expected_updated_at: null,
    })
    assert.deepEqual([job.line_items, job.subtotal_cents, job.assignments, job.fields], [[], 0, [], {}])
  })

  it("is refused for required fields, lists that can't be empty, and unknown fields", async () => {
    const says = (tool: string, given: object): Promise<string> => company.refusal(tool, given)
    assert.equal(
      await says('customers_create', { customer_type: null, first_name: 'Null' }),
      'invalid_input: customer_type must be one of individual, company (got null)',
    )
    assert.equal(
      await says('jobs_create', { customer_id: null, title: null }),
      'invalid_input: customer_id must be text, find it with customers_search (got null); title must be text (got null)',
    )
    assert.equal(
      await says('jobs_update', { id: of.job, priority: null }),
      'invalid_input: priority must be one of low, normal, high, urgent (got null)',
    )
    assert.equal(
      await says('plans_update', { id: of.plan, line_items: null }),
      'invalid_input: line_items must be a list (got null)',
    )
    assert.equal(
      await says('catalog_items_update', { id: of.bundle, components: null }),
      'invalid_input: components must be a list (got null)',
    )
    assert.equal(
      await says('contacts_list', { customer_id: null }),
      'invalid_input: customer_id must be text, find it with customers_search (got null)',
    )
    assert.equal(
      await says('tags_create', { name: 'x', nothing: null }),
      "invalid_input: unknown field 'nothing' (the fields are name, color, idempotency_key)",
    )
  })
})
