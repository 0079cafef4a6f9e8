import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refusal } from '../platform/errors/refusal.ts'
import { withReader, type Reader } from '../platform/i18n/reader.ts'
import { refusalForPeople } from '../platform/i18n/refusal_for_people.ts'
import { readCountry, readCurrency, readEmail, readName, readTimezone } from './inputs.ts'

const assertRefused = (read: () => unknown, message: RegExp) => assert.throws(read, { code: 'invalid_input', message })

describe('input readers', () => {
  it('accept a time zone in any case, in its canonical spelling, and keep aliases', () => {
    assert.equal(readTimezone(' america/new_york '), 'America/New_York')
    assert.equal(readTimezone('US/Central'), 'US/Central')
    assert.equal(readTimezone('Asia/Kolkata'), 'Asia/Kolkata')
    assert.equal(readTimezone('UTC'), 'UTC')
  })

  it('normalize a currency, a country, an email address and a name', () => {
    assert.equal(readCurrency(' usd'), 'USD')
    assert.equal(readCurrency('JPY'), 'JPY')
    assert.equal(readCountry('us'), 'US')
    assert.equal(readEmail(' Ana@Example.COM '), 'ana@example.com')
    assert.equal(readName('  Müller & Söhne '), 'Müller & Söhne')
  })
})

describe('input readers: invalid_input', () => {
  it('reject an offset, an abbreviation or an unknown time zone', () => {
    for (const zone of ['+05:00', '-0500', '', 'Z', 'CDT', 'Mars/Olympus', 'America/New York']) {
      assertRefused(() => readTimezone(zone), /^timezone must be a time zone such as America\/New_York/)
    }
  })

  it('reject an unknown currency or country code', () => {
    for (const currency of ['US', 'USDX', 'XYZ', '$', ''])
      assertRefused(() => readCurrency(currency), /^currency must be/)
    for (const country of ['USA', 'XX', 'EU', '']) assertRefused(() => readCountry(country), /^country must be/)
  })

  it('reject a malformed email address, and a name that is empty, too long or has control characters', () => {
    for (const email of ['ana', '@', 'a b@c', 'a@b@c'])
      assertRefused(() => readEmail(email, 'owner-email'), /^owner-email must be an email/)
    assertRefused(() => readName('  '), /^name must not be empty/)
    assertRefused(() => readName('x'.repeat(201)), /^name must be at most 200 characters/)
    assertRefused(() => readName('a\u001b[31m'), /control characters/)
  })
})

describe('an input error for people', () => {
  it('says what to enter, in English and Spanish, without repeating the input', () => {
    for (const [read, en, es] of [
      [() => readName(' '), 'Enter a name.', 'Escriba un nombre.'],
      [
        () => readName('x'.repeat(201)),
        'The name is too long. Use at most 200 characters.',
        'El nombre es demasiado largo. Use como máximo 200 caracteres.',
      ],
      [
        () => readName('a\u001b[31m'),
        'Remove unusual or invisible characters from this text.',
        'Quite de este texto los caracteres extraños o invisibles.',
      ],
      [
        () => readEmail('', 'address'),
        'Enter an email address, such as ana@example.com.',
        'Escriba una dirección de correo, como ana@example.com.',
      ],
      [() => readCurrency('$'), 'Enter a currency code, such as USD.', 'Escriba un código de moneda, como USD.'],
    ] as const)
      assert.deepEqual([sentenceFor('en', read), sentenceFor('es', read)], [en, es])
  })
})

function sentenceFor(language: Reader['language'], read: () => unknown): string {
  try {
    read()
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return withReader({ language, country: 'US' }, () => refusalForPeople(error))
  }
  throw new Error('Nothing was refused')
}
