import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseAddressList, addressVariants } from './addresses.ts'

describe('email addresses in a header', () => {
  it('are parsed from the header text', () => {
    const cases: [string | string[], string[]][] = [
      ['ana@example.com', ['ana@example.com']],
      ['"Doe, Jane" <JANE@Ex.com>, bob@ex.com (Bob, junior)', ['jane@ex.com', 'bob@ex.com']],
      ['Team: a@b.example, <c@d.example>;', ['a@b.example', 'c@d.example']],
      [['a@b.example', 'A@B.example'], ['a@b.example']],
      ['"ana@bank.example" <eve@x.example>', ['eve@x.example']],
      ['Foo <foo@bar.example> (see <no@no.example>)', ['foo@bar.example']],
      ['"quoted \\" comma, <x@y.example>" <real@z.example>', ['real@z.example']],
      ['ana@bücher.example', ['ana@xn--bcher-kva.example']],
      ['undisclosed-recipients:;', []],
      ['', []],
      ['nobody', []],
      ['@x.example', []],
      ['a@', []],
      ['a b@c.example', []],
      [`${'x'.repeat(250)}@a.example`, []],
    ]
    for (const [given, read] of cases) assert.deepEqual(parseAddressList(given), read, JSON.stringify(given))
  })

  it('are well-formed for any input', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', '@', '<', '>', ',', '"', '(', ')', ';', ':', '\\', '\0', '\ud800', ' ', 'é', '.'),
        }),
        (text) => {
          for (const address of parseAddressList(text))
            assert.ok(address.isWellFormed() && !/[\s\p{Cc}]/u.test(address) && address.lastIndexOf('@') > 0, address)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('are read up to a maximum text length', () => {
    assert.equal(parseAddressList(Array.from({ length: 200_000 }, (_, i) => `${i}@x.example`)).length < 20_000, true)
    assert.deepEqual(parseAddressList(`${'<'.repeat(2 ** 22)}a@b.example>`), [])
  })

  it('match without their plus tag too', () => {
    assert.deepEqual(addressVariants('jobs+a+b@x.example'), ['jobs+a+b@x.example', 'jobs@x.example'])
    assert.deepEqual(
      [addressVariants('jobs@x+y.example'), addressVariants('+a@x.example')],
      [['jobs@x+y.example'], ['+a@x.example']],
    )
  })
})
