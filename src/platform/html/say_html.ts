import { templateOf, translationOf } from '../i18n/say.ts'
import { html, type Html } from './html.ts'

/** Says a text in the language of who reads, as `say` does, with parts of a page among its values: a link in a sentence. */
export function sayHtml(words: TemplateStringsArray, ...values: readonly (string | number | Html)[]): Html {
  const parts = translationOf(templateOf(words)).split(/\{(\d)\}/)
  return html`${parts.map((part, i) => (i % 2 === 0 ? part : values[Number(part)]!))}`
}
