// @ts-check
// Undoes what was approved without leaving the conversation: what an undo would do is shown below its link first.

/**
 * Shows what an undo would put back, and does it from there; where that fails, the browser opens its page.
 * @param {Element} talk
 * @param {HTMLAnchorElement} link
 */
export async function showUndo(talk, link) {
  const page = await fetchPage(link.href)
  const main = page?.querySelector('main')
  const form = main?.querySelector('form[method=post]')
  if (main == null || !(form instanceof HTMLFormElement)) return location.assign(link.href)
  const box = document.createElement('div')
  box.className = 'undo-box'
  box.append(...main.children)
  const container = link.closest('.plan, .call-lines')
  container?.querySelector('.undo-box')?.remove()
  container?.append(box)
  box.querySelector('button')?.focus()
  for (const cancelLink of box.querySelectorAll('a.button'))
    cancelLink.addEventListener('click', (event) => {
      event.preventDefault()
      box.remove()
      link.focus()
    })
  form.addEventListener('submit', (event) => {
    if ('native' in form.dataset) return
    event.preventDefault()
    event.stopPropagation()
    void send(talk, form, event.submitter)
  })
}

/**
 * @param {Element} talk
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function send(talk, form, submitter) {
  const page = await fetchPage(form.action, bodyOf(form, submitter))
  const fresh = page?.querySelector('#talk')
  if (fresh == null) {
    form.dataset['native'] = ''
    form.removeAttribute('data-sent')
    return form.requestSubmit(submitter)
  }
  talk.replaceChildren(...fresh.children)
  const notice = document.createElement('p')
  notice.className = 'bubble-notice'
  notice.setAttribute('role', 'status')
  notice.textContent = page?.querySelector('.saying')?.firstElementChild?.textContent ?? ''
  if (notice.textContent !== '') talk.append(notice)
  talk.scrollTop = talk.scrollHeight
}

/**
 * Returns what a form sends, without files.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [submitter]
 */
export function bodyOf(form, submitter) {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form, submitter)) if (typeof value === 'string') body.append(name, value)
  return body
}

/**
 * @param {string} address
 * @param {URLSearchParams} [body]
 */
async function fetchPage(address, body) {
  const options = { headers: { accept: 'text/html' }, ...(body && { method: 'POST', body }) }
  const response = await fetch(address, options).catch(() => null)
  return response?.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : null
}
