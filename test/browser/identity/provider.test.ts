import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createClient } from '../../../src/identity/credentials/clients/clients.ts'
import { sql } from '../../../src/platform/db/tenant.ts'
import { startTestService, type TestService } from '../../harness/harness.ts'
import { PASSWORD, createCompany, freePort } from '../../harness/web_client.ts'
import { passesAxe } from '../harness/axe.ts'
import { SIZES, inBrowser, launch, openPage } from '../harness/launch.ts'
import { press, title } from '../harness/moves.ts'

type FoundCompany = Awaited<ReturnType<typeof createCompany>>

/** Another installation of Callout. It has a different host name because browsers share cookies between ports. */
let provider: TestService
let theirs: FoundCompany
let here: TestService
let alder: FoundCompany
let browser: Browser
let serial = 0

const newEmail = (): string => `somebody-${++serial}@example.com`
const url = (path: string): string => new URL(path, here.config.baseUrl).href

/** Starts the service under a hostname of this machine, on its own port. */
async function startAt(name: string, env: (baseUrl: string) => Promise<Record<string, string>>): Promise<TestService> {
  const port = await freePort()
  const baseUrl = `http://${name}:${port}`
  return startTestService({ BASE_URL: baseUrl, PORT: String(port), ...(await env(baseUrl)) })
}

/** Creates an account at the provider, with a verified or unverified email address. */
async function atProvider(email: string, isProved: boolean): Promise<void> {
  const { user_id, email: first } = await theirs.hire('tech')
  await provider.database.send([
    sql`update users set email = ${email}, vouched_at = null, proved_at = case when ${isProved} then moment() end
      where id = ${user_id} and email = ${first}`,
  ])
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await press(page, 'Sign in')
}

/** Signs in at the provider and gives consent there. The next response comes from this service. */
async function approve(page: Page, email: string): Promise<void> {
  await page.waitForURL((at) => at.origin === provider.config.baseUrl)
  await signIn(page, email)
  await page.waitForURL((at) => at.pathname === '/oauth/consent')
  await press(page, 'Allow View everywhere')
  await page.waitForURL((at) => at.origin === here.config.baseUrl)
}

const leave = (page: Page): Promise<void> => page.getByRole('link', { name: 'Sign in with Identity Inc' }).click()

/** Signs in through the provider from the sign-in page. */
async function through(page: Page, email: string): Promise<void> {
  await leave(page)
  await approve(page, email)
}

const isAt = (page: Page, path: string): Promise<void> => page.waitForURL((at) => at.pathname === path)

async function looksRight(page: Page, name: string): Promise<void> {
  for (const [size, dimensions] of Object.entries(SIZES)) {
    await page.setViewportSize(dimensions)
    await passesAxe(page, `${name} on ${size}`)
  }
}

inBrowser("the installation's provider in a browser", () => {
  before(async () => {
    provider = await startAt('127.0.0.1', async () => ({}))
    theirs = await createCompany(provider, 'Identity Inc')
    here = await startAt('localhost', async (baseUrl) => {
      const client = await createClient(provider.database, {
        name: 'Callout',
        redirect_uris: [`${baseUrl}/sign-in/provider/callback`],
        allow_list: null,
      })
      const { id, secret } = client
      const issuer = provider.config.authUrl
      return { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret, OIDC_NAME: 'Identity Inc' }
    })
    alder = await createCompany(here, 'Alder Plumbing')
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await here.stop()
    await provider.stop()
  })

  it('signs a member in for the first time by a verified email address, and opens the requested page', async () => {
    const [email, { page, complaints, close }] = [newEmail(), await openPage(browser)]
    await alder.join('tech', { email })
    await atProvider(email, true)
    await page.goto(url(`/${alder.id}/settings/sign-ins`))
    await looksRight(page, 'the page to sign in on')
    await through(page, email)
    await isAt(page, `/${alder.id}/settings/sign-ins`)
    await page.getByText('with an outside account').first().waitFor()
    await page.getByRole('table', { name: 'Linked accounts' }).getByText(email).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  it('removes access that somebody had created with the address before its owner came', async () => {
    const email = newEmail()
    const squatter = await alder.hire('tech')
    await here.database.send([
      sql`update users set email = ${email}, vouched_at = null, proved_at = null where id = ${squatter.user_id}`,
    ])
    const [theirPage, hers] = [await openPage(browser), await openPage(browser, { viewport: SIZES.phone })]
    await theirPage.page.goto(url('/sign-in'))
    await signIn(theirPage.page, email)
    await isAt(theirPage.page, `/${alder.id}`)
    await atProvider(email, true)
    await hers.page.goto(url('/sign-in'))
    await through(hers.page, email)
    await isAt(hers.page, `/${alder.id}`)
    await theirPage.page.goto(url(`/${alder.id}`))
    await isAt(theirPage.page, '/sign-in')
    await Promise.all([theirPage.close(), hers.close()])
  })

  it('can be linked by a signed-in user with another address, and signs them in from then on', async () => {
    const [elsewhere, { email }] = [newEmail(), await alder.hire('tech')]
    const [first, second] = [await openPage(browser), await openPage(browser)]
    await first.page.goto(url(`/sign-in?to=/${alder.id}/settings/sign-ins`))
    await signIn(first.page, email)
    await isAt(first.page, `/${alder.id}/settings/sign-ins`)
    await atProvider(elsewhere, false)
    await press(first.page, 'Link Identity Inc')
    await approve(first.page, elsewhere)
    await first.page.getByText('Your account is linked.').first().waitFor()
    await second.page.goto(url('/sign-in'))
    await leave(second.page)
    await second.page.waitForURL((at) => at.origin === provider.config.baseUrl)
    await signIn(second.page, elsewhere)
    await isAt(second.page, `/${alder.id}`)
    assert.deepEqual([first.complaints, second.complaints], [[], []])
    await Promise.all([first.close(), second.close()])
  })

  it('signs nobody in by an unverified email address, and explains that on an accessible page', async () => {
    const [email, { page, complaints, close }] = [newEmail(), await openPage(browser)]
    await alder.join('tech', { email })
    await atProvider(email, false)
    await page.goto(url('/sign-in'))
    await through(page, email)
    await page.getByText("isn't verified there").first().waitFor()
    await looksRight(page, 'an address that is not verified')
    await page.goto(url(`/${alder.id}`))
    await isAt(page, '/sign-in')
    await title(page, 'Sign in')
    assert.deepEqual(complaints, [])
    await close()
  })
})
