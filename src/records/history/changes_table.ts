import { html, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import type { FieldChange } from './field_changes.ts'

/** Renders changed fields with their old and new values; for a new record, the values alone. */
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
