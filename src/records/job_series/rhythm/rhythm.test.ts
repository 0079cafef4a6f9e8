import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { withReader } from '../../../platform/i18n/reader.ts'
import { parseRule } from '../../../recurrence/rule.ts'
import { cases } from '../../../recurrence/oracle/rules.test-support.ts'
import { ruleText } from '../../../recurrence/text.ts'
import { describeRecurrence } from './rhythm.ts'

const FIRST = '2027-03-02T09:30:00'
const ZONE = 'America/New_York'

const series = (rrule: string) => ({ rrule, timezone: ZONE, dtstart: FIRST })

describe('the rhythm of a recurring job', () => {
  const examples: [rrule: string, english: string, spanish: string][] = [
    ['FREQ=DAILY', 'Daily', 'Cada día'],
    ['FREQ=DAILY;INTERVAL=3;COUNT=1', 'Every 3 days, once', 'Cada 3 días, una vez'],
    ['FREQ=WEEKLY', 'Weekly on Tuesday', 'Cada semana: martes'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU', 'Every 2 weeks on Tuesday and Sunday', 'Cada 2 semanas: martes y domingo'],
    ['FREQ=WEEKLY;BYDAY=FR,MO,TU,TH,WE', 'Weekly on every weekday', 'Cada semana: de lunes a viernes'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', 'Weekly on every day', 'Cada semana: todos los días'],
    ['FREQ=MONTHLY', 'Monthly on day 2', 'Cada mes: día 2'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=5', 'Monthly on the last day, 5 times', 'Cada mes: el último día, 5 veces'],
    [
      'FREQ=MONTHLY;BYDAY=1MO,3MO',
      'Monthly on the first Monday and the third Monday',
      'Cada mes: el primer lunes y el tercer lunes',
    ],
    ['FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR', 'Every 3 months on the last Friday', 'Cada 3 meses: el último viernes'],
    ['FREQ=YEARLY', 'Yearly on March 2', 'Cada año: 2 de marzo'],
    [
      'FREQ=WEEKLY;BYDAY=MO;BYMONTH=4,5,6,7,8,9,10',
      'Weekly on Monday, from April to October',
      'Cada semana: lunes, de abril a octubre',
    ],
    [
      'FREQ=MONTHLY;BYMONTH=1,11,12',
      'Monthly on day 2, from November to January',
      'Cada mes: día 2, de noviembre a enero',
    ],
    [
      'FREQ=YEARLY;BYMONTH=4,10;BYDAY=1MO',
      'Yearly on the first Monday, in April and October',
      'Cada año: el primer lunes, en abril y octubre',
    ],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      'Monthly on the last weekday',
      'Cada mes: el último día de entre semana',
    ],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=2,-2',
      'Monthly on the second Monday or Tuesday and the second to last Monday or Tuesday',
      'Cada mes: el segundo lunes o martes y el penúltimo lunes o martes',
    ],
    [
      'FREQ=YEARLY;BYDAY=FR;BYMONTH=3,9;BYSETPOS=-1',
      'Yearly on the last Friday, counted across March and September',
      'Cada año: el último viernes, contado entre marzo y septiembre',
    ],
    ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', 'Monthly on day 13 if it is Friday', 'Cada mes: día 13 si es viernes'],
    ['FREQ=MONTHLY;BYMONTHDAY=-2', 'Monthly on day 2 from the end', 'Cada mes: día 2 desde el final'],
    ['FREQ=MONTHLY;BYDAY=MO', 'Monthly on every Monday', 'Cada mes: cada lunes'],
    ['FREQ=YEARLY;BYDAY=20MO', 'Yearly on Monday number 20 of the year', 'Cada año: lunes número 20 del año'],
    ['FREQ=YEARLY;BYMONTHDAY=1', 'Yearly on day 1 of every month', 'Cada año: día 1 de cada mes'],
    ['FREQ=DAILY;BYDAY=MO,FR', 'Daily on Monday and Friday', 'Cada día: lunes y viernes'],
    [
      'FREQ=DAILY;INTERVAL=3;BYDAY=SA,SU',
      'Every 3 days, only if it is Saturday or Sunday',
      'Cada 3 días, solo si es sábado o domingo',
    ],
    [
      'FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1',
      'Monthly on the first weekend day',
      'Cada mes: el primer día de fin de semana',
    ],
    [
      'FREQ=MONTHLY;BYMONTHDAY=1,2;BYDAY=MO,TU,WE,TH,FR',
      'Monthly on day 1 and day 2 if it is a weekday',
      'Cada mes: día 1 y día 2 si es un día de entre semana',
    ],
    ['FREQ=WEEKLY;BYDAY=MO;BYHOUR=14', 'Weekly on Monday, at 2:30\u00a0PM', 'Cada semana: lunes, 2:30 p.m.'],
    [
      'FREQ=WEEKLY;UNTIL=20270616T030000Z',
      'Weekly on Tuesday, until Jun 15, 2027',
      'Cada semana: martes, hasta el 15 jun 2027',
    ],
  ]
  for (const [rrule, english, spanish] of examples)
    it(`describes ${rrule} in English and Spanish`, () => {
      assert.equal(
        withReader({ language: 'en', country: 'US' }, () => describeRecurrence(series(rrule))),
        english,
      )
      assert.equal(
        withReader({ language: 'es', country: 'US' }, () => describeRecurrence(series(rrule))),
        spanish,
      )
    })

  it('uses the next visit when the start is unknown, and no day without either', () => {
    const { dtstart: _, ...known } = series('FREQ=WEEKLY')
    assert.equal(describeRecurrence({ ...known, next_occurrence_at: '2027-03-10T03:30:00Z' }), 'Weekly on Tuesday')
    assert.equal(describeRecurrence({ ...known, next_occurrence_at: null }), 'Weekly')
  })

  /** Describes rules as the tools do; other tests check that this text covers the whole rule. */
  const toolsSay = (rrule: string): string => {
    const rule = parseRule(rrule)
    const sortItems = <T>(items: readonly T[]): T[] =>
      items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    return ruleText(
      {
        ...rule,
        months: sortItems(rule.months),
        days: sortItems(rule.days),
        monthDays: sortItems(rule.monthDays),
        positions: sortItems(rule.positions),
      },
      Temporal.PlainDateTime.from(FIRST),
      ZONE,
    )
  }

  for (const language of ['en', 'es'] as const)
    it(`distinguishes all rules that the tools distinguish, in ${language}`, () => {
      const said = new Map<string, string>()
      fc.assert(
        fc.property(cases, ({ rrule }) => {
          const rhythm = withReader({ language, country: 'US' }, () => describeRecurrence(series(rrule)))
          const tools = toolsSay(rrule)
          assert.equal(said.get(rhythm) ?? tools, tools, rhythm)
          said.set(rhythm, tools)
          if (language === 'es') assert.doesNotMatch(rhythm, ENGLISH)
        }),
        { numRuns: 2_000 },
      )
    })
})

const ENGLISH =
  /\b(?:on|in|at|the|of|every|until|if|from|and|or|\w+day|January|February|March|April|May|June|July|August|October)\b/
