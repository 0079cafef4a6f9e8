import { say } from '../../platform/i18n/say.ts'
import { customField } from '../fields/custom_field.ts'
import { customerField } from '../fields/customer_field.ts'
import { discountField } from '../fields/discount_field.ts'
import { dayField, longField, textField } from '../fields/fields.ts'
import type { FormField } from '../fields/form_field.ts'
import { linesField } from '../fields/lines/lines_field.ts'
import { contactFields, locationFields } from '../fields/site_fields.ts'
import { documentRateFields } from '../fields/rate_field.ts'

/** Lists the fields of a quote's form; all of them in draft. */
export const quoteFields = (): readonly FormField[] => [
  customerField(),
  textField({ name: 'title', label: say`Title`, isRequired: true, help: say`What you offer, in a few words` }),
  ...locationFields({ isHalf: true }),
  dayField({ name: 'valid_until', label: say`Valid until`, isHalf: true, help: say`30 days on when left empty` }),
  linesField({ hasTax: true }),
  longField({ name: 'message', label: say`Message`, help: say`The customer reads it first`, rows: 2 }),
  ...contactFields({ fold: 'closed', isHalf: true }),
  dayField({ name: 'issue_date', label: say`Date`, fold: 'closed', isHalf: true, help: say`Today when left empty` }),
  discountField(),
  ...documentRateFields(),
  longField({ name: 'terms', label: say`Terms`, fold: 'open', help: say`Printed at the end`, rows: 3 }),
  customField(),
]
