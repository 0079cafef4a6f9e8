import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openMailScene } from '../../harness/messaging/account_mail.ts'
import { PASSWORD, createCompany } from '../../harness/web_client.ts'
import { problemsInBoth } from '../harness/axe.ts'
import { SIZES, inBrowser, launch, openPage } from '../harness/launch.ts'

const NEXT = 'another long secret'
const ACCESSIBLE = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

let mailed: Awaited<ReturnType<typeof openMailScene>>
let company: Awaited<ReturnType<typeof createCompany>>
let browser: Browser

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()
const title = (page: Page, name: string): Promise<void> => page.getByRole('heading', { name, level: 1 }).waitFor()
const address = (path: string): string => new URL(path, mailed.service.config.baseUrl).href

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await press(page, 'Sign in')
}

inBrowser('accounts in a browser', () => {
  before(async () => {
    mailed = await openMailScene()
    company = await createCompany(mailed.service, 'Acme Air')
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await mailed.stop()
  })

  for (const [javaScriptEnabled, viewport] of [
    [true, SIZES.phone],
    [false, SIZES.desktop],
  ] as const) {
    it(`let a user reset a forgotten password, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const { email } = await company.hire('office')
      const { page, complaints, close } = await openPage(browser, { javaScriptEnabled, viewport })
      await page.goto(address('/sign-in'))
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await title(page, 'Set a new password')
      await page.getByLabel('Email').fill(email)
      await press(page, 'Send link')
      await title(page, 'Check your email')
      await page.goto(address(await mailed.pathIn(email)))
      await page.getByLabel('New password').fill(NEXT)
      await press(page, 'Set password')
      await title(page, 'Your password was changed')
      await page.getByRole('link', { name: 'Sign in', exact: true }).click()
      await signIn(page, email, PASSWORD)
      await page.getByText('Incorrect email address or password').waitFor()
      await signIn(page, email, NEXT)
      await page.getByRole('heading', { level: 1 }).waitFor()
      assert.equal(new URL(page.url()).pathname, `/${company.id}`)
      assert.deepEqual(complaints, [])
      await close()
    })
  }

  it('confirm an email address from the first page, with the link opened in another browser', async () => {
    const { email } = await company.hire('office')
    const { page, complaints, close } = await openPage(browser)
    await page.goto(address('/sign-in'))
    await signIn(page, email, PASSWORD)
    await page.getByRole('link', { name: 'Confirm your email address' }).click()
    await press(page, 'Send link')
    await page.getByText(`A link is on its way to ${email}.`).waitFor()
    const phone = await openPage(browser, { viewport: SIZES.phone })
    await phone.page.goto(address(await mailed.pathIn(email)))
    await phone.page.getByLabel('Password of this account').fill(PASSWORD)
    await press(phone.page, 'Yes, this is my address')
    await title(phone.page, 'Your email address is confirmed')
    await page.goto(address(`/${company.id}/settings`))
    await page.getByText('Confirmed', { exact: true }).waitFor()
    assert.deepEqual([...complaints, ...phone.complaints], [])
    await Promise.all([close(), phone.close()])
  })

  it('pass axe on every account page, in light and dark', async () => {
    const { email, user_id } = await company.hire('office')
    const { page, close } = await openPage(browser)
    await page.goto(address('/sign-in'))
    await signIn(page, email, PASSWORD)
    await page.getByRole('link', { name: 'Confirm your email address' }).click()
    await press(page, 'Send link')
    const proof = await mailed.pathIn(email)
    await page.goto(address('/forgot-password'))
    await page.getByLabel('Email').fill(email)
    await press(page, 'Send link')
    const reset = await mailed.pathIn(email)
    const owner = await openPage(browser)
    await owner.page.goto(address('/sign-in'))
    await signIn(owner.page, company.owner.email, PASSWORD)
    await owner.page.getByRole('heading', { level: 1 }).waitFor()
    for (const [at, path] of [
      [page, `/${company.id}`],
      [page, `/${company.id}/settings`],
      [page, '/forgot-password'],
      [page, proof],
      [page, reset],
      [page, '/prove?link=nothing'],
      [owner.page, `/${company.id}/settings/members`],
      [owner.page, `/${company.id}/settings/members/${user_id}`],
    ] as const) {
      await at.goto(address(path))
      assert.deepEqual(await problemsInBoth(at, ACCESSIBLE), [], path)
    }
    await Promise.all([close(), owner.close()])
  })
})
