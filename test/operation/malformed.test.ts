import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callerOf } from '../harness/harness.ts'
import { openOffice, type Office } from '../../bench/cost/office.ts'
import type { Target } from '../../bench/cost/requests.ts'
import { pelt, peltEachField } from '../../bench/malformed/pelt.ts'
import { malformedTargets } from '../../bench/malformed/targets.ts'

let office: Office
let targets: Target[]
before(async () => {
  office = await openOffice()
  targets = await malformedTargets(office)
})
after(() => office.stop())

describe('malformed input', () => {
  it('causes no server error in 2,000 requests with a fixed seed', async () => {
    const { sent, statuses, faults } = await pelt(office, targets, { seed: 7, count: 2_000 })
    assert.deepEqual([sent, faults], [2_000, []])
    for (const status of [200, 303, 400, 401, 403, 404, 405, 415, 422]) assert.ok(statuses[status]! > 0, `${status}`)
  })

  it('with NUL or a lone surrogate causes no server error in any field of phones, webhooks and OAuth', async () => {
    const roads = targets.filter(({ name }) => /^a phone's|^\/api\/webhooks.*deep$|oauth/.test(name))
    for (const road of ["a phone's receipt, deep", '/api/webhooks/sms/inbound-sms, deep', 'oauth/authorize'])
      assert.ok(
        roads.some(({ name }) => name.includes(road)),
        road,
      )
    const { faults } = await peltEachField(office, roads, ['"a\\u0000b"', '"\\ud800"'])
    assert.deepEqual(faults, [])
  })

  it('that resembles a timestamp is exported as entered', async () => {
    const { call } = callerOf(office.service.url, office.key)
    await call('tags_create', { name: '2026-01-01T25:00:00Z' })
    const sheet = await fetch(new URL(`/${office.tenant}/tags.csv`, office.service.config.baseUrl), {
      headers: { cookie: office.cookie() },
    })
    assert.match(await sheet.text(), /2026-01-01T25:00:00Z/)
  })
})
