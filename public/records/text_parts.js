// @ts-check
// Shows below the box of a text message how many texts it counts as. Without script, the page shows it once.
import { countTexts, withStopHint } from './text_counting.js'

/** Maximum number of expensive characters to list. */
const MAX_NAMED = 8

class TextParts extends HTMLElement {
  #shown = ''

  connectedCallback() {
    const box = document.getElementById(this.dataset['of'] ?? '')
    if (!(box instanceof HTMLTextAreaElement)) return
    box.addEventListener('input', () => this.#update(box.value))
    box.form?.addEventListener('change', () => this.#update(box.value))
    this.#update(box.value)
  }

  /**
   * Returns the text as it is sent: the first one to a number says how to stop.
   * @param {string} text
   */
  #toSentText(text) {
    const { hint = '', company = '', numbers = '' } = this.dataset
    const chosen = document.querySelector('input[name="to"]:checked')
    const to = chosen instanceof HTMLInputElement ? chosen.value : 'other'
    const isFirst = hint !== '' && (to === 'other' || numbers.split(' ').includes(to))
    return isFirst ? withStopHint(text, { hint, company }) : text
  }

  /** @param {string} typed */
  #update(typed) {
    const { one = '', many = '', fewer = '', added = '', instead = '', link = '', hint = '' } = this.dataset
    const text = instead === '' ? typed : typed.replaceAll(instead, link)
    const sent = this.#toSentText(text)
    const { count, costly } = countTexts(sent)
    const message = [
      count === 1 ? one : many.replace('{0}', String(count)),
      sent === text ? '' : added.replace('{0}', hint),
      costly.length === 0 ? '' : fewer.replace('{0}', costly.slice(0, MAX_NAMED).join(' ')),
    ]
      .filter((part) => part !== '')
      .join(' ')
    const shownText = typed === '' ? '' : message
    if (shownText !== this.#shown) this.replaceChildren(shownText)
    this.#shown = shownText
  }
}
customElements.define('text-parts', TextParts)
