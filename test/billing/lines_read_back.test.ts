import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
let customer: Result
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  await company.call('tax_rates_create', { rate_percentage: 8.25, name: 'Standard', is_default: true })
  customer = await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
})
after(() => service.stop())

const LINES = [
  { name: 'Call', unit_price_cents: 10_000, description: 'On site' },
  { name: 'Part', quantity: 2.5, unit_price_cents: 333 },
  { kind: 'discount', name: 'Tenth', discount_type: 'percent', discount_value: 10 },
]

/** Documents whose lines are sent back, with the fields that create them. */
const DOCUMENTS: Readonly<Record<string, object>> = {
  invoices: {},
  quotes: { title: 'Work' },
  plans: { name: 'Care', cadence: 'monthly' },
}
const make = (entity: string): Promise<Result> =>
  company.call(`${entity}_create`, { customer_id: customer['id'], line_items: LINES, ...DOCUMENTS[entity] })
const idsOf = ({ line_items }: Result): string[] => line_items.map(({ id }: Result) => id)

for (const entity of Object.keys(DOCUMENTS))
  describe(`lines of ${entity}, sent back as they were read`, () => {
    it('keep their ids when reordered or joined by a new line', async () => {
      const { id } = await make(entity)
      const read = await company.call(`${entity}_get`, { id })
      const [call, part, tenth] = read['line_items']
      const trip = { name: 'Trip', unit_price_cents: 5_000 }
      // Position sorts lines, so reordered lines are sent without it.
      const lines = [tenth, { ...call, quantity: 2 }, part].map((line) => ({ ...line, position: undefined }))
      const changed = await company.call(`${entity}_update`, { id, line_items: [...lines, trip] })
      assert.deepEqual(idsOf(changed).slice(0, 3), [tenth.id, call.id, part.id])
      assert.equal(new Set(idsOf(changed)).size, 4)
      assert.deepEqual(
        changed['line_items'].map(({ line_total_cents }: Result) => line_total_cents),
        [-2_583, 20_000, 833, 5_000],
      )
      const same = await company.call(`${entity}_update`, { id, line_items: changed['line_items'] })
      assert.deepEqual(same['line_items'], changed['line_items'])
    })

    it('are rejected if a computed value differs', async () => {
      const { id, line_items } = await make(entity)
      const [call, part] = line_items
      assert.equal(
        await company.refusal(`${entity}_update`, {
          id,
          line_items: [
            { ...call, line_total_cents: 1 },
            { ...part, tax_name: 'None' },
          ],
        }),
        'invalid_input: line_items[0].line_total_cents is computed; leave it out, or send it unchanged; ' +
          'line_items[1].tax_name is computed; leave it out, or send it unchanged',
      )
    })

    it('get new ids for a second copy, and in another document', async () => {
      const { id, line_items } = await make(entity)
      const [call] = line_items
      const line = { ...call, position: undefined }
      const twice = idsOf(await company.call(`${entity}_update`, { id, line_items: [line, line] }))
      assert.equal(twice[0], call.id)
      assert.notEqual(twice[1], call.id)
      const other = await company.call(`${entity}_create`, {
        customer_id: customer['id'],
        ...DOCUMENTS[entity],
        line_items: [line],
      })
      assert.notEqual(idsOf(other)[0], call.id)
    })
  })

it('lines of a job can be sent back as they were read', async () => {
  const job = await company.call('jobs_create', { customer_id: customer['id'], title: 'Work', line_items: LINES })
  const { line_items, subtotal_cents } = await company.call('jobs_update', {
    id: job['id'],
    title: 'More work',
    line_items: job['line_items'],
  })
  assert.deepEqual([line_items, subtotal_cents], [job['line_items'], job['subtotal_cents']])
})
