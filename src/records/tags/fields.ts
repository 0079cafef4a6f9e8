import { say } from '../../platform/i18n/say.ts'
import { color, optional } from '../../platform/validation/fields.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { nonEmptyText } from '../../platform/validation/text/text.ts'
import { field, idField, internalField, auditFields } from '../declare/field.ts'
import { record, type InputOf, type ListRowOf, type RowOf } from '../declare/record.ts'
import { textField } from '../fields/fields.ts'
import { colorField } from './color_field.ts'

export const TAG = record({
  table: 'tags',
  unlisted: ['created_at', 'updated_at', 'created_by', 'updated_by'],
  derive: ({ name }) => ({ name_folded: fold(name), identity: name.toLowerCase().replace(/\s+/g, '') }),
  fields: {
    id: idField,
    name: field(nonEmptyText(50).describe('Label'), {
      label: () => say`Name`,
      text: 'company',
      form: (about) => textField({ ...about, isRequired: true, help: say`Short, such as VIP` }),
    }),
    color: field(optional(color()).describe('#RRGGBB'), { label: () => say`Color`, text: 'company', form: colorField }),
    ...auditFields,
    name_folded: internalField({ text: 'company', isDerived: true }),
    /** Name without case and whitespace, unique among tags. */
    identity: internalField({ text: 'company', isDerived: true }),
  },
})

export type Tag = RowOf<typeof TAG>
export type TagRow = ListRowOf<typeof TAG>
export type TagInput = InputOf<typeof TAG>
