import { CADENCES } from '../../recurrence/cadence.ts'
import { say } from '../../language/say.ts'
import { worded } from '../../screens/fields/choices.ts'
import { customerField } from '../../screens/fields/customer_field.ts'
import { discountField } from '../../screens/fields/discount_field.ts'
import { choiceField, dayField, longField, textField } from '../../screens/fields/fields.ts'
import type { FormField } from '../../screens/fields/form_field.ts'
import { linesField } from '../../screens/fields/lines_field.ts'
import { locationFields } from '../../screens/fields/place_fields.ts'
import { documentRateFields } from '../../screens/fields/rate_field.ts'

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
    options: worded(...CADENCES),
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
