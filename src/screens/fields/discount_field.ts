import { field, select } from '../../html/field.ts'
import { html } from '../../html/html.ts'
import { readMoney, typedNumber } from './fields.ts'
import { decimalText, digitsOf } from '../formats.ts'
import { only, type FormField } from './form_field.ts'
import { say } from '../../language/say.ts'

const NAME = 'discount'
const [TYPE, VALUE] = [`${NAME}.type`, `${NAME}.value`]
const types = () => [
  { value: 'percent', label: say`Percent` },
  { value: 'amount', label: say`Amount` },
]

type Discount = { type: 'percent' | 'amount'; value: number }

/** Makes the fields of what is taken off a whole document. */
export const discountField = (): FormField => ({
  name: NAME,
  label: say`Discount`,
  fold: 'open',
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
  ${field({ name: VALUE, label: say`Discount`, value: typed.get(VALUE) ?? '', keys: 'decimal', error })}
  ${select({ name: TYPE, label: say`Discount in`, options: types(), chosen: typed.get(TYPE) ?? '' })}
</div>`,
})
