import { field } from '../../../platform/html/parts/field.ts'
import { html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { fieldValue, type FormField, type FormValues } from '../../fields/form_field.ts'

const NAME = 'dtstart'
const TIME = 'dtstart.time'

/**
 * Builds the field for the first visit, by default today, in the series' time zone. Without a time, the visits are at
 * any time of the day.
 */
export const startField = (): FormField => ({
  name: NAME,
  label: say`First visit`,
  isHalf: true,
  toEntries: (value) =>
    typeof value !== 'string'
      ? []
      : [[NAME, value.slice(0, 10)], ...(value.length > 10 ? [[TIME, value.slice(11, 16)] as [string, string]] : [])],
  read: readStart,
  html: (values, { error, timezone }) => html`
<div class="pair">
  ${field({
    name: NAME,
    label: say`First visit`,
    type: 'date',
    value: values.get(NAME) ?? todayIn(timezone).toString(),
    error,
    isRequired: true,
  })}
  ${field({ name: TIME, label: say`At (optional)`, type: 'time', value: values.get(TIME) ?? '' })}
</div>`,
})

/** Returns the entered start as a local time or a date. */
export function readStart(values: FormValues): string | undefined {
  const [date, time] = [fieldValue(values, NAME), fieldValue(values, TIME)]
  if (date === '') return undefined
  return time === '' ? date : `${date}T${time}`
}
