import { CADENCES } from '../../recurrence/cadence.ts'
import { worded } from '../../screens/fields/choices.ts'
import { customerField } from '../../screens/fields/customer_field.ts'
import { discountField } from '../../screens/fields/discount_field.ts'
import { choiceField, dayField, longField, textField } from '../../screens/fields/fields.ts'
import type { FormField } from '../../screens/fields/form_field.ts'
import { linesField } from '../../screens/fields/lines_field.ts'
import { locationFields } from '../../screens/fields/place_fields.ts'
import { documentRateFields } from '../../screens/fields/rate_field.ts'

const DRAFTS = [
  { value: 'draft', label: 'A draft to look over and send' },
  { value: 'none', label: 'None' },
]

export const planFields: readonly FormField[] = [
  customerField(),
  textField({ name: 'name', label: 'Name', isRequired: true, help: 'The customer reads it on each invoice' }),
  choiceField({ name: 'cadence', label: 'How often', options: worded(...CADENCES), none: 'Choose how often' }),
  dayField({ name: 'start_date', label: 'First date', help: 'Today when left empty. The others are counted from it' }),
  dayField({ name: 'end_date', label: 'Last day' }),
  choiceField({ name: 'auto_invoice', label: 'On each date it makes', options: DRAFTS }),
  ...locationFields(),
  longField({ name: 'description', label: 'Description' }),
  linesField({ hasTax: true, label: 'Lines' }),
  discountField(),
  ...documentRateFields(),
]
