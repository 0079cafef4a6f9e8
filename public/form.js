// @ts-check
// Makes forms more comfortable. Everything here also works without script.

document.documentElement.classList.add('scripted')

/** A menu closes when something else is pressed, and with Escape, which goes back to its button. */
document.addEventListener('click', (event) => {
  for (const menu of openMenus()) if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false
})
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  for (const menu of openMenus()) {
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
})

/** @returns {NodeListOf<HTMLDetailsElement>} */
function openMenus() {
  return document.querySelectorAll('details.more[open]')
}

/** One mark marks every row, or none. */
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.classList.contains('mark-all')) return
  for (const checkbox of target.closest('table')?.querySelectorAll('input') ?? []) checkbox.checked = target.checked
})

/** A new record begins at its first empty field, where there is a keyboard. */
const first = [
  .../** @type {NodeListOf<HTMLInputElement>} */ (
    document.querySelectorAll('.record-form[action$="/new"] .field input[type=text]')
  ),
].find(({ value }) => value === '')
if (document.activeElement === document.body && location.hash === '' && matchMedia('(pointer: fine)').matches)
  first?.focus({ preventScroll: true })

/** A form that is on its way isn't sent a second time. */
document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target)
  if (form.method !== 'post') return
  if (form.dataset['sent'] === 'yes') event.preventDefault()
  else form.dataset['sent'] = 'yes'
})
window.addEventListener('pageshow', () =>
  document.querySelectorAll('form[data-sent]').forEach((form) => form.removeAttribute('data-sent')),
)
