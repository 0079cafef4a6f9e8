import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

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

const makeCustomer = (): Promise<Result> =>
  company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })

/** Update tools of the customer area, each with a way to create a record and a change to it. */
const edits: [tool: string, make: () => Promise<Result>, change: (n: number) => object][] = [
  ['customers_update', makeCustomer, (n) => ({ first_name: `Ana ${n}` })],
  [
    'contacts_update',
    async () => company.call('contacts_create', { customer_id: (await makeCustomer()).id, first_name: 'Bo' }),
    (n) => ({ last_name: `Bo ${n}` }),
  ],
  [
    'locations_update',
    async () => company.call('locations_create', { customer_id: (await makeCustomer()).id, address_line1: '1 Main' }),
    (n) => ({ city: `City ${n}` }),
  ],
  [
    'tags_update',
    () => company.call('tags_create', { name: `tag ${Math.random()}` }),
    (n) => ({ color: `#00000${n.toString(16)}` }),
  ],
]

for (const [tool, make, change] of edits) {
  describe(tool, () => {
    it('succeeds when expected_updated_at matches, in three timestamp formats', async () => {
      const made = await make()
      let seen: string = made.updated_at
      const forms: ((at: Temporal.Instant) => string)[] = [
        (at) => at.toString({ smallestUnit: 'millisecond' }),
        (at) => at.toString({ timeZone: 'Asia/Kolkata', smallestUnit: 'microsecond' }),
        (at) => at.toZonedDateTimeISO('America/New_York').toPlainDateTime().toString({ smallestUnit: 'millisecond' }),
      ]
      for (const [i, form] of forms.entries()) {
        const after = await company.call(tool, {
          id: made.id,
          ...change(i + 1),
          expected_updated_at: form(Temporal.Instant.from(seen)),
        })
        assert.ok(after.updated_at > seen)
        seen = after.updated_at
      }
    })

    it('returns a conflict when the record has changed, and writes nothing', async () => {
      const made = await make()
      const changed = await company.call(tool, { id: made.id, ...change(1) })
      const conflictOf = (expected: string) =>
        `conflict: the record changed: its updated_at is ${changed.updated_at}, and expected_updated_at was ${expected}; get it again and decide whether to retry`
      for (const expected_updated_at of [made.updated_at, '2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z']) {
        assert.equal(
          await witness.refused(company.owner, tool, { id: made.id, ...change(2), expected_updated_at }),
          conflictOf(expected_updated_at),
        )
      }
    })

    it('lets one of 12 concurrent updates with the same expected_updated_at succeed', async () => {
      const made = await make()
      const all = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          company.owner.send(tool, { id: made.id, ...change(i), expected_updated_at: made.updated_at }),
        ),
      )
      assert.equal(all.filter(({ isError }) => !isError).length, 1)
      assert.ok(
        all.filter(({ isError }) => isError).every(({ text }) => text.startsWith('conflict: the record changed: ')),
      )
    })

    it('gives every change its own updated_at, even within one millisecond', async () => {
      const made = await make()
      const all = await Promise.all(
        Array.from({ length: 12 }, (_, i) => company.call(tool, { id: made.id, ...change(i) })),
      )
      assert.equal(new Set([made, ...all].map(({ updated_at }) => updated_at)).size, 13)
    })

    it("rejects an expected_updated_at that isn't a timestamp with invalid_input", async () => {
      const made = await make()
      assert.match(
        await witness.refused(company.owner, tool, { id: made.id, ...change(1), expected_updated_at: 'now' }),
        /^invalid_input: expected_updated_at must be an instant such as .* \(got "now"\)$/,
      )
    })
  })
}

describe('every update tool', () => {
  it('accepts expected_updated_at', () => {
    const updates = toolCatalogOf(entities).descriptions.filter(({ name }) => name.endsWith('_update'))
    assert.equal(updates.length, entities.length)
    for (const { name, inputSchema } of updates)
      assert.deepEqual(
        Object.keys(inputSchema['properties'] as object).slice(0, 2),
        ['id', 'expected_updated_at'],
        name,
      )
  })
})
