import { fold } from '../../platform/validation/text/fold.ts'
import { longText, nonEmptyText, text } from '../../platform/validation/text/text.ts'
import { archivedAt, field, idField, internalField, auditFields } from '../declare/field.ts'
import { record, type InputOf, type ListRowOf, type RowOf } from '../declare/record.ts'
import { textAreaField, textField } from '../fields/fields.ts'

export const VEHICLE = record({
  table: 'vehicles',
  unlisted: ['vin', 'notes', 'created_at', 'updated_at', 'created_by', 'updated_by', 'archived_at'],
  derive: ({ name }) => ({ name_folded: fold(name) }),
  fields: {
    id: idField,
    name: field(nonEmptyText(100).describe('Name'), {
      label: () => 'Name',
      text: 'company',
      form: (about) => textField({ ...about, isRequired: true, help: 'Such as Van 3' }),
    }),
    plate: field(nonEmptyText(20).describe('License plate'), {
      label: () => 'Plate',
      onSheet: true,
      text: 'company',
      form: (about) => textField({ ...about, isRequired: true }),
    }),
    vin: field(text(17).describe('Chassis number'), {
      label: () => 'VIN',
      onSheet: true,
      text: 'company',
      form: textField,
    }),
    notes: field(longText(2000).describe('For the office'), {
      label: () => 'Notes',
      onSheet: true,
      text: 'company',
      form: textAreaField,
    }),
    ...auditFields,
    archived_at: archivedAt,
    name_folded: internalField({ text: 'company', isDerived: true }),
  },
})

export type Vehicle = RowOf<typeof VEHICLE>
export type VehicleRow = ListRowOf<typeof VEHICLE>
export type VehicleInput = InputOf<typeof VEHICLE>
