import { checkboxes, field, select, type Field, type Option } from '../../../platform/html/parts/field.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { WEEKDAYS } from '../../../recurrence/parts.ts'
import { say } from '../../../platform/i18n/say.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { fieldValue, type FormField, type FieldContext, type FormValues } from '../../fields/form_field.ts'
import { rhythmOf } from './rhythm.ts'
import { UNITS, partsOf, ruleOf, type RuleParts } from './rule_parts.ts'
import { startOf } from './start_field.ts'
import { upcomingStarts } from './timing.ts'
import { momentOf } from './when.ts'

const NAME = 'rrule'
const OWN = 'rrule.own'
const SINGLE = ['interval', 'unit', 'monthday', 'nth', 'weekday', 'count'] as const

const inputOf = (part: keyof RuleParts): string => `${NAME}.${part}`

/** Builds the recurrence field: chosen in parts, or a custom rule (RFC 5545), with a preview of its dates. */
export const ruleField = ({ label }: { label: string }): FormField => ({
  name: NAME,
  label,
  toEntries: (value) => {
    if (typeof value !== 'string') return []
    const parts = partsOf(value)
    if (parts === null) return [[OWN, value]]
    return [
      ...SINGLE.map((part): [string, string] => [inputOf(part), parts[part]]),
      ...parts.weekdays.map((day): [string, string] => [inputOf('weekdays'), day]),
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
      name: inputOf('interval'),
      label: say`Every`,
      keys: 'numeric',
      value: values.get(inputOf('interval')) ?? '1',
    })}
    ${select({
      name: inputOf('unit'),
      label: say`Days, weeks, months or years`,
      options: units(),
      chosen: values.get(inputOf('unit')) ?? 'weeks',
    })}
    <button class="button plain" name="more" value="dates" formnovalidate
      formaction="#rrule">${say`Show dates`}</button>
  </div>
  <div class="of-weeks">${checkboxes({
    name: inputOf('weekdays'),
    label: say`Weekly: on these days`,
    help: say`The day of the first visit when none is checked`,
    options: days(),
    chosen: values.getAll(inputOf('weekdays')),
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
    name: inputOf('count'),
    label: say`Stop after this many visits`,
    keys: 'numeric',
    help: say`Continues without an end if this and the last day are empty`,
  }),
  partField({
    name: OWN,
    label: say`Or an iCalendar rule`,
    help: say`Replaces how often, such as FREQ=MONTHLY;BYDAY=1MO,3MO`,
  }),
]

const partField = (about: Pick<Field, 'name' | 'label' | 'help' | 'keys'>): FormField => ({
  name: about.name,
  label: about.label,
  fold: 'open',
  toEntries: () => [],
  read: () => undefined,
  html: (values, { error }) => field({ ...about, error, value: values.get(about.name) ?? '' }),
})

const days = (): Option[] =>
  [say`Monday`, say`Tuesday`, say`Wednesday`, say`Thursday`, say`Friday`, say`Saturday`, say`Sunday`].map(
    (label, i) => ({ value: WEEKDAYS[i] ?? '', label }),
  )
const units = (): Option[] => {
  const names = { days: say`days`, weeks: say`weeks`, months: say`months`, years: say`years` }
  return UNITS.map((value) => ({ value, label: names[value] }))
}
const dates = (): Option[] => [
  ...Array.from({ length: 31 }, (_, i) => ({ value: String(i + 1), label: String(i + 1) })),
  { value: '-1', label: say`The last day` },
]
const places = (): Option[] => [
  { value: '1', label: say`The first` },
  { value: '2', label: say`The second` },
  { value: '3', label: say`The third` },
  { value: '4', label: say`The fourth` },
  { value: '-1', label: say`The last` },
]

function readRule(values: FormValues): string {
  const own = fieldValue(values, OWN)
  if (own !== '') return own
  const part = (name: keyof RuleParts): string => fieldValue(values, inputOf(name))
  return ruleOf({
    interval: part('interval') || '1',
    unit: UNITS.find((unit) => unit === part('unit')) ?? 'weeks',
    weekdays: values.getAll(inputOf('weekdays')),
    monthday: part('monthday'),
    nth: part('nth'),
    weekday: part('weekday'),
    count: part('count'),
  })
}

/** Renders the rule in words and its next dates, if there is a first visit. */
function datesHtml(values: FormValues, { timezone }: FieldContext): Html | '' {
  const dtstart = startOf(values)
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
    <p class="notice-title">${rhythmOf(timing)}</p>
    <p>${
      next.length === 0 ? say`No visits ahead.` : say`Next: ${next.map((at) => momentOf(at, timing)).join('; ')}`
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
    name: inputOf('monthday'),
    label: say`Monthly: on this date`,
    options: dates(),
    chosen: values.get(inputOf('monthday')) ?? '',
    none: say`The date of the first visit`,
  })}
  <div class="pair">
    ${select({
      name: inputOf('nth'),
      label: say`Or on a weekday of the month`,
      options: places(),
      chosen: values.get(inputOf('nth')) ?? '',
      none: say`None`,
    })}
    ${select({
      name: inputOf('weekday'),
      label: say`Which weekday`,
      options: days(),
      chosen: values.get(inputOf('weekday')) ?? '',
      none: say`None`,
    })}
  </div>
  </div>`
