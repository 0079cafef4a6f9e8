import { html } from './html.ts'
import type { Html } from './html.ts'

export type Field = {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'tel' | 'date' | 'search'
  value?: string
  help?: string
  /** What is wrong with the value, and the way out. */
  error?: string | undefined
  autocomplete?: string
  isRequired?: boolean
  isFocused?: boolean
}

/** A field with its label, help and error, tied together for screen readers. */
export const field = ({ name, label, type = 'text', value = '', help, error, autocomplete = 'off', isRequired = false, isFocused = false }: Field): Html => html`
<div class="field">
  <label for="${name}">${label}</label>${help === undefined ? '' : html`
  <p class="help" id="${name}-help">${help}</p>`}${error === undefined ? '' : html`
  <p class="error" id="${name}-error">${error}</p>`}
  <input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${
    type === 'email' ? html` autocapitalize="none" spellcheck="false"` : ''}${
    describedBy(name, help, error)}${isRequired ? html` required` : ''}${isFocused ? html` autofocus` : ''}>
</div>`

function describedBy(name: string, help: string | undefined, error: string | undefined): Html | '' {
  const ids = [help && `${name}-help`, error && `${name}-error`].filter((id) => id !== undefined)
  if (ids.length === 0) return ''
  return html` aria-describedby="${ids.join(' ')}"${error === undefined ? '' : html` aria-invalid="true"`}`
}
