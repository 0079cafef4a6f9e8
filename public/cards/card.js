// @ts-check
// A card inside of an assistant's window: it asks the host for a result of a tool and shows what the service drew of
// it, where all text is escaped and the policy of the page lets no other script run. It loads nothing.

const { card = '' } = document.documentElement.dataset
const main = /** @type {HTMLElement} */ (document.querySelector('main'))
let mayOpenLinks = false

/** @type {Map<number, (result: any) => void>} */
const pendingRequests = new Map()
let lastId = 0

/** @param {object} message */
const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')

/** @param {string} method @param {object} params @returns {Promise<any>} */
const request = (method, params) =>
  new Promise((resolve) => {
    lastId += 1
    pendingRequests.set(lastId, resolve)
    post({ id: lastId, method, params })
  })

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return
  if (data.method === undefined) {
    pendingRequests.get(data.id)?.(data.result)
    pendingRequests.delete(data.id)
  } else if (data.method === 'ui/notifications/tool-result') show(data.params)
  else if (data.method === 'ui/notifications/host-context-changed') applyTheme(data.params)
  else if (data.id !== undefined) {
    const isKnown = data.method === 'ping' || data.method === 'ui/resource-teardown'
    post({ id: data.id, ...(isKnown ? { result: {} } : { error: { code: -32601, message: 'Method not found' } }) })
  }
})

/** @param {{ theme?: string } | undefined} context */
function applyTheme(context) {
  if (context?.theme === 'light' || context?.theme === 'dark') document.documentElement.dataset['theme'] = context.theme
}

/** @param {{ content?: { type: string, text?: string }[], isError?: boolean, _meta?: Record<string, any> }} result */
function show({ content = [], isError = false, _meta = {} }) {
  const text = content.find(({ type }) => type === 'text')?.text ?? ''
  const cardHtml = _meta['callout/card']
  const page = _meta['callout/approval']?.url ?? (isError ? undefined : readUrl(text))
  main.replaceChildren()
  if (typeof cardHtml === 'string') main.innerHTML = cardHtml
  else if (isError) add('p', text, 'warning')
  else add('p', 'This result has no card.', 'soft')
  if (page === undefined || !mayOpenLinks) return
  const isOpen = _meta['callout/approval'] !== undefined
  add('button', isOpen ? 'Open the page to decide' : 'Open').addEventListener(
    'click',
    () => void request('ui/open-link', { url: page }),
  )
}

/** Returns the page of a record, as the result of its tool names it. @param {string} text */
function readUrl(text) {
  try {
    return JSON.parse(text).url
  } catch {
    return undefined
  }
}

/** @param {string} name @param {string} text @param {string} [className] */
function add(name, text, className = '') {
  const element = document.createElement(name)
  element.textContent = text
  element.className = className
  main.append(element)
  return element
}

new ResizeObserver(() => {
  const { width, height } = document.documentElement.getBoundingClientRect()
  post({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height: Math.ceil(height) } })
}).observe(document.documentElement)

async function begin() {
  const { hostContext, hostCapabilities } = await request('ui/initialize', {
    appInfo: { name: `callout-${card}`, version: '1' },
    appCapabilities: { availableDisplayModes: ['inline'] },
    protocolVersion: '2026-01-26',
  })
  applyTheme(hostContext)
  mayOpenLinks = hostCapabilities?.openLinks !== undefined
  post({ method: 'ui/notifications/initialized', params: {} })
}

void begin()
