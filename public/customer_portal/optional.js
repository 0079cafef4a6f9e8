// @ts-check
// Adds up optional lines of a quote as they are ticked. The server prices them; without script a button asks it.

const UPDATED_PARTS = ['.paper', '.link-total', '.link-deposit']

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form[data-follows]')))
  follow(form)

/** @param {HTMLFormElement} form */
function follow(form) {
  let latest = 0
  form.querySelector('[data-without-script]')?.setAttribute('hidden', '')
  form.addEventListener('change', () => void update())
  // A browser keeps ticks over a reload, which the page was not drawn for.
  const rendered = new URLSearchParams(location.search)
  if (query().toString() !== rendered.toString()) void update()

  function query() {
    return new URLSearchParams(/** @type {any} */ (new FormData(form)))
  }

  async function update() {
    const requestId = ++latest
    const address = `${form.dataset['follows'] ?? ''}?${query().toString()}`
    const answer = await fetch(address).catch(() => undefined)
    if (requestId !== latest) return
    if (answer?.ok !== true) {
      form.querySelector('[data-without-script]')?.removeAttribute('hidden')
      return
    }
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (requestId !== latest) return
    for (const part of UPDATED_PARTS) {
      const [current, updated] = [document.querySelector(part), page.querySelector(part)]
      if (current !== null && updated !== null) current.innerHTML = updated.innerHTML
    }
    history.replaceState(null, '', address)
  }
}
