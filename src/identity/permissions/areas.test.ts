import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AREA_NAMES, DEFAULT_CEILINGS, ceilingOf, parseAreas, parseRole, scopesUnder } from './areas.ts'

const assertRefused = (read: () => unknown, message: RegExp) => assert.throws(read, { code: 'invalid_input', message })

describe('permission areas', () => {
  it('parses areas, levels and roles in any case', () => {
    assert.deepEqual(parseAreas('Invoices=View, quotes=NONE,customers & contacts = edit'), {
      Invoices: 'view',
      Quotes: 'none',
      'Customers & contacts': 'edit',
    })
    assert.equal(parseRole(' Office '), 'office')
  })

  it("starts from the role's defaults or the current areas and changes only the named ones", () => {
    assert.deepEqual(ceilingOf('tech', undefined), DEFAULT_CEILINGS.tech)
    assert.deepEqual(ceilingOf('tech', { Invoices: 'view' }), { ...DEFAULT_CEILINGS.tech, Invoices: 'view' })
    const held = { ...DEFAULT_CEILINGS.office, Plans: 'none' } as const
    assert.deepEqual(ceilingOf('office', { Invoices: 'view' }, held), { ...held, Invoices: 'view' })
  })

  it('gives an owner every area', () => {
    assert.deepEqual(ceilingOf('owner', undefined, DEFAULT_CEILINGS.tech), DEFAULT_CEILINGS.owner)
    assert.equal(
      AREA_NAMES.every((area) => DEFAULT_CEILINGS.owner[area] === 'edit'),
      true,
    )
  })

  it('maps View to read, Edit to read and write, and None to no scope', () => {
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

describe('permission areas: invalid_input', () => {
  it('is thrown for an unknown role, area or level', () => {
    assertRefused(() => parseRole('boss'), /^role must be one of owner, office, tech \(got 'boss'\)/)
    assertRefused(() => parseAreas('Invoice=View'), /did you mean 'Invoices'/)
    assertRefused(() => parseAreas('Everything at all=View'), /use one of Customers & contacts, Notes/)
    assertRefused(() => parseAreas('Invoices=Write'), /'Write' is not a level; use one of none, view, edit/)
  })

  it('is thrown for an empty or malformed text and for a repeated area', () => {
    for (const text of ['', ',', ' ']) assertRefused(() => parseAreas(text), /name at least one/)
    for (const text of ['Invoices', 'Invoices=', 'Invoices=View=Edit'])
      assertRefused(() => parseAreas(text), /must look like/)
    assertRefused(() => parseAreas('Invoices=View,invoices=None'), /Invoices is named twice/)
  })

  it('is thrown when an owner is limited', () => assertRefused(() => ceilingOf('owner', { Plans: 'view' }), /owner/))
})
