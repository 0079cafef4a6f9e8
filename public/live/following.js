// @ts-check
// Follows work that takes longer: the page's own stream (src/web/follow_page.ts) brings how far it is and what came of
// it, in the place of what is there. Without script the page loads again by itself.

import { patch } from '../patch.js'
import { keepStreamOpen } from './stream.js'

const RELOAD_DELAY = 2_000
const notice = document.createElement('p')
notice.className = 'unseen'
notice.setAttribute('role', 'status')
document.body.append(notice)

/** @param {Document} page */
const isUnderWay = (page) => page.querySelector('main[data-follows]') !== null

const stream = keepStreamOpen(() => {
  if (!isUnderWay(document)) return null
  const source = new EventSource(location.pathname + location.search)
  source.addEventListener('page', ({ data }) => void show(JSON.parse(data)))
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), RELOAD_DELAY)
  })
  return source
})

/** @param {string} text */
async function show(text) {
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  const [main, newMain] = [document.getElementById('main'), fresh.getElementById('main')]
  if (main === null || newMain === null) return location.reload()
  if (isUnderWay(fresh)) return replace(main, newMain)
  stream.disconnect()
  await Promise.all(missing(fresh, 'link[rel="stylesheet"]', 'href').map(addStyle))
  document.title = fresh.title
  replace(main, newMain)
  notice.textContent = fresh.title
  for (const address of missing(fresh, 'script[src]', 'src')) {
    const script = document.createElement('script')
    Object.assign(script, { type: 'module', async: false, src: address })
    document.head.append(script)
  }
}

/** Makes a page's body the next one, below what a press was answered. @param {Element} main @param {Element} next */
function replace(main, next) {
  const answers = [...main.querySelectorAll('[data-stays]')]
  for (const answer of answers) answer.remove()
  patch(main, next)
  main.firstElementChild?.after(...answers)
}

/** Returns the addresses of files that the other page has and this one hasn't. @param {Document} fresh @param {string} what @param {string} name */
const missing = (fresh, what, name) =>
  [...fresh.querySelectorAll(what)]
    .map((one) => one.getAttribute(name) ?? '')
    .filter((address) => document.querySelector(`[${name}="${address}"]`) === null)

/** @param {string} address */
const addStyle = (address) =>
  new Promise((resolve) => {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'stylesheet', href: address, onload: resolve, onerror: resolve })
    document.head.append(link)
  })
