import { sql } from '../../platform/db/database.ts'
import { say } from '../../platform/i18n/say.ts'
import { choice, customFields, flag, language, optional, whole } from '../../platform/validation/fields.ts'
import { fold, searchWords } from '../../platform/validation/text/fold.ts'
import { text } from '../../platform/validation/text/text.ts'
import { customTexts } from '../declare/customer_fields.ts'
import { erased } from '../declare/erased.ts'
import { archivedAt, field, idField, internal, own, stamps } from '../declare/field.ts'
import { record, type InputOf, type RowOf } from '../declare/record.ts'
import { wordOptions } from '../fields/choices.ts'
import { choiceField, numberField, textField, tickField } from '../fields/fields.ts'
import type { FormField } from '../fields/form_field.ts'

export const CUSTOMER_TYPES = ['individual', 'company'] as const
export const CUSTOMER_STATUSES = ['lead', 'active', 'inactive'] as const

/** Name of a customer who was erased. */
const ERASED_CUSTOMER = 'Erased customer'

const foldedName = sql`${ERASED_CUSTOMER.toLowerCase()}`

type CustomerType = (typeof CUSTOMER_TYPES)[number]

export const CUSTOMER = record({
  table: 'customers',
  derive: (customer) => {
    const display_name = displayName(customer)
    return { display_name, sort_name: sortName(display_name), name_words: searchWords(display_name) }
  },
  parts: { customers: { primary_phone: 'company', primary_email: 'customer', primary_address: 'customer' } },
  fields: {
    id: idField,
    customer_type: field(choice(...CUSTOMER_TYPES).describe('Cannot be changed'), {
      label: () => say`Type`,
      text: 'company',
      form: (about) =>
        choiceField({
          ...about,
          on: 'create',
          help: say`It can't be changed later`,
          options: [
            { value: 'individual', label: say`A person` },
            { value: 'company', label: say`A company` },
          ],
        }),
    }),
    first_name: field(text(100).describe('Individuals'), {
      label: () => say`First name`,
      text: 'customer',
      erased: sql`case when customer_type = 'individual' then ${ERASED_CUSTOMER}::text end`,
      form: (about) => nameFields('individual', textField({ ...about, isHalf: true })),
    }),
    last_name: field(text(100).describe('Individuals'), {
      label: () => say`Last name`,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => nameFields('individual', textField({ ...about, isHalf: true })),
    }),
    company_name: field(text(200).describe('Companies'), {
      label: () => say`Company name`,
      text: 'customer',
      erased: sql`case when customer_type = 'company' then ${ERASED_CUSTOMER}::text end`,
      form: (about) => nameFields('company', textField(about)),
    }),
    display_name: own<string>({ text: 'customer', erased: sql`${ERASED_CUSTOMER}` }),
    /** Beginning of the folded display name: order of search, exact match. */
    sort_name: internal({ text: 'customer', erased: foldedName, isDerived: true }),
    name_words: internal({ text: 'customer', erased: foldedName, isDerived: true }),
    search_text: internal({ text: 'customer', erased: sql`''`, isDerived: true }),
    /** Search text where it fits an index entry; the database generates it. */
    search_key: internal({ isDerived: true }),
    status: field(
      choice(...CUSTOMER_STATUSES)
        .optional()
        .describe('Status'),
      {
        label: () => say`Status`,
        text: 'company',
        default: 'active',
        erased: sql`'inactive'`,
        form: (about) =>
          choiceField({ ...about, fold: 'closed', isHalf: true, options: wordOptions('active', 'lead', 'inactive') }),
      },
    ),
    lead_source: field(text(100).describe('Where from'), {
      label: () => say`Source`,
      onSheet: true,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => textField({ ...about, fold: 'open', isHalf: true, help: say`How they found you` }),
    }),
    tax_exempt: field(flag().optional().describe('Pays no tax'), {
      label: () => say`Tax exempt`,
      default: false,
      form: (about) => tickField({ ...about, fold: 'open', help: say`On new documents` }),
    }),
    payment_terms_days: field(optional(whole(0, 365)).describe('Days to pay'), {
      label: () => say`Payment terms in days`,
      form: (about) => numberField({ ...about, fold: 'open', isHalf: true, help: say`Your company's when left empty` }),
    }),
    do_not_service: field(flag().optional().describe('Warn on new jobs'), {
      label: () => say`Do not service`,
      default: false,
      form: (about) => tickField({ ...about, fold: 'open', help: say`Shows a warning when someone books a job` }),
    }),
    preferred_language: field(optional(language()).describe('e.g. es-MX'), {
      label: () => say`Language`,
      onSheet: true,
      text: 'company',
      erased: erased.nothing,
      form: (about) => textField({ ...about, fold: 'open', isHalf: true, help: say`Such as en-US or es` }),
    }),
    external_id: field(text(100).describe('Id in another system'), {
      label: () => say`ID in another system`,
      onSheet: true,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => textField({ ...about, fold: 'open' }),
    }),
    fields: field(customFields().optional().describe('Custom fields'), { ...customTexts, default: {} }),
    ...stamps,
    archived_at: archivedAt,
    merged_into: internal(),
  },
})

export type Customer = RowOf<typeof CUSTOMER>
export type CustomerInput = InputOf<typeof CUSTOMER>

/** Returns the company's name, else "first last". */
const displayName = ({
  company_name,
  first_name,
  last_name,
}: Record<'company_name' | 'first_name' | 'last_name', string | null>): string =>
  company_name ?? [first_name, last_name].filter((name) => name !== null).join(' ')

/** Returns what a name is sorted and compared by: its folded beginning, which fits a cursor and an index entry. */
export const sortName = (name: string): string => Array.from(fold(name)).slice(0, 80).join('')

/**
 * Makes the fields of a person's or a company's name: on the form of a new customer, and on that of one of the type.
 */
const nameFields = (type: CustomerType, name: FormField): FormField[] => [
  { ...name, on: 'create' },
  { ...name, on: 'update', isFor: (_, values) => values.get('customer_type') === type },
]
