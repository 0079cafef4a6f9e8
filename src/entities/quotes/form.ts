import { customField } from '../../screens/custom_field.ts'
import { customerField } from '../../screens/customer_field.ts'
import { discountField } from '../../screens/discount_field.ts'
import { dayField, longField, textField } from '../../screens/fields.ts'
import type { FormField } from '../../screens/form_field.ts'
import { linesField } from '../../screens/lines_field.ts'
import { contactFields, locationFields } from '../../screens/place_fields.ts'
import { documentRateFields } from '../../screens/rate_field.ts'

/** The form of a quote; all of it in draft. */
export const quoteFields: readonly FormField[] = [
  customerField(),
  textField({ name: 'title', label: 'Title', isRequired: true, help: 'What is offered, in a few words' }),
  ...locationFields(), ...contactFields(),
  dayField({ name: 'issue_date', label: 'Date', group: 'Dates', help: 'Today when left empty' }),
  dayField({ name: 'valid_until', label: 'Valid until', group: 'Dates', help: '30 days on when left empty' }),
  linesField({ hasTax: true }), discountField(), ...documentRateFields(),
  longField({ name: 'message', label: 'Message', group: 'Message and terms', help: 'The customer reads it first' }),
  longField({ name: 'terms', label: 'Terms', group: 'Message and terms', help: 'Conditions, at the end' }),
  customField(),
]
