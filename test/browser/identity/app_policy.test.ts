import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { setAppPolicy } from '../../../src/identity/apps/policy.ts'
import { findGrant } from '../../../src/identity/credentials/clients/grants.ts'
import type { TestService } from '../../harness/harness.ts'
import { PASSWORD, authorizeAddress, createCompany, exchangeCode, startSite } from '../../harness/web_client.ts'
import { passesAxe } from '../harness/axe.ts'
import { SIZES, boxOf, inBrowser, launch, openPage } from '../harness/launch.ts'

const CLIENT = 'https://assistants.example/oauth/client.json'
const CALLBACK = 'http://127.0.0.1:33418/callback'

let service: TestService
let browser: Browser
let north: Awaited<ReturnType<typeof createCompany>>

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Returns the next request to the app, whether or not anything answers there. */
const leaving = async (page: Page, name: string): Promise<URL> => {
  const request = page.waitForRequest((request) => request.url().startsWith(CALLBACK))
  await page.getByRole('button', { name }).click({ noWaitAfter: true })
  return new URL((await request).url())
}

inBrowser('the app policy in a browser', () => {
  before(async () => {
    service = await startSite(
      {},
      {
        fetchDocument: async (url) =>
          JSON.stringify({ client_id: url.href, client_name: 'Assistants for Fieldwork', redirect_uris: [CALLBACK] }),
      },
    )
    north = await createCompany(service, 'Northside Heating and Cooling')
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('shows the verified host in large letters, with the buttons visible at once on a phone', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const member = await north.hire('office')
      const { page, complaints, close } = await openPage(browser, { viewport: SIZES.phone, colorScheme })
      await page.goto(authorizeAddress(service, CLIENT, CALLBACK).address)
      await signIn(page, member.email)
      const host = page.getByText('assistants.example', { exact: true })
      const name = page.getByText('Assistants for Fieldwork').last()
      assert.ok((await boxOf(host)).height > (await boxOf(name)).height)
      for (const label of ['Allow View everywhere', 'Deny']) {
        const { y, height } = await boxOf(page.getByRole('button', { name: label }))
        assert.ok(y + height <= SIZES.phone.height, `${label} ends at ${y + height}`)
      }
      await passesAxe(page, 'consent')
      assert.deepEqual(complaints, [])
      await close()
    }
  })

  it('lets a member ask, an owner approve in the settings, and the member connect', async () => {
    const member = await north.hire('office')
    await setAppPolicy(service.database, north.id, 'ask', { user: north.owner.user_id })
    const asking = await openPage(browser, { viewport: SIZES.phone })
    const { address, verifier } = authorizeAddress(service, CLIENT, CALLBACK)
    await asking.page.goto(address)
    await signIn(asking.page, member.email)
    await asking.page.getByRole('button', { name: 'Ask for View everywhere' }).click()
    await asking.page.getByRole('heading', { name: 'An owner was asked' }).waitFor()
    await passesAxe(asking.page, 'waiting')

    const owner = await openPage(browser)
    await owner.page.goto(`${service.config.baseUrl}/sign-in`)
    await signIn(owner.page, north.owner.email)
    await owner.page.getByRole('link', { name: /Assistants for Fieldwork/ }).click()
    assert.match(await owner.page.locator('main').innerText(), /Described at assistants\.example/)
    await passesAxe(owner.page, 'settings')
    await owner.page.getByRole('button', { name: 'Approve' }).click()
    await owner.page.getByText('Approved. The member is notified').waitFor()

    await asking.page.getByRole('link', { name: 'Look again' }).click()
    const { scopes } = await exchangeCode(
      service,
      CLIENT,
      await leaving(asking.page, 'Allow what was approved'),
      verifier,
    )
    assert.equal(scopes.length, 10)
    assert.notEqual(await findGrant(service.database.send, CLIENT, member.user_id), undefined)
    assert.deepEqual([...asking.complaints, ...owner.complaints], [])
    await Promise.all([asking.close(), owner.close()])
  })

  it('explains on a phone why an unlisted app cannot be connected, with a link back', async () => {
    const member = await north.hire('office')
    await setAppPolicy(service.database, north.id, 'listed', { user: north.owner.user_id })
    const { page, complaints, close } = await openPage(browser, { viewport: SIZES.phone, javaScriptEnabled: false })
    await page.goto(authorizeAddress(service, CLIENT, CALLBACK).address)
    await signIn(page, member.email)
    await page.getByRole('heading', { name: "This app isn't on the list" }).waitFor()
    assert.match(await page.locator('main').innerText(), /Ask an owner: Ana Ruiz[^]*assistants\.example/)
    assert.equal((await leaving(page, 'Go back to the app')).searchParams.get('error'), 'access_denied')
    assert.deepEqual(complaints, [])
    await close()
  })
})
