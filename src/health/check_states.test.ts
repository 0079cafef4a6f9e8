import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Finding } from './finding.ts'
import { markMailed, newsOf, nextStates } from './check_states.ts'
import type { CheckStates } from './report.ts'

const finding = (ok: boolean): Finding => ({ check: 'disk', ok, says: '' })

/** Runs turns with these results and mails every notice. Returns the mail of each turn. */
function runTurns(turns: readonly (boolean | null)[]): ('wrong' | 'right' | null)[] {
  let standings: CheckStates = {}
  return turns.map((ok) => {
    const findings = ok === null ? [] : [finding(ok)]
    const next = nextStates(standings, findings, '2026-11-26T00:00:00Z')
    const news = newsOf(next, findings, standings)
    standings = markMailed(next, news)
    return news.wrong.length > 0 ? 'wrong' : news.right.length > 0 ? 'right' : null
  })
}

describe('a status notice', () => {
  it('is sent on the second equal result in a row, once per change', () => {
    assert.deepEqual(runTurns([false, false, false, true, true, true]), [null, 'wrong', null, null, 'right', null])
  })

  it('is not sent for a single failure or for a check that always passed', () => {
    assert.deepEqual(runTurns([true, true, false, true, false, true]), [null, null, null, null, null, null])
  })

  it('reports a check as right again when the check no longer runs', () => {
    assert.deepEqual(runTurns([false, false, null]), [null, 'wrong', 'right'])
  })

  it('alternates between wrong and right for any sequence of results', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (turns) => {
        const mails = runTurns(turns).filter((one) => one !== null)
        mails.forEach((one, i) => assert.equal(one, i % 2 === 0 ? 'wrong' : 'right'))
      }),
    )
  })
})
