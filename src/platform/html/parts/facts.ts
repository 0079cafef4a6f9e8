import { say } from '../../i18n/say.ts'
import { html, when, type Html } from '../html.ts'
import { icon } from '../shell.ts'

export type Fact = {
  label: string
  value: Html | string
  says?: Html | string | undefined
  /** URL of the form that edits it; a script opens it in place. */
  edit?: string | undefined
}

/** Draws labeled values in ruled boxes, as on a work order. */
export const facts = (list: readonly Fact[]): Html => html`
<dl class="facts">${list.map(
  ({ label, value, says, edit }) => html`
  <div><dt>${label}</dt><dd>${value}${when(says, (says) => html`<span class="help">${says}</span>`)}${when(
    edit,
    (edit) =>
      html`<a class="fact-edit" href="${edit}" data-edit>${icon('pen')}<span class="unseen">${say`Edit ${label}`}</span></a>`,
  )}</dd></div>`,
)}
</dl>`
