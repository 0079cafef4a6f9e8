import { html, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import type { FieldChange } from './field_changes.ts'

/** Draws fields from what to what; of a new record what they are. */
export const changesTable = (rows: readonly FieldChange[], isNew: boolean): Html => html`
  <dl class="changes">${rows.map(
    ({ label, before, after }) => html`
    <div>
      <dt>${label}</dt>
      <dd>${
        isNew || before === '' ? '' : html`<del>${before}</del> <span aria-hidden="true">→</span> `
      }<ins>${after === '' ? say`Nothing` : after}</ins></dd>
    </div>`,
  )}
  </dl>`
