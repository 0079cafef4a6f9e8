import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { changeMember } from '../../../src/identity/people/people.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { onlyAreas } from '../../harness/identity/ceilings.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../../harness/harness.ts'
import { openPrompts, type Prompts } from './open_prompts.ts'

let service: TestService
let prompts: Prompts
let company: Company
let customer: Result
before(async () => {
  service = await startTestService()
  prompts = await openPrompts(service)
  ;({ company, customer } = prompts)
})
after(() => service.stop())

const SCOPED = {
  'customer-job-draft': 'read:customers',
  'draft-invoice': 'read:customers',
  'plan-my-day': 'read:jobs',
  'morning-brief': 'read:jobs',
  'chase-overdue-invoices': 'read:invoices',
  'answer-customer': 'read:customers',
  'quote-from-notes': 'read:customers',
  'plan-next-week': 'read:jobs',
  'fit-this-in': 'read:jobs',
  'bill-finished-work': 'read:jobs',
}

describe('prompts/list', () => {
  it('lists every prompt with its arguments', async () => {
    for (const [era, ask] of Object.entries(prompts.ask().eras)) {
      const { result } = await ask('prompts/list')
      assert.deepEqual(
        result!['prompts'].map(({ name, arguments: args }: Result) => [
          name,
          args.map((one: Result) => [one['name'], one['required']]),
        ]),
        [
          [
            'customer-job-draft',
            [
              ['customer_id', true],
              ['notes', false],
            ],
          ],
          [
            'draft-invoice',
            [
              ['customer_id', true],
              ['work_summary', false],
            ],
          ],
          ['plan-my-day', [['date', false]]],
          ['morning-brief', []],
          ['chase-overdue-invoices', []],
          ['answer-customer', [['customer_id', true]]],
          [
            'quote-from-notes',
            [
              ['customer_id', true],
              ['notes', false],
            ],
          ],
          ['plan-next-week', []],
          [
            'fit-this-in',
            [
              ['job_id', true],
              ['date', false],
            ],
          ],
          ['bill-finished-work', []],
        ],
      )
      for (const prompt of result!['prompts']) {
        assert.ok(prompt.title && prompt.description)
        for (const one of prompt.arguments) assert.ok(one.description)
      }
      if (era === '2026-07-28')
        assert.deepEqual(
          [result!['ttlMs'], result!['cacheScope'], result!['resultType']],
          [300_000, 'private', 'complete'],
        )
    }
  })

  it("omits prompts outside the caller's scopes", async () => {
    assert.deepEqual(await prompts.names(await company.tenantKey(['read:customers', 'read:communications'])), [
      'customer-job-draft',
      'draft-invoice',
      'answer-customer',
    ])
    assert.match(
      await prompts.refusal('answer-customer', {}, await company.tenantKey(['read:customers'])),
      /insufficient_scope: answer-customer needs read:communications/,
    )
    assert.deepEqual(await prompts.names(await company.tenantKey(['read:jobs', 'write:customers'])), [
      'plan-my-day',
      'morning-brief',
    ])
    assert.deepEqual(await prompts.names(await company.tenantKey(['read:notes'])), [])
  })

  it('follows a change of rights immediately', async () => {
    const office = await company.member('office', { ceiling: onlyAreas({ 'Jobs & scheduling': 'view' }) })
    assert.deepEqual(await prompts.names(office), ['plan-my-day', 'morning-brief'])
    await changeMember(service.database, { tenant: company.tenant }, office.id, {
      areas: onlyAreas({ 'Customers & contacts': 'view' }),
    })
    assert.deepEqual(await prompts.names(office), ['customer-job-draft', 'draft-invoice'])
    assert.match(await prompts.refusal('plan-my-day', {}, office), /insufficient_scope: plan-my-day needs read:jobs/)
    await changeMember(service.database, { tenant: company.tenant }, office.id, {
      areas: onlyAreas({ 'Jobs & scheduling': 'view' }),
    })
    assert.ok(await prompts.text('plan-my-day', {}, office))
  })
})

describe('prompts/get', () => {
  it('names the missing scope', async () => {
    for (const [name, scope] of Object.entries(SCOPED)) {
      for (const ask of Object.values(prompts.ask(await company.tenantKey(['read:notes'])).eras)) {
        const { error } = await ask('prompts/get', { name })
        assert.deepEqual(error, { code: -32602, message: `insufficient_scope: ${name} needs ${scope}` })
      }
    }
  })

  it('suggests the nearest name for an unknown prompt', async () => {
    assert.equal(
      await prompts.refusal('draft_invoice'),
      'Invalid params: unknown prompt "draft_invoice"; did you mean draft-invoice?',
    )
    assert.equal(await prompts.refusal('weather'), 'Invalid params: unknown prompt "weather"; see prompts/list')
  })

  it('names the missing or invalid argument', async () => {
    for (const name of ['customer-job-draft', 'draft-invoice']) {
      assert.match(await prompts.refusal(name), /^Invalid params: customer_id is required/)
      assert.match(await prompts.refusal(name, { customer_id: '' }), /^Invalid params: customer_id is required/)
      assert.match(await prompts.refusal(name, { customer_id: 'Ana' }), /^Invalid params: customer_id must be a UUID/)
      assert.match(
        await prompts.refusal(name, { customer: 'Ana' }),
        /unknown field 'customer' \(did you mean 'customer_id'\?\)/,
      )
    }
    assert.match(
      await prompts.refusal('customer-job-draft', { customer_id: customer['id'], notes: 'x'.repeat(5001) }),
      /^Invalid params: notes must be at most 5000 characters/,
    )
    assert.match(
      await prompts.refusal('draft-invoice', { customer_id: customer['id'], work_summary: 1 }),
      /^Invalid params: work_summary must be text/,
    )
    for (const date of ['tomorrow', '2027-02-30', '27-03-01'])
      assert.match(await prompts.refusal('plan-my-day', { date }), /^Invalid params: date must be a date/)
  })

  it("returns the same error for an archived, another company's and an unknown customer", async () => {
    const archived = await company.call('customers_create', { customer_type: 'individual', first_name: 'Gone' })
    await company.call('customers_archive', { id: archived['id'] })
    const theirs = await (
      await makeCompany(service)
    ).call('customers_create', { customer_type: 'individual', first_name: 'Theirs' })
    for (const id of [archived['id'], theirs['id'], newId()]) {
      for (const name of ['customer-job-draft', 'draft-invoice']) {
        assert.equal(
          await prompts.refusal(name, { customer_id: id }),
          `Invalid params: customer_id is not the id of a customer (got ${id}); find it with customers_search`,
        )
      }
    }
  })

  it('returns a 2026-07-28 result without cache hints', async () => {
    const { result } = await prompts.ask().stateless('prompts/get', { name: 'plan-my-day' })
    assert.deepEqual(Object.keys(result!).toSorted(), ['_meta', 'description', 'messages', 'resultType'])
  })
})
