import { ENTERED_TENANT, sql } from '../../platform/db/tenant.ts'
import { say } from '../../platform/i18n/say.ts'
import { date, optional } from '../../platform/validation/fields.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { nonEmptyText } from '../../platform/validation/text/text.ts'
import { contactField, customerFields, locationField } from '../declare/customer_fields.ts'
import { field, idField, ownField, draftField, auditFields } from '../declare/field.ts'
import { record, type DraftOf, type InputOf, type PatchOf, type RowOf } from '../declare/record.ts'
import { dayField, textField } from '../fields/fields.ts'
import {
  allDayInput,
  arrivalWindow,
  crewAndLines,
  descriptionFields,
  durationField,
  foldedTitle,
  priorityField,
  workParts,
  type WorkParts,
} from '../jobs/index.ts'
import { ruleField } from './rhythm/rule_field.ts'
import { startField } from './rhythm/start_field.ts'
import { isAllDay } from './rhythm/timing.ts'

/** SQL for the first occurrence in the series' time zone, or its day alone if all-day; the series is `s`. */
export const DTSTART = sql`to_char(s.dtstart, case when s.all_day then 'YYYY-MM-DD' else 'YYYY-MM-DD"T"HH24:MI:SS' end)`

const locationAddress = sql`(
  select l.formatted_address from locations l where l.tenant_id = ${ENTERED_TENANT} and l.id = s.location_id)`

/** Series record; its table alias is `s`. */
export const JOB_SERIES = record({
  table: 'job_series',
  parts: {
    generated: { through: 'company' },
    ...workParts,
    job_series: { rule_text: 'company', occurrences_preview: 'company' },
  },
  derive: (series) => ({ title_folded: fold(series.title), all_day: isAllDay(series) }),
  fields: {
    id: idField,
    ...customerFields,
    location_id: locationField({ fold: 'open', isHalf: true }),
    location_address: ownField<string | null>({ text: 'customer', isComputed: true, reads: () => locationAddress }),
    contact_id: contactField({ fold: 'open', isHalf: true }),
    ...descriptionFields,
    title_folded: foldedTitle,
    priority: priorityField(),
    duration_minutes: durationField(() => say`Minutes (60 if empty)`),
    /** Whether the start is only a date. */
    all_day: draftField(allDayInput()),
    arrival_window_minutes: arrivalWindow,
    ...crewAndLines('s'),
    /** Recurrence rule (RFC 5545), normalized. */
    rrule: field(nonEmptyText(500).describe('e.g. FREQ=WEEKLY;BYDAY=TU'), {
      label: () => say`How often`,
      text: 'company',
      form: ruleField,
    }),
    timezone: field(nonEmptyText(64).optional().describe('IANA zone'), {
      label: () => say`Time zone`,
      text: 'company',
      form: (about) =>
        textField({
          ...about,
          fold: 'closed',
          isHalf: true,
          help: say`Such as America/Chicago. Your company's when left empty`,
        }),
    }),
    dtstart: field(nonEmptyText(40).describe('Local time, or date'), {
      label: () => say`First visit`,
      reads: () => DTSTART,
      form: startField,
    }),
    end_date: field(optional(date()).describe('Last local day'), {
      label: () => say`Last day`,
      form: (about) => dayField({ ...about, fold: 'open', help: say`Leave empty to continue without an end` }),
    }),
    status: ownField<'active' | 'ended'>({ text: 'company', erased: sql`'ended'` }),
    /** Last local day for which jobs exist. */
    generated_through: ownField<string | null>(),
    ended_at: ownField<string | null>({ erased: sql`coalesce(ended_at, moment_of(tenant_id))` }),
    ...auditFields,
  },
})

export type JobSeries = RowOf<typeof JOB_SERIES>
export type SeriesDraft = DraftOf<typeof JOB_SERIES>
export type SeriesPatch = PatchOf<typeof JOB_SERIES>
/** Values that a caller sets on a series, as stored. */
export type SeriesInput = InputOf<typeof JOB_SERIES> & WorkParts
