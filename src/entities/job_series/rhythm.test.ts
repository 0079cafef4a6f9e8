import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { saidTo } from '../../language/reader.ts'
import { rhythmOf } from './rhythm.ts'

const series = (rrule: string) => ({
  rrule,
  rule_text: 'as the tools say it',
  timezone: 'America/New_York',
  dtstart: '2027-03-02T09:30:00',
})

describe('how often a recurring job runs', () => {
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
      'FREQ=WEEKLY;UNTIL=20270616T030000Z',
      'Weekly on Tuesday, until Jun 15, 2027',
      'Cada semana: martes, hasta el 15 jun 2027',
    ],
  ]
  for (const [rrule, english, spanish] of examples)
    it(`is said of ${rrule} to either reader`, () => {
      assert.equal(
        saidTo({ language: 'en', country: 'US' }, () => rhythmOf(series(rrule))),
        english,
      )
      assert.equal(
        saidTo({ language: 'es', country: 'US' }, () => rhythmOf(series(rrule))),
        spanish,
      )
    })

  it('is said by the next visit where the first is not known, and without a day where neither is', () => {
    const { dtstart: _, ...known } = series('FREQ=WEEKLY')
    assert.equal(rhythmOf({ ...known, next_occurrence_at: '2027-03-10T03:30:00Z' }), 'Weekly on Tuesday')
    assert.equal(rhythmOf({ ...known, next_occurrence_at: null }), 'Weekly')
  })

  for (const rare of [
    'FREQ=YEARLY;BYMONTH=4,10;BYDAY=1MO',
    'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1',
    'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
    'FREQ=MONTHLY;BYMONTHDAY=-2',
    'FREQ=MONTHLY;BYDAY=MO',
    'FREQ=DAILY;BYDAY=MO,FR',
    'FREQ=WEEKLY;BYDAY=MO;BYHOUR=9',
  ])
    it(`is said of ${rare} as the tools say it`, () => assert.equal(rhythmOf(series(rare)), 'As the tools say it'))
})
