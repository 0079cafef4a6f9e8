// @ts-check
// Shows below the box of a text message how many texts it counts as. Without script, the page shows it once.
import { textsOf } from './text_counting.js'

/** Maximum number of expensive characters to list. */
const MAX_NAMED = 8

class TextParts extends HTMLElement {
  #said = ''

  connectedCallback() {
    const box = document.getElementById(this.dataset['of'] ?? '')
    if (!(box instanceof HTMLTextAreaElement)) return
    box.addEventListener('input', () => this.#say(box.value))
    this.#say(box.value)
  }

  /** @param {string} typed */
  #say(typed) {
    const { one = '', many = '', fewer = '', instead = '', link = '' } = this.dataset
    const { count, costly } = textsOf(instead === '' ? typed : typed.replaceAll(instead, link))
    const counts = count === 1 ? one : many.replace('{0}', String(count))
    const whole =
      costly.length === 0 ? counts : `${counts} ${fewer.replace('{0}', costly.slice(0, MAX_NAMED).join(' '))}`
    const says = typed === '' ? '' : whole
    if (says !== this.#said) this.replaceChildren(says)
    this.#said = says
  }
}
customElements.define('text-parts', TextParts)
