import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { registerClient } from '../../src/identity/credentials/clients/clients.ts'
import type { TestService } from '../harness/harness.ts'
import { PASSWORD, authorizeAddress, createCompany, startSite } from '../harness/web_client.ts'
import { passesAxe } from './harness/axe.ts'
import { SIZES, evaluateOn, inBrowser, launch, openPage } from './harness/launch.ts'

const LOOPBACK = 'http://127.0.0.1:9/callback'

let service: TestService
let browser: Browser
let email: string
let client: string

type Check = (page: Page, name: string) => Promise<void>

/** Visits every page from an app through sign-in and consent, and the related pages. */
async function visitAll(page: Page, check: Check): Promise<void> {
  const { baseUrl } = service.config
  await page.goto(authorizeAddress(service, client, LOOPBACK).address)
  await check(page, 'sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await check(page, 'sign-in refused')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await check(page, 'choice of a company')
  await page.getByRole('link', { name: 'Alder Plumbing' }).click()
  await check(page, 'consent')
  await page.getByText('Choose in detail').click()
  await page.getByRole('button', { name: 'Everything I can' }).click()
  await check(page, 'consent in detail')
  await page.getByRole('button', { name: 'None', exact: true }).click()
  await page.getByRole('button', { name: 'Allow access' }).click()
  await page.getByRole('alert').waitFor()
  await check(page, 'consent with nothing chosen')
  for (const path of ['/oauth/consent', '/nothing', '/']) {
    await page.goto(`${baseUrl}${path}`)
    await check(page, path)
  }
  await page.getByRole('link', { name: 'Alder Plumbing' }).click()
  await check(page, 'company')
}

inBrowser('sign-in and consent pages', () => {
  before(async () => {
    service = await startSite()
    const alder = await createCompany(service, 'Alder Plumbing')
    email = alder.owner.email
    const north = await createCompany(
      service,
      'Northside Heating, Air Conditioning & Refrigeration of Greater Northampton',
    )
    await north.join('tech', { email })
    client = (await registerClient(service.database, { name: 'Fieldhand', redirect_uris: [LOOPBACK], about: {} })).id
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('pass every axe rule in light and dark', async () => {
    const { page, complaints, close } = await openPage(browser)
    await visitAll(page, passesAxe)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('fit a phone without horizontal scrolling, with touch targets of at least 44 pixels', async () => {
    const { page, close } = await openPage(browser, { viewport: SIZES.phone })
    await visitAll(page, async (page, name) => {
      const small = await evaluateOn(
        page,
        `[...document.querySelectorAll('button, input:not([type=hidden]), .button, .brand, .companies a')].filter((one) => one.checkVisibility())
        .map((one) => [one.outerHTML, one.getBoundingClientRect()]).filter(([, box]) => box.height < 44 || box.width < 44).map(([html]) => html)`,
      )
      assert.deepEqual(small, [], name)
      for (const width of [390, 320]) {
        await page.setViewportSize({ ...SIZES.phone, width })
        assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), width, name)
      }
    })
    await close()
  })

  it('show a focus outline', async () => {
    const { page, close } = await openPage(browser)
    await page.goto(`${service.config.baseUrl}/sign-in`)
    for (let presses = 0; presses < 5; presses++) {
      await page.keyboard.press('Tab')
      assert.equal(await evaluateOn(page, 'getComputedStyle(document.activeElement).outlineWidth'), '3px')
    }
    await close()
  })
})
