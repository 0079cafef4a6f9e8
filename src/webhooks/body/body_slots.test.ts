import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openBodySlots } from './body_slots.ts'

const LIMITS = { unverified: { readings: 2, bytes: 1_000_000 }, verified: { readings: 1, bytes: 500 } }

function setUp() {
  let time = 0
  const gone: string[] = []
  const places = openBodySlots({ now: () => time, limits: LIMITS })
  return {
    gone,
    places,
    begin: (sender: string) => places.beginReading(sender, () => void gone.push(sender)),
    wait: (ms: number) => void (time += ms),
  }
}

describe('slots for large bodies', () => {
  it('are separate for verified senders', () => {
    const { places, begin } = setUp()
    assert.ok(begin('a') && begin('b'))
    assert.deepEqual([begin('c'), places.hasSlot('c')], [undefined, false])
    places.noteVerified('c')
    assert.equal(places.hasSlot('c'), true)
    assert.ok(begin('c'))
    assert.deepEqual(places.counts(), { held: 0, unverified: 2, verified: 1, bytes: 0 })
  })

  it('are taken from the slowest sender after 5 seconds', () => {
    const { places, begin, wait, gone } = setUp()
    const [a, b] = [begin('a')!, begin('b')!]
    assert.ok(a.add(300_000) && b.add(200_000))
    wait(4_999)
    assert.equal(begin('c'), undefined)
    wait(1)
    assert.equal(places.hasSlot('c'), true)
    assert.deepEqual(gone, [])
    assert.ok(begin('c'))
    assert.deepEqual([gone, places.counts().bytes], [['b'], 300_000])
    b.end()
    assert.equal(places.counts().unverified, 2)
  })

  it('are kept by senders of at least 250 kB per second', () => {
    const { begin, wait } = setUp()
    const [a, b] = [begin('a')!, begin('b')!]
    assert.ok(a.add(400_000) && b.add(400_000))
    wait(1_600)
    assert.equal(begin('c'), undefined)
    wait(3_400)
    assert.ok(begin('c'), 'below 250 kB a second by now')
  })

  it('pass from a slow body to another one of the same address', () => {
    const { begin, wait, gone } = setUp()
    begin('a')
    assert.equal(begin('a'), undefined)
    wait(5_000)
    assert.ok(begin('a'))
    assert.deepEqual(gone, ['a'])
    assert.equal(begin('a'), undefined)
  })

  it('have a byte limit, and a slow body gives up its bytes', () => {
    const { places, begin, wait, gone } = setUp()
    const [a, b] = [begin('a')!, begin('b')!]
    assert.ok(a.add(600_000))
    assert.equal(b.add(400_001), false)
    assert.ok(b.add(400_000))
    wait(5_000)
    assert.ok(b.add(600_000))
    assert.deepEqual([gone, places.counts().bytes], [['a'], 1_000_000])
  })

  it('remember the last 1,000 verified senders', () => {
    const { places, begin } = setUp()
    for (let i = 0; i <= 1_000; i++) places.noteVerified(`s${i}`)
    begin('s0')
    assert.deepEqual([places.counts().unverified, places.counts().verified], [1, 0])
    begin('s1')
    assert.equal(places.counts().verified, 1)
  })
})
