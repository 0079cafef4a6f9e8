import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startDemo } from '../test/browser/demo_site.ts'
import { SIZES, launch } from '../test/browser/launch.ts'

// The pictures of the README, of the demo company as it is made today: node scripts/screenshots.ts
const folder = join(import.meta.dirname, '..', 'docs/screenshots')

const LAPTOP = { width: 1120, height: 640 }

type Picture = { name: string; viewport: typeof LAPTOP; colorScheme: 'light' | 'dark'; steps: string[] }

const PICTURES: readonly Picture[] = [
  { name: 'today', viewport: LAPTOP, colorScheme: 'light', steps: [] },
  { name: 'schedule', viewport: LAPTOP, colorScheme: 'dark', steps: ['schedule'] },
  { name: 'today-phone', viewport: SIZES.phone, colorScheme: 'dark', steps: [] },
  { name: 'invoice-phone', viewport: SIZES.phone, colorScheme: 'light', steps: ['invoices'] },
]

const site = await startDemo()
const browser = await launch()
try {
  await mkdir(folder, { recursive: true })
  for (const { name, viewport, colorScheme, steps } of PICTURES) {
    const { page, open, close } = await site.atWork(browser, 'dana', { viewport, colorScheme })
    await open(...steps)
    if (steps[0] === 'invoices') await page.locator('main table a').first().click()
    await page.waitForLoadState()
    await page.screenshot({ path: join(folder, `${name}.png`) })
    await close()
  }
} finally {
  await browser.close()
  await site.stop()
}
