import { sql } from '../../platform/db/tenant.ts'
import { hidden } from '../../platform/html/parts/field.ts'
import { html, when } from '../../platform/html/html.ts'
import { sayHtml } from '../../platform/html/say_html.ts'
import { say } from '../../platform/i18n/say.ts'
import { isId } from '../../platform/validation/id.ts'
import { fieldValue, type FormField } from './form_field.ts'

const NAME = 'customer_id'

/** Builds the customer field of a new record: chosen before the form, and shown at its top. */
export const customerField = (): FormField => ({
  name: NAME,
  label: say`Customer`,
  on: 'create',
  options: async (context, values) => {
    const id = fieldValue(values, NAME)
    return !isId(id) || !context.may('read:customers')
      ? []
      : context.read((db) =>
          db.all<{ value: string; label: string }>(sql`
      select id as value, display_name as label
      from customers
      where tenant_id = ${db.tenant} and id = ${id} and archived_at is null`),
        )
  },
  toEntries: () => [],
  read: (values) => fieldValue(values, NAME) || undefined,
  html: (values, { options, error }) => html`
${hidden(NAME, fieldValue(values, NAME))}${options.map(
    ({ label }) => html`
<p class="lead">${sayHtml`For ${html`<b>${label}</b>`}`}</p>`,
  )}${when(
    error,
    (error) => html`
<p class="error" id="${NAME}">${error}</p>`,
  )}`,
})
