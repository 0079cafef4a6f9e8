import { checkbox, field } from '../../platform/html/parts/field.ts'
import { html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { fieldValue, type FormField } from '../fields/form_field.ts'

const NAME = 'color'
const HAS = `${NAME}.has`
const FIRST = '#1F6F4A'

/** Builds a field for an optional color. A browser's color input always has a value, so a checkbox enables it. */
export const colorField = (): FormField => ({
  name: NAME,
  label: say`Color`,
  toEntries: (value) =>
    typeof value === 'string'
      ? [
          [HAS, 'yes'],
          [NAME, value],
        ]
      : [],
  read: (values) => (values.has(HAS) ? fieldValue(values, NAME).toUpperCase() : undefined),
  html: (values, { error }) => html`
${checkbox({ name: HAS, label: say`With a color`, isChecked: values.has(HAS) })}
${field({
  name: NAME,
  label: say`Color`,
  type: 'color',
  value: values.get(NAME) ?? FIRST,
  help: say`Used when checked above`,
  error,
})}`,
})
