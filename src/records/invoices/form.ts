import { say } from '../../platform/i18n/say.ts'
import { wordOptions } from '../fields/choices.ts'
import { customField } from '../fields/custom_field.ts'
import { customerField } from '../fields/customer_field.ts'
import { discountField } from '../fields/discount_field.ts'
import { choiceField, choicesField, dayField, hiddenField, longField, textField } from '../fields/fields.ts'
import { fieldValue, type FormField } from '../fields/form_field.ts'
import { linesField } from '../fields/lines/lines_field.ts'
import { contactFields, locationFields } from '../fields/site_fields.ts'
import { documentRateFields } from '../fields/rate_field.ts'
import { isId } from '../../platform/validation/id.ts'
import { billableJobs } from '../jobs/index.ts'
import { STATUSES, type InvoiceStatus } from './status.ts'

/** Lists the fields of an invoice's form; all of them in draft, later only its status. */
export const invoiceFields = (): readonly FormField[] => [
  customerField(),
  hiddenField('quote_id', 'create'),
  choiceField({
    name: 'status',
    label: say`Status`,
    on: 'update',
    fold: 'closed',
    options: async (_, typed) =>
      wordOptions(...STATUSES.filter((status) => isChosen(status) || status === fieldValue(typed, 'status'))),
  }),
  textField({ name: 'subject', label: say`Subject`, help: say`What it is for, in a few words` }),
  dayField({ name: 'issue_date', label: say`Date`, isHalf: true, help: say`Today when left empty` }),
  dayField({ name: 'due_date', label: say`Due`, isHalf: true, help: say`By the customer's terms when left empty` }),
  linesField({ hasTax: true }),
  longField({ name: 'message', label: say`Message`, help: say`Printed on the invoice`, rows: 2 }),
  ...locationFields({ fold: 'closed', isHalf: true }),
  ...contactFields({ fold: 'closed', isHalf: true }),
  discountField(),
  ...documentRateFields(),
  textField({ name: 'po_number', label: say`Purchase order`, fold: 'open' }),
  choicesField({
    name: 'job_ids',
    label: say`Jobs on this invoice`,
    fold: 'open',
    options: async (context, typed) => {
      const customer = fieldValue(typed, 'customer_id')
      if (!isId(customer) || !context.may('read:jobs')) return []
      const jobs = await context.read((db) => billableJobs(db, customer))
      return jobs.map(({ id, display_number, title }) => ({ value: id, label: `${display_number} ${title}` }))
    },
  }),
  longField({ name: 'internal_memo', label: say`Memo`, fold: 'open', help: say`Only the office sees it`, rows: 2 }),
  customField(),
]

/** Checks whether people choose a status: payments set paid, and void has its own button. */
const isChosen = (status: InvoiceStatus): boolean => ['draft', 'sent', 'uncollectible'].includes(status)
