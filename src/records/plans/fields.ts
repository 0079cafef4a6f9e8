import { sql } from '../../platform/db/database.ts'
import { say } from '../../platform/i18n/say.ts'
import { choice, date, optional } from '../../platform/validation/fields.ts'
import { longText, nonEmptyText } from '../../platform/validation/text/text.ts'
import { CADENCES } from '../../recurrence/cadence.ts'
import { customerFields, locationField } from '../declare/customer_fields.ts'
import { erased } from '../declare/erased.ts'
import { field, idField, internalField, ownField, auditFields } from '../declare/field.ts'
import { record, type DraftOf, type PatchOf, type RowOf } from '../declare/record.ts'
import { wordOptions } from '../fields/choices.ts'
import { choiceField, dayField, textAreaField, textField } from '../fields/fields.ts'
import { documentParts, lineItemsField, priceFields } from '../line_items/fields.ts'
import { lineItems } from '../line_items/inputs.ts'

export const STATUSES = ['active', 'paused', 'cancelled', 'expired'] as const
export type PlanStatus = (typeof STATUSES)[number]

export const PLAN = record({
  table: 'plans',
  parts: documentParts,
  fields: {
    id: idField,
    ...customerFields,
    location_id: locationField({ fold: 'closed', isHalf: true }),
    location_address: ownField<string | null>({
      text: 'customer',
      isComputed: true,
      reads: () => sql`l.formatted_address`,
    }),
    name: field(nonEmptyText(200).describe('Name'), {
      label: () => say`Name`,
      text: 'customer',
      erased: erased.text,
      form: (about) => textField({ ...about, isRequired: true, help: say`The customer reads it on each invoice` }),
    }),
    description: field(longText(5000).describe('Details'), {
      label: () => say`Description`,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => textAreaField({ ...about, fold: 'open', rows: 3 }),
    }),
    cadence: field(choice(...CADENCES).describe('How often'), {
      label: () => say`How often`,
      text: 'company',
      form: (about) =>
        choiceField({ ...about, isHalf: true, options: wordOptions(...CADENCES), none: say`Choose how often` }),
    }),
    /** Anchor of the run dates. */
    start_date: field(date().optional().describe('First run, default today'), {
      label: () => say`First date`,
      form: (about) => dayField({ ...about, isHalf: true, help: say`Today when left empty` }),
    }),
    /** Last day that may be a run date. */
    end_date: field(optional(date()).describe('Last day'), {
      label: () => say`Last day`,
      form: (about) => dayField({ ...about, fold: 'open', isHalf: true }),
    }),
    line_items: lineItemsField(lineItems(100).unwrap().min(1).describe('At least one'), { hasTax: true }),
    ...priceFields,
    currency: ownField<string>({ text: 'company' }),
    auto_invoice: field(choice('draft', 'none').optional().describe('Draft invoices or not'), {
      label: () => say`On each date, create`,
      text: 'company',
      default: 'draft',
      form: (about) =>
        choiceField({
          ...about,
          options: [
            { value: 'draft', label: say`A draft to check and send` },
            { value: 'none', label: say`Nothing` },
          ],
        }),
    }),
    status: ownField<PlanStatus>({
      text: 'company',
      erased: sql`case when status = 'expired' then status else 'cancelled' end`,
    }),
    /** Null if no run date is left or the plan isn't active. */
    next_run_date: ownField<string | null>({ erased: erased.nothing }),
    last_run_date: ownField<string | null>(),
    runs_count: ownField<number>(),
    cancelled_at: ownField<string | null>({
      erased: sql`case when status = 'expired' then null else coalesce(cancelled_at, moment_of(tenant_id)) end`,
    }),
    cancel_reason: ownField<string | null>({ text: 'customer', erased: erased.nothing }),
    ...auditFields,
    /** Its visits, which form one agreement with it. */
    series_id: internalField(),
  },
})

export type Plan = RowOf<typeof PLAN>
export type PlanDraft = DraftOf<typeof PLAN>
/** Changes of a plan; undefined fields stay. */
export type PlanPatch = PatchOf<typeof PLAN> & { status?: PlanStatus | undefined }
