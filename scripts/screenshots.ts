import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { sql } from '../src/platform/db/tenant.ts'
import { waitForTypeface } from '../test/browser/gallery/pictures.ts'
import { startDemo } from '../test/browser/harness/demo_site.ts'
import { SIZES, launch } from '../test/browser/harness/launch.ts'

// Takes the README's pictures from a new demo company: node scripts/screenshots.ts
const folder = join(import.meta.dirname, '..', 'docs', 'screenshots')

const LAPTOP = { width: 1120, height: 640 }

type Picture = {
  name: string
  viewport: typeof LAPTOP
  colorScheme: 'light' | 'dark'
  steps: string[]
  /** Person whose page it is, if not the owner. */
  person?: 'luis'
}

const PICTURES: readonly Picture[] = [
  { name: 'today', viewport: LAPTOP, colorScheme: 'light', steps: [] },
  { name: 'schedule', viewport: LAPTOP, colorScheme: 'dark', steps: ['schedule'] },
  { name: 'today-phone', viewport: SIZES.phone, colorScheme: 'dark', steps: [] },
  { name: 'invoice-phone', viewport: SIZES.phone, colorScheme: 'light', steps: ['invoices'] },
  { name: 'visits-phone', viewport: SIZES.phone, colorScheme: 'light', steps: ['field'], person: 'luis' },
]

const site = await startDemo()
const browser = await launch('whole')
try {
  await mkdir(folder, { recursive: true })
  for (const { name, viewport, colorScheme, steps, person = 'dana' } of PICTURES) {
    const { page, open, close } = await site.atWork(browser, person, { viewport, colorScheme })
    await waitForTypeface(page)
    // Each picture uses a new browser, and the next one would show a notice about that sign-in.
    await site.service.database.send([sql`delete from notices`])
    if (steps[0] === 'field') await openVisits(page)
    else await open(...steps)
    if (steps[0] === 'invoices') await page.locator('main tbody a').first().click()
    await page.waitForLoadState()
    await page.screenshot({ path: join(folder, `${name}.png`) })
    await close()
  }
} finally {
  await browser.close()
  await site.stop()
}

async function openVisits(page: Page): Promise<void> {
  await page.goto(`${site.baseUrl}/field/${site.demo.tenant.id}/`)
  await page.locator('.field-state.sent').waitFor()
  await page.locator('.field-next').waitFor()
}
