import { members, worded } from '../../screens/fields/choices.ts'
import { customField } from '../../screens/fields/custom_field.ts'
import { customerField } from '../../screens/fields/customer_field.ts'
import {
  choiceField,
  choicesField,
  hiddenField,
  longField,
  momentField,
  numberField,
  textField,
  tickField,
} from '../../screens/fields/fields.ts'
import type { FormField } from '../../screens/fields/form_field.ts'
import { linesField } from '../../screens/fields/lines_field.ts'
import { contactFields, locationFields } from '../../screens/fields/place_fields.ts'
import type { Assignment } from './job.ts'
import { SETTABLE } from './status.ts'
import { PRIORITIES } from './work.ts'

const [WHEN, WHERE, WHAT] = ['When and who', 'Where', 'What']

/** Lists the fields of a job's form. */
export const jobFields: readonly FormField[] = [
  customerField(),
  hiddenField('quote_id', 'create'),
  textField({ name: 'title', label: 'Title', isRequired: true, help: 'What is done, in a few words' }),
  choiceField({ name: 'status', label: 'Status', on: 'update', options: worded(...SETTABLE) }),
  momentField({ name: 'scheduled_start', label: 'Start', group: WHEN }),
  numberField({ name: 'duration_minutes', label: 'Minutes', group: WHEN, help: '60 when left empty' }),
  tickField({ name: 'all_day', label: 'Any time of the day', group: WHEN }),
  numberField({ name: 'arrival_window_minutes', label: 'Arrival window in minutes', group: WHEN }),
  choicesField({
    name: 'assignees',
    from: 'assignments',
    label: 'Technicians',
    group: WHEN,
    options: members,
    of: (value) => ((value ?? []) as readonly Assignment[]).map(({ user_id }) => user_id),
  }),
  ...locationFields(WHERE),
  ...contactFields(WHERE),
  choiceField({
    name: 'priority',
    label: 'Priority',
    group: WHAT,
    options: worded('normal', ...PRIORITIES.filter((one) => one !== 'normal')),
  }),
  longField({ name: 'description', label: 'Description', group: WHAT, help: 'The customer may read it' }),
  longField({ name: 'instructions', label: 'Instructions', group: WHAT, help: 'For the crew alone' }),
  linesField({ hasTax: false, label: 'Work and parts' }),
  customField(),
]
