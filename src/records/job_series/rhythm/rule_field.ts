import { checkboxes, field, select, type Field, type Option } from '../../../platform/html/parts/field.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { WEEKDAYS } from '../../../recurrence/parts.ts'
import { say } from '../../../platform/i18n/say.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { fieldValue, type FormField, type FieldContext, type FormValues } from '../../fields/form_field.ts'
import { describeRecurrence } from './rhythm.ts'
import { UNITS, partsOf, ruleOf, type RuleParts } from './rule_parts.ts'
import { readStart } from './start_field.ts'
import { upcomingStarts } from './timing.ts'
import { formatOccurrence } from './when.ts'

const NAME = 'rrule'
const CUSTOM_RULE = 'rrule.own'
const SINGLE_PARTS = ['interval', 'unit', 'monthday', 'nth', 'weekday', 'count'] as const

const inputName = (part: keyof RuleParts): string => `${NAME}.${part}`

/** Builds the recurrence field: chosen in parts, or a custom rule (RFC 5545), with a preview of its dates. */
export const ruleField = ({ label }: { label: string }): FormField => ({
  name: NAME,
  label,
  toEntries: (value) => {
    if (typeof value !== 'string') return []
    const parts = partsOf(value)
    if (parts === null) return [[CUSTOM_RULE, value]]
    return [
      ...SINGLE_PARTS.map((part): [string, string] => [inputName(part), parts[part]]),
      ...parts.weekdays.map((day): [string, string] => [inputName('weekdays'), day]),
    ]
  },
  read: readRule,
  html: (values, context) => html`
<div class="rule" id="${NAME}" tabindex="-1">${
    context.error === undefined
      ? ''
      : html`
  <p class="error" id="${NAME}-error">${context.error}</p>`
  }
  <div class="pair">
    ${field({
      name: inputName('interval'),
      label: say`Every`,
      keys: 'numeric',
      value: values.get(inputName('interval')) ?? '1',
    })}
    ${select({
      name: inputName('unit'),
      label: say`Days, weeks, months or years`,
      options: unitOptions(),
      chosen: values.get(inputName('unit')) ?? 'weeks',
    })}
    <button class="button plain" name="more" value="dates" formnovalidate
      formaction="#rrule">${say`Show dates`}</button>
  </div>
  <div class="of-weeks">${checkboxes({
    name: inputName('weekdays'),
    label: say`Weekly: on these days`,
    help: say`The day of the first visit when none is checked`,
    options: weekdayOptions(),
    chosen: values.getAll(inputName('weekdays')),
  })}</div>
  ${monthFields(values)}
  ${datesHtml(values, context)}
</div>`,
})

/**
 * Builds the fields that few rules need: an end after a number of visits, and a custom rule. `ruleField` reads both.
 */
export const extraRuleFields = (): FormField[] => [
  partField({
    name: inputName('count'),
    label: say`Stop after this many visits`,
    keys: 'numeric',
    help: say`Continues without an end if this and the last day are empty`,
  }),
  partField({
    name: CUSTOM_RULE,
    label: say`Or an iCalendar rule`,
    help: say`Overrides how often it repeats, such as FREQ=MONTHLY;BYDAY=1MO,3MO`,
  }),
]

const partField = (fieldOptions: Pick<Field, 'name' | 'label' | 'help' | 'keys'>): FormField => ({
  name: fieldOptions.name,
  label: fieldOptions.label,
  fold: 'open',
  toEntries: () => [],
  read: () => undefined,
  html: (values, { error }) => field({ ...fieldOptions, error, value: values.get(fieldOptions.name) ?? '' }),
})

const weekdayOptions = (): Option[] =>
  [say`Monday`, say`Tuesday`, say`Wednesday`, say`Thursday`, say`Friday`, say`Saturday`, say`Sunday`].map(
    (label, i) => ({ value: WEEKDAYS[i] ?? '', label }),
  )
const unitOptions = (): Option[] => {
  const names = { days: say`days`, weeks: say`weeks`, months: say`months`, years: say`years` }
  return UNITS.map((value) => ({ value, label: names[value] }))
}
const dateOptions = (): Option[] => [
  ...Array.from({ length: 31 }, (_, i) => ({ value: String(i + 1), label: String(i + 1) })),
  { value: '-1', label: say`The last day` },
]
const ordinalOptions = (): Option[] => [
  { value: '1', label: say`The first` },
  { value: '2', label: say`The second` },
  { value: '3', label: say`The third` },
  { value: '4', label: say`The fourth` },
  { value: '-1', label: say`The last` },
]

function readRule(values: FormValues): string {
  const customRule = fieldValue(values, CUSTOM_RULE)
  if (customRule !== '') return customRule
  const part = (name: keyof RuleParts): string => fieldValue(values, inputName(name))
  return ruleOf({
    interval: part('interval') || '1',
    unit: UNITS.find((unit) => unit === part('unit')) ?? 'weeks',
    weekdays: values.getAll(inputName('weekdays')),
    monthday: part('monthday'),
    nth: part('nth'),
    weekday: part('weekday'),
    count: part('count'),
  })
}

/** Renders the rule in words and its next dates, if there is a first visit. */
function datesHtml(values: FormValues, { timezone }: FieldContext): Html | '' {
  const dtstart = readStart(values)
  if (dtstart === undefined) return ''
  try {
    const timing = {
      rrule: readRule(values),
      dtstart,
      timezone: fieldValue(values, 'timezone') || timezone,
      end_date: fieldValue(values, 'end_date') || null,
    }
    const next = upcomingStarts(timing, Temporal.Now.instant())
    return html`
  <div class="notice info" role="status">
    <p class="notice-title">${describeRecurrence(timing)}</p>
    <p>${
      next.length === 0
        ? say`No visits ahead.`
        : say`Next: ${next.map((at) => formatOccurrence(at, timing)).join('; ')}`
    }</p>
  </div>`
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof RangeError)) throw error
    return ''
  }
}

const monthFields = (values: FormValues): Html => html`
  <div class="of-months">
  ${select({
    name: inputName('monthday'),
    label: say`Monthly: on this date`,
    options: dateOptions(),
    chosen: values.get(inputName('monthday')) ?? '',
    none: say`The date of the first visit`,
  })}
  <div class="pair">
    ${select({
      name: inputName('nth'),
      label: say`Or on a weekday of the month`,
      options: ordinalOptions(),
      chosen: values.get(inputName('nth')) ?? '',
      none: say`None`,
    })}
    ${select({
      name: inputName('weekday'),
      label: say`Which weekday`,
      options: weekdayOptions(),
      chosen: values.get(inputName('weekday')) ?? '',
      none: say`None`,
    })}
  </div>
  </div>`
