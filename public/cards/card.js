// @ts-check
// A card inside of an assistant's window: it asks the host for a result of a tool and draws its values. It loads nothing.

const { card = '', zone = 'UTC', country = 'US' } = document.documentElement.dataset
const locale = `en-${country}`
const main = /** @type {HTMLElement} */ (document.querySelector('main'))
let mayOpenLinks = false

/** @type {Map<number, (result: any) => void>} */
const asked = new Map()
let lastId = 0

/** @param {object} message */
const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')

/** @param {string} method @param {object} params @returns {Promise<any>} */
const request = (method, params) =>
  new Promise((resolve) => {
    lastId += 1
    asked.set(lastId, resolve)
    post({ id: lastId, method, params })
  })

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return
  if (data.method === undefined) {
    asked.get(data.id)?.(data.result)
    asked.delete(data.id)
  } else if (data.method === 'ui/notifications/tool-result') show(data.params)
  else if (data.method === 'ui/notifications/host-context-changed') dress(data.params)
  else if (data.id !== undefined) {
    const isKnown = data.method === 'ping' || data.method === 'ui/resource-teardown'
    post({ id: data.id, ...(isKnown ? { result: {} } : { error: { code: -32601, message: 'Method not found' } }) })
  }
})

/** @param {{ theme?: string } | undefined} context */
function dress(context) {
  if (context?.theme === 'light' || context?.theme === 'dark') document.documentElement.dataset['theme'] = context.theme
}

/** @param {{ content?: { type: string, text?: string }[], isError?: boolean, _meta?: Record<string, any> }} result */
function show({ content = [], isError = false, _meta = {} }) {
  const text = content.find(({ type }) => type === 'text')?.text ?? ''
  const waits = _meta['callout/approval']
  try {
    const drawn = waits ? approvalOf(waits) : isError ? [made('p', text, 'warning')] : drawing(JSON.parse(text))
    main.replaceChildren(...drawn)
  } catch {
    main.replaceChildren(made('p', 'This result has no card.', 'soft'))
  }
}

/** @type {Record<string, (result: any) => Node[]>} */
const DRAWINGS = { day: dayOf, approval: doneOf }

/** @param {any} result @returns {Node[]} */
const drawing = (result) => (DRAWINGS[card] ?? documentOf)(result)

/**
 * @param {string} name
 * @param {string | Node[]} content
 * @param {string} [className]
 */
function made(name, content, className) {
  const element = document.createElement(name)
  if (typeof content === 'string') element.textContent = content
  else element.append(...content)
  if (className !== undefined) element.className = className
  return element
}

/** Status names that differ from the text people see. @type {Record<string, string>} */
const STATES = { cancelled: 'canceled', en_route: 'on the way', partially_paid: 'partly paid' }

/** @param {string} name @param {boolean} [isLate] */
const state = (name, isLate = false) =>
  made('span', STATES[name] ?? name.replaceAll('_', ' '), isLate ? 'state late' : 'state')

/** @param {string} instant @param {Intl.DateTimeFormatOptions} how */
const said = (instant, how) => new Intl.DateTimeFormat(locale, { timeZone: zone, ...how }).format(new Date(instant))

/** @param {string} day */
const daySaid = (day) =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' }).format(new Date(`${day}T00:00:00Z`))

/** Draws what waits for approval, from what to what; a person decides on its page, never here. @param {any} waits @returns {Node[]} */
function approvalOf({ title, name, customer, is_new: isNew, rows, more, others, total_cents: total, ...waits }) {
  const whose = [name, customer === name ? null : customer].filter(Boolean).join(' · ')
  return [
    made('header', [made('h1', title), made('span', 'waits for approval', 'state late')]),
    ...(whose === '' ? [] : [made('p', whose)]),
    changesOf(rows, isNew),
    ...(more === 0 ? [] : [made('p', `and ${more} more`, 'soft')]),
    ...others.flatMap((/** @type {any} */ other) => [made('p', other.kind), changesOf(other.rows, false)]),
    ...(waits.more_others === 0 ? [] : [made('p', `and ${waits.more_others} more records`, 'soft')]),
    ...(total === null ? [] : [made('p', [made('strong', `Total ${moneyIn(waits.currency)(total)}`)])]),
    ...waits.warnings.map((/** @type {string} */ warning) => made('p', warning, 'warning')),
    made('p', `Nothing is done until a person approves it: ${waits.url}`, 'soft'),
    ...(mayOpenLinks ? [linkTo(waits.url, 'Open the page to decide')] : []),
  ]
}

/** Draws the fields of one record. @param {any[]} rows @param {boolean} isNew */
const changesOf = (rows, isNew) =>
  made(
    'dl',
    rows.map(({ label, before, after }) => {
      const was = isNew || before === '' ? [] : [made('del', before), made('span', ' → ')]
      return made('div', [made('dt', label), made('dd', [...was, made('ins', after === '' ? 'nothing' : after)])])
    }),
  )

/** Draws a change that waited no longer. @param {any} result @returns {Node[]} */
function doneOf({ display_number: number, display_name: called, title, name, url }) {
  const what = [number, called ?? title ?? name].filter(Boolean).join(' · ')
  return [
    made('header', [made('h1', 'Done'), ...(what === '' ? [] : [made('span', what)])]),
    ...(url !== undefined && mayOpenLinks ? [linkTo(url)] : []),
  ]
}

/** Draws a list of jobs by day. @param {any} result @returns {Node[]} */
function dayOf({ rows, hasMore }) {
  if (rows.length === 0) return [made('p', 'Nothing is scheduled.', 'soft')]
  /** @type {Map<string, any[]>} */
  const inTime = rows.toSorted((/** @type {any} */ a, /** @type {any} */ b) => startOf(a) - startOf(b))
  const days = Map.groupBy(inTime, (/** @type {any} */ { scheduled_start: at }) =>
    at === undefined ? 'Not scheduled' : said(at, { weekday: 'long', month: 'short', day: 'numeric' }),
  )
  return [
    made('header', [made('h1', 'Visits')]),
    ...[...days].flatMap(([day, visits]) => [made('h2', day), made('ul', visits.map(visitOf))]),
    ...(hasMore ? [made('p', 'There are more.', 'soft')] : []),
  ]
}

/** @param {{ scheduled_start?: string }} visit */
const startOf = ({ scheduled_start: at }) => (at === undefined ? Number.MAX_VALUE : Date.parse(at))

/** @param {any} visit */
function visitOf({
  title,
  customer_name,
  location_address,
  scheduled_start,
  scheduled_end,
  all_day,
  assignees,
  status,
}) {
  const clock = /** @type {const} */ ({ timeStyle: 'short' })
  const time =
    scheduled_start === undefined || all_day
      ? 'Any time'
      : `${said(scheduled_start, clock)} – ${said(scheduled_end, clock)}`
  const who = assignees.map((/** @type {any} */ { name }) => name).join(', ') || 'Unassigned'
  return made('li', [
    made('span', time),
    made('div', [
      made('strong', title),
      made('p', [customer_name, location_address].filter(Boolean).join(' · '), 'soft'),
      made('p', who, 'soft'),
    ]),
    made('div', [state(status)]),
  ])
}

/** Draws a quote or an invoice. @param {any} record @returns {Node[]} */
function documentOf(record) {
  const isInvoice = card === 'invoice'
  const money = moneyIn(record.currency)
  const named = isInvoice ? record.subject : record.title
  const day = isInvoice ? `Due ${daySaid(record.due_date)}` : `Valid until ${daySaid(record.valid_until)}`
  return [
    made('header', [
      made('h1', `${isInvoice ? 'Invoice' : 'Quote'} ${record.display_number}`),
      state(record.is_overdue ? 'overdue' : record.status, record.is_overdue),
    ]),
    made('p', [record.customer_name, named].filter(Boolean).join(' · ')),
    made('p', day, 'soft'),
    ...(record.line_items.length === 0 ? [made('p', 'No line items yet.', 'soft')] : []),
    linesOf(record, money),
    ...(record.warnings ?? []).map((/** @type {string} */ warning) => made('p', warning, 'warning')),
    ...(record.url === undefined || !mayOpenLinks ? [] : [linkTo(record.url)]),
  ]
}

/** @param {string} currency */
function moneyIn(currency) {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return (/** @type {number} */ cents) => format.format(cents / 10 ** digits)
}

/** @param {any} record @param {(cents: number) => string} money */
function linesOf(record, money) {
  /** @param {string[]} cells @param {string} [className] */
  const row = (cells, className) =>
    made(
      'tr',
      cells.map((cell) => made('td', cell)),
      className,
    )
  const head = made(
    'tr',
    ['Item', 'Quantity', 'Amount'].map((label) => made('th', label)),
  )
  const sums = [
    ['Discount', -record.discount_cents],
    ...record.taxes.map((/** @type {any} */ { name, tax_cents }) => [name, tax_cents]),
    ['Paid', -(record.amount_paid_cents ?? 0)],
  ].filter(([, cents]) => cents !== 0 && !Object.is(cents, -0))
  const due = record.balance_due_cents ?? record.total_cents
  return made('table', [
    ...(record.line_items.length === 0 ? [] : [made('thead', [head])]),
    made('tbody', [
      ...record.line_items.map((/** @type {any} */ { name, quantity, line_total_cents }) =>
        row([name, quantity === null ? '' : String(quantity), money(line_total_cents)]),
      ),
      ...sums.filter(([label]) => label !== 'Paid').map(([label, cents]) => row([label, '', money(cents)])),
      row(['Total', '', money(record.total_cents)], 'total'),
      ...(due === record.total_cents
        ? []
        : [
            ...sums.filter(([label]) => label === 'Paid').map(([label, cents]) => row([label, '', money(cents)])),
            row(['Owed', '', money(due)], 'total'),
          ]),
    ]),
  ])
}

/** @param {string} url @param {string} [label] */
function linkTo(url, label = 'Open') {
  const button = made('button', label)
  button.addEventListener('click', () => void request('ui/open-link', { url }))
  return button
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
  dress(hostContext)
  mayOpenLinks = hostCapabilities?.openLinks !== undefined
  post({ method: 'ui/notifications/initialized', params: {} })
}

void begin()
