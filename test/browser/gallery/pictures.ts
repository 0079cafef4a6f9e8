import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { EXAM_START } from '../../../src/exam/environment/clock.ts'
import type { DemoSite } from '../harness/demo_site.ts'
import { openPage } from '../harness/launch.ts'
import type { StillDemo } from '../harness/still_demo.ts'
import { startGallery } from './gallery.ts'

const FOLDER = join(import.meta.dirname, 'pictures')

const LOOKS = {
  light: { viewport: { width: 1366, height: 768 }, colorScheme: 'light' },
  dark: { viewport: { width: 1366, height: 768 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 780 }, colorScheme: 'light' },
  spanish: { viewport: { width: 360, height: 780 }, colorScheme: 'dark' },
} as const

/** Public pages, and pages of the demo company below its own path. */
const PAGES = {
  'forgot-password': '/forgot-password',
  'new-customer': 'customers/new',
  'new-item': 'catalog_items/new',
  'new-tag': 'tags/new',
  customers: 'customers',
  catalog: 'catalog_items',
  tags: 'tags',
  'tax-rates': 'tax_rates',
  company: 'settings/company',
  messages: 'settings/messages',
  'no-results': 'search?q=nothing-has-this-name',
  'work/today': '',
  'work/schedule-day': 'schedule?view=day',
  'work/schedule-week': 'schedule?view=week',
  'work/schedule-month': 'schedule?view=month',
  'work/new-call': 'calls/new',
  'work/jobs': 'jobs',
  'work/inbox': 'messages',
  'work/time': 'time',
  'money/quotes': 'quotes',
  'money/invoices': 'invoices',
  'money/plans': 'plans',
  'money/reports': 'reports',
  'money/sales': 'reports/sales',
} as const

/** Returns the pages of a few records, whose addresses differ on each run. */
async function recordPages({ call }: DemoSite): Promise<Record<string, string>> {
  const [job, quote, invoice] = await Promise.all([
    call('jobs_list', { title: 'Leak under the slab', limit: 1 }),
    call('quotes_list', { status: ['sent'], limit: 1 }),
    call('invoices_list', { status: ['partially_paid'], limit: 1 }),
  ]).then((lists) => lists.map(({ rows }) => rows[0]))
  return {
    'work/customer': `customers/${job.customer_id}`,
    'work/job': `jobs/${job.id}`,
    'work/conversation': `messages/with/${job.customer_id}`,
    'money/quote': `quotes/${quote.id}`,
    'money/invoice': `invoices/${invoice.id}`,
    'money/invoice-print': `invoices/${invoice.id}/print`,
  }
}

/** Takes pictures of the gallery in four variants, and of pages in light on a desktop and in dark on a phone. */
export async function takePictures(
  site: StillDemo,
  browser: Browser,
  each: (name: string, picture: Buffer) => Promise<void>,
): Promise<void> {
  const gallery = await startGallery()
  for (const [look, options] of Object.entries(LOOKS)) {
    const { page, close } = await openPage(browser, options)
    await waitForTypeface(page)
    await page.goto(look === 'spanish' ? `${gallery.url}?in=es` : gallery.url)
    await each(`gallery/${look}`, await takePicture(page))
    await close()
  }
  await gallery.stop()
  const pages = Object.entries({ ...PAGES, ...(await recordPages(site)) })
  const looks = { light: LOOKS.light, phone: { ...LOOKS.phone, colorScheme: 'dark' as const } }
  // One sign-in, before the clock is turned back: Today lists changes and sign-ins since the first one.
  const signedIn = await site.atWork(browser, 'dana', looks.light)
  const storageState = await signedIn.page.context().storageState()
  await signedIn.close()
  for (const [look, options] of Object.entries(looks)) {
    const visitor = await openPage(browser, options)
    await waitForTypeface(visitor.page)
    await visitor.page.goto(`${site.baseUrl}/sign-in`)
    await each(`${look}/sign-in`, await takePicture(visitor.page))
    await visitor.close()
    const { page, close } = await openPage(browser, { ...options, storageState })
    await waitForTypeface(page)
    await page.clock.setFixedTime(EXAM_START)
    for (const [name, path] of pages) {
      await site.turnBack()
      await page.goto(site.baseUrl + (path.startsWith('/') ? path : site.path(...path.split('/').filter(Boolean))))
      await each(`${look}/${name}`, await takePicture(page))
    }
    await close()
  }
}

/** Makes later pages wait for their web font, which users may otherwise get with the next page. */
export const waitForTypeface = (page: Page): Promise<unknown> =>
  page.route(/\.css$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      body: (await response.text()).replace(/font-display:\s*optional/, 'font-display:block'),
    })
  })

/** Takes a picture of a page once its web font has loaded, without blinking carets. */
async function takePicture(page: Page): Promise<Buffer> {
  await page.waitForLoadState()
  await page.evaluate('document.fonts.ready')
  await page.evaluate('document.activeElement.blur()')
  return page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' })
}

/** Stores a picture as the reference for later ones. */
export async function keepPicture(browser: Browser, name: string, picture: Buffer): Promise<void> {
  const file = join(FOLDER, `${name}.webp`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, await toWebp(browser, picture, 0.82))
}

/** Returns the share of pixels that differ from the stored picture, or the difference in size. */
export async function comparePicture(browser: Browser, name: string, picture: Buffer): Promise<number | string> {
  const kept = await readFile(join(FOLDER, `${name}.webp`))
  const result = await inCanvas(browser, COMPARE, picture, kept)
  return /^\d/.test(result) ? Number(result) : result
}

/** Converts a screenshot with the browser's encoder, at a quality from 0 to 1. */
export async function toWebp(browser: Browser, picture: Buffer, quality: number): Promise<Buffer> {
  const body = `const [image] = images
    return draw(image, image.width, image.height).canvas.toDataURL('image/webp', ${quality}).split(',')[1]`
  return Buffer.from(await inCanvas(browser, body, picture), 'base64')
}

/**
 * Counts pixels that differ by more than antialiasing and encoding. Both pictures are compared at half size, so that
 * another machine's text rendering doesn't count, but a border, color or line that moved does.
 */
const COMPARE = `
  const [a, b] = images
  if (a.width !== b.width || a.height !== b.height)
    return 'is ' + [a.width, a.height].join(' × ') + ', kept ' + [b.width, b.height].join(' × ')
  const [width, height] = [Math.ceil(a.width / 2), Math.ceil(a.height / 2)]
  const pixels = images.map((image) => draw(image, width, height).getImageData(0, 0, width, height).data)
  const differs = (i) => Math.abs(pixels[0][i] - pixels[1][i]) > 48
  let count = 0
  for (let i = 0; i < pixels[0].length; i += 4)
    if (differs(i) || differs(i + 1) || differs(i + 2)) count++
  return String(count / (width * height))`

/**
 * Blank pages that decode and draw pictures, one per browser, because opening one takes longer than comparing two
 * pictures.
 */
const canvases = new WeakMap<Browser, Promise<Page>>()

function canvasOf(browser: Browser): Promise<Page> {
  const canvas = canvases.get(browser) ?? openPage(browser).then(({ page }) => page)
  canvases.set(browser, canvas)
  return canvas
}

/** Runs an expression over pictures in a blank page that stays open as long as the browser. */
async function inCanvas(browser: Browser, body: string, ...pictures: Buffer[]): Promise<string> {
  const page = await canvasOf(browser)
  const urls = pictures.map((picture) => {
    const type = picture.toString('latin1', 8, 12) === 'WEBP' ? 'webp' : 'png'
    return `data:image/${type};base64,${picture.toString('base64')}`
  })
  const result: unknown = await page.evaluate(`(async () => {
    const images = await Promise.all(${JSON.stringify(urls)}.map(async (url) => {
      const image = new Image()
      image.src = url
      await image.decode()
      return image
    }))
    function draw(image, width, height) {
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      const context = canvas.getContext('2d', { willReadFrequently: true })
      context.drawImage(image, 0, 0, width, height)
      return context
    }
    ${body}
  })()`)
  return String(result)
}
