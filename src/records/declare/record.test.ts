import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../platform/db/database.ts'
import { flag } from '../../platform/validation/fields.ts'
import { nonEmptyText, text } from '../../platform/validation/text/text.ts'
import { erasureValues, tableColumns, textColumns } from '../../tools/declare/record_facts.ts'
import { textField } from '../fields/fields.ts'
import { erased } from './erased.ts'
import { field, idField, internalField, ownField, auditFields } from './field.ts'
import { formFields } from './form_fields.ts'
import { record } from './record.ts'

const BOAT = record({
  table: 'boats',
  unlisted: ['notes', 'created_at', 'updated_at', 'created_by', 'updated_by'],
  derive: ({ name }) => ({ name_folded: name.toLowerCase() }),
  fields: {
    id: idField,
    name: field(nonEmptyText(20), { label: () => 'Name', text: 'customer', erased: erased.text, form: textField }),
    notes: field(text(50), { label: () => 'Notes', text: 'customer', erased: erased.nothing, form: textField }),
    is_afloat: field(flag().optional(), { default: true }),
    length: ownField<number>({ reads: (column) => sql`${column}::float8` }),
    owner_name: ownField<string>({ text: 'company', isComputed: true, reads: () => sql`u.name` }),
    ...auditFields,
    name_folded: internalField({ text: 'customer', isDerived: true }),
  },
})

describe('a declared record', () => {
  it('returns the columns of rows and lists with their expressions under any alias', () => {
    assert.equal(
      BOAT.columns().sql,
      'id,name,notes,is_afloat,length::float8 as length,u.name as owner_name,created_at,updated_at,created_by,updated_by',
    )
    assert.equal(BOAT.listColumns('b').sql, 'b.id,b.name,b.is_afloat,b.length::float8 as length,u.name as owner_name')
    assert.deepEqual(BOAT.listed, ['id', 'name', 'is_afloat', 'length', 'owner_name'])
    assert.match(BOAT.columns('b', { is_afloat: sql`b.draft > 0` }).sql, /b\.notes,b\.draft > 0 as is_afloat,b\.length/)
    assert.match(BOAT.columns('b').sql, /b\.notes,b\.is_afloat,/)
  })

  it('fills missing draft fields with their default or null', () => {
    assert.deepEqual(BOAT.complete({ name: 'Ana' }), { name: 'Ana', notes: null, is_afloat: true })
    assert.deepEqual(BOAT.complete({ name: 'Ana', is_afloat: false }, { notes: 'x' }), {
      name: 'Ana',
      notes: 'x',
      is_afloat: false,
    })
  })

  it("writes the caller's values with derived columns", () => {
    assert.deepEqual(BOAT.toColumns({ name: 'Ana', notes: null, is_afloat: true }), {
      name: 'Ana',
      notes: null,
      is_afloat: true,
      name_folded: 'ana',
    })
  })

  it('puts the named form fields first and all others after them', () => {
    const extra = textField({ name: 'extra', label: 'Extra' })
    const names = (fields: { name: string; label: string }[]) => fields.map(({ name, label }) => [name, label])
    assert.deepEqual(names(formFields(BOAT, ['notes', extra])), [
      ['notes', 'Notes'],
      ['extra', 'Extra'],
      ['name', 'Name'],
    ])
  })

  it('returns its columns for archive and erasure', () => {
    assert.ok(!tableColumns(BOAT).includes('owner_name') && tableColumns(BOAT).includes('name_folded'))
    assert.deepEqual(textColumns(BOAT), ['name', 'notes', 'name_folded'])
    assert.deepEqual(Object.keys(erasureValues(BOAT)), ['name', 'notes'])
  })
})
