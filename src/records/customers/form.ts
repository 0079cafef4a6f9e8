import { say } from '../../platform/i18n/say.ts'
import { formFields } from '../declare/form_fields.ts'
import { choicesField, textField } from '../fields/fields.ts'
import type { FormField } from '../fields/form_field.ts'
import type { PageContext } from '../page/page_context.ts'
import { listTags } from '../tags/index.ts'
import { addressField, furtherAddressFields } from './address_field.ts'
import { CUSTOMER } from './fields.ts'

const MAX_TAGS = 500

/** Returns every tag of the company, so that no choice is missing. */
export const allTags = (context: PageContext) =>
  context.read(async (db) =>
    (await listTags(db, { page: 1, limit: MAX_TAGS })).map(({ id, name }) => ({ value: id, label: name })),
  )

/** Builds the customer fields. The form for a new one also has the first contact, location and tags. */
export const customerFields = (): readonly FormField[] =>
  formFields(CUSTOMER, [
    'customer_type',
    'first_name',
    'last_name',
    'company_name',
    textField({ name: 'phone', label: say`Phone`, on: 'create', isHalf: true, help: say`With area code` }, 'tel'),
    textField({ name: 'email', label: say`Email`, on: 'create', isHalf: true }, 'email'),
    addressField(),
    ...furtherAddressFields(),
    'status',
    'payment_terms_days',
    choicesField({ name: 'tag_ids', label: say`Tags`, on: 'create', fold: 'open', options: allTags }),
    'tax_exempt',
    'do_not_service',
  ])
