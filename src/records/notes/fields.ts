import { sql } from '../../platform/db/database.ts'
import { say } from '../../platform/i18n/say.ts'
import { choice, id, optional } from '../../platform/validation/fields.ts'
import { nonEmptyLongText } from '../../platform/validation/text/text.ts'
import { erased } from '../declare/erased.ts'
import { archivedAt, field, idField, internalField, ownField, auditFields } from '../declare/field.ts'
import { record, type InputOf, type RowOf } from '../declare/record.ts'
import { hiddenField, textAreaField } from '../fields/fields.ts'

/** Types of records that a note can be on. */
export const SUBJECTS = [
  'customer',
  'contact',
  'location',
  'job',
  'job_series',
  'invoice',
  'quote',
  'plan',
  'catalog_item',
] as const

export type SubjectType = (typeof SUBJECTS)[number]

export const NOTE = record({
  table: 'notes',
  parts: { notes: { excerpt: 'customer' } },
  fields: {
    id: idField,
    body: field(nonEmptyLongText(10_000).describe('Text'), {
      label: () => say`Note`,
      text: 'customer',
      erased: erased.text,
      form: (about) => textAreaField({ ...about, rows: 8, isRequired: true }),
    }),
    /** Words of the body with their positions, each prefixed with the end of the tenant's id. */
    words: internalField({ text: 'customer', erased: sql`''::tsvector`, isDerived: true }),
    subject_type: field(optional(choice(...SUBJECTS)).describe('Type of record'), {
      text: 'company',
      form: ({ name }) => hiddenField(name, 'create'),
    }),
    subject_id: field(optional(id()).describe('Record it is about'), {
      form: ({ name }) => hiddenField(name, 'create'),
    }),
    pinned: ownField<boolean>({ erased: erased.no }),
    author_id: ownField<string | null>({ isComputed: true, reads: () => sql`created_by` }),
    author_name: ownField<string | null>({
      text: 'company',
      isComputed: true,
      reads: () => sql`(select u.name from users u where u.id = notes.created_by)`,
    }),
    ...auditFields,
    archived_at: archivedAt,
  },
})

export type Note = RowOf<typeof NOTE>
export type NoteInput = InputOf<typeof NOTE>
