// @ts-check
// Makes lines comfortable: they are added, moved and removed in place, the catalog fills them in, and the server adds
// them up while they are typed. The same buttons work without script.

class LineItems extends HTMLElement {
  /** @type {number | undefined} */ #later
  /** @type {WeakMap<HTMLInputElement, number>} */ #sooner = new WeakMap()
  #asked = 0
  #suggestions = 0

  connectedCallback() {
    this.addEventListener('click', (event) => this.#pressed(event))
    this.addEventListener('input', (event) => this.#typed(event))
    this.form?.addEventListener('input', () => this.#changed())
    this.form?.addEventListener('draft', (event) => this.#makeRoom(/** @type {CustomEvent} */ (event).detail))
  }

  get form() {
    return this.closest('form')
  }

  get lines() {
    return /** @type {HTMLElement[]} */ ([...this.querySelectorAll('.line')])
  }

  /** @param {Event} event */
  #pressed(event) {
    const button = /** @type {Element} */ (event.target).closest('button')
    if (button?.name !== 'more') return
    event.preventDefault()
    const [, act] = button.value.split('.')
    const line = /** @type {HTMLElement | null} */ (button.closest('.line'))
    if (act === 'add') this.#add()
    else if (line !== null) this.#move(line, act)
    this.#number()
    this.#changed()
  }

  #add() {
    const last = /** @type {HTMLElement} */ (this.lines.at(-1))
    const next = /** @type {HTMLElement} */ (last.cloneNode(true))
    this.#empty(next)
    last.after(next)
    next.querySelector('input')?.focus()
  }

  /** Makes as many lines as a draft has. @param {Record<string, string[]>} values */
  #makeRoom(values) {
    const rows = Object.keys(values).flatMap((name) => (name.startsWith(`${this.id}.`) ? name.split('.')[1] : []))
    const count = new Set(rows).size
    if (count === 0) return
    while (this.lines.length < count) this.#add()
    for (const line of this.lines.slice(count)) line.remove()
    this.#number()
  }

  /**
   * @param {HTMLElement} line
   * @param {string | undefined} act
   */
  #move(line, act) {
    const other = act === 'up' ? line.previousElementSibling : line.nextElementSibling
    if (act === 'remove') {
      const near = this.lines.find((one) => one !== line)
      if (near === undefined) this.#empty(line)
      else line.remove()
      ;(near ?? line).querySelector('input')?.focus()
    } else if (other?.classList.contains('line')) {
      if (act === 'up') other.before(line)
      else other.after(line)
      const again = /** @type {HTMLElement | null} */ (line.querySelector(`.line-step.${act}`))
      again?.focus()
    }
  }

  /** @param {HTMLElement} line */
  #empty(line) {
    for (const input of inputsIn(line)) {
      delete input.dataset['filled']
      if (input.type === 'hidden') input.remove()
      else if (input instanceof HTMLSelectElement) input.selectedIndex = 0
      else input.value = ''
    }
    line.querySelector('details')?.removeAttribute('open')
  }

  /** Numbers lines by their places, as the server reads them. */
  #number() {
    this.lines.forEach((line, i) => {
      line.setAttribute('aria-label', (line.getAttribute('aria-label') ?? '').replace(/\d+/, String(i + 1)))
      for (const input of inputsIn(line)) input.name = input.name.replace(/\.\d+\./, `.${i}.`)
      for (const button of line.querySelectorAll('button')) button.value = button.value.replace(/\d+$/, String(i))
    })
  }

  /** @param {Event} event */
  #typed({ target }) {
    if (!(target instanceof HTMLInputElement) || target.getAttribute('list') !== 'catalog') return
    clearTimeout(this.#sooner.get(target))
    const mine = ++this.#suggestions
    const later = setTimeout(() => void this.#suggest(target, mine), 120)
    this.#sooner.set(target, later)
  }

  /**
   * @param {HTMLInputElement} input
   * @param {number} mine
   */
  async #suggest(input, mine) {
    const typed = input.value.trim()
    if (typed === '' || this.form === null) return
    const tenant = new URL(this.form.action).pathname.split('/')[1]
    const answer = await fetch(`/${tenant}/catalog_items/suggest?q=${encodeURIComponent(typed)}`).catch(() => undefined)
    if (answer?.ok !== true || input.value.trim() !== typed) return
    const { body } = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const options = [...body.querySelectorAll('option')]
    if (mine === this.#suggestions) document.getElementById('catalog')?.replaceChildren(...options)
    const item = options.find(({ value }) => value.toLowerCase() === typed.toLowerCase())
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
    this.#changed()
  }

  #changed() {
    clearTimeout(this.#later)
    this.#later = setTimeout(() => void this.#total(), 300)
  }

  async #total() {
    const totals = document.getElementById('totals')
    if (totals === null || this.form === null) return
    const asked = ++this.#asked
    const fields = new URLSearchParams(/** @type {any} */ (new FormData(this.form)))
    fields.set('more', 'totals')
    const answer = await fetch(this.form.action, { method: 'POST', body: fields }).catch(() => undefined)
    if (answer?.ok !== true || asked !== this.#asked) return
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
