import { percent } from '../../money/bounds.ts'
import { sql } from '../../platform/db/database.ts'
import { say } from '../../platform/i18n/say.ts'
import { flag } from '../../platform/validation/fields.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { nonEmptyText } from '../../platform/validation/text/text.ts'
import { field, idField, internalField, ownField, auditFields } from '../declare/field.ts'
import { record, type InputOf, type ListRowOf, type RowOf } from '../declare/record.ts'
import { numberField, textField, checkboxField } from '../fields/fields.ts'
import { decimal } from '../line_items/inputs.ts'

export const TAX_RATE = record({
  table: 'tax_rates',
  unlisted: ['created_at', 'updated_at', 'created_by', 'updated_by', 'archived_at'],
  derive: ({ name }) => ({ name_folded: fold(name) }),
  fields: {
    id: idField,
    name: field(nonEmptyText(100).optional().describe('Default Sales tax'), {
      label: () => say`Name`,
      text: 'company',
      default: 'Sales tax',
      form: (about) =>
        textField({ ...about, help: say`Sales tax when left empty. Customers read it on their invoices` }),
    }),
    name_folded: internalField({ text: 'company', isDerived: true }),
    /** 0.0825 where `rate_percentage` is 8.25; both are exact. */
    rate_decimal: ownField<number>({ reads: (column) => sql`${column}::float8` }),
    rate_percentage: field(decimal(percent).describe('8.25 is 8.25%'), {
      label: () => say`Percentage`,
      isComputed: true,
      reads: () => sql`(rate_decimal * 100)::float8`,
      form: (about) =>
        numberField({ ...about, on: 'create', isRequired: true, help: say`Such as 8.25, with at most four decimals` }),
    }),
    is_default: field(flag().optional().describe('Used by default'), {
      label: () => say`Default rate`,
      default: false,
      form: checkboxField,
    }),
    is_archived: ownField<boolean>({ isComputed: true, reads: () => sql`archived_at is not null` }),
    ...auditFields,
    archived_at: ownField<string | null>(),
  },
})

export type TaxRate = RowOf<typeof TAX_RATE>
export type TaxRateRow = ListRowOf<typeof TAX_RATE>
export type TaxRateInput = InputOf<typeof TAX_RATE>
