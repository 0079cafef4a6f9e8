import { say } from '../../platform/i18n/say.ts'
import { members, wordOptions } from '../fields/choices.ts'
import { customerField } from '../fields/customer_field.ts'
import { choiceField, choicesField, dayField, longField, numberField, textField, tickField } from '../fields/fields.ts'
import type { FormField } from '../fields/form_field.ts'
import { linesField } from '../fields/lines/lines_field.ts'
import { contactFields, locationFields } from '../fields/site_fields.ts'
import { PRIORITIES, type Assignment } from '../jobs/index.ts'
import { extraRuleFields, ruleField } from './rhythm/rule_field.ts'
import { startField } from './rhythm/start_field.ts'

/** Lists the fields of a series' form: when its visits are, and what each is. */
export const seriesFields = (): readonly FormField[] => [
  customerField(),
  textField({ name: 'title', label: say`Title`, isRequired: true }),
  startField(),
  numberField({ name: 'duration_minutes', label: say`Minutes (60 if empty)`, isHalf: true }),
  ruleField(),
  choicesField({
    name: 'assignees',
    from: 'assignments',
    label: say`Technicians`,
    options: members,
    of: (value) => ((value ?? []) as readonly Assignment[]).map(({ user_id }) => user_id),
  }),
  linesField({ hasTax: false, label: say`Work and parts` }),
  ...locationFields({ fold: 'open', isHalf: true }),
  ...contactFields({ fold: 'open', isHalf: true }),
  dayField({ name: 'end_date', label: say`Last day`, fold: 'open', help: say`Leave empty to continue without an end` }),
  ...extraRuleFields(),
  tickField({
    name: 'keep_exceptions',
    label: say`Don't change visits that were edited by hand`,
    on: 'update',
    fold: 'closed',
  }),
  textField({
    name: 'timezone',
    label: say`Time zone`,
    fold: 'closed',
    isHalf: true,
    help: say`Such as America/Chicago. Your company's when left empty`,
  }),
  numberField({ name: 'arrival_window_minutes', label: say`Arrival window in minutes`, fold: 'closed', isHalf: true }),
  choiceField({
    name: 'priority',
    label: say`Priority`,
    fold: 'closed',
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
]
