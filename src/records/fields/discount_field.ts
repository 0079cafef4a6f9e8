import { field, select } from '../../platform/html/parts/field.ts'
import { html } from '../../platform/html/html.ts'
import { readMoney, parseNumber } from './fields.ts'
import { decimalText, digitsOf } from '../format/formats.ts'
import { fieldValue, type FormField } from './form_field.ts'
import { say } from '../../platform/i18n/say.ts'

const discountTypes = () => [
  { value: 'percent', label: say`Percent` },
  { value: 'amount', label: say`Amount` },
]

type Discount = { type: 'percent' | 'amount'; value: number }

/** Builds the discount field of a document. */
export const discountField = (): FormField =>
  shareField({ name: 'discount', label: say`Discount`, unit: say`Discount in`, fold: 'open' })

/** Builds the field for a share of a document's total: a percentage or an amount. */
export const shareField = ({ unit, ...about }: FieldOptions & { unit: string }): FormField => {
  const [TYPE, VALUE] = [`${about.name}.type`, `${about.name}.value`]
  return {
    ...about,
    toEntries: (value, { currency }) => {
      const share = value as Discount | null | undefined
      return share == null
        ? []
        : [
            [TYPE, share.type],
            [VALUE, share.type === 'percent' ? String(share.value) : decimalText(share.value, digitsOf(currency))],
          ]
    },
    read: (values, { currency }) => {
      const [type, value] = [fieldValue(values, TYPE) || 'percent', fieldValue(values, VALUE)]
      return value === ''
        ? undefined
        : { type, value: type === 'amount' ? readMoney(VALUE, value, currency) : parseNumber(value) }
    },
    html: (values, { error }) => html`
<div class="pair" id="${about.name}" tabindex="-1">
  ${field({ name: VALUE, label: about.label, value: values.get(VALUE) ?? '', keys: 'decimal', error })}
  ${select({ name: TYPE, label: unit, options: discountTypes(), chosen: values.get(TYPE) ?? '' })}
</div>`,
  }
}

type FieldOptions = Pick<FormField, 'name' | 'label' | 'group' | 'fold'>
