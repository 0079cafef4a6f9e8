import { customField } from '../../screens/fields/custom_field.ts'
import { customerField } from '../../screens/fields/customer_field.ts'
import { discountField } from '../../screens/fields/discount_field.ts'
import { dayField, longField, textField } from '../../screens/fields/fields.ts'
import type { FormField } from '../../screens/fields/form_field.ts'
import { linesField } from '../../screens/fields/lines_field.ts'
import { contactFields, locationFields } from '../../screens/fields/place_fields.ts'
import { documentRateFields } from '../../screens/fields/rate_field.ts'

/** Lists the fields of a quote's form; all of them in draft. */
export const quoteFields: readonly FormField[] = [
  customerField(),
  textField({ name: 'title', label: 'Title', isRequired: true, help: 'What is offered, in a few words' }),
  ...locationFields(),
  ...contactFields(),
  dayField({ name: 'issue_date', label: 'Date', group: 'Dates', help: 'Today when left empty' }),
  dayField({ name: 'valid_until', label: 'Valid until', group: 'Dates', help: '30 days on when left empty' }),
  linesField({ hasTax: true }),
  discountField(),
  ...documentRateFields(),
  longField({ name: 'message', label: 'Message', group: 'Message and terms', help: 'The customer reads it first' }),
  longField({ name: 'terms', label: 'Terms', group: 'Message and terms', help: 'Conditions, at the end' }),
  customField(),
]
