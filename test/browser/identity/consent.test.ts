import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { registerClient, removeClient } from '../../../src/identity/credentials/clients/clients.ts'
import { findGrant } from '../../../src/identity/credentials/clients/grants.ts'
import { removeMember } from '../../../src/identity/people/people.ts'
import type { TestService } from '../../harness/harness.ts'
import { PASSWORD, authorizeAddress, createCompany, exchangeCode, startSite } from '../../harness/web_client.ts'
import { SIZES, boxOf, evaluateOn, inBrowser, launch, openPage } from '../harness/launch.ts'

/** Height in pixels that the browser's toolbars leave of a phone's screen. */
const LEFT_OF_PHONE = 664

const APP = 'com.example.fieldhand:/callback'

let service: TestService
let browser: Browser
let device: Server
let callback: string
let north: Awaited<ReturnType<typeof createCompany>>
let alder: Awaited<ReturnType<typeof createCompany>>

const register = async (callback: string): Promise<string> =>
  (await registerClient(service.database, { name: 'Fieldhand', redirect_uris: [callback], about: {} })).id

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(north.owner.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Returns the next request to an address of another site or app, whether or not anything answers there. */
const leaving = async (page: Page, start: string, act: () => Promise<void>): Promise<URL> => {
  const request = page.waitForRequest((request) => request.url().startsWith(start))
  await act()
  return new URL((await request).url())
}

const choose = (page: Page, area: string, level: string): Promise<void> =>
  page.getByRole('radiogroup', { name: area }).getByRole('radio', { name: level }).check()

const inDetail = (page: Page): Promise<void> => page.getByText('Choose in detail').click()

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name }).click({ noWaitAfter: true })

/** Starts a client on this device that redirects its browser to an app. */
async function startClient(): Promise<string> {
  device = createServer((_, res) => void res.writeHead(302, { location: 'com.example.fieldhand:/done' }).end()).listen(
    0,
    '127.0.0.1',
  )
  await new Promise((resolve) => device.once('listening', resolve))
  return `http://127.0.0.1:${(device.address() as AddressInfo).port}/callback`
}

inBrowser('OAuth consent in a browser', () => {
  before(async () => {
    service = await startSite()
    north = await createCompany(service, 'Northside Heating')
    alder = await createCompany(service, 'Alder Plumbing')
    await alder.join('tech', { email: north.owner.email })
    browser = await launch()
    callback = await startClient()
  })
  after(async () => {
    await browser.close()
    device.close()
    device.closeAllConnections()
    await service.stop()
  })

  for (const javaScriptEnabled of [true, false]) {
    it(`grants access for each of two companies, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const { page: first, complaints, close } = await openPage(browser, { javaScriptEnabled, viewport: SIZES.phone })
      for (const [company, preset, scopes] of [
        [alder, 'View', 6],
        [north, 'Everything I can', 20],
      ] as const) {
        // A page that opened an app's link may keep asking whether to open it.
        const page = company === alder ? first : await first.context().newPage()
        const client = await register(APP)
        const { address, verifier } = authorizeAddress(service, client, APP)
        await page.goto(address)
        if (company === alder) await signIn(page)
        await page.getByRole('link', { name: company.name }).click()
        await page.getByRole('heading', { name: `Connect Fieldhand to ${company.name}?` }).waitFor()
        await inDetail(page)
        await page.getByRole('button', { name: preset, exact: true }).click()
        await choose(page, 'Notes', 'Edit')
        const callback = await leaving(page, 'com.example.fieldhand:', () => press(page, 'Allow access'))
        const claims = await exchangeCode(service, client, callback, verifier)
        assert.equal(claims.tenant_id, company.id)
        assert.equal(claims.scopes.length, company === alder ? scopes + 2 : scopes, claims.scopes.join(' '))
      }
      assert.deepEqual(complaints, [])
      await close()
    })
  }

  it('completes a chain of redirects into an app, also right after sign-in', async () => {
    const client = await register(callback)
    const { page, complaints, close } = await openPage(browser)
    await page.goto(authorizeAddress(service, client, callback).address)
    await signIn(page)
    await page.getByRole('link', { name: 'Northside Heating' }).click()
    await inDetail(page)
    await choose(page, 'Quotes', 'View')
    assert.equal(
      (await leaving(page, 'com.example.fieldhand:', () => press(page, 'Allow access'))).href,
      'com.example.fieldhand:/done',
    )

    await page.context().clearCookies({ name: 'callout_session' })
    const later = await page.context().newPage()
    await later.goto(authorizeAddress(service, client, callback).address)
    assert.equal(
      (await leaving(later, 'com.example.fieldhand:', () => signIn(later))).href,
      'com.example.fieldhand:/done',
    )
    assert.deepEqual(complaints, [])
    await close()
  })

  it("cannot leave the page when its CSP has form-action 'self'", async () => {
    const client = await register(APP)
    const { page, complaints, close } = await openPage(browser)
    await page.goto(authorizeAddress(service, client, APP).address)
    await signIn(page)
    await page.route('**/oauth/consent?*company=*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        headers: { ...response.headers(), 'content-security-policy': "form-action 'self'" },
      })
    })
    await page.getByRole('link', { name: 'Northside Heating' }).click()
    await inDetail(page)
    await choose(page, 'Quotes', 'View')
    const complaint = page.waitForEvent('console', (message) => message.text().includes('form-action'))
    await press(page, 'Allow access')
    await complaint
    assert.equal(complaints.length > 0, true)
    await close()
  })

  it('shows the app, the proposal and Deny at once on a phone, and grants View everywhere in one tap', async () => {
    const client = await register(APP)
    const viewport = { ...SIZES.phone, height: LEFT_OF_PHONE }
    const { page, complaints, close } = await openPage(browser, { javaScriptEnabled: false, viewport })
    const { address, verifier } = authorizeAddress(service, client, APP)
    await page.goto(address)
    await signIn(page)
    await page.getByRole('link', { name: 'Northside Heating' }).click()
    for (const name of ['Allow View everywhere', 'Deny']) {
      const { y, height } = await boxOf(page.getByRole('button', { name }))
      assert.ok(y + height <= LEFT_OF_PHONE, `${name} ends at ${y + height}`)
    }
    assert.equal(await page.getByRole('button', { name: 'Allow access' }).isVisible(), false)
    const answered = await leaving(page, 'com.example.fieldhand:', () => press(page, 'Allow View everywhere'))
    const { scopes, tenant_id } = await exchangeCode(service, client, answered, verifier)
    assert.deepEqual(
      [tenant_id, scopes.length, scopes.filter((scope) => !scope.startsWith('read:'))],
      [north.id, 10, []],
    )
    assert.deepEqual(complaints, [])
    await close()
  })

  it('shows the decision at once on a phone in Spanish too, below the warning', async () => {
    const client = await register(callback)
    const viewport = { ...SIZES.phone, height: LEFT_OF_PHONE }
    const { page, complaints, close } = await openPage(browser, { locale: 'es-ES', viewport })
    await page.goto(authorizeAddress(service, client, callback).address)
    await page.locator('[name=email]').fill(north.owner.email)
    await page.locator('[name=password]').fill(PASSWORD)
    await page.locator('[name=password]').press('Enter')
    await page.getByRole('link', { name: 'Alder Plumbing' }).click()
    await page.getByText('Usted mismo empezó esto').waitFor()
    for (const value of ['view', 'deny']) {
      const { y, height } = await boxOf(page.locator(`button[name=decision][value=${value}]`))
      assert.ok(y + height <= LEFT_OF_PHONE, `${value} ends at ${y + height}`)
    }
    assert.deepEqual(complaints, [])
    await close()
  })

  it('shows the company choice again when the membership ended meanwhile, and grants nothing', async () => {
    const client = await register(APP)
    const third = await createCompany(service, 'Third Roofing')
    const { user_id } = await third.join('office', { email: north.owner.email })
    const { page, complaints, close } = await openPage(browser)
    await page.goto(authorizeAddress(service, client, APP).address)
    await signIn(page)
    await page.getByRole('link', { name: 'Third Roofing' }).click()
    await removeMember(service.database, { tenant: third.id }, user_id)
    await press(page, 'Allow View everywhere')
    assert.match(await page.getByRole('alert').innerText(), /No access was granted[^]*You no longer belong/)
    await page.getByRole('link', { name: 'Northside Heating' }).waitFor()
    assert.equal(await findGrant(service.database.send, client, north.owner.user_id), undefined)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('returns access_denied to the client after Deny', async () => {
    const client = await register(APP)
    const { page, complaints, close } = await openPage(browser)
    await page.goto(authorizeAddress(service, client, APP).address)
    await signIn(page)
    const callback = await leaving(page, 'com.example.fieldhand:', () => press(page, 'Deny'))
    assert.equal(callback.searchParams.get('error'), 'access_denied')
    assert.equal(await findGrant(service.database.send, client, north.owner.user_id), undefined)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('works by keyboard alone', async () => {
    const client = await register(APP)
    const { page, close } = await openPage(browser)
    await page.goto(authorizeAddress(service, client, APP).address)
    await page.locator('input:focus').waitFor()
    await page.keyboard.type(north.owner.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Which company is Fieldhand for?' }).waitFor()
    await tabTo(page, 'Alder Plumbing')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Connect Fieldhand to Alder Plumbing?' }).waitFor()
    await tabTo(page, 'Choose in detail')
    await page.keyboard.press('Enter')
    await tabTo(page, 'None', 'INPUT')
    await page.keyboard.press('ArrowRight')
    await tabTo(page, 'Allow access')
    await leaving(page, 'com.example.fieldhand:', () => page.keyboard.press('Enter'))
    assert.deepEqual((await findGrant(service.database.send, client, north.owner.user_id))?.scopes, ['read:customers'])
    await close()
  })

  it('tells the user of a removed client to remove the connector and add it again', async () => {
    const client = await register(APP)
    await removeClient(service.database, client)
    const { page, complaints, close } = await openPage(browser)
    const response = await page.goto(authorizeAddress(service, client, APP).address)
    assert.equal(response?.status(), 400)
    await page.getByRole('heading', { name: 'Add this connector again' }).waitFor()
    assert.match(await page.locator('main').innerText(), /remove this connector[^]*Add it again/)
    assert.deepEqual(complaints, [])
    await close()
  })
})

/** Presses Tab until the focused element contains `text`. */
async function tabTo(page: Page, text: string, tag = ''): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    const [focused, says] = (await evaluateOn(
      page,
      "[document.activeElement.tagName, document.activeElement.closest('label, a, button, summary')?.innerText ?? '']",
    )) as [string, string]
    if (says.includes(text) && focused.includes(tag)) return
  }
  throw new Error(`Tab never reaches ${text}`)
}
