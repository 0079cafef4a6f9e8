import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { toICalendar, type CalendarEvent } from './icalendar.ts'
import { anyText } from '../../../test/harness/any_text.ts'

const MINUTE = 60_000

const event = fc.record({
  uid: fc.uuid().map((id) => `${id}@callout`),
  sequence: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  changed: fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
  start: fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
  minutes: fc.integer({ min: 1, max: 100_000 }),
  summary: fc.string({ unit: 'grapheme', maxLength: 300 }),
  location: fc.option(anyText({ maxLength: 300 })),
  description: fc.string({
    unit: fc.constantFrom('a', ';', ',', '\\', '\n', '\r', '\u2028', 'é', '🔧', '"'),
    maxLength: 200,
  }),
  isCanceled: fc.boolean(),
})

/** Returns text as a calendar program shows it: one kind of line end, no control characters. */
const asText = (text: string): string => text.replace(/\r\n|[\r\n\u2028\u2029]/g, '\n').replace(/[^\P{Cc}\n]/gu, ' ')

describe('an iCalendar file', () => {
  it('gives another parser the same events, in lines of at most 75 octets', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 5 }), (drafts) => {
        const events = drafts.map(({ start, minutes, changed, ...draft }): CalendarEvent => {
          const from = Temporal.Instant.fromEpochMilliseconds(start.getTime()).round('second')
          return {
            ...draft,
            changedAt: Temporal.Instant.fromEpochMilliseconds(changed.getTime()).round('second'),
            time: { start: from, end: from.add({ milliseconds: minutes * MINUTE }) },
            url: 'https://callout.example/jobs/1',
          }
        })
        const text = toICalendar('Acme Plumbing', events)
        for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
        assert.doesNotMatch(text, /[^\r]\n|\r[^\n]/)
        const calendar = new ICAL.Component(ICAL.parse(text))
        assert.equal(calendar.getFirstPropertyValue('x-wr-calname'), 'Acme Plumbing')
        const read = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component))
        assert.deepEqual(
          read.map((one) => ({
            uid: one.uid,
            sequence: one.sequence,
            start: one.startDate.toJSDate().getTime(),
            end: one.endDate.toJSDate().getTime(),
            summary: one.summary,
            location: one.location,
            description: one.description,
            status: one.component.getFirstPropertyValue('status'),
          })),
          events.map(({ uid, sequence, time, summary, location, description, isCanceled }) => {
            assert.ok('start' in time)
            return {
              uid,
              sequence,
              start: time.start.epochMilliseconds,
              end: time.end.epochMilliseconds,
              summary: asText(summary),
              location: location === null ? null : asText(location),
              description: asText(description),
              status: isCanceled ? 'CANCELLED' : 'CONFIRMED',
            }
          }),
        )
      }),
    )
  })

  it('has whole days as dates, with the day after the last one as the end', () => {
    const day = Temporal.PlainDate.from('2027-03-01')
    const text = toICalendar('Acme', [
      {
        uid: 'a@callout',
        sequence: 0,
        changedAt: Temporal.Instant.from('2027-02-01T00:00Z'),
        time: { firstDay: day, dayAfter: day.add({ days: 2 }) },
        summary: 'Repipe',
        location: null,
        description: 'J-1001',
        url: 'https://callout.example/jobs/1',
        isCanceled: false,
      },
    ])
    const [component] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
    assert.ok(component !== undefined)
    const { startDate, endDate } = new ICAL.Event(component)
    assert.deepEqual(
      [startDate.isDate, startDate.toString(), endDate.isDate, endDate.toString()],
      [true, '2027-03-01', true, '2027-03-03'],
    )
  })
})
