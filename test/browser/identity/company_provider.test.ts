import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import {
  LOOPBACK_NETWORK,
  startCompanyProvider,
  type CompanyProviderServer,
  type ProviderClaims,
} from '../../harness/identity/company_provider.ts'
import type { TestService } from '../../harness/harness.ts'
import { PASSWORD, createCompany, startSite } from '../../harness/web_client.ts'
import { passesAxe } from '../harness/axe.ts'
import { SIZES, evaluateOn, inBrowser, launch, openPage } from '../harness/launch.ts'

let service: TestService
let provider: CompanyProviderServer
let browser: Browser
let alder: Awaited<ReturnType<typeof createCompany>>

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${service.config.baseUrl}/sign-in`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => url.pathname === `/${alder.id}`)
}

/** Makes the provider, which no browser can reach, send everyone back at once. */
const approving = (page: Page, claims: ProviderClaims): Promise<unknown> =>
  page.route(`${provider.issuer}/**`, (route) =>
    route.fulfill({
      status: 302,
      headers: { location: service.config.baseUrl + provider.approve(route.request().url(), claims) },
    }),
  )

async function looksRight(page: Page, name: string): Promise<void> {
  for (const [size, dimensions] of Object.entries(SIZES)) {
    await page.setViewportSize(dimensions)
    await passesAxe(page, `${name} on ${size}`)
    assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), dimensions.width, `${name} on ${size}`)
  }
}

inBrowser("a company's own provider in a browser", () => {
  before(async () => {
    service = await startSite({}, { network: LOOPBACK_NETWORK })
    provider = await startCompanyProvider()
    alder = await createCompany(service, 'Alder Plumbing')
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
    await provider.stop()
  })

  it('is configured, tested and turned on by an owner', async () => {
    const { page, complaints, close } = await openPage(browser)
    await approving(page, { sub: 'subject one', email: alder.owner.email, email_verified: true, amr: ['mfa'] })
    await signIn(page, alder.owner.email)
    await page.goto(`${service.config.baseUrl}/${alder.id}/settings/provider`)
    await looksRight(page, 'no provider')
    await page.getByLabel('Issuer').fill(provider.issuer)
    await page.getByLabel('Client ID').fill('callout')
    await page.getByLabel('Client secret').fill('secret')
    await page.getByLabel('Name on the button').fill('Alder Login')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Test provider' }).click()
    await page.getByText('subject one').waitFor()
    await looksRight(page, 'a provider that was tried')
    await page.getByRole('button', { name: 'Turn the provider on' }).click()
    await page.getByText('Members can sign in with it now.').waitFor()
    await looksRight(page, 'a provider that is on')
    assert.deepEqual(complaints, [])
    await close()
  })

  it("signs a member in on a phone, from the company's address to its first page", async () => {
    const tech = await alder.join('tech')
    const { page, complaints, close } = await openPage(browser, { viewport: SIZES.phone })
    await approving(page, { sub: 'tech-1', email: tech.email, email_verified: true })
    await page.goto(`${service.config.baseUrl}/${alder.id}`)
    await looksRight(page, 'the way in')
    await page.setViewportSize(SIZES.phone)
    await page.getByRole('button', { name: 'Continue with Alder Login' }).click()
    await page.waitForURL((url) => url.pathname === `/${alder.id}`)
    await page.goto(`${service.config.baseUrl}/${alder.id}/settings`)
    await page.getByText('signed in to Alder Plumbing only').waitFor()
    await looksRight(page, 'what is not theirs to change')
    assert.deepEqual(complaints, [])
    await close()
  })
})
