import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseRule } from './rule.ts'
import { ruleText } from './text.ts'

describe('ruleText', () => {
  const examples: [rrule: string, words: string][] = [
    ['FREQ=DAILY', 'daily'],
    ['FREQ=DAILY;INTERVAL=3;COUNT=1', 'every 3 days, once'],
    ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', 'daily on every weekday'],
    ['FREQ=DAILY;BYDAY=MO,FR;BYMONTH=6', 'daily in June on Monday and Friday'],
    [
      'FREQ=DAILY;INTERVAL=2;BYDAY=MO,FR;BYMONTHDAY=1,-1',
      'every 2 days if it is the 1st or last day and a Monday or Friday',
    ],
    ['FREQ=WEEKLY', 'weekly on Tuesday'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU', 'every 2 weeks on Tuesday and Sunday'],
    ['FREQ=WEEKLY;BYDAY=FR,MO,TU,TH,WE', 'weekly on every weekday'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', 'weekly on every day'],
    ['FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=15', 'weekly on Monday at 09:15'],
    ['FREQ=WEEKLY;BYDAY=MO;BYHOUR=17', 'weekly on Monday at 17:30'],
    ['FREQ=MONTHLY', 'monthly on the 2nd'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'monthly on the last day'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,11,22,23,-2', 'monthly on the 1st, 11th, 22nd, 23rd and second to last day'],
    ['FREQ=MONTHLY;INTERVAL=3;BYDAY=2TU', 'every 3 months on the second Tuesday'],
    ['FREQ=MONTHLY;BYDAY=1MO,-1FR', 'monthly on the first Monday and the last Friday'],
    ['FREQ=MONTHLY;BYDAY=MO,1TU', 'monthly on every Monday and the first Tuesday'],
    ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', 'monthly on the 13th if it is a Friday'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'monthly on the last weekday'],
    ['FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1,2', 'monthly on the first and second weekend day'],
    ['FREQ=MONTHLY;BYDAY=MO,WE;BYSETPOS=-1', 'monthly on the last Monday or Wednesday'],
    ['FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1', 'monthly on the last of the 28th, 29th and 30th'],
    ['FREQ=YEARLY', 'yearly on March 2'],
    ['FREQ=YEARLY;BYMONTH=4,10', 'yearly in April and October on the 2nd'],
    ['FREQ=YEARLY;BYMONTH=4,10;BYDAY=1MO;COUNT=4', 'yearly in April and October on the first Monday, 4 times'],
    ['FREQ=YEARLY;BYDAY=20MO,-1FR', 'yearly on the 20th Monday and the last Friday of the year'],
    ['FREQ=YEARLY;BYMONTHDAY=15', 'yearly on the 15th of every month'],
    ['FREQ=YEARLY;BYDAY=MO;BYSETPOS=1', 'yearly on the first Monday of the year'],
    ['FREQ=YEARLY;BYMONTH=4;BYDAY=MO;BYSETPOS=1', 'yearly in April on the first Monday'],
    ['FREQ=YEARLY;BYMONTH=4,10;BYDAY=MO;BYSETPOS=1', 'yearly on the first Monday across April and October'],
    ['FREQ=WEEKLY;UNTIL=20270615', 'weekly on Tuesday, until June 15, 2027'],
    ['FREQ=WEEKLY;UNTIL=20270616T030000Z', 'weekly on Tuesday, until June 15, 2027'],
  ]
  const dtstart = Temporal.PlainDateTime.from('2027-03-02T09:30')
  for (const [rrule, words] of examples) {
    it(`describes ${rrule} as "${words}"`, () =>
      assert.equal(ruleText(parseRule(rrule), dtstart, 'America/New_York'), words))
  }
  it('uses the day of an all-day start', () =>
    assert.equal(
      ruleText(parseRule('FREQ=YEARLY'), Temporal.PlainDate.from('2028-02-29'), 'UTC'),
      'yearly on February 29',
    ))
})
