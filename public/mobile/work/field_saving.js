// @ts-check
// Saves what waits as one file for the office, which any browser shows: in words, with photos and signatures, and as it would
// be sent. It is the way of whoever can't send any more.

import { phone, stoppedEvents, waitingEvents } from './field_phone.js'
import { get } from './field_store.js'
import { eventTimeText, eventText } from '../views/field_waiting.js'
import { el, say } from '../views/field_words.js'

/** @typedef {import('./field_phone.js').StoredEvent} StoredEvent*/

/** Maximum bytes of all photos in the file. */
const MAX_PHOTO_BYTES = 60 * 2 ** 20

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem}li{margin:1rem 0}img,svg{display:block;max-width:100%;margin-top:.5rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}'
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

/** Saves the acts in their order, each with what belongs to it. */
export async function saveFile() {
  const events = [...phone.events].filter(
    (stored) => stoppedEvents().includes(stored) || waitingEvents().includes(stored),
  )
  const lines = []
  let remainingBytes = MAX_PHOTO_BYTES
  for (const stored of events) {
    const photo = stored.act.kind === 'photo' ? await readPhoto(stored, remainingBytes) : null
    remainingBytes -= photo?.size ?? 0
    lines.push(await renderEvent(stored, photo))
  }
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob(await renderFile(events, lines), { type: 'text/html;charset=utf-8' }))
  link.download = 'callout-waiting.html'
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/**
 * @param {readonly StoredEvent[]} events
 * @param {readonly string[]} lines
 */
async function renderFile(events, lines) {
  const { company: id, person } = phone
  const { name = '' } = (await get('people', id)) ?? {}
  const title = say('not_sent', person?.name ?? '')
  const sent = { company: { id, name }, person, acts: events.map(({ act }) => act) }
  const head = [
    el('meta', { charset: 'utf-8' }),
    el('meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }),
    el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    el('title', {}, title),
    el('style', {}, STYLE),
    el('h1', {}, title),
    el('p', {}, name),
  ]
  const details = el('details', {}, el('summary', {}, say('as_sent')), el('pre', {}, JSON.stringify(sent, null, 2)))
  const { lang } = document.documentElement
  return [
    `<!doctype html><html lang="${lang}">`,
    ...head.map(({ outerHTML }) => outerHTML),
    '<ol>',
    ...lines,
    '</ol>',
    details.outerHTML,
  ]
}

/**
 * Draws an act with its photo or its signature.
 * @param {StoredEvent} stored
 * @param {Blob | null} photo
 */
async function renderEvent(stored, photo) {
  const { act } = stored
  const line = el('li', {}, el('b', {}, eventText(stored)), ` · ${stored.title} · ${eventTimeText(stored)}`)
  if (act.kind === 'note') line.append(el('p', {}, act['body']))
  if (act['drawing'] !== undefined) line.append(signatureSvg(act['drawing']))
  if (act.kind === 'photo' && photo === null) line.append(el('p', {}, say('photo_gone')))
  // As text, so that the page itself doesn't load the picture.
  const text = line.outerHTML
  return photo === null ? text : text.replace(/<\/li>$/, `<img alt="" src="${await toDataUrl(photo)}"></li>`)
}

/**
 * Returns the photo of an act, unless it is gone or has no room in the file.
 * @param {StoredEvent} kept
 * @param {number} remainingBytes
 * @returns {Promise<Blob | null>}
 */
async function readPhoto({ act }, remainingBytes) {
  const stored = await get('photos', act.id)
  return stored !== undefined && stored.photo.size <= remainingBytes ? stored.photo : null
}

/**
 * @param {Blob} photo
 * @returns {Promise<string>}
 */
const toDataUrl = (photo) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(/** @type {string} */ (reader.result)))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(photo)
  })

const SVG = 'http://www.w3.org/2000/svg'

/** @param {string} drawing */
function signatureSvg(drawing) {
  const svg = document.createElementNS(SVG, 'svg')
  const path = svg.appendChild(document.createElementNS(SVG, 'path'))
  for (const [name, value] of [
    ['viewBox', '0 0 600 200'],
    ['width', '300'],
  ])
    svg.setAttribute(/** @type {string} */ (name), /** @type {string} */ (value))
  for (const [name, value] of [
    ['d', drawing],
    ['fill', 'none'],
    ['stroke', 'currentColor'],
    ['stroke-width', '3'],
  ])
    path.setAttribute(/** @type {string} */ (name), /** @type {string} */ (value))
  return svg
}
