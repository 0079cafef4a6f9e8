// @ts-check
// Copies a text that is shown once. Without script it is selected by hand.
class CopyText extends HTMLElement {
  connectedCallback() {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button main'
    button.textContent = this.getAttribute('label')
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(this.querySelector('code')?.textContent ?? '')
      button.textContent = this.getAttribute('done')
    })
    this.append(' ', button)
  }
}
customElements.define('copy-text', CopyText)
