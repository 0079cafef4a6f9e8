import { members, worded } from '../../screens/fields/choices.ts'
import { customerField } from '../../screens/fields/customer_field.ts'
import {
  choiceField,
  choicesField,
  dayField,
  longField,
  numberField,
  textField,
  tickField,
} from '../../screens/fields/fields.ts'
import type { FormField } from '../../screens/fields/form_field.ts'
import { linesField } from '../../screens/fields/lines_field.ts'
import { contactFields, locationFields } from '../../screens/fields/place_fields.ts'
import { PRIORITIES, type Assignment } from '../jobs/index.ts'
import { ruleField } from './rule_field.ts'
import { startField } from './start_field.ts'

const [OFTEN, VISIT] = ['How often', 'Each visit']

/** Lists the fields of a series' form: when its visits are, and what each is. */
export const seriesFields: readonly FormField[] = [
  customerField(),
  textField({ name: 'title', label: 'Title', isRequired: true, help: 'What is done at each visit, in a few words' }),
  startField(OFTEN),
  ruleField(OFTEN),
  dayField({ name: 'end_date', label: 'Last day', group: OFTEN, help: 'No visit is after it' }),
  textField({
    name: 'timezone',
    label: 'Time zone',
    group: OFTEN,
    help: 'Such as America/Chicago. That of the company when left empty; visits keep their time of day when clocks change',
  }),
  tickField({
    name: 'keep_exceptions',
    label: 'Leave visits as they are that were changed by hand',
    on: 'update',
    group: OFTEN,
  }),
  numberField({ name: 'duration_minutes', label: 'Minutes', group: VISIT, help: '60 when left empty' }),
  numberField({ name: 'arrival_window_minutes', label: 'Arrival window in minutes', group: VISIT }),
  choicesField({
    name: 'assignees',
    from: 'assignments',
    label: 'Technicians',
    group: VISIT,
    options: members,
    of: (value) => ((value ?? []) as readonly Assignment[]).map(({ user_id }) => user_id),
  }),
  ...locationFields(VISIT),
  ...contactFields(VISIT),
  choiceField({
    name: 'priority',
    label: 'Priority',
    group: VISIT,
    options: worded('normal', ...PRIORITIES.filter((one) => one !== 'normal')),
  }),
  longField({ name: 'description', label: 'Description', group: VISIT, help: 'The customer may read it' }),
  longField({ name: 'instructions', label: 'Instructions', group: VISIT, help: 'For the crew alone' }),
  linesField({ hasTax: false, label: 'Work and parts' }),
]
