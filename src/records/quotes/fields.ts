import { sql } from '../../platform/db/database.ts'
import { say } from '../../platform/i18n/say.ts'
import { customFields, date, optional } from '../../platform/validation/fields.ts'
import { longText, nonEmptyText } from '../../platform/validation/text/text.ts'
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
import { dayField, textAreaField, textField } from '../fields/fields.ts'
import { documentParts, lineItemsField, priceFields } from '../line_items/fields.ts'
import { lineItems } from '../line_items/inputs.ts'
import type { LineItem } from '../line_items/line.ts'

export const STATUSES = ['draft', 'sent', 'accepted', 'declined', 'expired', 'archived'] as const
export type QuoteStatus = (typeof STATUSES)[number]

export const QUOTE = record({
  table: 'quotes',
  parts: { ...documentParts, optional_lines: documentParts.line_items, quotes: { customer_name: 'customer' } },
  fields: {
    id: idField,
    number: ownField<number>(),
    display_number: ownField<string>(),
    title: field(nonEmptyText(200).describe('What is offered'), {
      label: () => say`Title`,
      text: 'customer',
      erased: erased.text,
      form: (about) => textField({ ...about, isRequired: true, help: say`What you offer, in a few words` }),
    }),
    owner_id: ownField<string>(),
    owner_name: ownField<string>({ text: 'company', isComputed: true, reads: () => sql`u.name` }),
    ...customerFields,
    location_id: locationField({ isHalf: true }),
    location_address: documentAddress,
    contact_id: contactField({ fold: 'closed', isHalf: true }),
    status: ownField<QuoteStatus>({
      text: 'company',
      erased: sql`case when status in ('draft', 'sent') then 'archived' else status end`,
    }),
    issue_date: field(optional(date()).describe('Issued'), {
      label: () => say`Date`,
      ...valueType<string>(),
      form: (about) => dayField({ ...about, fold: 'closed', isHalf: true, help: say`Today when left empty` }),
    }),
    valid_until: field(optional(date()).describe('Last day'), {
      label: () => say`Valid until`,
      ...valueType<string>(),
      form: (about) => dayField({ ...about, isHalf: true, help: say`30 days on when left empty` }),
    }),
    message: field(longText(5000).describe('For the customer'), {
      label: () => say`Message`,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => textAreaField({ ...about, help: say`The customer reads it first`, rows: 2 }),
    }),
    terms: field(longText(10_000).describe('Conditions'), {
      label: () => say`Terms`,
      text: 'company',
      erased: erased.nothing,
      form: (about) => textAreaField({ ...about, fold: 'open', help: say`Printed at the end`, rows: 3 }),
    }),
    line_items: lineItemsField(lineItems(), {
      hasTax: true,
      erased: sql`case when accepted_at is null then ${erased.lines} else line_items end`,
    }),
    ...priceFields,
    /** Lines that the customer may add when accepting. */
    optional_lines: ownField<LineItem[] | null>({
      text: 'customer',
      label: () => say`Optional lines`,
      erased: sql`case when accepted_at is null then null else optional_lines end`,
    }),
    /** Id shared by the quotes of a set, of which the customer accepts one. */
    option_set: ownField<string | null>(),
    currency: ownField<string>({ text: 'company' }),
    fields: field(customFields().optional().describe('Custom fields'), customTexts),
    sent_at: ownField<string | null>(),
    accepted_at: ownField<string | null>(),
    declined_at: ownField<string | null>(),
    decline_reason: ownField<string | null>({ text: 'customer', erased: erased.nothing }),
    converted_job_id: ownField<string | null>(),
    converted_invoice_id: ownField<string | null>(),
    ...auditFields,
    archived_at: internalField({
      erased: sql`case when status in ('draft', 'sent') then moment_of(tenant_id) else archived_at end`,
    }),
    deposit: internalField({ text: 'company' }),
  },
})

export type Quote = RowOf<typeof QUOTE>
export type QuoteDraft = DraftOf<typeof QUOTE>
