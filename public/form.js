// Makes forms more comfortable. Everything here also works without script.

/** Adds an empty row to a list when its last one is typed into. */
class AddRows extends HTMLElement {
  connectedCallback() {
    this.addEventListener('input', () => this.#grow())
  }

  #grow() {
    const last = this.lastElementChild
    if (last === null || [...last.querySelectorAll('input, textarea')].every(({ value }) => value === '')) return
    const next = last.cloneNode(true)
    const number = this.children.length
    next.setAttribute('aria-label', `Line ${number + 1}`)
    for (const input of next.querySelectorAll('input, select, textarea')) {
      input.name = input.name.replace(/\.(\d+)\./, (_, row) => `.${Number(row) + 1}.`)
      if (input.type === 'hidden') input.remove()
      else if (input.tagName === 'SELECT') input.selectedIndex = 0
      else input.value = ''
    }
    this.append(next)
  }
}
customElements.define('add-rows', AddRows)

/** A form that is on its way isn't sent a second time. */
document.addEventListener('submit', (event) => {
  const form = event.target
  if (form.method !== 'post') return
  if (form.dataset.sent === 'yes') event.preventDefault()
  else form.dataset.sent = 'yes'
})
window.addEventListener('pageshow', () => document.querySelectorAll('form[data-sent]').forEach((form) => form.removeAttribute('data-sent')))
