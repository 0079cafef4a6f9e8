import { field, select } from '../../html/field.ts'
import { html } from '../../html/html.ts'
import { readMoney, typedNumber } from './fields.ts'
import { decimalText, digitsOf } from '../formats.ts'
import { only, type FormField } from './form_field.ts'

const NAME = 'discount'
const [TYPE, VALUE] = [`${NAME}.type`, `${NAME}.value`]
const TYPES = [
  { value: 'percent', label: 'Percent' },
  { value: 'amount', label: 'Amount' },
]

type Discount = { type: 'percent' | 'amount'; value: number }

/** Makes the fields of what is taken off a whole document. */
export const discountField = (): FormField => ({
  name: NAME,
  label: 'Discount',
  group: 'Discount and tax',
  typed: (value, { currency }) => {
    const discount = value as Discount | null | undefined
    return discount == null
      ? []
      : [
          [TYPE, discount.type],
          [
            VALUE,
            discount.type === 'percent' ? String(discount.value) : decimalText(discount.value, digitsOf(currency)),
          ],
        ]
  },
  read: (typed, { currency }) => {
    const [type, value] = [only(typed, TYPE) || 'percent', only(typed, VALUE)]
    return value === ''
      ? undefined
      : { type, value: type === 'amount' ? readMoney(VALUE, value, currency) : typedNumber(value) }
  },
  html: (typed, { error }) => html`
<div class="pair" id="${NAME}" tabindex="-1">
  ${field({ name: VALUE, label: 'Discount', value: typed.get(VALUE) ?? '', keys: 'decimal', error })}
  ${select({ name: TYPE, label: 'Discount in', options: TYPES, chosen: typed.get(TYPE) ?? '' })}
</div>`,
})
