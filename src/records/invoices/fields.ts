import { ENTERED_TENANT, sql, type Sql } from '../../platform/db/tenant.ts'
import { say } from '../../platform/i18n/say.ts'
import { customFields, date, id, optional } from '../../platform/validation/fields.ts'
import { isId } from '../../platform/validation/id.ts'
import { longText, text } from '../../platform/validation/text/text.ts'
import {
  contactField,
  customerFields,
  locationField,
  customTexts,
  documentAddress,
} from '../declare/customer_fields.ts'
import { erased } from '../declare/erased.ts'
import { field, idField, internalField, ownField, auditFields, valueType } from '../declare/field.ts'
import { record, type DraftOf, type RowOf } from '../declare/record.ts'
import { wordOptions } from '../fields/choices.ts'
import { choiceField, choicesField, dayField, hiddenField, textAreaField, textField } from '../fields/fields.ts'
import { fieldValue, type FormField } from '../fields/form_field.ts'
import { billableJobs } from '../jobs/index.ts'
import { documentParts, lineItemsField, priceFields } from '../line_items/fields.ts'
import { lineItems } from '../line_items/inputs.ts'
import { STATUSES, type InvoiceStatus } from './status.ts'

/** Delivery of a message with the invoice. */
export type Delivery = {
  channel: 'email' | 'sms'
  status: string
  to: string
  error_message: string | null
  error_code: string | null
  at: string
  read_at: string | null
}

const inUtc = (instant: Sql): Sql => sql`to_char(${instant}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const deliveries = sql`(select coalesce(json_agg(json_build_object('channel', d.channel, 'status', d.status, 'to',
  d.recipient,
      'error_message', d.error_message, 'error_code', d.error_code, 'at', ${inUtc(sql`d.at`)}, 'read_at',
      ${inUtc(sql`d.read_at`)})
      order by d.at, d.id), '[]')
    from invoice_deliveries d where d.tenant_id = ${ENTERED_TENANT} and d.invoice_id = i.id)`

/** Condition for issued invoices, which the law requires to be kept. */
const ISSUED = sql`status <> 'draft'`

/** Fields of an invoice, read as `i`; `columns` takes the expression of `is_overdue`, which depends on the day. */
export const INVOICE = record({
  table: 'invoices',
  parts: {
    ...documentParts,
    groups: { name: 'customer', oldest_due_date: 'company' },
    deliveries: {
      channel: 'company',
      status: 'company',
      to: 'customer',
      error_message: 'customer',
      error_code: 'company',
    },
  },
  fields: {
    id: idField,
    number: ownField<number>(),
    display_number: ownField<string>(),
    ...customerFields,
    location_id: locationField({ fold: 'closed', isHalf: true }),
    location_address: documentAddress,
    contact_id: contactField({ fold: 'closed', isHalf: true }),
    job_ids: field(id().array().max(50).optional().describe('Jobs billed'), {
      label: () => say`Jobs on this invoice`,
      isComputed: true,
      reads: () =>
        sql`array(select j.job_id from invoice_jobs j
          where j.tenant_id = ${ENTERED_TENANT} and j.invoice_id = i.id
          order by j.job_id)`,
      form: jobsField,
    }),
    quote_id: field(optional(id()).describe('Quote billed'), { form: () => hiddenField('quote_id', 'create') }),
    plan_id: ownField<string | null>(),
    status: ownField<InvoiceStatus>({
      label: () => say`Status`,
      text: 'company',
      erased: sql`case when ${ISSUED} then status else 'void' end`,
      form: statusField,
    }),
    is_overdue: ownField<boolean>({ isComputed: true }),
    subject: field(text(200).describe('Title'), {
      label: () => say`Subject`,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => textField({ ...about, help: say`What it is for, in a few words` }),
    }),
    issue_date: field(optional(date()).describe('Issued'), {
      label: () => say`Date`,
      ...valueType<string>(),
      form: (about) => dayField({ ...about, isHalf: true, help: say`Today when left empty` }),
    }),
    due_date: field(optional(date()).describe('Due'), {
      label: () => say`Due`,
      ...valueType<string>(),
      form: (about) => dayField({ ...about, isHalf: true, help: say`By the customer's terms when left empty` }),
    }),
    po_number: field(text(50).describe('Purchase order'), {
      label: () => say`Purchase order`,
      onSheet: true,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => textField({ ...about, fold: 'open' }),
    }),
    message: field(longText(5000).describe('For the customer'), {
      label: () => say`Message`,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => textAreaField({ ...about, help: say`Printed on the invoice`, rows: 2 }),
    }),
    internal_memo: field(longText(5000).describe('For the office'), {
      label: () => say`Memo`,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => textAreaField({ ...about, fold: 'open', help: say`Only the office sees it`, rows: 2 }),
    }),
    line_items: lineItemsField(lineItems(), {
      hasTax: true,
      erased: sql`case when ${ISSUED} then line_items else ${erased.lines} end`,
    }),
    ...priceFields,
    amount_paid_cents: ownField<number>(),
    balance_due_cents: ownField<number>(),
    currency: ownField<string>({ text: 'company' }),
    fields: field(customFields().optional().describe('Custom fields'), customTexts),
    deliveries: ownField<Delivery[]>({ isComputed: true, reads: () => deliveries }),
    sent_at: ownField<string | null>(),
    paid_at: ownField<string | null>(),
    voided_at: ownField<string | null>({
      erased: sql`case when ${ISSUED} then voided_at else moment_of(tenant_id) end`,
    }),
    void_reason: ownField<string | null>({ text: 'customer', erased: erased.nothing }),
    ...auditFields,
    number_prefix: internalField({ text: 'company', isDerived: true }),
    plan_run_date: internalField(),
    disputed: internalField(),
    deposit_of: internalField(),
    stage: internalField(),
    stage_of_job: internalField(),
    deducted_cents: internalField(),
    /** Name of an erased customer, which issued invoices keep for some time. */
    billed_name: internalField({ text: 'customer', erased: erased.nothing }),
  },
})

export type Invoice = RowOf<typeof INVOICE>
export type InvoiceDraft = DraftOf<typeof INVOICE>

type FieldOptions = { name: string; label: string }

/** Returns the form field for the jobs that an invoice bills. */
function jobsField(about: FieldOptions): FormField {
  return choicesField({
    ...about,
    fold: 'open',
    options: async (context, form) => {
      const customer = fieldValue(form, 'customer_id')
      if (!isId(customer) || !context.may('read:jobs')) return []
      const jobs = await context.read((db) => billableJobs(db, customer))
      return jobs.map(({ id, display_number, title }) => ({ value: id, label: `${display_number} ${title}` }))
    },
  })
}

/** Returns the form field for the status. Payments set `paid`, and `void` has its own button. */
function statusField(about: FieldOptions): FormField {
  const selectableStatuses: readonly InvoiceStatus[] = ['draft', 'sent', 'uncollectible']
  return choiceField({
    ...about,
    on: 'update',
    fold: 'closed',
    options: async (_, form) =>
      wordOptions(
        ...STATUSES.filter((status) => selectableStatuses.includes(status) || status === fieldValue(form, 'status')),
      ),
  })
}
