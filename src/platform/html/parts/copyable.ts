import { say } from '../../i18n/say.ts'
import { attribute, html, type Html } from '../html.ts'

/** Draws text to copy: one click selects all of it, and a script (`copy.js`) adds a copy button. */
export const copyable = (text: string, { isBlock = false } = {}): Html =>
  html`<copy-text data-copy="${say`Copy`}" data-copied="${say`Copied`}"${attribute('class', isBlock, 'block')}>${
    isBlock ? html`<pre class="code"><code>${text}</code></pre>` : html`<code class="copy">${text}</code>`
  }</copy-text>`
