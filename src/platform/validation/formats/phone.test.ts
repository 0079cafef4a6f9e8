import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { refusals } from '../refusals.ts'
import { getCountries, getExampleNumber, type PhoneNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { Refusal } from '../../errors/refusal.ts'
import { parsePhoneQuery, readPhone } from './phone.ts'

const readRefusal = (text: string, country = 'US'): string => {
  try {
    return `taken as ${readPhone(text, country).phone}`
  } catch (error) {
    assert.ok(error instanceof Refusal && error.code === 'invalid_input')
    return error.message
  }
}

describe('readPhone', () => {
  it("reads a number of the tenant's country in any format", () => {
    for (const text of [
      '(512) 555-0143',
      '512-555-0143',
      '512.555.0143',
      '5125550143',
      '1 512 555 0143',
      '+1 (512) 555-0143',
      '+15125550143',
      ' 512 555 0143 ',
      '1-512-555-0143',
      'tel:+1-512-555-0143',
      '512\u2011555\u20110143',
      '（512）555-0143',
    ])
      assert.deepEqual(readPhone(text, 'US'), { phone: '+15125550143', extension: null }, text)
  })

  it('accepts possible numbers that are not valid, such as (555) 123-4567', () => {
    assert.equal(readPhone('(555) 123-4567', 'US').phone, '+15551234567')
  })

  it('splits off the extension', () => {
    for (const text of [
      '512.555.0143 x12',
      '512-555-0143 ext. 12',
      '(512) 555-0143 ext 12',
      '+15125550143;ext=12',
      '512 555 0143 extension 12',
      '512-555-0143 #12',
    ]) {
      assert.deepEqual(readPhone(text, 'US'), { phone: '+15125550143', extension: '12' }, text)
    }
    assert.equal(readPhone('512-555-0143 ext. 1234567890', 'US').extension, '1234567890')
  })

  it('reads a foreign number with its country code, and a national one in its own country', () => {
    assert.equal(readPhone('+44 20 7946 0958', 'US').phone, '+442079460958')
    assert.equal(readPhone('+44 (0)20 7946 0958', 'US').phone, '+442079460958')
    assert.equal(readPhone('020 7946 0958', 'GB').phone, '+442079460958')
    assert.equal(readPhone('011 44 20 7946 0958', 'US').phone, '+442079460958')
  })

  it('reads only international numbers for a country without a numbering plan', () => {
    assert.equal(readPhone('+15125550143', 'AQ').phone, '+15125550143')
    assert.match(readRefusal('512 555 0143', 'AQ'), /^phone must be a phone number/)
  })
})

describe('readPhone: invalid_input', () => {
  const asks = (given: string, field = 'phone') =>
    `${field} must be a phone number with area code, or with country code such as +44 20 7946 0958 (got '${given}')`

  it('names the rule, the given text and the expected form', () => {
    for (const given of [
      '555-0100',
      'call me',
      '12',
      '+',
      '+999 123',
      '512-555-01',
      '020 7946 0958',
      '1-800-FLOWERS',
      '512 555 0143 512 555 0144',
      '5125550143 or so',
    ]) {
      assert.equal(readRefusal(given), asks(given))
    }
  })

  it('names the field', () => {
    assert.throws(() => readPhone('x', 'US', 'contacts[1].phone'), {
      code: 'invalid_input',
      message: asks('x', 'contacts[1].phone'),
      problems: [{ path: 'contacts[1].phone', rule: refusals.phone({ given: 'x' }) }],
    })
  })

  it('is thrown for an extension longer than 10 digits', () => {
    const given = '512-555-0143 ext. 12345678901'
    assert.equal(readRefusal(given), `phone must have an extension of at most 10 digits (got '${given}')`)
  })
})

/** A mobile number of every country, from the examples in the metadata. */
const samples: PhoneNumber[] = getCountries().flatMap((country) => getExampleNumber(country, examples) ?? [])

/** Generates numbers near an example, with other last digits. */
const numbers = fc.tuple(fc.constantFrom(...samples), fc.nat(9_999)).map(([example, last]) => {
  const { nationalNumber } = example
  const near = nationalNumber.slice(0, -4) + String(last).padStart(4, '0')
  return { country: example.country!, phone: `+${example.countryCallingCode}${near}` }
})

describe('phone number properties', () => {
  it('cover more than 200 samples', () => {
    assert.ok(samples.length > 200)
  })

  it('hold for any formatting of a number', () => {
    for (const example of samples) {
      const formats = [
        example.format('NATIONAL'),
        example.format('INTERNATIONAL'),
        example.format('E.164'),
        example.format('RFC3966'),
        example.getURI(),
      ]
      for (const text of formats) {
        assert.equal(readPhone(text, example.country!).phone, example.number, `${example.country} ${text}`)
        assert.equal(parsePhoneQuery(text, example.country!), example.number)
      }
    }
  })

  it('hold with an extension', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.stringMatching(/^\d{1,7}$/),
        fc.constantFrom(' x', ' ext. ', ';ext='),
        (example, extension, mark) => {
          assert.deepEqual(readPhone(example.format('INTERNATIONAL') + mark + extension, 'US'), {
            phone: example.number,
            extension,
          })
        },
      ),
    )
  })

  it('hold with any punctuation between the digits', () => {
    const marks = fc.array(fc.constantFrom('', '', ' ', '-', '.', ' - '), { minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(fc.constantFrom(...samples), marks, (example, between) => {
        const typed = `+${Array.from(example.number.slice(1), (digit, i) => digit + between[i])
          .join('')
          .replace(/[ .-]+$/, '')}`
        assert.equal(readPhone(typed, 'US').phone, example.number, typed)
      }),
    )
  })

  it('include that a stored number reads as itself from any country', () => {
    fc.assert(
      fc.property(numbers, fc.constantFrom('US', 'GB', 'DE', 'AQ', 'KZ'), ({ phone, country }, elsewhere) => {
        const stored = parsePhoneQuery(phone, country)
        if (stored === undefined) return
        assert.match(stored, /^\+[1-9]\d{1,14}$/)
        assert.deepEqual(readPhone(stored, elsewhere), { phone: stored, extension: null })
      }),
      { numRuns: 1_000 },
    )
  })

  it('include that any text is rejected, or read as E.164 that reads as itself', () => {
    const typed = fc.array(
      fc.constantFrom('+', '0', '00', '1', '44', '5', '555', '9', ' ', '(', ')', '-', 'x', ';ext=', 'a', '٣', '/'),
      { maxLength: 14 },
    )
    fc.assert(
      fc.property(typed, fc.constantFrom('US', 'GB', 'IT', 'AR', 'MX'), (parts, country) => {
        const stored = parsePhoneQuery(parts.join(''), country)
        if (stored === undefined) return
        assert.match(stored, /^\+[1-9]\d{1,14}$/)
        assert.equal(parsePhoneQuery(stored, country), stored)
      }),
      { numRuns: 2_000 },
    )
  })
})
