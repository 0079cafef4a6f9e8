// @ts-check
// Talks to the assistant without leaving the page: in the panel beside every page, and on its own page. Without this
// script the same form sends the message and shows the whole conversation.

import { followPicks } from './proposals.js'
import { enableDictation } from './assistant_dictation.js'
import { readEvents } from './assistant_events.js'
import { isAtEnd, showEnd } from './assistant_scroll.js'
import { bodyOf, showUndo } from './assistant_undo.js'

/** Name under which this tab keeps which conversation its panel shows; an empty text is a new one. */
const OPEN_KEY = 'callout-assistant'

/**
 * Opens or closes the panel.
 * @param {HTMLAnchorElement} link
 */
export async function toggle(link) {
  const open = document.getElementById('assistant')
  if (open === null) return openPanel(link)
  if (open.localName === 'aside') return close(link)
  textAreaIn(open).focus()
}

/** Opens the panel where it was open on the page before. @param {HTMLAnchorElement} link */
export async function restore(link) {
  if (document.getElementById('assistant') === null) await openPanel(link, { takesFocus: false })
}

/**
 * @param {HTMLAnchorElement} link
 * @param {{ takesFocus?: boolean }} [options]
 */
async function openPanel(link, { takesFocus = true } = {}) {
  await addStyles(link)
  const panel = (await fetchPanel(link, sessionStorage.getItem(OPEN_KEY) ?? '')) ?? (await fetchPanel(link, ''))
  if (panel === null) return location.assign(link.href)
  const existing = document.getElementById('assistant')
  if (existing !== null) return takesFocus ? textAreaIn(existing).focus() : undefined
  document.body.append(panel)
  document.documentElement.classList.add('with-assistant')
  link.setAttribute('aria-expanded', 'true')
  rememberConversation(panel)
  enhance(panel, link)
  if (takesFocus) textAreaIn(panel).focus()
}

/** @param {HTMLAnchorElement} link */
function close(link) {
  document.getElementById('assistant')?.remove()
  document.documentElement.classList.remove('with-assistant')
  link.setAttribute('aria-expanded', 'false')
  sessionStorage.removeItem(OPEN_KEY)
  link.focus()
}

/**
 * @param {HTMLAnchorElement} link
 * @param {string} conversation
 */
async function fetchPanel(link, conversation) {
  const query = new URLSearchParams({ page: location.pathname, conversation })
  const response = await fetch(`${link.dataset['panel']}?${query}`, { headers: { accept: 'text/html' } })
  if (!response.ok || response.redirected) return null
  return new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('assistant')
}

/** Adds the styles of the panel, once. @param {HTMLAnchorElement} link */
function addStyles(link) {
  const missing = (link.dataset['styles'] ?? '')
    .split(' ')
    .filter((href) => document.querySelector(`link[href="${CSS.escape(href)}"]`) === null)
  return Promise.all(
    missing.map((href) => {
      const styles = document.createElement('link')
      styles.rel = 'stylesheet'
      styles.href = href
      document.head.append(styles)
      return new Promise((done) => {
        styles.addEventListener('load', done)
        styles.addEventListener('error', done)
      })
    }),
  )
}

/** @param {Element} root */
const textAreaIn = (root) => /** @type {HTMLTextAreaElement} */ (root.querySelector('#ask-text'))

/** @param {Element} root */
const talkIn = (root) => /** @type {HTMLElement} */ (root.querySelector('#talk'))

/** @param {Element} root */
function rememberConversation(root) {
  if (root.localName === 'aside') sessionStorage.setItem(OPEN_KEY, talkIn(root).dataset['conversation'] ?? '')
}

/**
 * Makes the form, the plans and the buttons of a conversation work in place.
 * @param {HTMLElement} root
 * @param {HTMLAnchorElement} [link]
 */
function enhance(root, link) {
  const form = /** @type {HTMLFormElement} */ (root.querySelector('#ask'))
  const text = textAreaIn(root)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(root, form)
  })
  text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    form.requestSubmit()
  })
  root.addEventListener('click', (event) => {
    const target =
      event.target instanceof Element ? event.target.closest('[data-ask], [data-close], [data-new], [data-undo]') : null
    if (!(target instanceof HTMLElement)) return
    if (target instanceof HTMLAnchorElement && 'undo' in target.dataset) {
      event.preventDefault()
      void showUndo(talkIn(root), target)
    }
    if ('ask' in target.dataset) {
      text.value = target.textContent ?? ''
      form.requestSubmit()
    }
    if (link !== undefined && 'close' in target.dataset) close(link)
    if (link !== undefined && 'new' in target.dataset) {
      event.preventDefault()
      root.remove()
      sessionStorage.setItem(OPEN_KEY, '')
      void openPanel(link)
    }
  })
  if (link !== undefined)
    root.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') close(link)
    })
  root.addEventListener('submit', (event) => {
    const form = event.target
    const plan = form instanceof HTMLFormElement && !('native' in form.dataset) ? form.closest('.plan') : null
    if (plan === null) return
    event.preventDefault()
    void decide(plan, /** @type {HTMLFormElement} */ (form), /** @type {SubmitEvent} */ (event).submitter)
  })
  followPicks(root)
  enableDictation(root, text)
  showEnd(root)
}

/**
 * Sends what is decided on a plan, and shows the plan as it then is; where that fails, the browser sends the form.
 * @param {Element} plan
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function decide(plan, form, submitter) {
  const body = bodyOf(form, submitter)
  const headers = { accept: 'text/html', 'x-part': 'plan' }
  const response = await fetch(form.action, { method: 'POST', body, headers }).catch(() => null)
  const fresh = response === null || response.redirected ? null : toNodes(await response.text()).querySelector('.plan')
  if (fresh === null) {
    form.dataset['native'] = ''
    form.removeAttribute('data-sent')
    return form.requestSubmit(submitter)
  }
  // The end of an answer draws the whole conversation anew.
  const shown = document.getElementById(plan.id) ?? plan
  shown.replaceWith(fresh)
  followPicks(fresh)
  if (fresh instanceof HTMLElement) {
    fresh.tabIndex = -1
    fresh.focus()
  }
}

/** @param {string} html */
function toNodes(html) {
  const template = document.createElement('template')
  template.innerHTML = html
  return template.content
}

/**
 * Sends a message, and shows the answer as it comes.
 * @param {HTMLElement} root
 * @param {HTMLFormElement} form
 */
async function send(root, form) {
  const [text, talk] = [textAreaIn(root), talkIn(root)]
  const message = text.value.trim()
  if (message === '' || talk.getAttribute('aria-busy') === 'true') return
  const body = bodyOf(form)
  const controller = new AbortController()
  const end = showPending(root, form, message, controller)
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      body,
      headers: { accept: 'text/event-stream' },
      signal: controller.signal,
    })
    if (response.body === null || !(response.headers.get('content-type') ?? '').startsWith('text/event-stream'))
      return end(await readProblem(response, form), message)
    const show = newAnswerView(root, form)
    for await (const { event, data } of readEvents(response.body)) show(event, data)
    end()
    if (talk.querySelector('.plan form') !== null) [...talk.querySelectorAll('.bubble.theirs')].at(-1)?.scrollIntoView()
  } catch {
    end(form.dataset[controller.signal.aborted ? 'stopped' : 'lost'] ?? '')
  }
}

/**
 * Shows the message and that the answer comes; returns what ends that.
 * @param {HTMLElement} root
 * @param {HTMLFormElement} form
 * @param {string} message
 * @param {AbortController} controller
 */
function showPending(root, form, message, controller) {
  const [text, talk] = [textAreaIn(root), talkIn(root)]
  const sendButton = /** @type {HTMLElement} */ (form.querySelector('#ask-send'))
  const stop = /** @type {HTMLElement} */ (form.querySelector('#ask-stop'))
  root.querySelector('.talk-empty')?.remove()
  root.querySelector('.ask-problem')?.remove()
  const ownBubble = addTo(talk, 'bubble mine', message)
  addTo(talk, 'bubble theirs waiting', '')
  talk.setAttribute('aria-busy', 'true')
  const hadFocus = form.contains(document.activeElement)
  sendButton.hidden = true
  stop.hidden = false
  const abort = () => controller.abort()
  stop.addEventListener('click', abort)
  text.value = ''
  showEnd(root)
  /** @param {string} [problem] @param {string} [unsent] */
  return (problem, unsent) => {
    const isFollowing = isAtEnd(root)
    talk.querySelector('.waiting')?.remove()
    talk.removeAttribute('aria-busy')
    stop.hidden = true
    stop.removeEventListener('click', abort)
    sendButton.hidden = false
    if (hadFocus) text.focus({ preventScroll: true })
    if (unsent !== undefined) {
      ownBubble.remove()
      if (text.value === '') text.value = unsent
    }
    if (problem !== undefined && problem !== '') addTo(talk, 'bubble-notice', problem)
    if (isFollowing) showEnd(root)
  }
}

/**
 * Returns what shows each event of an answer.
 * @param {HTMLElement} root
 * @param {HTMLFormElement} form
 */
function newAnswerView(root, form) {
  const talk = talkIn(root)
  /** @type {HTMLElement | null} */
  let liveBubble = null
  /** @type {Element[]} */
  let calls = []
  /** @param {string} event @param {Record<string, string>} data */
  return (event, data) => {
    if (event === 'conversation') return setConversation(root, form, data['path'] ?? '')
    const isFollowing = isAtEnd(root)
    talk.querySelector('.waiting')?.remove()
    if (event === 'text') {
      liveBubble ??= addTo(talk, 'bubble theirs live', '')
      liveBubble.append(data['delta'] ?? '')
    } else if (event === 'end') {
      const open = [...talk.querySelectorAll('.call-line')].map((line) => line.hasAttribute('open'))
      talk.replaceChildren(toNodes(data['html'] ?? ''))
      for (const [i, line] of talk.querySelectorAll('.call-line').entries()) line.toggleAttribute('open', open[i])
      followPicks(talk)
    } else {
      liveBubble?.remove()
      liveBubble = null
      if (data['role'] === 'tool') for (const call of calls) call.remove()
      const nodes = toNodes(data['html'] ?? '')
      calls = [...nodes.children]
      talk.append(nodes)
      if (data['role'] !== 'notice') addTo(talk, 'bubble theirs waiting', '')
    }
    if (isFollowing) showEnd(root)
  }
}

/**
 * @param {HTMLElement} root
 * @param {HTMLFormElement} form
 * @param {string} path
 */
function setConversation(root, form, path) {
  form.action = path
  talkIn(root).dataset['conversation'] = path.split('/').at(-1) ?? ''
  const fullPageLink = root.querySelector('[data-whole]')
  if (fullPageLink instanceof HTMLAnchorElement) fullPageLink.href = path
  if (root.localName === 'section') history.replaceState(null, '', path)
  rememberConversation(root)
}

/**
 * @param {Response} response
 * @param {HTMLFormElement} form
 */
async function readProblem(response, form) {
  const answer = await response.json().catch(() => ({}))
  return typeof answer.problem === 'string' ? answer.problem : (form.dataset['lost'] ?? '')
}

/**
 * @param {Element} talk
 * @param {string} className
 * @param {string} text
 */
function addTo(talk, className, text) {
  const part = document.createElement('div')
  part.className = className
  part.textContent = text
  talk.append(part)
  return part
}

const fullPage = document.querySelector('section#assistant')
if (fullPage instanceof HTMLElement) enhance(fullPage)
