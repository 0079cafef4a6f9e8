// @ts-check
// Makes and uses passkeys: a button with data-passkey asks for one, and sends its form with the answer.

const decodeBase64Url = (/** @type {string} */ text) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))
const encodeBase64Url = (/** @type {ArrayBuffer} */ buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
const decodeIds = (/** @type {{ id: string }[]} */ known = []) =>
  known.map((one) => ({ ...one, id: decodeBase64Url(one.id) }))

let autofill = new AbortController()

/** Answer to the last question. The next one waits for it: one cookie ties all of them to this browser. @type {Promise<unknown>} */
let pending = Promise.resolve()

/**
 * Gets the challenge from the server and the signature from the person's passkey. Returns what to send.
 * @param {Record<string, string>} query
 * @param {CredentialRequestOptions} credentialOptions
 */
async function requestPasskey(query, credentialOptions = {}) {
  const fetchOptions = () =>
    fetch('/passkeys/options', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(query),
    })
  const answer = await (pending = pending.then(fetchOptions, fetchOptions))
  if (!answer.ok) throw new Error((await answer.json()).error_description)
  const options = await answer.json()
  const challenge = decodeBase64Url(options.challenge)
  const { user, excludeCredentials, allowCredentials } = options
  const publicKey = user
    ? {
        ...options,
        challenge,
        user: { ...user, id: decodeBase64Url(user.id) },
        excludeCredentials: decodeIds(excludeCredentials),
      }
    : { ...options, challenge, allowCredentials: decodeIds(allowCredentials) }
  const credential = user
    ? await navigator.credentials.create({ publicKey })
    : await navigator.credentials.get({ ...credentialOptions, publicKey })
  const { id, type, response } = /** @type {any} */ (credential)
  /** @type {Record<string, unknown>} */
  const encoded = {}
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'])
    if (response[name] && (name !== 'authenticatorData' || !user)) encoded[name] = encodeBase64Url(response[name])
  if (user) encoded.transports = response.getTransports?.() ?? []
  return JSON.stringify({ id, rawId: id, type, response: encoded })
}

/** @param {HTMLFormElement} form @param {string} answer */
function send(form, answer) {
  const input = document.createElement('input')
  Object.assign(input, { type: 'hidden', name: 'passkey', value: answer })
  form.append(input)
  // What was typed before stands once on the page, in the form that works without a script.
  const typed = document.querySelector('input[name=typed]')
  if (typed && !form.contains(typed)) form.append(typed.cloneNode())
  form.submit()
}

/** @param {HTMLButtonElement} button */
async function handlePress(button) {
  const { passkey = '', failed = '' } = button.dataset
  const form = button.form
  if (!form) return
  const fields = /** @type {HTMLInputElement[]} */ ([...form.elements])
  if (fields.some((one) => one.type !== 'password' && !one.reportValidity())) return
  autofill.abort()
  button.disabled = true
  form.querySelector('[data-says]')?.remove()
  const valueOf = (/** @type {string} */ name) => fields.find((one) => one.name === name)?.value ?? ''
  try {
    const query = { for: passkey, name: valueOf('name'), invitation: valueOf('invitation'), link: valueOf('link') }
    send(form, await requestPasskey(query))
  } catch (error) {
    const message = document.createElement('p')
    Object.assign(message, { className: 'error', role: 'alert', textContent: failed })
    message.dataset.says = error instanceof Error ? error.name : ''
    button.after(message)
    button.disabled = false
  }
}

/** Offers passkeys in the browser's autofill. Renews its challenge before it expires. */
async function offerAutofill(/** @type {HTMLFormElement} */ form) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  for (;;) {
    autofill = new AbortController()
    const { signal } = autofill
    const renewTimer = setTimeout(() => autofill.abort('renewed'), 240_000)
    try {
      return send(form, await requestPasskey({ for: 'sign_in' }, { mediation: 'conditional', signal }))
    } catch {
      clearTimeout(renewTimer)
      if (signal.reason !== 'renewed') return
    }
  }
}

if ('PublicKeyCredential' in window)
  for (const button of document.querySelectorAll('button[data-passkey]')) {
    if (!(button instanceof HTMLButtonElement)) continue
    button.hidden = false
    button.addEventListener('click', () => handlePress(button))
    if (button.dataset.passkey === 'sign_in' && button.form && !document.querySelector('[role=alert]'))
      void offerAutofill(button.form)
  }
