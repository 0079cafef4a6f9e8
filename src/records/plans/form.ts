import { CADENCES } from '../../recurrence/cadence.ts'
import { say } from '../../platform/i18n/say.ts'
import { wordOptions } from '../fields/choices.ts'
import { customerField } from '../fields/customer_field.ts'
import { discountField } from '../fields/discount_field.ts'
import { choiceField, dayField, longField, textField } from '../fields/fields.ts'
import type { FormField } from '../fields/form_field.ts'
import { linesField } from '../fields/lines/lines_field.ts'
import { locationFields } from '../fields/site_fields.ts'
import { documentRateFields } from '../fields/rate_field.ts'

const drafts = () => [
  { value: 'draft', label: say`A draft to check and send` },
  { value: 'none', label: say`Nothing` },
]

export const planFields = (): readonly FormField[] => [
  customerField(),
  textField({ name: 'name', label: say`Name`, isRequired: true, help: say`The customer reads it on each invoice` }),
  choiceField({
    name: 'cadence',
    label: say`How often`,
    isHalf: true,
    options: wordOptions(...CADENCES),
    none: say`Choose how often`,
  }),
  dayField({ name: 'start_date', label: say`First date`, isHalf: true, help: say`Today when left empty` }),
  choiceField({ name: 'auto_invoice', label: say`On each date, create`, options: drafts() }),
  linesField({ hasTax: true }),
  dayField({ name: 'end_date', label: say`Last day`, fold: 'open', isHalf: true }),
  ...locationFields({ fold: 'closed', isHalf: true }),
  longField({ name: 'description', label: say`Description`, fold: 'open', rows: 3 }),
  discountField(),
  ...documentRateFields(),
]
