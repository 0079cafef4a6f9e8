import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { openMailScene } from '../../harness/messaging/account_mail.ts'
import { countEffort } from '../harness/counting.ts'
import { inBrowser, launch, openPage } from '../harness/launch.ts'

let mailed: Awaited<ReturnType<typeof openMailScene>>
let browser: Browser

inBrowser('the first hour of a company', () => {
  before(async () => {
    mailed = await openMailScene({ NEW_COMPANIES_PER_DAY: '5' })
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await mailed.stop()
  })

  it('goes from sign-up through setup to the first sent invoice in at most 22 clicks, 135 keys, 18 loads', async () => {
    const { page, complaints, close } = await openPage(browser)
    const { baseUrl } = mailed.service.config
    const { keyboard } = page
    const effort = await countEffort(page)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click()
    const opens = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

    await page.goto(`${baseUrl}/start`)
    await page.getByLabel('Email').and(page.locator(':focus')).waitFor()
    await keyboard.type('ana@alder.example')
    await keyboard.press('Enter')
    await opens('Check your email')
    await page.goto(baseUrl + (await mailed.pathIn('ana@alder.example')))
    await page.getByLabel('Company name').click()
    await keyboard.type('Alder Plumbing')
    await page.getByLabel('Your name').click()
    await keyboard.type('Ana Ruiz')
    await keyboard.press('Tab')
    await keyboard.type('pipes and wrenches')
    await press('Start company')
    await follow('Continue setup')
    await page.getByLabel('Address').click()
    await keyboard.type('1 Shop Rd, Austin, TX 78701')
    await press('Save and continue')
    await opens('Set your working hours')
    await press('Save and continue')
    await follow('Plumbing')
    await press('Add to catalog')
    await page.getByLabel('Percentage').click()
    await keyboard.type('8.25')
    await press('Save and continue')
    await follow('Next step')
    await opens('Invite your team')
    await follow('Skip for now')
    await follow('Add a customer')
    await page.getByLabel('First name').click()
    await keyboard.type('Dora')
    await keyboard.press('Tab')
    await keyboard.type('Vance')
    await page.getByLabel('Email', { exact: true }).click()
    await keyboard.type('dora@home.example')
    await press('Create customer')
    await opens('Dora Vance')
    await follow('New invoice')
    await page.locator('input[name="line_items.0.name"]').click()
    await keyboard.type('Service call')
    await press('Create invoice')
    await opens(/^INV-/)
    await follow('Send')
    await press('Send')
    await page.getByRole('status').getByText('is on its way to dora@home.example.').waitFor()
    process.stdout.write(`first invoice sent ${JSON.stringify(effort)}\n`)
    assert.ok(effort.clicks <= 22 && effort.keys <= 135 && effort.loads <= 18, JSON.stringify(effort))
    assert.deepEqual(complaints, [])
    await close()
  })
})
