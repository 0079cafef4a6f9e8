import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refusal } from '../../platform/errors/refusal.ts'
import { readKeepUntil } from './confirm.ts'

const TODAY = Temporal.PlainDate.from('2026-11-25')

describe('the day until which issued invoices keep a name', () => {
  it('is null when empty', () => assert.equal(readKeepUntil('', TODAY), null))

  for (const day of ['2026-11-26', '2056-11-25'])
    it(`may be ${day}`, () => assert.equal(readKeepUntil(day, TODAY), day))

  for (const day of ['2026-11-25', '2020-01-01', '2056-11-26', '2026-02-30', 'tomorrow', '20261126'])
    it(`can't be ${day}`, () =>
      assert.throws(
        () => readKeepUntil(day, TODAY),
        (error) => error instanceof Refusal && error.problems[0]?.path === 'keep_until',
      ))
})
