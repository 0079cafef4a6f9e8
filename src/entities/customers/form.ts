import { worded } from '../../screens/fields/choices.ts'
import { customField } from '../../screens/fields/custom_field.ts'
import { choiceField, choicesField, numberField, textField, tickField } from '../../screens/fields/fields.ts'
import type { FormField } from '../../screens/fields/form_field.ts'
import type { PageContext } from '../../screens/page_context.ts'
import { listTags } from '../tags/index.ts'
import { addressField } from './address_field.ts'

const STATUSES = ['lead', 'active', 'inactive'] as const
const MAX_TAGS = 500

/** Returns every tag of the company, so that none is lost from a choice. */
export const everyTag = (context: PageContext) =>
  context.read(async (db) =>
    (await listTags(db, { page: 1, limit: MAX_TAGS })).map(({ id, name }) => ({ value: id, label: name })),
  )

/** Makes the fields of a person's or a company's names: both on the form of a new customer, one of the two afterwards. */
const namesOf = (type: 'individual' | 'company', ...fields: FormField[]): FormField[] =>
  fields.flatMap((field): FormField[] => [
    { ...field, on: 'create' },
    { ...field, on: 'update', isFor: (_, typed) => typed.get('customer_type') === type },
  ])

export const customerFields: readonly FormField[] = [
  choiceField({
    name: 'customer_type',
    label: 'Who is it?',
    on: 'create',
    help: "It can't be changed later. A person has a first or last name, a company has its own name.",
    options: [
      { value: 'individual', label: 'A person' },
      { value: 'company', label: 'A company' },
    ],
  }),
  ...namesOf(
    'individual',
    textField({ name: 'first_name', label: 'First name', help: 'For a person' }),
    textField({ name: 'last_name', label: 'Last name' }),
  ),
  ...namesOf(
    'company',
    textField({ name: 'company_name', label: 'Company name', help: 'For a company; its people become contacts' }),
  ),
  textField(
    {
      name: 'phone',
      label: 'Phone',
      on: 'create',
      group: 'First contact',
      help: 'With area code, or with country code from abroad',
    },
    'tel',
  ),
  textField({ name: 'email', label: 'E-mail', on: 'create', group: 'First contact' }, 'email'),
  addressField(),
  choiceField({
    name: 'status',
    label: 'Status',
    group: 'How we work together',
    options: worded(...STATUSES).toSorted(activeFirst),
  }),
  numberField({
    name: 'payment_terms_days',
    label: 'Days to pay',
    group: 'How we work together',
    help: "The company's usual when left empty",
  }),
  tickField({ name: 'tax_exempt', label: 'Pays no tax', group: 'How we work together', help: 'On new documents' }),
  tickField({
    name: 'do_not_service',
    label: 'Do not service',
    group: 'How we work together',
    help: 'Whoever books a job is warned',
  }),
  choicesField({ name: 'tag_ids', label: 'Tags', on: 'create', group: 'How we work together', options: everyTag }),
  textField({ name: 'lead_source', label: 'Where they heard of us', group: 'More' }),
  textField({ name: 'preferred_language', label: 'Language', group: 'More', help: 'Such as en-US or es' }),
  textField({ name: 'external_id', label: 'Id in another system', group: 'More' }),
  customField(),
]

function activeFirst(a: { value: string }, b: { value: string }): number {
  return Number(b.value === 'active') - Number(a.value === 'active')
}
