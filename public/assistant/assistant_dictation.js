// @ts-check
// Writes what somebody says into the message, where the browser turns speech into text.

/**
 * Shows the button for speaking where the browser has it.
 * @param {HTMLElement} root
 * @param {HTMLTextAreaElement} text
 */
export function enableDictation(root, text) {
  const Recognition = Reflect.get(window, 'SpeechRecognition') ?? Reflect.get(window, 'webkitSpeechRecognition')
  const button = root.querySelector('#ask-speak')
  if (typeof Recognition !== 'function' || !(button instanceof HTMLButtonElement)) return
  button.hidden = false
  /** @type {{ stop(): void } | null} */
  let listening = null

  button.addEventListener('click', () => {
    if (listening !== null) return listening.stop()
    const recognition = new Recognition()
    recognition.lang = document.documentElement.lang === 'es' ? 'es-US' : 'en-US'
    recognition.interimResults = true
    recognition.continuous = true
    const before = text.value === '' ? '' : `${text.value.trimEnd()} `
    recognition.addEventListener(
      'result',
      (/** @type {{ results: Iterable<Iterable<{ transcript: string }>> }} */ { results }) => {
        text.value = before + [...results].map(([best]) => best?.transcript ?? '').join('')
      },
    )
    recognition.addEventListener('end', end)
    recognition.addEventListener('error', end)
    button.setAttribute('aria-pressed', 'true')
    listening = recognition
    recognition.start()
  })

  function end() {
    listening = null
    button?.setAttribute('aria-pressed', 'false')
    text.focus()
  }
}
