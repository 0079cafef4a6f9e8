import { field } from '../../platform/html/parts/field.ts'
import { say } from '../../platform/i18n/say.ts'
import { readMoney, parseNumber } from '../fields/fields.ts'
import { decimalText, digitsOf } from '../format/formats.ts'
import { fieldValue, type FormField } from '../fields/form_field.ts'

const NAME = 'discount_value'
const TYPE = 'discount_type'

/** Returns the form field for a discount: a percentage, or an amount in the company's currency, by its type. */
export const discountValueField = (about: Pick<FormField, 'label' | 'isHalf' | 'isFor'>): FormField => ({
  ...about,
  name: NAME,
  toEntries: (value, { currency }, record) =>
    typeof value !== 'number'
      ? []
      : [[NAME, record[TYPE] === 'amount' ? decimalText(value, digitsOf(currency)) : String(value)]],
  read: (values, { currency }) => {
    const text = fieldValue(values, NAME)
    return values.get(TYPE) === 'amount' ? readMoney(NAME, text, currency) : text === '' ? undefined : parseNumber(text)
  },
  html: (values, { error }) =>
    field({
      name: NAME,
      label: about.label,
      error,
      keys: 'decimal',
      isRequired: true,
      value: values.get(NAME) ?? '',
      help: say`Such as 10`,
    }),
})
