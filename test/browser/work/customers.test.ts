import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NUMBERS, addChannel } from '../../../src/messaging/inbox/directory.ts'
import type { TestService } from '../../harness/harness.ts'
import { freshId } from '../../harness/messaging/inbound.ts'
import { openOffice, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'
import { WEBHOOK_ENV, providerOf } from '../../harness/clients/webhook_calls.ts'
import { passesAxe } from '../harness/axe.ts'
import { SIZES, evaluateOn, inBrowser, launch, openPage } from '../harness/launch.ts'
import { tabTo } from '../harness/tabbing.ts'
import { signInAs } from '../harness/sign_in.ts'

const NUMBER = '+16175550100'
const LONG = 'Wolfeschlegelsteinhausenbergerdorff & Sons of Greater Northampton'

let service: TestService
let browser: Browser
let office: Office
let paths: string[]

const signIn = (page: Page): Promise<void> => signInAs(page, service.config.baseUrl, office.owner.email)

const open = (page: Page, path: string) => page.goto(service.config.baseUrl + path)

inBrowser('customer pages', () => {
  before(async () => {
    service = await startSite(WEBHOOK_ENV)
    office = await openOffice(service, 'Alder Plumbing')
    await addChannel(service.database, NUMBERS, office.id, NUMBER)
    const tag = await office.call('tags_create', { name: 'Property manager', color: '#5E35B1' })
    const {
      id,
      contacts: [contact],
      locations: [location],
    } = await office.call('customers_create', {
      customer_type: 'company',
      company_name: LONG,
      tag_ids: [tag.id],
      do_not_service: true,
      fields: { 'Gate code': 4417 },
      contacts: [
        {
          first_name: 'Joyce',
          last_name: 'Lindell',
          role_label: 'Board president',
          phone: '617 555 0101',
          email: 'joyce.lindell.of.the.board@cedarbluffhomeowners.example',
          sms_opt_out: true,
        },
      ],
      locations: [
        { name: 'Clubhouse', address_line1: '1501 Brushy Bend Dr', city: 'Cedar Park', access_notes: 'Gate left' },
      ],
    })
    const { id: other } = await office.customer('Cedar', { phone: '617 555 0101', tag_ids: [tag.id] })
    const note = await office.call('notes_create', {
      subject_type: 'customer',
      subject_id: id,
      body: 'Prefers mornings.\nDog on site.',
    })
    await office.call('jobs_create', { customer_id: id, title: 'Backflow test', scheduled_start: '2027-03-01T09:00' })
    const { sms } = providerOf(service)
    for (const From of ['+16175550102', '+16175550103'])
      await sms('/api/webhooks/sms/inbound-sms', { MessageSid: freshId(), From, To: NUMBER, Body: 'Is anybody there?' })
    await office.call('contacts_create', { customer_id: id, phone: '617 555 0102' })
    await sms('/api/webhooks/sms/inbound-sms', {
      MessageSid: freshId(),
      From: '+16175550102',
      To: NUMBER,
      Body: 'It leaks again',
    })
    const inbox = (await office.browser.get(office.at('messages'))).text
    const [, stranger] = /href="([^"]+)">\s*<span[^>]*>#<\/span>\s*<b>\(617\) 555-0103/.exec(inbox)!
    const [, linking] = /href="([^"]+\/link)"/.exec((await office.browser.get(stranger!)).text)!
    paths = [
      office.at('customers'),
      office.at('customers', id),
      office.at('customers', 'new'),
      office.at('customers', id, 'edit'),
      office.at('customers', id, 'do', 'customers_tag'),
      office.at('customers', id, 'merge'),
      `${office.at('customers', id, 'merge')}?with=${other}`,
      `${office.at('contacts')}?customer_id=${id}`,
      office.at('contacts', contact.id),
      office.at('contacts', contact.id, 'edit'),
      office.at('locations', location.id),
      office.at('locations', location.id, 'edit'),
      office.at('notes'),
      office.at('notes', note.id),
      office.at('tags'),
      office.at('tags', tag.id),
      office.at('tags', 'new'),
      office.at('messages'),
      stranger!,
      linking!,
    ]
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('pass every axe rule in light and dark, and fit phones of 390 and 320 px', async () => {
    const { page, complaints, close } = await openPage(browser)
    await signIn(page)
    for (const path of paths) {
      await page.setViewportSize(SIZES.desktop)
      await open(page, path)
      await passesAxe(page, path)
      for (const width of [390, 320]) {
        await page.setViewportSize({ ...SIZES.phone, width })
        assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), width, path)
      }
    }
    assert.deepEqual(complaints, [])
    await close()
  })

  it('are under 15 kB each, compressed', async () => {
    for (const path of paths) {
      const { headers } = await office.browser.send(path, { headers: { 'accept-encoding': 'identity' } })
      assert.equal(headers.get('content-encoding'), null)
      const packed = new Blob([(await office.browser.get(path)).text])
        .stream()
        .pipeThrough(new CompressionStream('gzip'))
      const { byteLength } = await new Response(packed).arrayBuffer()
      assert.ok(byteLength < 15_000, `${path}: ${byteLength}`)
    }
  })

  it('support a new customer and a note by keyboard alone', async () => {
    const { page, complaints, close } = await openPage(browser)
    await signIn(page)
    await open(page, office.at('customers'))
    await tabTo(page, /^New customer\b/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/customers\/new/)
    await tabTo(page, /^First name\b/)
    await page.keyboard.type('Keyla')
    await tabTo(page, /^Phone\b/)
    await page.keyboard.type('call me')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await tabTo(page, /^Enter a phone number with its area code\.$/)
    await page.keyboard.press('Enter')
    await page.getByLabel('Phone').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('617 555 0142')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keyla' }).waitFor()
    await tabTo(page, /^Write a note$/)
    await page.keyboard.type('Rang about a leak')
    await tabTo(page, /^Save note\b/)
    await page.keyboard.press('Enter')
    await page.locator('.event').filter({ hasText: 'Rang about a leak' }).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  it('add a note, a message and a job in place without JavaScript, each in its tab', async () => {
    const { id } = await office.customer('Tabby', { phone: '617 555 0160' })
    const { page, close } = await openPage(browser, { javaScriptEnabled: false })
    await signIn(page)
    await open(page, office.at('customers', id))
    await page.locator('fieldset').getByText('Message', { exact: true }).click()
    await page.getByLabel('To', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Save note' }).isVisible(), false)
    assert.equal(await page.getByLabel('Subject').isVisible(), false)
    await page.locator('fieldset').getByText('Job', { exact: true }).click()
    await page.getByLabel('What needs to be done?').fill('Fix the tap')
    await page.getByRole('button', { name: 'Create job' }).click()
    await page.locator('.next-steps').getByText('Fix the tap').waitFor()
    await close()
  })

  it('merge two customers without JavaScript', async () => {
    const [one, other] = [
      await office.customer('Twin', { phone: '617 555 0150' }),
      await office.customer('Double', { phone: '617 555 0150' }),
    ]
    const { page, close } = await openPage(browser, { javaScriptEnabled: false })
    await signIn(page)
    await open(page, office.at('customers', one.id))
    await page.locator('.page-head .more > summary').click()
    await page.getByRole('link', { name: 'Merge…' }).click()
    await page.getByRole('link', { name: 'Double' }).click()
    await page.getByLabel('The other one: Double').check()
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByRole('heading', { name: 'Double' }).waitFor()
    assert.equal((await office.call('customers_get', { id: other.id })).contacts.length, 2)
    await close()
  })
})
