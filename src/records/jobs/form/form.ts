import { formFields } from '../../declare/form_fields.ts'
import { JOB } from '../fields.ts'
import { scopeField } from './visits_scope.ts'

/** Returns the fields of a job's form. */
export const jobFields = () => [
  ...formFields(JOB, [
    'customer_id',
    'quote_id',
    'title',
    'scheduled_start',
    'duration_minutes',
    'assignees',
    'location_id',
    'contact_id',
    'line_items',
    'status',
    'all_day',
    'arrival_window_minutes',
    'priority',
    'instructions',
  ]),
  scopeField(),
]
