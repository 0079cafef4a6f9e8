import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lowerBound, upperBound, instantAt, instantIn, utc, wallAt } from './instants.ts'

const NEW_YORK = 'America/New_York'

describe('an instant', () => {
  const instants: [given: string, answered: string][] = [
    ['2027-03-02T14:00:00Z', '2027-03-02T14:00:00.000Z'],
    ['2027-03-02t09:00:00.250-05:00', '2027-03-02T14:00:00.250Z'],
    ['2027-03-02T09:00', '2027-03-02T14:00:00.000Z'],
    ['2027-07-02 09:00:30', '2027-07-02T13:00:30.000Z'],
    ['2027-03-14T02:30', '2027-03-14T07:30:00.000Z'],
    ['2027-11-07T01:30', '2027-11-07T05:30:00.000Z'],
  ]
  for (const [given, answered] of instants)
    it(`${given} becomes ${answered}`, () => assert.equal(utc(instantIn(NEW_YORK, given)), answered))

  it('and its wall time convert to each other outside of clock changes', () => {
    const instant = Temporal.Instant.from('2027-07-02T13:00:00Z')
    assert.ok(instantAt(wallAt(instant, NEW_YORK), NEW_YORK).equals(instant))
  })
})

describe('a bound', () => {
  it('of a day covers the whole local day, 23 hours at the spring change', () => {
    assert.equal(lowerBound(NEW_YORK, '2027-03-14'), '2027-03-14T05:00:00.000Z')
    assert.equal(upperBound(NEW_YORK, '2027-03-14'), '2027-03-15T04:00:00.000Z')
  })
  it('of an instant is inclusive on both sides', () => {
    assert.equal(lowerBound(NEW_YORK, '2027-03-14T09:00'), '2027-03-14T13:00:00.000Z')
    assert.equal(upperBound(NEW_YORK, '2027-03-14T09:00'), '2027-03-14T13:00:00.001Z')
  })
})
