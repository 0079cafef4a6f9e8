import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isCompanyName, splitName } from './names.ts'

describe('a name in a file', () => {
  it("is swapped at the comma only when both parts look like a person's", () => {
    for (const [name, first, last] of [
      ['Ruiz, Ana', 'Ana', 'Ruiz'],
      ['de la Cruz, José María', 'José María', 'de la Cruz'],
      ['O’Brien, Mary-Ann', 'Mary-Ann', 'O’Brien'],
      ['Smith, John & Jane', 'John & Jane', 'Smith'],
    ] as const)
      assert.deepEqual(splitName(name), { first_name: first, last_name: last, isSwapped: true }, name)
    for (const name of [
      'Acme Property Mgmt, LLC #31',
      'Hill Dental, Inc.',
      'Oak Street Apartments, Austin',
      'Lot 5, Oak Street',
      'John Ruiz, Jr.',
      'Ruiz, Ana, Bo',
      'Ruiz, 4B',
      'Smith,',
      'Ana Ruiz',
    ]) {
      const { first_name, last_name, isSwapped } = splitName(name)
      assert.equal(isSwapped, false, name)
      assert.equal([first_name, last_name].filter(Boolean).join(' '), name)
    }
  })

  it("is a company's when it ends in a legal form, also before a number or place", () => {
    for (const name of [
      'Acme LLC',
      'Hill Dental, Inc.',
      'Acme Property Mgmt, LLC #31',
      'Acme LLC - 31',
      'Acme LLC Unit 4',
      'Acme, Inc. (Austin)',
      'Oak HOA',
    ])
      assert.equal(isCompanyName(name), true, name)
    for (const name of ['Ana Ruiz', 'Ana Ruiz #31', 'Vince Inca', 'LLC', 'Lot 5, Oak Street'])
      assert.equal(isCompanyName(name), false, name)
  })

  it('is parsed in bounded time, also when it is very long', () => {
    const before = process.threadCpuUsage()
    for (const name of [
      'a '.repeat(10_000),
      `${'A, '.repeat(5_000)}B`,
      `Acme ${'('.repeat(20_000)}`,
      ' '.repeat(20_000),
    ]) {
      splitName(name)
      isCompanyName(name)
    }
    const { user, system } = process.threadCpuUsage(before)
    assert.ok(user + system < 200_000)
  })
})
