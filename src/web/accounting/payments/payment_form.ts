import type { Option } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { PAYMENT_METHODS, methodLabel } from '../../../records/invoices/index.ts'
import { say } from '../../../platform/i18n/say.ts'
import { dayField, textAreaField, moneyField, textField } from '../../../records/fields/fields.ts'
import { fieldValue, type FormField } from '../../../records/fields/form_field.ts'

/** Lists the fields of a payment, in the reader's language. */
export const paymentFields = (): FormField[] => [
  moneyField({ name: 'amount_cents', label: say`Amount`, isRequired: true }),
  methodField(),
  dayField({ name: 'paid_on', label: say`Date`, isRequired: true }),
  textField({ name: 'reference', label: say`Reference`, help: say`Check number, last four digits, or the like` }),
  textAreaField({ name: 'note', label: say`Note`, help: say`Only the office sees this`, rows: 2 }),
]

/** Makes the payment method field. It takes focus first, since the amount is already filled in. */
const methodField = (): FormField => ({
  name: 'method',
  label: say`Method`,
  options: PAYMENT_METHODS.map((method) => ({ value: method, label: methodLabel(method) })),
  toEntries: (value) => (typeof value === 'string' ? [['method', value]] : []),
  read: (values) => fieldValue(values, 'method') || undefined,
  html: (values, { error, options }) => methodsHtml(options, fieldValue(values, 'method'), error),
})

const methodsHtml = (options: readonly Option[], chosen: string, error: string | undefined): Html => html`
<fieldset class="field methods" id="method"${when(error, () => html` aria-describedby="method-error"`)}>
  <legend>${say`Method`}</legend>${when(
    error,
    (error) => html`
  <p class="error" id="method-error">${error}</p>`,
  )}
  <div class="method-list">${options.map(
    ({ value, label }) => html`
    <label><input type="radio" name="method"
      value="${value}"${when(value === chosen, () => html` checked autofocus`)}><span>${label}</span></label>`,
  )}
  </div>
</fieldset>`
