import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { Refusal } from '../platform/errors/refusal.ts'
import { parseRule } from './rule.ts'
import { cases } from './oracle/rules.test-support.ts'

describe('parseRule', () => {
  const spellings: [given: string, normalised: string][] = [
    ['FREQ=WEEKLY', 'FREQ=WEEKLY'],
    [' rrule:byday=tu,su;interval=2;freq=weekly ', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU'],
    ['COUNT=4;WKST=MO;FREQ=MONTHLY;BYDAY=+2TU,2tu,-1FR', 'FREQ=MONTHLY;BYDAY=2TU,-1FR;COUNT=4;WKST=MO'],
    ['FREQ=MONTHLY;BYMONTHDAY=01,+15,-1', 'FREQ=MONTHLY;BYMONTHDAY=1,15,-1'],
    ['FREQ=DAILY;BYHOUR=09;BYMINUTE=00;BYSECOND=00', 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0'],
    ['FREQ=DAILY;UNTIL=20270615t180000z', 'FREQ=DAILY;UNTIL=20270615T180000Z'],
    ['freq=yearly;bysetpos=-1;bymonth=10,4', 'FREQ=YEARLY;BYMONTH=10,4;BYSETPOS=-1'],
  ]
  for (const [given, normalised] of spellings) {
    it(`normalizes ${given.trim()} to ${normalised}`, () => assert.equal(parseRule(given).text, normalised))
  }

  it('reads every part', () => {
    const times = 'BYHOUR=9;BYMINUTE=15;BYSECOND=0'
    const given = `FREQ=MONTHLY;INTERVAL=2;BYMONTH=1,3;BYDAY=MO,-1SU;${times};BYSETPOS=1,-1;COUNT=8;WKST=SU`
    const { text, ...rule } = parseRule(given)
    assert.equal(text, given)
    assert.deepEqual(rule, {
      freq: 'MONTHLY',
      interval: 2,
      count: 8,
      until: null,
      months: [1, 3],
      monthDays: [],
      days: [
        { weekday: 1, nth: null },
        { weekday: 7, nth: -1 },
      ],
      positions: [1, -1],
      hour: 9,
      minute: 15,
      second: 0,
      weekStart: 7,
    })
  })

  it('reads the three forms of UNTIL', () => {
    const until = (value: string) => parseRule(`FREQ=DAILY;UNTIL=${value}`).until
    assert.equal(until('20280229')?.toString(), '2028-02-29')
    assert.equal(until('20270615T180000')?.toString(), '2027-06-15T18:00:00')
    assert.equal(until('20270615T180000Z')?.toString(), '2027-06-15T18:00:00Z')
  })

  it('accepts the limits of every number', () => {
    const bounds = [
      'FREQ=DAILY;INTERVAL=366',
      'FREQ=WEEKLY;INTERVAL=104',
      'FREQ=MONTHLY;INTERVAL=60',
      'FREQ=YEARLY;INTERVAL=10',
      'FREQ=DAILY;COUNT=1000',
      'FREQ=DAILY;COUNT=1',
      'FREQ=MONTHLY;BYDAY=5MO,-5MO',
      'FREQ=YEARLY;BYDAY=53MO,-53MO',
      'FREQ=YEARLY;BYMONTH=12;BYDAY=5MO',
      'FREQ=DAILY;BYMONTHDAY=31,-31',
      'FREQ=YEARLY;BYDAY=MO;BYSETPOS=366,-366',
      'FREQ=DAILY;BYHOUR=23;BYMINUTE=59',
      `FREQ=YEARLY;${'BYMONTHDAY='.padEnd(487, '1,')}1`,
    ]
    for (const given of bounds) assert.equal(parseRule(given).freq, given.slice(5).split(';')[0], given)
  })

  it('reads its own text as the same rule', () => {
    fc.assert(
      fc.property(cases, ({ rrule }) => {
        const rule = parseRule(rrule)
        assert.deepEqual(parseRule(rule.text), rule)
      }),
      { seed: 20270301 },
    )
  })
})

describe('parseRule: invalid_input', () => {
  const refused: [given: string, sentence: RegExp][] = [
    ['', /empty; send a rule such as/],
    ['RRULE:', /empty part/],
    ['FREQ=DAILY;', /empty part; .* without one at the end/],
    ['INTERVAL=2', /FREQ is missing; use FREQ=DAILY, WEEKLY, MONTHLY or YEARLY/],
    ['FREQ=HOURLY', /^rrule: FREQ=HOURLY is not supported; use DAILY, WEEKLY, MONTHLY or YEARLY$/],
    ['FREQ=QUARTERLY', /^rrule: FREQ=QUARTERLY is not supported; use FREQ=MONTHLY;INTERVAL=3$/],
    ['FREQ=Biweekly', /use FREQ=WEEKLY;INTERVAL=2$/],
    ['FREQ=CONSTRUCTOR', /FREQ=CONSTRUCTOR is not supported; use DAILY, WEEKLY, MONTHLY or YEARLY$/],
    ['FREQ=MINUTELY', /FREQ=MINUTELY is not supported/],
    ['FREQ=SECONDLY', /FREQ=SECONDLY is not supported/],
    ['FREQ=', /FREQ has no value; write FREQ=value/],
    ['FREQ', /'FREQ' is malformed; write FREQ=value/],
    ['FREQ=DAILY;FREQ=DAILY', /FREQ appears twice/],
    ['FREQ=DAILY;INTERVAL=0', /INTERVAL=0 is out of range; use 1 to 366 with FREQ=DAILY/],
    ['FREQ=DAILY;INTERVAL=-1', /INTERVAL=-1 is out of range/],
    ['FREQ=DAILY;INTERVAL=1.5', /INTERVAL=1\.5 is out of range/],
    ['FREQ=DAILY;INTERVAL=1E2', /INTERVAL=1E2 is out of range/],
    ['FREQ=DAILY;INTERVAL=367', /use 1 to 366/],
    ['FREQ=WEEKLY;INTERVAL=105', /use 1 to 104 with FREQ=WEEKLY/],
    ['FREQ=MONTHLY;INTERVAL=61', /use 1 to 60 with FREQ=MONTHLY/],
    ['FREQ=YEARLY;INTERVAL=11', /use 1 to 10 with FREQ=YEARLY/],
    ['FREQ=DAILY;COUNT=0', /COUNT=0 is out of range; use 1 to 1000, or leave it out/],
    ['FREQ=DAILY;COUNT=-3', /COUNT=-3 is out of range/],
    ['FREQ=DAILY;COUNT=1001', /COUNT=1001 is out of range/],
    ['FREQ=DAILY;COUNT=1,2', /COUNT takes one value$/],
    ['FREQ=DAILY;COUNT=2;UNTIL=20270615', /COUNT and UNTIL can't be combined/],
    ['FREQ=DAILY;UNTIL=2027-06-15', /UNTIL=2027-06-15 is malformed; use a date 20270615/],
    ['FREQ=DAILY;UNTIL=20270229', /UNTIL=20270229 is malformed/],
    ['FREQ=DAILY;UNTIL=20270615T1800', /is malformed/],
    ['FREQ=DAILY;UNTIL=20270615T240000', /is malformed/],
    ['FREQ=DAILY;UNTIL=20270615T235960Z', /is malformed/],
    ['FREQ=DAILY;UNTIL=20270615Z', /is malformed/],
    ['FREQ=WEEKLY;BYDAY=XX', /BYDAY=XX is not a weekday; use MO, TU/],
    ['FREQ=WEEKLY;BYDAY=TUE', /BYDAY=TUE is not a weekday/],
    ['FREQ=WEEKLY;BYDAY=MO,', /BYDAY= is not a weekday/],
    ['FREQ=MONTHLY;BYDAY=-MO', /BYDAY=-MO is not a weekday/],
    ['FREQ=MONTHLY;BYDAY=0MO', /BYDAY=0MO counts from 0; use 1MO for the first/],
    ['FREQ=WEEKLY;BYDAY=2TU', /BYDAY with a number needs FREQ=MONTHLY or YEARLY/],
    ['FREQ=DAILY;BYDAY=-1TU', /BYDAY with a number needs FREQ=MONTHLY or YEARLY/],
    ['FREQ=MONTHLY;BYDAY=6TU', /BYDAY numbers are out of range; use 1 to 5 or -1 to -5 within a month/],
    ['FREQ=YEARLY;BYMONTH=4;BYDAY=6TU', /use 1 to 5/],
    ['FREQ=YEARLY;BYDAY=-54TU', /use 1 to 53 or -1 to -53 within a year/],
    ['FREQ=WEEKLY;BYMONTHDAY=1', /BYMONTHDAY is not accepted with FREQ=WEEKLY; use BYDAY, or FREQ=MONTHLY/],
    ['FREQ=MONTHLY;BYMONTHDAY=0', /BYMONTHDAY=0 is out of range; use 1 to 31, or -1 to -31 counted from the end/],
    ['FREQ=MONTHLY;BYMONTHDAY=32', /BYMONTHDAY=32 is out of range/],
    ['FREQ=MONTHLY;BYMONTHDAY=-32', /BYMONTHDAY=-32 is out of range/],
    ['FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=1MO', /BYMONTHDAY is not accepted with a numbered BYDAY/],
    ['FREQ=YEARLY;BYMONTH=13', /BYMONTH=13 is out of range; use 1 to 12/],
    ['FREQ=YEARLY;BYMONTH=-1', /BYMONTH=-1 is out of range/],
    ['FREQ=YEARLY;BYMONTH=APR', /BYMONTH=APR is out of range/],
    ['FREQ=MONTHLY;BYSETPOS=1', /BYSETPOS needs another BY part/],
    ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0', /BYSETPOS=0 is out of range/],
    ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367', /BYSETPOS=367 is out of range/],
    ['FREQ=WEEKLY;BYDAY=MO;BYSETPOS=1', /BYSETPOS is not accepted with FREQ=WEEKLY/],
    [
      'FREQ=DAILY;BYHOUR=9,17',
      /BYHOUR takes one value, since there is at most one job a day; create a series for each time/,
    ],
    ['FREQ=DAILY;BYMINUTE=0,30', /BYMINUTE takes one value/],
    ['FREQ=DAILY;BYHOUR=24', /BYHOUR=24 is out of range; use 0 to 23/],
    ['FREQ=DAILY;BYMINUTE=60', /BYMINUTE=60 is out of range/],
    ['FREQ=DAILY;BYSECOND=30', /BYSECOND=30 is out of range; use 0/],
    ['FREQ=WEEKLY;WKST=XX', /WKST=XX is not a weekday/],
    ['FREQ=YEARLY;BYWEEKNO=20', /BYWEEKNO is not supported; use BYMONTH with BYDAY/],
    ['FREQ=YEARLY;BYYEARDAY=100', /BYYEARDAY is not supported; use BYMONTH with BYMONTHDAY/],
    ['FREQ=YEARLY;BYEASTER=0', /BYEASTER is not supported/],
    ['RSCALE=GREGORIAN;FREQ=YEARLY', /RSCALE is not supported/],
    ['FREQ=MONTHLY;SKIP=BACKWARD', /SKIP is not supported; .*BYMONTHDAY=-1/],
    ['DTSTART:20270302T090000', /DTSTART is not supported; send it as dtstart/],
    ['FREQ=DAILY;TZID=America/New_York', /TZID is not supported; send it as timezone/],
    ['FREQ=DAILY;EXDATE=20270302', /EXDATE is not supported/],
    ['FREQ=DAILY;RDATE=20270302', /RDATE is not supported/],
    ['DTSTART:20270302T090000\nRRULE:FREQ=DAILY', /line breaks are not accepted/],
    ['FREQ=DAILY; COUNT=2', /leave out spaces/],
    ['FREQ=DAıLY', /leave out spaces/],
    ['FREQ=DAILY;FOO=1', /'FOO=1' is not a part of a rule; the parts are FREQ, INTERVAL/],
    ['every tuesday', /only A-Z/],
    ['RRULE:RRULE:FREQ=DAILY', /'RRULE:FREQ=DAILY' is not a part of a rule/],
    [`FREQ=DAILY;BYDAY=${'MO,'.repeat(162)}`, /longer than 500 characters/],
  ]
  for (const [given, sentence] of refused) {
    it(given === '' ? 'nothing' : given.slice(0, 60), () =>
      assert.throws(
        () => parseRule(given),
        (error) => {
          assert.ok(error instanceof Refusal)
          assert.equal(error.code, 'invalid_input')
          assert.match(error.message, sentence)
          return error.message.startsWith('rrule: ')
        },
      ),
    )
  }

  it('throws only Refusal for any text', () => {
    const part = fc.stringMatching(/^(FREQ|BYDAY|UNTIL|COUNT|BYSETPOS|WKST|X)[=:]?[-+0-9A-Z,]{0,12}$/)
    const text = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 4 }).map((parts) => parts.join(';')),
    )
    fc.assert(
      fc.property(text, (given) => {
        try {
          parseRule(given)
        } catch (error) {
          assert.ok(error instanceof Refusal)
        }
      }),
      { numRuns: 500, seed: 20270301 },
    )
  })
})
