import { say } from '../../platform/i18n/say.ts'
import { formFields } from '../declare/form_fields.ts'
import { checkboxField } from '../fields/fields.ts'
import { JOB_SERIES } from './fields.ts'
import { extraRuleFields } from './rhythm/rule_field.ts'

/** Returns the form fields of a series. */
export const seriesFields = () =>
  formFields(JOB_SERIES, [
    'customer_id',
    'title',
    'dtstart',
    'duration_minutes',
    'rrule',
    'assignees',
    'line_items',
    'location_id',
    'contact_id',
    'end_date',
    ...extraRuleFields(),
    checkboxField({
      name: 'keep_exceptions',
      label: say`Don't change visits that were edited manually`,
      on: 'update',
      fold: 'closed',
    }),
    'timezone',
    'arrival_window_minutes',
    'priority',
    'instructions',
  ])
