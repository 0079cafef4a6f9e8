import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { parseRule } from '../rule.ts'
import { cases, type Case } from './rules.test-support.ts'
import { readDtstart } from '../timezone.ts'
import { previewOccurrences } from '../window.ts'

const RULES = 2000
const SEED = 20270301

/** /usr/bin/python3 first: it has Debian's python3-dateutil, and another python3 on the path may hide it. */
const python = ['/usr/bin/python3', 'python3'].find(
  (each) => spawnSync(each, ['-c', 'import dateutil, zoneinfo']).status === 0,
)

// oxlint-disable-next-line node/no-process-env -- CI decides whether the oracle may be missing
const isRequired = process.env['CI'] === 'true'

function askOracle(asked: readonly Case[]): readonly unknown[] {
  assert.ok(python !== undefined, 'the oracle needs python3 with dateutil: install python3-dateutil')
  const input = asked.map((each) => JSON.stringify(each)).join('\n')
  const script = `${import.meta.dirname}/oracle.py`
  const { status, stdout, stderr } = spawnSync(python, [script], { input, encoding: 'utf8', maxBuffer: 1 << 30 })
  assert.equal(status, 0, stderr)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}

function ours({ rrule, dtstart, timezone, through }: Case): readonly string[] {
  const start = readDtstart(dtstart, timezone)
  const end_date = Temporal.PlainDate.from(through)
  return previewOccurrences(
    { rule: parseRule(rrule), dtstart: start, timezone, end_date },
    Temporal.PlainDate.from(dtstart),
    20,
  )
}

describe('random rules', () => {
  if (python === undefined && !isRequired) {
    console.error('\n*** recurrence was NOT compared with its oracle: install python3-dateutil ***\n')
    return
  }
  it('give the same first 20 instants as python-dateutil', () => {
    const asked = fc.sample(cases, { numRuns: RULES, seed: SEED })
    const expected = askOracle(asked)
    assert.equal(expected.length, RULES)
    assert.ok(
      expected.filter((each) => Array.isArray(each) && each.length > 3).length > RULES / 2,
      'most rules must occur',
    )
    asked.forEach((each, index) => assert.deepEqual(ours(each), expected[index], JSON.stringify(each)))
  })
})
