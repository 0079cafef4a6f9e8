import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { openPortalScene, type PortalScene } from '../../customer_portal/portal_scene.ts'
import { evaluateOn, inBrowser, launch, openPage } from '../harness/launch.ts'
import { signInAs } from '../harness/sign_in.ts'

const WIDTHS = [1280, 412, 390, 375, 360, 340, 320]
const EMAIL = 'maria.fernandez@lopez-properties.com'

/** Lists document numbers and words of addresses in facts that wrap to another line. */
const BROKEN = `(() => {
  const countLines = (node, from, to) => {
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, to)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  }
  const broken = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text; (text = texts.nextNode()); )
    for (const { 0: number, index } of text.data.matchAll(/\\b(?:Q|INV|J)-\\d+/g))
      if (countLines(text, index, index + number.length) > 1) broken.push(number + ' in ' + text.parentElement.outerHTML)
  for (const { childNodes } of document.querySelectorAll('.facts .mail'))
    for (const part of childNodes)
      for (const { 0: word, index } of (part.data ?? '').matchAll(/[^-]+/g))
        if (countLines(part, index, index + word.length) > 1) broken.push(word)
  return broken
})()`

let portal: PortalScene
let browser: Browser

inBrowser('line breaks in numbers and addresses', () => {
  before(async () => {
    portal = await openPortalScene()
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await portal.service.stop()
  })

  it('do not split document numbers or the words of addresses', async () => {
    const { office, customer } = portal
    const id = String(customer['id'])
    const contact = await office.call('contacts_create', { customer_id: id, first_name: 'Lupe', email: EMAIL })
    const title = 'Replacement of the water heater in the basement and of both circulation pumps'
    const { quote, path } = await portal.quoteLink({ title })
    const bill = await portal.invoiceLink({ subject: title })
    const job = await office.call('jobs_create', { customer_id: id, title })
    const whole = await portal.issue({ kind: 'customers', id })
    const { page, close } = await openPage(browser)
    await signInAs(page, portal.service.config.baseUrl, office.owner.email)
    const records = [
      ['customers', id],
      ['contacts', String(contact['id'])],
      ['quotes', String(quote['id'])],
      ['invoices', String(bill.invoice['id'])],
      ['invoices', String(bill.invoice['id']), 'payment'],
      ['jobs', String(job['id'])],
    ].map((steps) => office.at(...steps))
    for (const at of [...records, path, `${path}/accept`, `${path}/decline`, `${path}/question`, bill.path, whole]) {
      await page.goto(portal.service.config.baseUrl + at)
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        assert.deepEqual(await evaluateOn(page, BROKEN), [], `${at} at ${width}`)
      }
    }
    await close()
  })
})
