import { sql } from '../../platform/db/database.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { id, optional } from '../../platform/validation/fields.ts'
import { contacts, locations } from '../fields/choices.ts'
import { customField } from '../fields/custom_field.ts'
import { customerField } from '../fields/customer_field.ts'
import { choiceField } from '../fields/fields.ts'
import type { FormField } from '../fields/form_field.ts'
import { erased } from './erased.ts'
import { field, ownField } from './field.ts'

/** Fields for the customer of a record; the joined customer is `c`. */
export const customerFields = {
  customer_id: ownField<string>({ label: () => say`Customer`, form: customerField }),
  customer_name: ownField<string>({ text: 'customer', isComputed: true, reads: () => sql`c.display_name` }),
}

type FieldLayout = Pick<FormField, 'fold' | 'isHalf'>

/**
 * Declares the location field. No choice means the customer's main location on a new record, and none on a saved one.
 */
export const locationField = (look: FieldLayout) =>
  field(optional(id()).describe('Location'), {
    label: () => say`Location`,
    form: (about) => [
      choiceField({ ...about, ...look, options: locations, on: 'create', none: say`The customer's main location` }),
      choiceField({ ...about, ...look, options: locations, on: 'update', none: sayFor('location')`None` }),
    ],
  })

/** Declares the contact field, with the same defaults. */
export const contactField = (look: FieldLayout) =>
  field(optional(id()).describe('Contact'), {
    label: () => say`Contact`,
    form: (about) => [
      choiceField({ ...about, ...look, options: contacts, on: 'create', none: say`The customer's main contact` }),
      choiceField({ ...about, ...look, options: contacts, on: 'update', none: say`None` }),
    ],
  })

/** Address on a document: the current one of location `l` on a draft, afterwards the stored one. */
export const documentAddress = ownField<string | null>({
  text: 'customer',
  erased: erased.nothing,
  reads: (column) => sql`coalesce(${column}, l.formatted_address)`,
})

/** Options of the custom fields of a record about a customer. */
export const customTexts = {
  label: () => say`Custom fields`,
  text: 'customer',
  erased: erased.noFields,
  form: customField,
} as const
