import { say } from '../../../platform/i18n/say.ts'
import { members, wordOptions } from '../../fields/choices.ts'
import { customField } from '../../fields/custom_field.ts'
import { customerField } from '../../fields/customer_field.ts'
import {
  choiceField,
  choicesField,
  hiddenField,
  longField,
  momentField,
  numberField,
  textField,
  tickField,
} from '../../fields/fields.ts'
import type { FormField } from '../../fields/form_field.ts'
import { linesField } from '../../fields/lines/lines_field.ts'
import { contactFields, locationFields } from '../../fields/site_fields.ts'
import type { Assignment } from '../job.ts'
import { SETTABLE } from '../status.ts'
import { PRIORITIES } from '../visits/work.ts'

/** Lists the fields of a job's form. */
export const jobFields = (): readonly FormField[] => [
  customerField(),
  hiddenField('quote_id', 'create'),
  textField({ name: 'title', label: say`Title`, isRequired: true }),
  momentField({ name: 'scheduled_start', label: say`Start`, isHalf: true }),
  numberField({ name: 'duration_minutes', label: say`Minutes`, isHalf: true, help: say`60 when left empty` }),
  choicesField({
    name: 'assignees',
    from: 'assignments',
    label: say`Technicians`,
    options: members,
    of: (value) => ((value ?? []) as readonly Assignment[]).map(({ user_id }) => user_id),
  }),
  ...locationFields({ isHalf: true }),
  ...contactFields({ isHalf: true }),
  linesField({ hasTax: false, label: say`Work and parts` }),
  choiceField({ name: 'status', label: say`Status`, on: 'update', fold: 'closed', options: wordOptions(...SETTABLE) }),
  tickField({ name: 'all_day', label: say`Any time of the day`, fold: 'open' }),
  numberField({ name: 'arrival_window_minutes', label: say`Arrival window in minutes`, fold: 'closed', isHalf: true }),
  choiceField({
    name: 'priority',
    label: say`Priority`,
    fold: 'closed',
    isHalf: true,
    options: wordOptions('normal', ...PRIORITIES.filter((one) => one !== 'normal')),
  }),
  longField({
    name: 'instructions',
    label: say`Instructions`,
    fold: 'open',
    help: say`Only technicians and the office see these`,
    rows: 3,
  }),
  longField({
    name: 'description',
    label: say`Description`,
    fold: 'open',
    help: say`The customer may read it`,
    rows: 3,
  }),
  customField(),
]
