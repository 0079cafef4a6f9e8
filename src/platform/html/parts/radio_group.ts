import { attribute, html, when, type Html } from '../html.ts'

type RadioGroup = {
  name: string
  label: string
  help?: string
  choices: readonly { value: string; label: string }[]
  chosen: string
}

/** Draws a few choices side by side. */
export const radioGroup = ({ name, label, help, choices, chosen }: RadioGroup): Html => html`
<div class="choice" role="radiogroup" aria-labelledby="${name}-label"${when(
  help !== undefined,
  () => html` aria-describedby="${name}-help"`,
)}>
  <div class="choice-about">
    <p class="choice-label" id="${name}-label">${label}</p>${when(
      help,
      (help) => html`
    <p class="help" id="${name}-help">${help}</p>`,
    )}
  </div>
  <div class="segments">${choices.map(
    ({ value, label }) => html`
    <label class="segment ${value}"><input
      type="radio" name="${name}" value="${value}"${attribute('checked', value === chosen)}><span>${label}</span></label>`,
  )}
  </div>
</div>`
