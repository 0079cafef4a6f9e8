// @ts-check
// Prints the page. Without script the browser's own menu does it.
class PrintButton extends HTMLElement {
  connectedCallback() {
    const button = document.createElement('button')
    button.className = 'button main'
    button.textContent = 'Print or save as PDF'
    button.addEventListener('click', () => print())
    this.replaceChildren(button)
  }
}
customElements.define('print-button', PrintButton)
