// @ts-check
// Makes and uses passkeys: a button with data-passkey asks for one, and sends its form with the answer.

const bytes = (/** @type {string} */ text) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))
const text = (/** @type {ArrayBuffer} */ buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
const listed = (/** @type {{ id: string }[]} */ known = []) => known.map((one) => ({ ...one, id: bytes(one.id) }))

let autofill = new AbortController()

/** Answer to the last question. The next one waits for it: one cookie ties all of them to this browser. @type {Promise<unknown>} */
let asking = Promise.resolve()

/**
 * Gets the challenge from the server and the signature from the person's passkey. Returns what to send.
 * @param {Record<string, string>} asked
 * @param {CredentialRequestOptions} how
 */
async function answerTo(asked, how = {}) {
  const fetchOptions = () =>
    fetch('/passkeys/options', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(asked),
    })
  const answer = await (asking = asking.then(fetchOptions, fetchOptions))
  if (!answer.ok) throw new Error((await answer.json()).error_description)
  const options = await answer.json()
  const challenge = bytes(options.challenge)
  const { user, excludeCredentials, allowCredentials } = options
  const publicKey = user
    ? { ...options, challenge, user: { ...user, id: bytes(user.id) }, excludeCredentials: listed(excludeCredentials) }
    : { ...options, challenge, allowCredentials: listed(allowCredentials) }
  const made = user
    ? await navigator.credentials.create({ publicKey })
    : await navigator.credentials.get({ ...how, publicKey })
  const { id, type, response } = /** @type {any} */ (made)
  /** @type {Record<string, unknown>} */
  const said = {}
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'])
    if (response[name] && (name !== 'authenticatorData' || !user)) said[name] = text(response[name])
  if (user) said.transports = response.getTransports?.() ?? []
  return JSON.stringify({ id, rawId: id, type, response: said })
}

/** @param {HTMLFormElement} form @param {string} sent */
function send(form, sent) {
  const input = document.createElement('input')
  Object.assign(input, { type: 'hidden', name: 'passkey', value: sent })
  form.append(input)
  // What was typed before stands once on the page, in the form that works without a script.
  const typed = document.querySelector('input[name=typed]')
  if (typed && !form.contains(typed)) form.append(typed.cloneNode())
  form.submit()
}

/** @param {HTMLButtonElement} button */
async function press(button) {
  const { passkey = '', failed = '' } = button.dataset
  const form = button.form
  if (!form) return
  const fields = /** @type {HTMLInputElement[]} */ ([...form.elements])
  if (fields.some((one) => one.type !== 'password' && !one.reportValidity())) return
  autofill.abort()
  button.disabled = true
  form.querySelector('[data-says]')?.remove()
  const typed = (/** @type {string} */ name) => fields.find((one) => one.name === name)?.value ?? ''
  try {
    const asked = { for: passkey, name: typed('name'), invitation: typed('invitation'), link: typed('link') }
    send(form, await answerTo(asked))
  } catch (error) {
    const says = document.createElement('p')
    Object.assign(says, { className: 'error', role: 'alert', textContent: failed })
    says.dataset.says = error instanceof Error ? error.name : ''
    button.after(says)
    button.disabled = false
  }
}

/** Offers passkeys in the browser's autofill. Renews its challenge before it expires. */
async function offer(/** @type {HTMLFormElement} */ form) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  for (;;) {
    autofill = new AbortController()
    const { signal } = autofill
    const renewed = setTimeout(() => autofill.abort('renewed'), 240_000)
    try {
      return send(form, await answerTo({ for: 'sign_in' }, { mediation: 'conditional', signal }))
    } catch {
      clearTimeout(renewed)
      if (signal.reason !== 'renewed') return
    }
  }
}

if ('PublicKeyCredential' in window)
  for (const button of document.querySelectorAll('button[data-passkey]')) {
    if (!(button instanceof HTMLButtonElement)) continue
    button.hidden = false
    button.addEventListener('click', () => press(button))
    if (button.dataset.passkey === 'sign_in' && button.form && !document.querySelector('[role=alert]'))
      void offer(button.form)
  }
