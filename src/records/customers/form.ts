import { say } from '../../platform/i18n/say.ts'
import { wordOptions } from '../fields/choices.ts'
import { customField } from '../fields/custom_field.ts'
import { choiceField, choicesField, numberField, textField, tickField } from '../fields/fields.ts'
import type { FormField } from '../fields/form_field.ts'
import type { PageContext } from '../page/page_context.ts'
import { listTags } from '../tags/index.ts'
import { addressField, furtherAddressFields } from './address_field.ts'

const STATUSES = ['lead', 'active', 'inactive'] as const
const MAX_TAGS = 500

/** Returns every tag of the company, so that none is lost from a choice. */
export const allTags = (context: PageContext) =>
  context.read(async (db) =>
    (await listTags(db, { page: 1, limit: MAX_TAGS })).map(({ id, name }) => ({ value: id, label: name })),
  )

/** Makes the fields of a person's or a company's names: both on the form of a new customer, one of the two afterwards. */
const namesOf = (type: 'individual' | 'company', ...fields: FormField[]): FormField[] =>
  fields.flatMap((field): FormField[] => [
    { ...field, on: 'create' },
    { ...field, on: 'update', isFor: (_, typed) => typed.get('customer_type') === type },
  ])

export const customerFields = (): readonly FormField[] => [
  choiceField({
    name: 'customer_type',
    label: say`Type`,
    on: 'create',
    help: say`It can't be changed later`,
    options: [
      { value: 'individual', label: say`A person` },
      { value: 'company', label: say`A company` },
    ],
  }),
  ...namesOf(
    'individual',
    textField({ name: 'first_name', label: say`First name`, isHalf: true }),
    textField({ name: 'last_name', label: say`Last name`, isHalf: true }),
  ),
  ...namesOf('company', textField({ name: 'company_name', label: say`Company name` })),
  textField({ name: 'phone', label: say`Phone`, on: 'create', isHalf: true, help: say`With area code` }, 'tel'),
  textField({ name: 'email', label: say`E-mail`, on: 'create', isHalf: true }, 'email'),
  addressField(),
  ...furtherAddressFields(),
  choiceField({
    name: 'status',
    label: say`Status`,
    fold: 'closed',
    isHalf: true,
    options: wordOptions(...STATUSES).toSorted(activeFirst),
  }),
  numberField({
    name: 'payment_terms_days',
    label: say`Terms, in days`,
    fold: 'open',
    isHalf: true,
    help: say`Your company's when left empty`,
  }),
  choicesField({ name: 'tag_ids', label: say`Tags`, on: 'create', fold: 'open', options: allTags }),
  tickField({ name: 'tax_exempt', label: say`Tax exempt`, fold: 'open', help: say`On new documents` }),
  tickField({
    name: 'do_not_service',
    label: say`Do not service`,
    fold: 'open',
    help: say`Shows a warning when someone books a job`,
  }),
  textField({ name: 'lead_source', label: say`Source`, fold: 'open', isHalf: true, help: say`How they found you` }),
  textField({
    name: 'preferred_language',
    label: say`Language`,
    fold: 'open',
    isHalf: true,
    help: say`Such as en-US or es`,
  }),
  textField({ name: 'external_id', label: say`ID in another system`, fold: 'open' }),
  customField(),
]

function activeFirst(a: { value: string }, b: { value: string }): number {
  return Number(b.value === 'active') - Number(a.value === 'active')
}
