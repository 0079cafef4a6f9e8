import { sql } from '../../platform/db/database.ts'
import { say } from '../../platform/i18n/say.ts'
import { id, optional } from '../../platform/validation/fields.ts'
import { customerField } from '../fields/customer_field.ts'
import type { FormField } from '../fields/form_field.ts'
import { contactFields, locationFields } from '../fields/site_fields.ts'
import { field, own } from './field.ts'

/** Fields of whom a record is for; the customer is joined as `c`. */
export const customerFields = {
  customer_id: own<string>({ label: () => say`Customer`, form: customerField }),
  customer_name: own<string>({ text: 'customer', isComputed: true, reads: () => sql`c.display_name` }),
}

type Look = Pick<FormField, 'fold' | 'isHalf'>

export const locationField = (look: Look) =>
  field(optional(id()).describe('Location'), { label: () => say`Location`, form: () => locationFields(look) })

export const contactField = (look: Look) =>
  field(optional(id()).describe('Contact'), { label: () => say`Contact`, form: () => contactFields(look) })
