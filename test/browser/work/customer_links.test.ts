import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { openPortalScene, type PortalScene } from '../../customer_portal/portal_scene.ts'
import { passesAxe } from '../harness/axe.ts'
import { SIZES, evaluateOn, inBrowser, launch, openPage } from '../harness/launch.ts'
import { signOn } from '../harness/signing.ts'

const MAX_BYTES = 15_000

let portal: PortalScene
let browser: Browser

/** Returns the transfer size of what a page loads until it is shown. Images and the cached font load later. */
async function weightOf(page: Page, path: string): Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (!['image', 'font'].includes(request.resourceType()))
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await page.goto(portal.service.config.baseUrl + path)
  await page.waitForLoadState('networkidle')
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

inBrowser('customer links in a browser', () => {
  before(async () => {
    portal = await openPortalScene()
    await writeTenant(portal.service.database, { tenant: portal.office.id }, (db) =>
      db.run(sql`update tenants set phone = '(512) 555-0100', email = 'office@acme.example', address = '9 Main St\nAustin, TX 78701',
        how_to_pay = 'Check to Acme Plumbing, 9 Main St.' where id = ${db.tenant}`),
    )
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await portal.service.stop()
  })

  it('open on a phone, where a quote is accepted with a signature', async () => {
    const { path, quote } = await portal.quoteLink({ message: 'As we said on the phone.' })
    const { page, complaints, close } = await openPage(browser, { viewport: SIZES.phone, hasTouch: true })
    await page.goto(portal.service.config.baseUrl + path)
    const accept = page.getByRole('link', { name: 'Accept', exact: true })
    const box = (await accept.boundingBox())!
    assert.ok(box.y + box.height <= SIZES.phone.height, 'Accept is at hand without scrolling')
    assert.ok(box.height >= 44)
    await accept.click()
    await page.waitForSelector('signature-pad:not([hidden])')
    await page.getByLabel('Your name').fill('Maria Lopez')
    await signOn(page)
    await page.getByRole('button', { name: 'Accept for $185.18' }).click()
    await page.waitForSelector('.signed .signature')
    assert.match(String(await evaluateOn(page, 'document.body.innerText')), /You accepted this quote/)
    const drawn = await evaluateOn(page, `document.querySelector('.signed path').getAttribute('d')`)
    assert.match(String(drawn), /^M\d+ \d+(L\d+ \d+)+$/)
    const [kept] = await portal.all<{ signature: string; name: string }>(
      sql`select name, signature from acceptances where quote_id = ${quote['id']}`,
    )
    assert.deepEqual(kept, { name: 'Maria Lopez', signature: drawn })
    assert.equal(await page.getByRole('link', { name: 'Accept', exact: true }).count(), 0)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('pass axe in light and dark, fit a phone, and stay within their transfer size', async () => {
    const [quote, invoice] = [await portal.quoteLink(), await portal.invoiceLink()]
    await portal.office.call('jobs_create', {
      customer_id: portal.customer['id'],
      title: 'Fix the faucet',
      scheduled_start: Temporal.Now.instant().add({ hours: 72 }).toString(),
      scheduled_end: Temporal.Now.instant().add({ hours: 74 }).toString(),
    })
    const visits = await portal.issue({ kind: 'customers', id: portal.customer['id'] as string })
    for (const [name, path] of [
      ['a quote', quote.path],
      ['accepting it', `${quote.path}/accept`],
      ['declining it', `${quote.path}/decline`],
      ['an invoice', invoice.path],
      ['a question', `${invoice.path}/question`],
      ['visits', visits],
      ['nothing', '/c/AAAAAAAAAAAAAAAAAAAAAA'],
    ] as const) {
      const { page, complaints, close } = await openPage(browser, { viewport: SIZES.phone })
      const weight = await weightOf(page, path)
      assert.ok(weight < MAX_BYTES, `${name}: ${weight} bytes`)
      assert.ok(Boolean(await evaluateOn(page, 'document.documentElement.scrollWidth <= innerWidth')), `${name} fits`)
      await passesAxe(page, name)
      await picture(page, name)
      assert.deepEqual(complaints, [], name)
      await close()
    }
  })
})

/** Saves pictures of the pages if they are requested. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES']
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${folder}/${name.replaceAll(/\W+/g, '_')}_${size}_${colorScheme}.png` })
    }
}
