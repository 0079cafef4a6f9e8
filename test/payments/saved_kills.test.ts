import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { faultOf, startChargeKills, type KillMoment } from '../harness/money/charge_kills.ts'

describe('a process killed during a charge', () => {
  let kills: Awaited<ReturnType<typeof startChargeKills>>
  before(async () => void (kills = await startChargeKills()))
  after(() => kills.stop())

  const moments: [KillMoment, string][] = [
    [{ path: /payment_intents$/, when: 'before' }, 'before the payment is made'],
    [{ path: /payment_intents$/, when: 'after' }, 'after the payment was made'],
    [{ path: /confirm$/, when: 'before' }, 'before the money is taken'],
    [{ path: /confirm$/, when: 'after' }, 'after the money was taken'],
  ]
  for (const [moment, name] of moments)
    for (const eventsFirst of [true, false])
      it(`${name} charges and books once, with events ${eventsFirst ? 'before' : 'after'} the restart`, async () => {
        const round = await kills.round({ moment, isDeclined: false, eventsFirst })
        assert.equal(round.survived, false)
        assert.equal(faultOf(round), '')
      })

  it('after a decline leaves one attempt and no payment', async () => {
    const round = await kills.round({
      moment: { path: /confirm$/, when: 'after' },
      isDeclined: true,
      eventsFirst: true,
    })
    assert.equal(round.survived, false)
    assert.equal(faultOf(round), '')
  })
})
