// @ts-check
// Does the proof of work that holds a time, so that nobody has to solve a puzzle. Without script a code confirms it.

const BITS = 16
/** Milliseconds of work before the page is drawn again. */
const SLICE_MS = 24

/** Constants of SHA-256: fractional parts of the roots of the first primes. */
const INITIAL = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]
// oxfmt-ignore
const ROUND = Uint32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
)
const WORDS = new Uint32Array(64)

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form[data-proof]')))
  prove(form)

/** @param {HTMLFormElement} form */
function prove(form) {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('proof'))
  const hash = hasher(`${form.dataset['proof'] ?? ''}:`)
  /** @type {HTMLElement | null} */
  let submitter = null
  let nonce = 0

  form.addEventListener('submit', (event) => {
    if (field.value !== '') return
    event.preventDefault()
    event.stopPropagation()
    submitter = /** @type {SubmitEvent} */ (event).submitter
    form.querySelector('[data-wait]')?.removeAttribute('hidden')
  })

  function work() {
    const end = performance.now() + SLICE_MS
    while (performance.now() < end)
      for (let i = 0; i < 200; i++, nonce++)
        if (hash(String(nonce)) >>> (32 - BITS) === 0) {
          field.value = String(nonce)
          if (submitter !== null) form.requestSubmit(submitter)
          return
        }
    setTimeout(work)
  }
  setTimeout(work)
}

/**
 * Returns a function that hashes a start and a short end by SHA-256 (FIPS 180-4), and returns the first 32 bits. What
 * fills whole blocks at the start is hashed once.
 * @param {string} start
 * @returns {(end: string) => number}
 */
function hasher(start) {
  const bytes = new TextEncoder().encode(start)
  const blockBytes = bytes.length - (bytes.length % 64)
  const first = Uint32Array.from(INITIAL)
  for (let at = 0; at < blockBytes; at += 64) compress(first, bytes.subarray(at, at + 64))
  const rest = bytes.subarray(blockBytes)
  return (end) => {
    const length = rest.length + end.length
    const last = new Uint8Array(length + 9 <= 64 ? 64 : 128)
    last.set(rest)
    for (let i = 0; i < end.length; i++) last[rest.length + i] = end.charCodeAt(i)
    last[length] = 0x80
    new DataView(last.buffer).setUint32(last.length - 4, (blockBytes + length) * 8)
    const state = Uint32Array.from(first)
    for (let at = 0; at < last.length; at += 64) compress(state, last.subarray(at, at + 64))
    return state[0] ?? 0
  }
}

/**
 * @param {Uint32Array} state
 * @param {Uint8Array} block
 */
function compress(state, block) {
  const words = WORDS
  const view = new DataView(block.buffer, block.byteOffset, 64)
  for (let i = 0; i < 16; i++) words[i] = view.getUint32(i * 4)
  for (let i = 16; i < 64; i++) {
    const [a, b] = [at(words, i - 15), at(words, i - 2)]
    const s0 = rotateRight(a, 7) ^ rotateRight(a, 18) ^ (a >>> 3)
    const s1 = rotateRight(b, 17) ^ rotateRight(b, 19) ^ (b >>> 10)
    words[i] = at(words, i - 16) + s0 + at(words, i - 7) + s1
  }
  let [a, b, c, d, e, f, g, h] = /** @type {[number, number, number, number, number, number, number, number]} */ ([
    ...state,
  ])
  for (let i = 0; i < 64; i++) {
    const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(ROUND, i) + at(words, i)) | 0
    const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = at(state, i) + word))
}

/**
 * @param {Uint32Array} list
 * @param {number} i
 */
function at(list, i) {
  return list[i] ?? 0
}

/**
 * @param {number} word
 * @param {number} by
 */
function rotateRight(word, by) {
  return (word >>> by) | (word << (32 - by))
}
