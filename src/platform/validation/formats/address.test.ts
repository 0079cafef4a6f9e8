import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressIn } from './address.ts'

describe('an address on one line', () => {
  for (const [text, parts] of [
    ['12 Oak St', { address_line1: '12 Oak St' }],
    ['12 Oak St, Austin', { address_line1: '12 Oak St', city: 'Austin' }],
    ['12 Oak St, Austin TX', { address_line1: '12 Oak St', city: 'Austin', region: 'TX' }],
    ['12 Oak St, Austin tx 78704', { address_line1: '12 Oak St', city: 'Austin', region: 'TX', postal_code: '78704' }],
    [
      '12 Oak St, Apt 4, San Marcos, TX 78666-1234',
      {
        address_line1: '12 Oak St',
        address_line2: 'Apt 4',
        city: 'San Marcos',
        region: 'TX',
        postal_code: '78666-1234',
      },
    ],
    ['12 Oak St, El Xx', { address_line1: '12 Oak St', city: 'El Xx' }],
  ] as const)
    it(`parses ${text}`, () => assert.deepEqual(addressIn(text, 'US'), parts))

  it('recognizes US states only in the United States, and is undefined when empty', () => {
    assert.deepEqual(addressIn('1 High St, Bath ME', 'GB'), { address_line1: '1 High St', city: 'Bath ME' })
    assert.equal(addressIn(' , ', 'US'), undefined)
  })
})
