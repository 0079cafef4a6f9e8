import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { timeZonesOf } from './us_time_zones.ts'

const CODES =
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR VI GU MP AS'

describe('the time zones of a state', () => {
  it('exist for each state and territory, and are valid', () => {
    const zones = CODES.split(' ').flatMap((code) => {
      assert.ok(timeZonesOf(code).length > 0, code)
      return timeZonesOf(code)
    })
    for (const zone of zones) assert.ok(Temporal.Now.zonedDateTimeISO(zone).offset, zone)
  })

  it('are two for a split state, and none for an unknown one', () => {
    assert.deepEqual(timeZonesOf(' tx '), ['America/Chicago', 'America/Denver'])
    assert.deepEqual(timeZonesOf('NSW'), [])
  })
})
