import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseDay } from './days.ts'

describe('parseDay', () => {
  it('accepts calendar days within the range of years', () => {
    for (const text of ['2000-01-01', '2027-02-28', '2028-02-29', '2199-12-31'])
      assert.equal(parseDay(text)?.toString(), text)
    assert.equal(parseDay('1000-01-01', 1000, 2999)?.toString(), '1000-01-01')
    assert.equal(parseDay('2101-01-01', 2000, 2100), undefined)
  })

  it('returns undefined for other years, forms and impossible days', () => {
    for (const text of ['1999-12-31', '2200-01-01', '2027-02-29', '2027-13-01', '2027-04-31', '2027-2-3'])
      assert.equal(parseDay(text), undefined)
    for (const text of ['', 'today', '20270301', '2027-03-01T10:00', ' 2027-03-01', '2027-03-01\n', '٢٠٢٧-٠٣-٠١'])
      assert.equal(parseDay(text), undefined, text)
  })
})
