import { checkbox, field } from '../../platform/html/parts/field.ts'
import { html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { fieldValue, type FormField } from '../fields/form_field.ts'

const NAME = 'color'
const ENABLED_NAME = `${NAME}.has`
const DEFAULT_COLOR = '#1F6F4A'

/** Builds a field for an optional color. A browser's color input always has a value, so a checkbox enables it. */
export const colorField = (): FormField => ({
  name: NAME,
  label: say`Color`,
  toEntries: (value) =>
    typeof value === 'string'
      ? [
          [ENABLED_NAME, 'yes'],
          [NAME, value],
        ]
      : [],
  read: (values) => (values.has(ENABLED_NAME) ? fieldValue(values, NAME).toUpperCase() : undefined),
  html: (values, { error }) => html`
${checkbox({ name: ENABLED_NAME, label: say`With a color`, isChecked: values.has(ENABLED_NAME) })}
${field({
  name: NAME,
  label: say`Color`,
  type: 'color',
  value: values.get(NAME) ?? DEFAULT_COLOR,
  help: say`Used when checked above`,
  error,
})}`,
})
