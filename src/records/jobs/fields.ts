import { sql } from '../../platform/db/database.ts'
import { ENTERED_TENANT } from '../../platform/db/tenant.ts'
import { say } from '../../platform/i18n/say.ts'
import { customFields, instant, optional, settableChoice } from '../../platform/validation/fields.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { contactField, customerFields, locationField, customTexts } from '../declare/customer_fields.ts'
import { erased } from '../declare/erased.ts'
import { field, idField, internalField, ownField, auditFields } from '../declare/field.ts'
import { record, type DraftOf, type InputOf, type PatchOf, type RowOf } from '../declare/record.ts'
import { wordOptions } from '../fields/choices.ts'
import { choiceField, hiddenField, dateTimeField, checkboxField } from '../fields/fields.ts'
import type { Media } from './media/media.ts'
import { SETTABLE_STATUSES, STATUSES } from './status.ts'
import {
  allDayInput,
  arrivalWindow,
  crewAndLines,
  descriptionFields,
  durationField,
  foldedTitle,
  priorityField,
  workParts,
} from './visits/work_fields.ts'

const media = sql`(
  select coalesce(json_agg(json_build_object('id', m.id, 'file_name', m.file_name, 'content_type', m.content_type,
      'size_bytes', m.size_bytes, 'caption', m.caption, 'stage', m.stage, 'created_at',
      to_char(m.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'created_by', m.created_by)
    order by m.created_at, m.id),
      '[]')
    from job_media m where m.tenant_id = ${ENTERED_TENANT} and m.job_id = j.id)`

const invoiceIds = sql`array(
  select i.invoice_id from invoice_jobs i where i.tenant_id = ${ENTERED_TENANT} and i.job_id = j.id
    order by i.invoice_id)`

/** Job record; its table alias is `j`. */
export const JOB = record({
  table: 'jobs',
  parts: {
    ...workParts,
    jobs: { access_notes: 'customer', phone: 'customer', changes: 'customer', when: 'company', crew: 'company' },
    assignees: { name: 'company' },
    media: { file_name: 'customer', content_type: 'company', caption: 'customer', stage: 'company', url: 'company' },
  },
  derive: ({ title }) => ({ title_folded: fold(title) }),
  fields: {
    id: idField,
    number: ownField<number>(),
    /** Generated from the number. */
    display_number: ownField<string>(),
    ...customerFields,
    location_id: locationField({ isHalf: true }),
    /** Address when the location was chosen. */
    location_address: ownField<string | null>({ text: 'customer', erased: erased.nothing }),
    contact_id: contactField({ isHalf: true }),
    ...descriptionFields,
    title_folded: foldedTitle,
    /** Generated from the folded title. */
    title_key: internalField({ isDerived: true }),
    status: field(
      settableChoice(STATUSES, SETTABLE_STATUSES, "can't be set to cancelled by an update; use jobs_cancel").describe(
        'New status',
      ),
      {
        label: () => say`Status`,
        text: 'company',
        erased: sql`case when status = 'done' then status else 'cancelled' end`,
        form: (about) =>
          choiceField({ ...about, on: 'update', fold: 'closed', options: wordOptions(...SETTABLE_STATUSES) }),
      },
    ),
    priority: priorityField({ isHalf: true }),
    scheduled_start: field(optional(instant()).describe('Local time, or with offset'), {
      label: () => say`Start`,
      form: (about) => dateTimeField({ ...about, isHalf: true }),
    }),
    scheduled_end: field(optional(instant()).describe('Instead of duration')),
    duration_minutes: durationField(
      () => say`Minutes`,
      () => say`60 when left empty`,
    ),
    all_day: field(allDayInput(), {
      label: () => say`Any time of the day`,
      default: false,
      form: (about) => checkboxField({ ...about, fold: 'open' }),
    }),
    arrival_window_minutes: arrivalWindow,
    timezone: ownField<string>({ text: 'company' }),
    ...crewAndLines('j'),
    series_id: ownField<string | null>(),
    /** Local time of the job's slot in the series' time zone, even if the job was moved since. */
    occurrence_key: ownField<string | null>(),
    is_exception: ownField<boolean>(),
    own_parts: internalField({ text: 'company' }),
    quote_id: ownField<string | null>({ form: ({ name }) => hiddenField(name, 'create') }),
    invoice_ids: ownField<string[]>({ isComputed: true, reads: () => invoiceIds }),
    media: ownField<Media[]>({ isComputed: true, reads: () => media }),
    completed_at: ownField<string | null>(),
    cancelled_at: ownField<string | null>({
      erased: sql`case when status = 'done' then cancelled_at else coalesce(cancelled_at, moment_of(tenant_id)) end`,
    }),
    cancel_reason: ownField<string | null>({ text: 'customer', erased: erased.nothing }),
    fields: field(customFields().optional().describe('Custom fields'), { ...customTexts, default: {} }),
    ...auditFields,
  },
})

export type Job = RowOf<typeof JOB>
export type JobDraft = Omit<DraftOf<typeof JOB>, 'status'>
export type JobPatch = PatchOf<typeof JOB>

/** Members, priced lines and their sum, as stored. */
export type WorkParts = Pick<Job, 'line_items' | 'subtotal_cents'> & { assignee_ids: string[] }
/** Values that a caller sets on a job, as stored. */
export type JobInput = InputOf<typeof JOB> & WorkParts
/** Schedule of a job, with instants in UTC. Start and end are both set or both null. */
export type Schedule = Pick<Job, 'scheduled_start' | 'scheduled_end' | 'duration_minutes' | 'all_day'>
