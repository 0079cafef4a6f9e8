// @ts-check
// Shows a password while it is typed, and hides it again before it is sent, so that browsers don't keep it as a text.

for (const button of document.querySelectorAll('button.reveal')) {
  const input = /** @type {HTMLInputElement} */ (document.getElementById(button.getAttribute('aria-controls') ?? ''))
  /** @param {boolean} isShown */
  const show = (isShown) => {
    input.type = isShown ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(isShown))
  }
  button.removeAttribute('hidden')
  button.addEventListener('click', () => show(input.type === 'password'))
  input.form?.addEventListener('submit', () => show(false))
}
