// @ts-check
// Makes lines comfortable: they are added, moved and removed in place, the catalog fills them in, and the server adds
// them up while they are typed. The same buttons work without script.

class LineItems extends HTMLElement {
  /** @type {number | undefined} */ #totalTimer
  /** @type {WeakMap<HTMLInputElement, number>} */ #suggestTimers = new WeakMap()
  #lastTotal = 0
  #lastSuggestion = 0

  connectedCallback() {
    this.addEventListener('click', (event) => this.#onClick(event))
    this.addEventListener('input', (event) => this.#onInput(event))
    this.form?.addEventListener('input', () => this.#scheduleTotals())
    this.form?.addEventListener('draft', (event) => this.#fitDraft(/** @type {CustomEvent} */ (event).detail))
  }

  get form() {
    return this.closest('form')
  }

  get lines() {
    return /** @type {HTMLElement[]} */ ([...this.querySelectorAll('.line')])
  }

  /** @param {Event} event */
  #onClick(event) {
    const button = /** @type {Element} */ (event.target).closest('button')
    if (button?.name !== 'more') return
    event.preventDefault()
    const [, action] = button.value.split('.')
    const line = /** @type {HTMLElement | null} */ (button.closest('.line'))
    if (action === 'add') this.#addLine()
    else if (line !== null) this.#move(line, action)
    this.#renumber()
    this.#scheduleTotals()
  }

  #addLine() {
    const last = /** @type {HTMLElement} */ (this.lines.at(-1))
    const next = /** @type {HTMLElement} */ (last.cloneNode(true))
    this.#clear(next)
    last.after(next)
    next.querySelector('input')?.focus()
  }

  /** Makes as many lines as a draft has. @param {Record<string, string[]>} values */
  #fitDraft(values) {
    const rows = Object.keys(values).flatMap((name) => (name.startsWith(`${this.id}.`) ? name.split('.')[1] : []))
    const count = new Set(rows).size
    if (count === 0) return
    while (this.lines.length < count) this.#addLine()
    for (const line of this.lines.slice(count)) line.remove()
    this.#renumber()
  }

  /**
   * @param {HTMLElement} line
   * @param {string | undefined} action
   */
  #move(line, action) {
    const other = action === 'up' ? line.previousElementSibling : line.nextElementSibling
    if (action === 'remove') {
      const neighbor = this.lines.find((one) => one !== line)
      if (neighbor === undefined) this.#clear(line)
      else line.remove()
      ;(neighbor ?? line).querySelector('input')?.focus()
    } else if (other?.classList.contains('line')) {
      if (action === 'up') other.before(line)
      else other.after(line)
      const again = /** @type {HTMLElement | null} */ (line.querySelector(`.line-step.${action}`))
      again?.focus()
    }
  }

  /** @param {HTMLElement} line */
  #clear(line) {
    for (const input of inputsIn(line)) {
      delete input.dataset['filled']
      if (input.type === 'hidden') input.remove()
      else if (input instanceof HTMLSelectElement) input.selectedIndex = 0
      else input.value = ''
    }
    line.querySelector('details')?.removeAttribute('open')
  }

  /** Numbers lines by their places, as the server reads them. */
  #renumber() {
    this.lines.forEach((line, i) => {
      line.setAttribute('aria-label', (line.getAttribute('aria-label') ?? '').replace(/\d+/, String(i + 1)))
      for (const input of inputsIn(line)) input.name = input.name.replace(/\.\d+\./, `.${i}.`)
      for (const button of line.querySelectorAll('button')) button.value = button.value.replace(/\d+$/, String(i))
    })
  }

  /** @param {Event} event */
  #onInput({ target }) {
    if (!(target instanceof HTMLInputElement) || target.getAttribute('list') !== 'catalog') return
    clearTimeout(this.#suggestTimers.get(target))
    const requestId = ++this.#lastSuggestion
    const timer = setTimeout(() => void this.#suggest(target, requestId), 120)
    this.#suggestTimers.set(target, timer)
  }

  /**
   * @param {HTMLInputElement} input
   * @param {number} requestId
   */
  async #suggest(input, requestId) {
    const query = input.value.trim()
    if (query === '' || this.form === null) return
    const tenant = new URL(this.form.action).pathname.split('/')[1]
    const answer = await fetch(`/${tenant}/catalog_items/suggest?q=${encodeURIComponent(query)}`).catch(() => undefined)
    if (answer?.ok !== true || input.value.trim() !== query) return
    const { body } = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const options = [...body.querySelectorAll('option')]
    if (requestId === this.#lastSuggestion) document.getElementById('catalog')?.replaceChildren(...options)
    const item = options.find(({ value }) => value.toLowerCase() === query.toLowerCase())
    if (item !== undefined) this.#fill(/** @type {HTMLElement} */ (input.closest('.line')), item)
  }

  /**
   * Fills in empty fields. When a person focuses one, typing replaces its value.
   * @param {HTMLElement} line
   * @param {HTMLOptionElement} item
   */
  #fill(line, item) {
    for (const part of ['price', 'unit']) {
      const input = /** @type {HTMLInputElement | null} */ (line.querySelector(`input[name$=".${part}"]`))
      const value = item.dataset[part]
      if (input === null || value === undefined || (input.value !== '' && input.value !== input.dataset['filled']))
        continue
      input.value = input.dataset['filled'] = value
      if (input === document.activeElement) input.select()
    }
    const quantity = /** @type {HTMLInputElement | null} */ (line.querySelector('input[name$=".quantity"]'))
    if (quantity?.value === '') {
      quantity.value = '1'
      if (quantity === document.activeElement) quantity.select()
    }
    this.#scheduleTotals()
  }

  #scheduleTotals() {
    clearTimeout(this.#totalTimer)
    this.#totalTimer = setTimeout(() => void this.#updateTotals(), 300)
  }

  async #updateTotals() {
    const totals = document.getElementById('totals')
    if (totals === null || this.form === null) return
    const requestId = ++this.#lastTotal
    const fields = new URLSearchParams(/** @type {any} */ (new FormData(this.form)))
    fields.set('more', 'totals')
    const answer = await fetch(this.form.action, { method: 'POST', body: fields }).catch(() => undefined)
    if (answer?.ok !== true || requestId !== this.#lastTotal) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    totals.replaceChildren(...(page.getElementById('totals')?.childNodes ?? []))
  }
}
customElements.define('line-items', LineItems)

/**
 * @param {Element} line
 * @returns {NodeListOf<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>}
 */
function inputsIn(line) {
  return line.querySelectorAll('input, select, textarea')
}
