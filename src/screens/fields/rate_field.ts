import { select, type Option } from '../../html/field.ts'
import { taxRates } from './choices.ts'
import { withChosen } from './fields.ts'
import { only, type FormField } from './form_field.ts'

const NAME = 'tax_rate_id'
const UNTAXED = 'none'

/**
 * Makes the field of a whole document's tax rate, for its lines without one of their own: a new one takes that of the
 * location or the company's default, and a saved one has a rate or none.
 */
export const documentRateFields = (): FormField[] => [
  rateField('create', [{ value: '', label: 'As usual: that of the location, or the default' }]),
  rateField('update', []),
]

const rateField = (on: 'create' | 'update', first: readonly Option[]): FormField => ({
  name: NAME,
  label: 'Tax rate',
  on,
  group: 'Discount and tax',
  options: taxRates,
  typed: (value) => [[NAME, typeof value === 'string' ? value : UNTAXED]],
  read: (typed) => (only(typed, NAME) === UNTAXED ? null : only(typed, NAME) || undefined),
  html: (typed, { options, error }) => {
    const chosen = typed.get(NAME) ?? ''
    const choices = [...first, ...options, { value: UNTAXED, label: 'Not taxed' }]
    return select({ name: NAME, label: 'Tax rate', error, chosen, options: withChosen(choices, [chosen]) })
  },
})
