import type { z } from 'zod'
import type { DocumentPrice } from '../../money/document.ts'
import { say } from '../../platform/i18n/say.ts'
import { id, optional } from '../../platform/validation/fields.ts'
import type { TextAuthor } from '../../tools/declare/record_facts.ts'
import { erased } from '../declare/erased.ts'
import { internalField, ownField, draftField, type InputField } from '../declare/field.ts'
import { discountField } from '../fields/discount_field.ts'
import { linesField } from '../fields/lines/lines_field.ts'
import { documentRateFields } from '../fields/rate_field.ts'
import { documentDiscount } from './inputs.ts'
import type { LineItem } from './line.ts'

/** Authors of the texts in lines, in a document's taxes and in its discount. */
export const documentParts = {
  line_items: {
    kind: 'company',
    name: 'customer',
    description: 'customer',
    unit: 'company',
    discount_type: 'company',
    tax_name: 'company',
  },
  taxes: { name: 'company' },
  discount: { type: 'company' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, TextAuthor>>>>

/** Declares the lines of a document; `hasTax` adds their tax fields to its form. */
export const lineItemsField = <Schema extends z.ZodType>(
  schema: Schema,
  { hasTax, ...options }: Pick<InputField, 'label' | 'erased'> & { hasTax: boolean },
) =>
  draftField<Schema, LineItem[]>(schema, {
    label: () => say`Lines`,
    text: 'customer',
    erased: erased.lines,
    form: ({ label }) => linesField({ hasTax, label }),
    ...options,
  })

/** Fields of a document's discount, taxes and totals. */
export const priceFields = {
  discount: draftField(documentDiscount(), { label: () => say`Discount`, text: 'company', form: discountField }),
  /** Tax rate of lines without their own. */
  tax_rate_id: draftField(optional(id()).describe('Rate; null for none'), {
    label: () => say`Tax rate`,
    form: documentRateFields,
  }),
  tax_rate_chosen: internalField({ isDerived: true }),
  tax_exempt: ownField<boolean>(),
  taxes: ownField<DocumentPrice['taxes']>({ text: 'company' }),
  subtotal_cents: ownField<number>(),
  discount_cents: ownField<number>(),
  taxable_cents: ownField<number>(),
  tax_cents: ownField<number>(),
  total_cents: ownField<number>(),
}
