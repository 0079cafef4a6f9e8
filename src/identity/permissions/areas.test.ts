import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AREA_NAMES, DEFAULT_CEILINGS, ceilingOf, parseAreas, parseRole, scopesUnder } from './areas.ts'

const assertRefused = (read: () => unknown, message: RegExp) => assert.throws(read, { code: 'invalid_input', message })

describe('ok', () => {
  it('reads levels of areas in any case', () => {
    assert.deepEqual(parseAreas('Invoices=View, quotes=NONE,customers & contacts = edit'), {
      Invoices: 'view',
      Quotes: 'none',
      'Customers & contacts': 'edit',
    })
    assert.equal(parseRole(' Office '), 'office')
  })

  it("starts from the role's areas, or from those held, and changes the named ones", () => {
    assert.deepEqual(ceilingOf('tech', undefined), DEFAULT_CEILINGS.tech)
    assert.deepEqual(ceilingOf('tech', { Invoices: 'view' }), { ...DEFAULT_CEILINGS.tech, Invoices: 'view' })
    const held = { ...DEFAULT_CEILINGS.office, Plans: 'none' } as const
    assert.deepEqual(ceilingOf('office', { Invoices: 'view' }, held), { ...held, Invoices: 'view' })
  })

  it('leaves an owner everything', () => {
    assert.deepEqual(ceilingOf('owner', undefined, DEFAULT_CEILINGS.tech), DEFAULT_CEILINGS.owner)
    assert.equal(
      AREA_NAMES.every((area) => DEFAULT_CEILINGS.owner[area] === 'edit'),
      true,
    )
  })

  it('gives read for View, read and write for Edit, and nothing for None', () => {
    const scopes = scopesUnder(ceilingOf('tech', { 'Catalog & pricing': 'view', Invoices: 'none', Plans: 'edit' }))
    assert.deepEqual(
      [scopes.has('read:catalog_items'), scopes.has('read:catalog_categories'), scopes.has('write:catalog_items')],
      [true, true, false],
    )
    assert.deepEqual(
      [scopes.has('read:plans'), scopes.has('write:plans'), scopes.has('read:invoices')],
      [true, true, false],
    )
  })
})

describe('invalid_input', () => {
  it('is a role, area or level that there is not', () => {
    assertRefused(() => parseRole('boss'), /^role must be one of owner, office, tech \(got 'boss'\)/)
    assertRefused(() => parseAreas('Invoice=View'), /did you mean 'Invoices'/)
    assertRefused(() => parseAreas('Everything at all=View'), /they are Customers & contacts, Notes/)
    assertRefused(() => parseAreas('Invoices=Write'), /'Write' is not a level; they are none, view, edit/)
  })

  it('is a text that says nothing, or the same area twice', () => {
    for (const text of ['', ',', ' ']) assertRefused(() => parseAreas(text), /name at least one/)
    for (const text of ['Invoices', 'Invoices=', 'Invoices=View=Edit'])
      assertRefused(() => parseAreas(text), /is not written like/)
    assertRefused(() => parseAreas('Invoices=View,invoices=None'), /Invoices is named twice/)
  })

  it('is to limit an owner', () => assertRefused(() => ceilingOf('owner', { Plans: 'view' }), /owner/))
})
