import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { day, decimalText, digitsOf, duration, moment, money, phone, shortDay, span, time, words } from './formats.ts'

/** Returns the text as readers see it: plain spaces and no joiners. */
const plain = (text: string): string => text.replace(/\s/gu, ' ').replaceAll('\u2060', '')

describe('formatted amounts', () => {
  it('are exact to the last cent', () => {
    assert.equal(money(Number.MAX_SAFE_INTEGER, 'USD'), '$90,071,992,547,409.91')
    assert.equal(money(-Number.MAX_SAFE_INTEGER, 'USD'), '-$90,071,992,547,409.91')
    assert.deepEqual(
      [0, 1, 10, 125_000].map((cents) => money(cents, 'USD')),
      ['$0.00', '$0.01', '$0.10', '$1,250.00'],
    )
  })

  it('have the minus sign in front', () => {
    assert.deepEqual(
      [-1, -125_000].map((cents) => money(cents, 'USD')),
      ['-$0.01', '-$1,250.00'],
    )
  })

  it('have the decimals of their currency: none, two or three', () => {
    assert.deepEqual(['JPY', 'USD', 'KWD'].map(digitsOf), [0, 2, 3])
    assert.deepEqual([money(1250, 'JPY'), money(-5, 'JPY')], ['¥1,250', '-¥5'])
    assert.equal(plain(money(1234, 'KWD')), 'KWD 1.234')
  })

  it('have no groups in input fields', () => {
    assert.deepEqual(
      [decimalText(1250, 0), decimalText(125_000, 2), decimalText(-5, 2), decimalText(7, 3), decimalText(0, 2)],
      ['1250', '1250.00', '-0.05', '0.007', '0.00'],
    )
  })
})

describe('formatted days', () => {
  it('are independent of the time zone', () => {
    assert.deepEqual(
      [day('2026-11-21'), shortDay('2026-01-01'), day('2024-02-29T23:59:59.999Z')],
      ['Sat, Nov 21, 2026', 'Jan 1, 2026', 'Thu, Feb 29, 2024'],
    )
  })
})

describe('formatted moments', () => {
  const [NEW_YORK, TOKYO] = ['America/New_York', 'Asia/Tokyo']

  it('are in local time, also at the spring clock change', () => {
    assert.deepEqual(
      ['2011-03-13T06:59:00.000Z', '2011-03-13T07:00:00.000Z'].map((at) => plain(moment(at, NEW_YORK))),
      ['Mar 13, 2011, 1:59 AM', 'Mar 13, 2011, 3:00 AM'],
    )
  })

  it('show the repeated hour twice at the autumn clock change', () => {
    assert.deepEqual(
      ['2011-11-06T05:30:00.000Z', '2011-11-06T06:30:00.000Z', '2011-11-06T07:30:00.000Z'].map((at) =>
        plain(time(at, NEW_YORK)),
      ),
      ['1:30 AM', '1:30 AM', '2:30 AM'],
    )
  })

  it("have the local year, shown only when it isn't the current one", () => {
    assert.deepEqual(
      ['America/New_York', 'Asia/Tokyo'].map((zone) => plain(moment('2011-01-01T03:00:00.000Z', zone))),
      ['Dec 31, 2010, 10:00 PM', 'Jan 1, 2011, 12:00 PM'],
    )
    const { year } = Temporal.Now.zonedDateTimeISO('UTC')
    assert.match(plain(moment(`${year}-06-15T09:30:00.000Z`, 'UTC')), /^[A-Z][a-z]{2}, Jun 15, 9:30 AM$/)
    assert.match(plain(moment(`${year + 1}-06-15T09:30:00.000Z`, 'UTC')), new RegExp(`^Jun 15, ${year + 1}, 9:30 AM$`))
  })

  it("show a span's day once, or both days", () => {
    assert.equal(
      plain(span('2011-07-05T13:30:00.000Z', '2011-07-05T14:30:00.000Z', NEW_YORK)),
      'Jul 5, 2011, 9:30 – 10:30 AM',
    )
    assert.equal(
      plain(span('2011-07-05T13:30:00.000Z', '2011-07-05T18:00:00.000Z', NEW_YORK)),
      'Jul 5, 2011, 9:30 AM – 2:00 PM',
    )
    assert.equal(
      plain(span('2011-07-05T13:30:00.000Z', '2011-07-06T14:30:00.000Z', TOKYO)),
      'Jul 5, 2011, 10:30 PM – Jul 6, 2011, 11:30 PM',
    )
  })

  it("don't wrap inside a time or a span, except after the dash across noon", () => {
    const ends = (hour: string) => span('2011-07-05T13:30:00.000Z', `2011-07-05T${hour}:00.000Z`, NEW_YORK)
    assert.match(ends('15:00'), /9:30\u00a0–\u2060\u00a011:00\u00a0AM$/)
    assert.match(ends('18:00'), /9:30\u00a0AM\u00a0– 2:00\u00a0PM$/)
    assert.match(moment('2011-07-05T13:30:00.000Z', NEW_YORK), /9:30\u00a0AM$/)
  })
})

describe('formatted text', () => {
  it('shows a duration in hours and minutes', () => {
    assert.deepEqual([0, 45, 60, 90, 1_440].map(duration), ['0 min', '45 min', '1 h', '1 h 30 min', '24 h'])
  })

  it('turns an API value into words', () => {
    assert.deepEqual(['in_progress', 'done', ''].map(words), ['In progress', 'Done', ''])
  })

  it('formats North American numbers and leaves others unchanged', () => {
    assert.deepEqual(['+15125550143', '+442071838750', 'ana@example.com', '+1512555014'].map(phone), [
      '(512) 555-0143',
      '+442071838750',
      'ana@example.com',
      '+1512555014',
    ])
  })
})
