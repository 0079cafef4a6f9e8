// @ts-check
// Adds a copy button to texts meant for elsewhere. Without script, one click selects them.

class CopyText extends HTMLElement {
  connectedCallback() {
    const code = this.querySelector('code')
    const { copy = '', copied = '' } = this.dataset
    if (code === null || navigator.clipboard === undefined) return
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button plain'
    button.textContent = copy
    button.setAttribute('aria-live', 'polite')
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(code.textContent ?? '')
      button.textContent = copied
      setTimeout(() => (button.textContent = copy), 2000)
    })
    this.append(button)
  }
}
customElements.define('copy-text', CopyText)
