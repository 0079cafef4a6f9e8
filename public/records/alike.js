// @ts-check
// Looks for records like the one being typed, so that none is made twice.

const PAUSE_MS = 250
let timer = 0
let lastRequest = 0

document.addEventListener('input', ({ target }) => {
  const part = document.getElementById('alike')
  const form = part?.closest('form')
  const fields = part?.dataset['fields']?.split(' ') ?? []
  if (!part || !form) return
  const isOurs = target === form || (target instanceof HTMLInputElement && fields.includes(target.name))
  if (!isOurs) return
  clearTimeout(timer)
  timer = window.setTimeout(() => void findSimilar(part, form, fields), PAUSE_MS)
})

/**
 * @param {HTMLElement} part
 * @param {HTMLFormElement} form
 * @param {string[]} fields
 */
async function findSimilar(part, form, fields) {
  const requestId = ++lastRequest
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (fields.includes(name) && typeof value === 'string') query.append(name, value)
  const answer = await fetch(`${part.dataset['source']}?${query}`, { headers: { accept: 'text/html' } }).catch(
    () => undefined,
  )
  if (answer?.ok !== true || requestId !== lastRequest) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('alike')
  if (fresh !== null && fresh.innerHTML !== part.innerHTML) part.replaceChildren(...fresh.childNodes)
}
