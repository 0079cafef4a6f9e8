import { say } from '../../i18n/say.ts'
import { attribute, html, when, type Html } from '../html.ts'

export type Field = FieldDetails & {
  type?:
    | 'text'
    | 'email'
    | 'password'
    | 'tel'
    | 'date'
    | 'datetime-local'
    | 'time'
    | 'search'
    | 'url'
    | 'color'
    | 'file'
  value?: string
  autocomplete?: string
  isFocused?: boolean
  /** Keyboard that a phone shows: `decimal`, `numeric`. */
  keys?: 'decimal' | 'numeric'
  /** Id of a `datalist`. */
  suggestions?: string
  /** File types to accept. */
  accepts?: string
}

type FieldDetails = {
  name: string
  label: string
  help?: string | Html | undefined
  /** Problem with the value, and how to fix it. */
  error?: string | undefined
  isRequired?: boolean
}

export type Option = { value: string; label: string }

/** Draws a field with its label, help and error, connected for screen readers. */
export const field = ({
  type = 'text',
  value = '',
  autocomplete = 'off',
  isFocused = false,
  keys,
  suggestions,
  accepts,
  ...about
}: Field): Html =>
  labelField(
    about,
    html`
  <input id="${about.name}" name="${about.name}" type="${type}"${when(
    type !== 'file',
    () => html` value="${value}" autocomplete="${autocomplete}"`,
  )}${when(
    type === 'email' || type === 'url',
    () => html` autocapitalize="none" spellcheck="false"`,
  )}${when(keys, (keys) => html` inputmode="${keys}"`)}${when(
    suggestions,
    (suggestions) => html` list="${suggestions}"`,
  )}${when(accepts, (accepts) => html` accept="${accepts}"`)}${ariaAttributes(
    about,
  )}${attribute('autofocus', isFocused)}>${when(type === 'password', () => revealButton(about.name))}`,
  )

/** Draws the button that shows a password; `reveal.js` makes it work. */
const revealButton = (name: string): Html =>
  html`<button class="button quiet reveal" type="button" aria-controls="${name}" aria-pressed="false"
    hidden>${say`Show password`}</button>`

export const textArea = ({ value = '', rows = 4, ...about }: FieldDetails & { value?: string; rows?: number }): Html =>
  labelField(
    about,
    html`
  <textarea id="${about.name}" name="${about.name}" rows="${rows}"${ariaAttributes(about)}>
${value}</textarea>`,
  )

/**
 * Draws a `select` field. `none` is the text of the empty choice, if there is one. An option whose label is its value
 * needs no `value` attribute.
 */
export const select = ({
  options,
  chosen = '',
  none,
  ...about
}: FieldDetails & { options: readonly Option[]; chosen?: string; none?: string }): Html =>
  labelField(
    about,
    html`
  <select id="${about.name}" name="${about.name}"${ariaAttributes(about)}>${when(
    none,
    (none) => html`
    <option value="">${none}</option>`,
  )}${options.map(
    ({ value, label }) => html`
    <option${when(
      value !== label || /\s/.test(value),
      () => html` value="${value}"`,
    )}${attribute('selected', value === chosen)}>${label}</option>`,
  )}
  </select>`,
  )

export const checkbox = ({
  isChecked = false,
  value = 'yes',
  ...about
}: Omit<FieldDetails, 'isRequired'> & { isChecked?: boolean; value?: string }): Html => html`
<div class="field tick">
  <label><input type="checkbox" id="${about.name}"
    name="${about.name}" value="${value}"${attribute('checked', isChecked)}${ariaAttributes(about)}
    ><span>${about.label}</span></label>${fieldHelp(about)}
</div>`

/** Draws a field for any number of options. */
export const checkboxes = ({
  options,
  chosen,
  ...about
}: Omit<FieldDetails, 'isRequired'> & { options: readonly Option[]; chosen: readonly string[] }): Html =>
  ticks(about, options, new Set(chosen))

const ticks = (about: FieldDetails, options: readonly Option[], chosen: ReadonlySet<string>): Html => html`
<fieldset class="field ticks" id="${about.name}"${ariaAttributes(about)}>
  <legend>${about.label}</legend>${fieldHelp(about)}
  <div class="tick-list">${options.map(
    ({ value, label }) => html`
    <label><input type="checkbox" name="${about.name}" value="${value}"${attribute('checked', chosen.has(value))}
      ><span>${label}</span></label>`,
  )}
  </div>
</fieldset>`

export const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

/**
 * Draws inputs as one field, whose label is for the input with the field's name. Error and help are below the input, so
 * that inputs side by side align.
 */
const labelField = (about: FieldDetails, input: Html): Html => html`
<div class="field">
  <label for="${about.name}">${about.label}${when(
    about.isRequired === true,
    () => html`<span class="required" aria-hidden="true"> *</span>`,
  )}</label>${input}${fieldHelp(about)}
</div>`

const fieldHelp = ({ name, help, error }: FieldDetails): Html =>
  html`${when(
    error,
    (error) => html`
  <p class="error" id="${name}-error">${error}</p>`,
  )}${when(
    help,
    (help) => html`
  <p class="help" id="${name}-help">${help}</p>`,
  )}`

function ariaAttributes({ name, help, error, isRequired = false }: FieldDetails): Html {
  const ids = [error && `${name}-error`, help && `${name}-help`].filter((id) => id !== undefined)
  return html`${when(
    ids.length > 0,
    () => html` aria-describedby="${ids.join(' ')}"`,
  )}${attribute('aria-invalid', error !== undefined, 'true')}${attribute('required', isRequired)}`
}
