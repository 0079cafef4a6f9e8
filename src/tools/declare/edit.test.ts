import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nonEmptyText } from '../../platform/validation/text/text.ts'
import { tool, type RunContext } from './define.ts'
import { edit } from './edit.ts'
import { editInputs, idInput } from './inputs.ts'
import { readOutcome } from '../call/outcome.ts'

const ID = '01900000-0000-7000-8000-000000000001'
const SEEN = '2027-03-01T14:00:00.000Z'
const context = { caller: { tenant: { timezone: 'America/New_York' } } } as unknown as RunContext

/** Makes an edit that records its steps, of a record last written at `SEEN`. */
function makeEdit(steps: string[]) {
  return edit({
    verb: 'update',
    title: 'Rename',
    description: 'Renames it.',
    input: { name: nonEmptyText(10).optional() },
    lock: async (_, { id }) => {
      steps.push(`lock ${id === ID}`)
      return { before: { id, updated_at: SEEN } }
    },
    lookUp: async () => 'beside',
    run: async (_, given, { before }, found) => {
      steps.push(`run ${found} ${Object.keys(given).join(' ')}`)
      return readOutcome(before)
    },
  })
}

describe('an edit', () => {
  it('runs on its locked record, without the expected_updated_at input', async () => {
    for (const seen of [{}, { expected_updated_at: SEEN }, { expected_updated_at: '2027-03-01T09:00:00' }]) {
      const steps: string[] = []
      await makeEdit(steps).run(context, { id: ID, name: 'x', ...seen })
      assert.deepEqual(steps, ['lock true', 'run beside name'])
    }
  })

  it('does not run on a record that changed since', async () => {
    const steps: string[] = []
    await assert.rejects(makeEdit(steps).run(context, { id: ID, expected_updated_at: '2027-03-01T14:00:00.001Z' }), {
      code: 'conflict',
    })
    assert.deepEqual(steps, ['lock true'])
  })

  it('has id and expected_updated_at as its first inputs', () =>
    assert.deepEqual(Object.keys(makeEdit([]).input.shape), ['id', 'expected_updated_at', 'name']))
})

describe("a tool that isn't an edit", () => {
  it("can't be an update or have the inputs of an edit, by its types", () => {
    const about = { title: 'Rename', description: 'Renames it.', run: async () => readOutcome({ id: ID }) }
    // @ts-expect-error Updates are declared with `edit`.
    assert.ok(tool({ ...about, verb: 'update', input: idInput }))
    // @ts-expect-error Tools with the state of a record are declared with `edit`.
    assert.ok(tool({ ...about, verb: 'pin', input: editInputs }))
  })
})
