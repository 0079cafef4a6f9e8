import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openOffice, type Office } from '../../bench/cost/office.ts'
import { pelt } from '../../bench/malformed/pelt.ts'
import { malformedTargets } from '../../bench/malformed/targets.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

describe('malformed input', () => {
  it('of every kind is answered by no fault, as far as 2,000 requests tell, the same ones in each run', async () => {
    const targets = await malformedTargets(office)
    const { sent, statuses, faults } = await pelt(office, targets, { seed: 7, count: 2_000 })
    assert.deepEqual([sent, faults], [2_000, []])
    for (const status of [200, 303, 400, 401, 403, 404, 405, 415, 422]) assert.ok(statuses[status]! > 0, `${status}`)
  })
})
