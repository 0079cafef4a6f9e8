import { ENTERED_TENANT, sql } from '../../platform/db/tenant.ts'
import { say } from '../../platform/i18n/say.ts'
import { id, optional, wholeNumber } from '../../platform/validation/fields.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { nonEmptyText } from '../../platform/validation/text/text.ts'
import { field, idField, internalField, ownField, auditFields } from '../declare/field.ts'
import { record, type InputOf, type ListRowOf, type RowOf } from '../declare/record.ts'
import { pathOptions } from '../fields/choices.ts'
import { choiceField, numberField, textField } from '../fields/fields.ts'
import { allCategories } from './paths.ts'

export const CATEGORY = record({
  table: 'catalog_categories',
  unlisted: ['created_at', 'updated_at', 'created_by', 'updated_by'],
  derive: ({ name }) => ({ name_folded: fold(name), identity: name.toLowerCase() }),
  parts: { path: { name: 'company' } },
  fields: {
    id: idField,
    name: field(nonEmptyText(100).describe('Name'), {
      label: () => say`Name`,
      text: 'company',
      form: (about) => textField({ ...about, isRequired: true, help: say`Unique among its neighbors` }),
    }),
    name_folded: internalField({ text: 'company', isDerived: true }),
    /** Case-folded name, unique among siblings. */
    identity: internalField({ text: 'company', isDerived: true }),
    parent_id: field(optional(id()).describe('Null for the root'), {
      label: () => say`Inside`,
      form: (about) =>
        choiceField({
          ...about,
          options: async (context) => pathOptions(await context.read(allCategories)),
          none: say`None: at the top`,
        }),
    }),
    position: field(wholeNumber(0, 9999).optional().describe('Order among siblings'), {
      label: () => say`Order`,
      form: (about) => numberField({ ...about, help: say`Low numbers come first, empty ones last` }),
    }),
    /** 1 at the root. */
    depth: ownField<number>({ isDerived: true }),
    /** Number of its live items, without those of its children. */
    item_count: ownField<number>({
      isComputed: true,
      reads: () =>
        sql`(select count(*)
          from catalog_items i
          where i.tenant_id = ${ENTERED_TENANT} and i.category_id = c.id and i.archived_at is null)`,
    }),
    ...auditFields,
  },
})

export type Category = RowOf<typeof CATEGORY>
export type CategoryRow = ListRowOf<typeof CATEGORY>
export type CategoryInput = InputOf<typeof CATEGORY>
