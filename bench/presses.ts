import type { Browser, CDPSession, Page } from 'playwright-core'
import { startDemo, type DemoSite } from '../test/browser/harness/demo_site.ts'
import { SIZES, evaluateOn, launch } from '../test/browser/harness/launch.ts'

// Performs the most frequent actions on the demo company's pages and a technician's phone, and prints the milliseconds until
// each is painted. The goal is at most 100 on a processor four times slower than the reference. 0 means less than 16, which
// the browser doesn't report.

/** Maximum milliseconds from a press to what it paints, on a processor this many times slower than the usual one. */
const [MAX_MS, SLOWDOWN] = [100, 4]

/** Milliseconds of the calibration loop on the reference processor, and number of tries. */
const [REFERENCE_MS, COUNTS] = [45, 5]

const COUNT = `(() => {
  const begun = performance.now()
  let sum = 0
  for (let i = 0; i < 2e7; i++) sum = (sum * 31 + i) % 1000003
  return sum < 0 ? 0 : performance.now() - begun
})()`

/** Number of tries of a press, because other work of the machine delays some. */
const TRIES = 8

/** Keeps the longest time from an input to the paint after it (Event Timing API). */
const OBSERVE = `
  globalThis.pressed = 0
  new PerformanceObserver((list) => list.getEntries().forEach(({ interactionId, duration }) => {
    if (interactionId > 0) globalThis.pressed = Math.max(globalThis.pressed, duration)
  })).observe({ type: 'event', durationThreshold: 16 })`

/** Resolves with the longest time, once the press is painted and observed. */
const PRESSED = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(pressed), 50))))`

type Press = {
  page: string
  name: string
  before?(page: Page): Promise<unknown>
  press(page: Page): Promise<unknown>
  /** Selector of what the press shows, so that a press without effect doesn't count as fast. */
  shows?: string
}

const PALETTE = '.search.palette'

const main = (page: Page) => page.getByRole('main')
const key = (name: string) => (page: Page) => page.keyboard.press(name)

const PRESSES: readonly Press[] = [
  {
    page: '',
    name: 'opens New',
    press: (page) => page.getByRole('button', { name: 'New', exact: true }).click(),
    shows: '#makes:popover-open',
  },
  {
    page: '',
    name: 'opens the palette again',
    before: async (page) => {
      await openPalette(page)
      await page.keyboard.press('Escape')
      await page.locator(PALETTE).waitFor({ state: 'hidden' })
    },
    press: key('Control+k'),
    shows: PALETTE,
  },
  { page: '', name: 'types in the palette', before: (page) => openPalette(page), press: key('j') },
  { page: 'customers', name: 'selects all', press: (page) => page.locator('.mark-all').check(), shows: '.bulk-bar' },
  {
    page: 'jobs',
    name: 'opens the filters',
    press: (page) => page.locator('.filters summary').first().click(),
    shows: '.filter-fields',
  },
  {
    page: 'customers/{customer}',
    name: 'opens More',
    press: (page) => page.locator('.page-head .more > summary').click(),
    shows: '.page-head .more[open]',
  },
  {
    page: 'customers/{customer}',
    name: 'types a note',
    before: (page) => page.getByLabel('Write a note').focus(),
    press: key('n'),
  },
  { page: 'quotes/new?customer_id={customer}', name: 'types a title', press: key('t') },
  {
    page: 'quotes/new?customer_id={customer}',
    name: 'adds a line',
    press: (page) => page.getByRole('button', { name: 'Add line' }).click(),
    shows: '.line + .line',
  },
  { page: 'calls/new', name: 'types a number', press: key('5') },
  { page: 'calls/new', name: 'chooses a kind', press: (page) => page.locator('.kinds label').first().click() },
  { page: 'schedule', name: 'picks up a visit', before: (page) => focusVisit(page), press: key('m'), shows: '.ghost' },
  {
    page: 'schedule',
    name: 'moves a visit',
    before: async (page) => {
      await focusVisit(page)
      await page.keyboard.press('m')
    },
    press: key('ArrowDown'),
  },
  {
    page: 'schedule?view=week',
    name: 'picks up a visit',
    before: (page) => focusVisit(page),
    press: key('m'),
    shows: '.ghost',
  },
  {
    page: 'schedule?view=month',
    name: 'picks up a visit',
    before: (page) => focusVisit(page),
    press: key('m'),
    shows: '.ghost',
  },
  {
    page: 'messages/with/{customer}',
    name: 'types an answer',
    before: (page) => main(page).getByLabel('Message').focus(),
    press: key('a'),
  },
]

/** The palette's script is loaded with its first use. */
async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.locator(PALETTE).waitFor()
}

const focusVisit = (page: Page): Promise<void> =>
  page.locator('main.alive .visit.scheduled:not([data-fixed], .held) a').first().focus()

/** A page, and the session by which its processor is slowed down for as long as it is open. */
type Measured = { page: Page; session: CDPSession }

const attachSession = async (page: Page): Promise<Measured> => ({
  page,
  session: await page.context().newCDPSession(page),
})

const site: DemoSite = await startDemo()
const browser: Browser = await launch('whole')
try {
  const took = { ...(await pressAtDesk()), ...(await pressOnPhone()) }
  console.table(took)
  const late = Object.entries(took).filter(([, ms]) => ms > MAX_MS)
  console.log(
    late.length === 0
      ? `All within ${MAX_MS} ms`
      : `Slower than ${MAX_MS} ms: ${late.map(([name]) => name).join(', ')}`,
  )
} finally {
  await browser.close()
  await site.stop()
}

async function pressAtDesk(): Promise<Record<string, number>> {
  const opened = await site.atWork(browser, 'dana', { viewport: { width: 1366, height: 768 } })
  const { rows } = await site.call('customers_search', { query: 'June Whitaker' })
  const one = await attachSession(opened.page)
  const took: Record<string, number> = {}
  for (const { page: path, name, ...how } of PRESSES) {
    const address = site.baseUrl + site.path(path.replace('{customer}', String(rows[0].id)))
    took[`${path.replace('/{customer}', '')} ${name}`.trim()] = await measure(one, address.replace(/\/$/, ''), how)
  }
  await opened.close()
  return took
}

async function pressOnPhone(): Promise<Record<string, number>> {
  const opened = await site.atWork(browser, 'luis', { viewport: SIZES.phone, hasTouch: true })
  const address = `${site.baseUrl}/field/${site.demo.tenant.id}/`
  const isHere = (page: Page): Promise<void> => page.locator('.field-state.sent').waitFor()
  const openVisit = (page: Page): Promise<void> => page.locator('.field-next .field-card').click()
  const one = await attachSession(opened.page)
  const took = {
    'phone opens a visit': await measure(one, address, { before: isHere, press: openVisit, shows: '#do-note' }),
    'phone begins a note': await measure(one, address, {
      before: async (page) => {
        await isHere(page)
        await openVisit(page)
      },
      press: (page) => page.locator('#do-note').click(),
      shows: '#sheet[open]',
    }),
  }
  await opened.close()
  return took
}

/**
 * Slows the page's processor down: by less where it is slower than the usual one already, or shared with other work.
 * Returns how many times longer a press may take where it is slower still.
 */
async function slowDown(page: Page, session: CDPSession): Promise<number> {
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.goto('about:blank')
  const took: number[] = []
  for (let counts = 0; counts < COUNTS; counts++) took.push(Number(await page.evaluate(COUNT)))
  const times = took.sort((a, b) => a - b)[(COUNTS - 1) / 2]! / REFERENCE_MS
  await session.send('Emulation.setCPUThrottlingRate', { rate: Math.max(1, SLOWDOWN / times) })
  return Math.max(1, times / SLOWDOWN)
}

/**
 * Measures a press on a page that is loaded anew for each try, until one is quick. Returns the milliseconds of the
 * quickest, as on a processor that is slower by the number that is meant.
 */
async function measure({ page, session }: Measured, address: string, how: Omit<Press, 'page' | 'name'>) {
  const { before, press, shows } = how
  let best = Infinity
  for (let tries = 0; tries < TRIES && best > MAX_MS; tries++) {
    const times = await slowDown(page, session)
    await page.goto(address)
    await page.waitForLoadState()
    await before?.(page)
    await evaluateOn(page, OBSERVE)
    await press(page)
    best = Math.min(best, Math.round(Number(await evaluateOn(page, PRESSED)) / times))
    if (shows !== undefined) await page.locator(shows).waitFor()
  }
  return best
}
