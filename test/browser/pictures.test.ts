import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startGallery } from './gallery/gallery.ts'
import { comparePicture, takePictures } from './gallery/pictures.ts'
import { passesAxe } from './harness/axe.ts'
import { evaluateOn, inBrowser, launch, openPage } from './harness/launch.ts'
import { CUT_LABELS } from './harness/reading.ts'
import { startStillDemo, type StillDemo } from './harness/still_demo.ts'

/** Maximum share of pixels that may differ from the stored picture. */
const TOLERANCE = 0.004

/** Resolves after two more paints of the page. */
const AFTER_PAINT = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))`

/** Measures layout shift (Layout Instability API) from the first paint on. */
const OBSERVE_SHIFTS = `${AFTER_PAINT}.then(() => {
  globalThis.shifted = 0
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (globalThis.shifted += value)))
    .observe({ type: 'layout-shift', buffered: true })
})`

let site: StillDemo
let gallery: Awaited<ReturnType<typeof startGallery>>
let browser: Browser

inBrowser('screenshots', () => {
  before(async () => {
    site = await startStillDemo()
    gallery = await startGallery()
    browser = await launch('whole')
  })
  after(async () => {
    await browser.close()
    await gallery.stop()
    await site.stop()
  })

  it('of the gallery and pages match the stored ones; node scripts/pictures.ts updates them', async () => {
    const differences: Record<string, number | string> = {}
    const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'callout-pictures')
    await takePictures(site, browser, async (name, picture) => {
      const difference = await comparePicture(browser, name, picture)
      if (typeof difference === 'number' && difference <= TOLERANCE) return
      differences[name] = difference
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, `${name.replaceAll('/', '-')}.png`), picture)
    })
    assert.deepEqual(differences, {}, `The new ones are in ${folder}`)
  })

  it('differ when borders are missing', async () => {
    const { page, close } = await openPage(browser, { viewport: { width: 1366, height: 768 }, colorScheme: 'light' })
    await page.goto(gallery.url)
    await page.evaluate(`document.querySelectorAll('.part').forEach((one) => one.className = '')`)
    const difference = await comparePicture(browser, 'gallery/light', await page.screenshot({ fullPage: true }))
    assert.ok(typeof difference === 'string' || difference > TOLERANCE, String(difference))
    await close()
  })

  it('show every label in full on phones of 320 to 412 pixels, and pass axe in light and dark', async () => {
    const { page, complaints, close } = await openPage(browser)
    for (const language of ['en', 'es']) {
      await page.goto(`${gallery.url}?in=${language}`)
      for (const width of [320, 360, 390, 412]) {
        await page.setViewportSize({ width, height: 780 })
        assert.deepEqual(await evaluateOn(page, CUT_LABELS), [], `${language} at ${width}`)
        assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), width)
      }
      await passesAxe(page, language)
    }
    assert.deepEqual(complaints, [])
    await close()
  })

  it('show at least fourteen list rows on a laptop, below the demo notice', async () => {
    const { page, open, close } = await site.atWork(browser, 'dana', { viewport: { width: 1366, height: 768 } })
    await open('customers')
    const rows = `[...document.querySelectorAll('.list tbody tr')].filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`
    assert.ok(Number(await evaluateOn(page, rows)) >= 14)
    await close()
  })

  it('do not shift when the web font arrives late', async () => {
    const { page, close } = await site.atWork(browser, 'dana', { viewport: { width: 1366, height: 768 } })
    for (const path of ['customers', 'invoices', 'settings']) {
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      let requests = 0
      await page.route('**/*.woff2', async (route) => {
        requests++
        await held
        await route.continue()
      })
      await page.goto(site.baseUrl + site.path(path), { waitUntil: 'domcontentloaded' })
      await page.evaluate(OBSERVE_SHIFTS)
      release()
      await page.evaluate(`document.fonts.load('1rem Inter').then(() => document.fonts.ready).then(() => 1)`)
      assert.equal(await page.evaluate(AFTER_PAINT), true)
      assert.equal(requests, 1, 'the typeface was not late')
      const shifted = Number(await page.evaluate('globalThis.shifted'))
      assert.equal(shifted, 0, `${path} shifts`)
      await page.unroute('**/*.woff2')
    }
    await close()
  })
})
