// @ts-check
// Shows below the box of a text message how many texts it counts as. Without script, the page shows it once.
import { textsOf, withStopHint } from './text_counting.js'

/** Maximum number of expensive characters to list. */
const MAX_NAMED = 8

class TextParts extends HTMLElement {
  #said = ''

  connectedCallback() {
    const box = document.getElementById(this.dataset['of'] ?? '')
    if (!(box instanceof HTMLTextAreaElement)) return
    box.addEventListener('input', () => this.#say(box.value))
    box.form?.addEventListener('change', () => this.#say(box.value))
    this.#say(box.value)
  }

  /**
   * Returns the text as it is sent: the first one to a number says how to stop.
   * @param {string} text
   */
  #sent(text) {
    const { hint = '', company = '', numbers = '' } = this.dataset
    const chosen = document.querySelector('input[name="to"]:checked')
    const to = chosen instanceof HTMLInputElement ? chosen.value : 'other'
    const isFirst = hint !== '' && (to === 'other' || numbers.split(' ').includes(to))
    return isFirst ? withStopHint(text, { hint, company }) : text
  }

  /** @param {string} typed */
  #say(typed) {
    const { one = '', many = '', fewer = '', added = '', instead = '', link = '', hint = '' } = this.dataset
    const text = instead === '' ? typed : typed.replaceAll(instead, link)
    const sent = this.#sent(text)
    const { count, costly } = textsOf(sent)
    const whole = [
      count === 1 ? one : many.replace('{0}', String(count)),
      sent === text ? '' : added.replace('{0}', hint),
      costly.length === 0 ? '' : fewer.replace('{0}', costly.slice(0, MAX_NAMED).join(' ')),
    ]
      .filter((part) => part !== '')
      .join(' ')
    const says = typed === '' ? '' : whole
    if (says !== this.#said) this.replaceChildren(says)
    this.#said = says
  }
}
customElements.define('text-parts', TextParts)
