import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, it } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { screens } from '../../src/records/screens.ts'
import { problemsInBoth } from './harness/axe.ts'
import { crawl, type Crawled } from './harness/crawl.ts'
import { startDemo, type DemoSite } from './harness/demo_site.ts'
import { SIZES, evaluateOn, inBrowser, launch, until } from './harness/launch.ts'
import { BROKEN, CUT_LABELS, MOVING } from './harness/reading.ts'

const ACCESSIBLE = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

/** Number of tabs to check at the same time. */
const TABS = 2

/** Maximum transfer size of a page in bytes, including the styles that block rendering. */
const MAX_BYTES = 16_000

let site: DemoSite
let browser: Browser
let crawled: Crawled

/** Returns the bytes of a response as sent over TLS, and its encoding, before decompression. */
const travels = (address: string): Promise<{ bytes: Buffer; encoding: string | undefined }> =>
  new Promise((resolve, reject) => {
    const headers = { accept: 'text/html', 'accept-encoding': 'gzip, br', cookie: crawled.cookie }
    request(new URL(address, site.baseUrl), { headers }, (answer) => {
      const chunks: Buffer[] = []
      answer
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () => resolve({ bytes: Buffer.concat(chunks), encoding: answer.headers['content-encoding'] }))
    })
      .on('error', reject)
      .end()
  })

async function weightOf(address: string): Promise<number> {
  const { bytes, encoding } = await travels(address)
  assert.equal(encoding, 'br', address)
  const styles = [
    ...brotliDecompressSync(bytes)
      .toString()
      .matchAll(/<link rel="stylesheet" href="([^"]+)"/g),
  ]
  const weights = await Promise.all(styles.map(async ([, style]) => (await travels(style!)).bytes.length))
  return weights.reduce((sum, weight) => sum + weight, bytes.length)
}

/**
 * Cumulative layout shift of a page, 0 if nothing moved, and the last element that moved. By definition, shifts after
 * input or a resize don't count: a resize before the page was opened may arrive after it.
 */
const SHIFT = `new Promise((resolve) => {
  let [shift, moved] = [0, '']
  const observer = new PerformanceObserver((list) => {
    for (const { value, sources, hadRecentInput } of list.getEntries()) {
      if (hadRecentInput) continue
      shift += value
      moved = sources[0]?.node?.outerHTML?.slice(0, 80) ?? moved
    }
  })
  observer.observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve([shift, moved]))))
})`

/** Largest shift to ignore: a web font that arrives between the first layout and the first paint of text. */
const MAX_SHIFT = 0.005

async function shiftsOn(page: Page): Promise<string[]> {
  const [shift, moved] = (await evaluateOn(page, SHIFT)) as [number, string]
  return shift < MAX_SHIFT ? [] : [`shifts ${moved} by ${shift.toFixed(4)} at ${page.viewportSize()?.width}`]
}

/** Returns the elements that move on every load. On a busy machine, a late web font may move text once. */
async function steadyShiftsOn(page: Page): Promise<string[]> {
  const shifts = await shiftsOn(page)
  if (shifts.length === 0) return []
  await page.reload()
  return shiftsOn(page)
}

/** A laptop at 200% zoom, and a phone. */
const NARROW = [{ width: 640, height: 450 }, SIZES.phone]

async function problemsOn(page: Page, address: string): Promise<string[]> {
  await page.setViewportSize(SIZES.desktop)
  const status = (await page.goto(site.baseUrl + address))?.status()
  // Waits until a page that follows work in progress has finished.
  await until(page, `document.querySelector('main[data-follows]') === null`)
  const found = [
    ...(await steadyShiftsOn(page)),
    ...(await problemsInBoth(page, ACCESSIBLE)),
    ...((await evaluateOn(page, BROKEN)) as string[]),
    ...((await evaluateOn(page, MOVING)) as string[]),
  ]
  for (const size of NARROW) {
    await page.setViewportSize(size)
    found.push(...((await evaluateOn(page, BROKEN)) as string[]), ...((await evaluateOn(page, CUT_LABELS)) as string[]))
    const width = await evaluateOn(page, 'document.documentElement.scrollWidth')
    if (width !== size.width) found.push(`is ${String(width)} wide at ${size.width}`)
  }
  return [
    ...(status === 200 && page.url() === site.baseUrl + address ? [] : [`answers ${status} from ${page.url()}`]),
    ...found,
  ]
}

inBrowser('every page of the demo company', () => {
  before(async () => {
    site = await startDemo()
    crawled = await crawl(site)
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await site.stop()
  })

  it('is reached by links: lists, records, forms, confirmations, settings, documentation', () => {
    const shapes = new Set([...crawled.pages.keys()].map((shape) => shape.split(' ')[0]!))
    const wanted = [
      ...screens.flatMap(({ entity: { name } }) => [`/${name}`, `/${name}/new`, `/${name}/:id`, `/${name}/:id/edit`]),
      ...[
        'jobs/:id/do/jobs_cancel',
        'invoices/:id/do/invoices_void',
        'quotes/:id/do/quotes_archive',
        'quotes/:id/do/quotes_take_over',
        'quotes/:id/do/quotes_ask_deposit',
        'invoices/:id/payment',
        'plans/:id/do/plans_end',
        'customers/:id/merge',
      ].map((one) => `/${one}`),
      ...[
        'calls/new',
        'schedule',
        'schedule/print',
        'schedule/move/:id',
        'schedule/plan',
        'schedule/off',
        'schedule/fit/:id',
        'messages',
        'messages/:id/link',
        'invoices/:id/print',
        'quotes/:id/print',
        'jobs/:id/print',
        'invoices/:id/send',
        'quotes/:id/send',
        'jobs/:id/send',
        'jobs/:id/on-my-way',
        'payments',
        'reports',
        'reports/aging',
        'reports/sales',
        'reports/received',
        'reports/exports',
        'reports/ledger',
        'time',
        'time/:id',
        'jobs/:id/time/new',
        'jobs/:id/sign',
        'review',
        'invoices/remind',
        'customers/:id/data',
        'proposals',
        'activity',
        'undo',
      ].map((one) => `/${one}`),
      ...[
        '',
        '/sign-ins',
        '/log',
        '/apps',
        '/keys',
        '/keys/:id',
        '/data',
        '/import',
        '/company',
        '/checklists',
        '/checklists/:id',
        '/members',
        '/members/:id',
        '/members/:id/data',
        '/hours',
        '/hours/:id',
        '/clients',
        '/places',
        '/provider',
        '/messages',
        '/messages/:kind',
        '/reminders',
        '/reminders/log',
      ].map((tab) => `/settings${tab}`),
      '/operator',
      '/operator/messages/:id',
      '/docs',
      '/docs/limits',
      '/docs/tools/:name',
      '/privacy',
      '/factors',
      '/confirm',
      '/forgot-password',
    ]
    assert.deepEqual(
      wanted.filter((shape) => !shapes.has(shape)),
      [],
    )
  })

  it('has at most one primary button, and so does each part that opens', () =>
    assert.deepEqual(Object.fromEntries(crawled.crowded), {}))

  it('shows no undefined, NaN or [object in place of a text', () =>
    assert.deepEqual(Object.fromEntries(crawled.gaps), {}))

  it('has no broken links', () => assert.deepEqual(crawled.dead, []))

  it('transfers less than 16 kB before rendering, scripts and images excluded', async () => {
    const heavy: Record<string, number> = {}
    for (const [shape, address] of crawled.pages) {
      const weight = await weightOf(address)
      if (weight > MAX_BYTES) heavy[shape] = weight
    }
    assert.deepEqual(heavy, {})
  })

  it('passes axe in light and dark, follows its CSP, fits a phone and 200% zoom, and has no layout shift', async () => {
    const ahead = [...crawled.pages]
    const problems: Record<string, string[]> = {}
    await Promise.all(
      Array.from({ length: TABS }, async () => {
        const { page, complaints, close } = await site.atWork(browser, 'dana', { reducedMotion: 'reduce' })
        for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
          const [shape, address] = next
          const found = [...(await problemsOn(page, address)), ...complaints.splice(0)]
          if (found.length > 0) problems[shape] = found
        }
        await close()
      }),
    )
    assert.deepEqual(problems, {})
  })
})
