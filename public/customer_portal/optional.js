// @ts-check
// Adds up optional lines of a quote as they are ticked. The server prices them; without script a button asks it.

const FOLLOWING = ['.paper', '.link-total', '.link-deposit']

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form[data-follows]')))
  follow(form)

/** @param {HTMLFormElement} form */
function follow(form) {
  let latest = 0
  form.querySelector('[data-without-script]')?.setAttribute('hidden', '')
  form.addEventListener('change', () => void update())
  // A browser keeps ticks over a reload, which the page was not drawn for.
  const drawn = new URLSearchParams(location.search)
  if (query().toString() !== drawn.toString()) void update()

  function query() {
    return new URLSearchParams(/** @type {any} */ (new FormData(form)))
  }

  async function update() {
    const mine = ++latest
    const address = `${form.dataset['follows'] ?? ''}?${query().toString()}`
    const answer = await fetch(address).catch(() => undefined)
    if (mine !== latest) return
    if (answer?.ok !== true) {
      form.querySelector('[data-without-script]')?.removeAttribute('hidden')
      return
    }
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (mine !== latest) return
    for (const part of FOLLOWING) {
      const [now, then] = [document.querySelector(part), page.querySelector(part)]
      if (now !== null && then !== null) now.innerHTML = then.innerHTML
    }
    history.replaceState(null, '', address)
  }
}
