import { select, type Option } from '../../platform/html/parts/field.ts'
import { taxRates } from './choices.ts'
import { withChosen } from './fields.ts'
import { fieldValue, type FormField } from './form_field.ts'
import { say } from '../../platform/i18n/say.ts'

const NAME = 'tax_rate_id'
const UNTAXED = 'none'

/**
 * Builds the field for a document's tax rate, which applies to lines without their own. A new document takes the
 * location's rate or the company's default; a saved one has a rate or none.
 */
export const documentRateFields = (): FormField[] => [
  rateField('create', [{ value: '', label: say`The default for the location` }]),
  rateField('update', []),
]

const rateField = (on: 'create' | 'update', first: readonly Option[]): FormField => ({
  name: NAME,
  label: say`Tax rate`,
  on,
  fold: 'closed',
  options: taxRates,
  toEntries: (value) => [[NAME, typeof value === 'string' ? value : UNTAXED]],
  read: (values) => (fieldValue(values, NAME) === UNTAXED ? null : fieldValue(values, NAME) || undefined),
  html: (values, { options, error }) => {
    const chosen = values.get(NAME) ?? ''
    const choices = [...first, ...options, { value: UNTAXED, label: say`Not taxed` }]
    return select({ name: NAME, label: say`Tax rate`, error, chosen, options: withChosen(choices, [chosen]) })
  },
})
