// @ts-check
// Takes a signature drawn with a finger, a pen or a mouse. Without script the typed name counts alone.

const [WIDTH, HEIGHT] = [600, 200]
/** Maximum points of a signature, to stay below the server's limit. */
const MAX_POINTS = 1_800

class SignaturePad extends HTMLElement {
  /** @type {string[]} */
  #points = []
  #isDown = false

  connectedCallback() {
    const board = /** @type {SVGSVGElement} */ (this.querySelector('svg'))
    board.addEventListener('pointerdown', (event) => {
      if (!event.isPrimary) return
      event.preventDefault()
      board.setPointerCapture(event.pointerId)
      this.#isDown = true
      this.#add('M', event, board)
    })
    board.addEventListener('pointermove', (event) => {
      if (!this.#isDown || !event.isPrimary) return
      for (const one of event.getCoalescedEvents?.() ?? [event]) this.#add('L', one, board)
    })
    for (const end of ['pointerup', 'pointercancel']) board.addEventListener(end, () => (this.#isDown = false))
    this.querySelector('button')?.addEventListener('click', () => {
      this.#points = []
      this.#draw()
    })
    this.hidden = false
  }

  /**
   * @param {'M' | 'L'} step
   * @param {PointerEvent} event
   * @param {SVGSVGElement} board
   */
  #add(step, event, board) {
    const { left, top, width, height } = board.getBoundingClientRect()
    const scale = (/** @type {number} */ share, /** @type {number} */ max) =>
      Math.round(Math.min(Math.max(share, 0), 1) * max)
    const point = `${scale((event.clientX - left) / width, WIDTH)} ${scale((event.clientY - top) / height, HEIGHT)}`
    if (this.#points.length >= MAX_POINTS || (step === 'L' && this.#points.at(-1)?.slice(1) === point)) return
    this.#points.push(step + point)
    this.#draw()
  }

  #draw() {
    const path = this.#points.join('')
    this.querySelector('path')?.setAttribute('d', path)
    const input = this.querySelector('input')
    if (input !== null) input.value = path
  }
}
customElements.define('signature-pad', SignaturePad)
