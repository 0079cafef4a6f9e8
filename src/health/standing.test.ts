import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Finding } from './finding.ts'
import { markMailed, newsOf, nextStandings } from './standing.ts'
import type { Standings } from './report.ts'

const finding = (ok: boolean): Finding => ({ check: 'disk', ok, says: '' })

/** Runs turns with these results, mailing all news. Returns what was mailed in each. */
function runTurns(turns: readonly (boolean | null)[]): ('wrong' | 'right' | null)[] {
  let standings: Standings = {}
  return turns.map((ok) => {
    const findings = ok === null ? [] : [finding(ok)]
    const next = nextStandings(standings, findings, '2026-11-26T00:00:00Z')
    const news = newsOf(next, findings, standings)
    standings = markMailed(next, news)
    return news.wrong.length > 0 ? 'wrong' : news.right.length > 0 ? 'right' : null
  })
}

describe('news', () => {
  it('comes in the second turn in a row, once each way', () => {
    assert.deepEqual(runTurns([false, false, false, true, true, true]), [null, 'wrong', null, null, 'right', null])
  })

  it('does not come of one turn, and not of what was well from the start', () => {
    assert.deepEqual(runTurns([true, true, false, true, false, true]), [null, null, null, null, null, null])
  })

  it('comes as right of a check that is not made any more', () => {
    assert.deepEqual(runTurns([false, false, null]), [null, 'wrong', 'right'])
  })

  it('alternates: nothing is told twice, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (turns) => {
        const mails = runTurns(turns).filter((one) => one !== null)
        mails.forEach((one, i) => assert.equal(one, i % 2 === 0 ? 'wrong' : 'right'))
      }),
    )
  })
})
