// @ts-check
// Prints the page. Without script the browser's own menu does it.
class PrintButton extends HTMLElement {
  connectedCallback() {
    const button = document.createElement('button')
    button.className = 'button main'
    button.textContent = this.getAttribute('label')
    button.addEventListener('click', () => print())
    this.replaceChildren(button)
  }
}
customElements.define('print-button', PrintButton)
