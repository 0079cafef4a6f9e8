import { WEEKDAYS } from '../../../recurrence/parts.ts'
import { parseRule, type Frequency, type Rule } from '../../../recurrence/rule.ts'
import { Refusal, invalidField } from '../../../platform/errors/refusal.ts'
import { refusals } from '../refusals.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

/** Parts of a rule as people choose them: interval, days and count. Empty is unset. */
export type RuleParts = {
  interval: string
  unit: Unit
  /** For a weekly rule: `MO`. */
  weekdays: readonly string[]
  /** For a monthly rule: `15`, or `-1` for the last day. */
  monthday: string
  /** For a monthly rule: `2` and `TU` mean the second Tuesday. */
  nth: string
  weekday: string
  count: string
}

export const UNITS = ['days', 'weeks', 'months', 'years'] as const
type Unit = (typeof UNITS)[number]

const FREQUENCIES = { days: 'DAILY', weeks: 'WEEKLY', months: 'MONTHLY', years: 'YEARLY' } as const satisfies Record<
  Unit,
  Frequency
>

/** Returns the rule for the parts. Throws if they contradict each other; the tool validates the rest. */
export function ruleOf({ interval, unit, weekdays, monthday, nth, weekday, count }: RuleParts): string {
  if (weekdays.length > 0 && unit !== 'weeks') throw invalidField('rrule', refusals.weekdaysWithoutWeeks())
  if ((monthday !== '' || nth !== '' || weekday !== '') && unit !== 'months')
    throw invalidField('rrule', refusals.monthDayWithoutMonths())
  if (monthday !== '' && (nth !== '' || weekday !== '')) throw invalidField('rrule', refusals.dateAndWeekday())
  if ((nth === '') !== (weekday === '')) throw invalidField('rrule', refusals.halfWeekday())
  const days = nth === '' ? weekdays.join(',') : `${nth}${weekday}`
  const parts: [string, string][] = [
    ['FREQ', FREQUENCIES[unit]],
    ['INTERVAL', interval === '1' ? '' : interval],
    ['BYMONTHDAY', monthday],
    ['BYDAY', days],
    ['COUNT', count],
  ]
  return parts
    .filter(([, value]) => value !== '')
    .map((pair) => pair.join('='))
    .join(';')
}

/** Returns the parts of a rule; null if parts can't express it. */
export function partsOf(text: string): RuleParts | null {
  const rule = tryParseRule(text)
  const unit = UNITS.find((each) => FREQUENCIES[each] === rule?.freq)
  if (rule === null || unit === undefined) return null
  const { interval, count, days, monthDays } = rule
  const numbered = days.find(({ nth }) => nth !== null)
  const parts: RuleParts = {
    interval: String(interval),
    unit,
    count: count === null ? '' : String(count),
    monthday: String(monthDays[0] ?? ''),
    weekdays: numbered === undefined ? days.map(({ weekday }) => requireValue(WEEKDAYS[weekday - 1], 'A weekday')) : [],
    nth: String(numbered?.nth ?? ''),
    weekday: numbered === undefined ? '' : requireValue(WEEKDAYS[numbered.weekday - 1], 'A weekday'),
  }
  return isRoundTrip(parts, rule) ? parts : null
}

function tryParseRule(text: string): Rule | null {
  try {
    return parseRule(text)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return null
  }
}

function isRoundTrip(parts: RuleParts, { text }: Rule): boolean {
  try {
    return ruleOf(parts) === text
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return false
  }
}
