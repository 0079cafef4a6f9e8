import { checkboxes, field, select, type Option } from '../../html/field.ts'
import { html, type Html } from '../../html/html.ts'
import { WEEKDAYS } from '../../recurrence/parts.ts'
import { Refusal } from '../../refusal.ts'
import { only, type FormField, type FieldContext, type Typed } from '../../screens/fields/form_field.ts'
import { UNITS, partsOf, ruleOf, type RuleParts } from './rule_parts.ts'
import { startOf } from './start_field.ts'
import { inWords, upcoming } from './timing.ts'
import { momentOf } from './when.ts'

const NAME = 'rrule'
const OWN = 'rrule.own'
const SINGLE = ['interval', 'unit', 'monthday', 'nth', 'weekday', 'count'] as const

const inputOf = (part: keyof RuleParts): string => `${NAME}.${part}`

/** Makes the field of how often: chosen in parts, or a rule of one's own (RFC 5545), with the dates that follow. */
export const ruleField = (group: string): FormField => ({
  name: NAME,
  label: 'Rule',
  group,
  typed: (value) => {
    if (typeof value !== 'string') return []
    const parts = partsOf(value)
    if (parts === null) return [[OWN, value]]
    return [
      ...SINGLE.map((part): [string, string] => [inputOf(part), parts[part]]),
      ...parts.weekdays.map((day): [string, string] => [inputOf('weekdays'), day]),
    ]
  },
  read: readRule,
  html: (typed, context) => html`
<div class="rule" id="${NAME}" tabindex="-1">${
    context.error === undefined
      ? ''
      : html`
  <p class="error" id="${NAME}-error">${context.error}</p>`
  }
  <div class="pair">
    ${field({ name: inputOf('interval'), label: 'Every', keys: 'numeric', value: typed.get(inputOf('interval')) ?? '1' })}
    ${select({ name: inputOf('unit'), label: 'Days, weeks, months or years', options: UNIT_OPTIONS, chosen: typed.get(inputOf('unit')) ?? 'weeks' })}
  </div>
  ${checkboxes({ name: inputOf('weekdays'), label: 'With weeks: on these days', help: 'None ticked is the day of the first visit', options: DAYS, chosen: typed.getAll(inputOf('weekdays')) })}
  ${select({ name: inputOf('monthday'), label: 'With months: on this date', options: DATES, chosen: typed.get(inputOf('monthday')) ?? '', none: 'That of the first visit' })}
  <div class="pair">
    ${select({ name: inputOf('nth'), label: 'Or on a weekday of the month', options: PLACES, chosen: typed.get(inputOf('nth')) ?? '', none: 'None' })}
    ${select({ name: inputOf('weekday'), label: 'Which weekday', options: DAYS, chosen: typed.get(inputOf('weekday')) ?? '', none: 'None' })}
  </div>
  ${field({ name: inputOf('count'), label: 'Stop after so many visits', keys: 'numeric', value: typed.get(inputOf('count')) ?? '', help: 'It goes on when this and the last day are left empty' })}
  ${field({ name: OWN, label: 'Or a rule of your own', value: typed.get(OWN) ?? '', help: 'As in calendars, such as FREQ=MONTHLY;BYDAY=1MO,3MO. It goes before all the above' })}
  ${dates(typed, context)}
  <p class="actions"><button class="button plain" name="more" value="dates" formnovalidate>Show the dates</button></p>
</div>`,
})

const DAYS: readonly Option[] = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map(
  (label, i) => ({ value: WEEKDAYS[i]!, label }),
)
const UNIT_OPTIONS: readonly Option[] = UNITS.map((value) => ({ value, label: value }))
const DATES: readonly Option[] = [
  ...Array.from({ length: 31 }, (_, i) => ({ value: String(i + 1), label: `The ${i + 1}.` })),
  { value: '-1', label: 'The last day' },
]
const PLACES: readonly Option[] = [
  { value: '1', label: 'The first' },
  { value: '2', label: 'The second' },
  { value: '3', label: 'The third' },
  { value: '4', label: 'The fourth' },
  { value: '-1', label: 'The last' },
]

function readRule(typed: Typed): string {
  const own = only(typed, OWN)
  if (own !== '') return own
  const part = (name: keyof RuleParts): string => only(typed, inputOf(name))
  return ruleOf({
    interval: part('interval') || '1',
    unit: UNITS.find((unit) => unit === part('unit')) ?? 'weeks',
    weekdays: typed.getAll(inputOf('weekdays')),
    monthday: part('monthday'),
    nth: part('nth'),
    weekday: part('weekday'),
    count: part('count'),
  })
}

/** Returns the rule in words and its next dates, once there is a first visit. */
function dates(typed: Typed, { timezone }: FieldContext): Html | '' {
  const dtstart = startOf(typed)
  if (dtstart === undefined) return ''
  try {
    const timing = {
      rrule: readRule(typed),
      dtstart,
      timezone: only(typed, 'timezone') || timezone,
      end_date: only(typed, 'end_date') || null,
    }
    const next = upcoming(timing, Temporal.Now.instant())
    return html`
  <div class="notice info" role="status">
    <p class="notice-title">${inWords(timing)}</p>
    <p>${next.length === 0 ? 'No visit lies ahead.' : html`Next: ${next.map((at, i) => html`${i === 0 ? '' : '; '}${momentOf(at, timing)}`)}`}</p>
  </div>`
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof RangeError)) throw error
    return ''
  }
}
