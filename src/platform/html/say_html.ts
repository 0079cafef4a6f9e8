import { templateOf, translationOf } from '../i18n/say.ts'
import { html, type Html } from './html.ts'

/** Returns a text in the reader's language, like `say`. Its values may be HTML, such as a link in a sentence. */
export function sayHtml(words: TemplateStringsArray, ...values: readonly (string | number | Html)[]): Html {
  const parts = translationOf(templateOf(words)).split(/\{(\d)\}/)
  return html`${parts.map((part, i) => (i % 2 === 0 ? part : (values[Number(part)] ?? '')))}`
}
