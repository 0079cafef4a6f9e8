import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { invitePerson } from '../../../src/identity/people/invitations/invitations.ts'
import { stepAt, totpAt } from '../../../src/identity/sign_in/passwords/totp.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { bytesOf } from '../../harness/identity/factors.ts'
import type { TestService } from '../../harness/harness.ts'
import { PASSWORD, createCompany, startSite } from '../../harness/web_client.ts'
import { passesAxe } from '../harness/axe.ts'
import { SIZES, inBrowser, launch, openPage } from '../harness/launch.ts'

let service: TestService
let browser: Browser
let north: Awaited<ReturnType<typeof createCompany>>

/**
 * Returns a device with its own authenticator, which verifies its user and answers at once. Where passkeys are
 * offered as autofill, it uses one as soon as the page opens.
 */
async function device({ isOffered = false } = {}) {
  const opened = await openPage(browser, { viewport: SIZES.phone })
  if (!isOffered)
    await opened.page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  const session = await opened.page.context().newCDPSession(opened.page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { ...opened, session, authenticatorId }
}

const keys = async (session: CDPSession, authenticatorId: string) =>
  (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials

const url = (path: string): string => service.config.baseUrl + path
const isHome = ({ pathname }: URL): boolean => pathname === `/${north.id}`

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(url('/sign-in'))
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const signOut = (page: Page): Promise<void> => page.context().clearCookies()

inBrowser('passkeys in a browser', () => {
  before(async () => {
    service = await startSite()
    north = await createCompany(service, 'Northside Heating')
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('can be created with an invitation instead of a password, and sign in', async () => {
    const { page, complaints, session, authenticatorId, close } = await device()
    const by = { user: north.owner.user_id }
    const { secret } = await invitePerson(
      service.database,
      north.id,
      { email: 'kim@example.com', name: null, role: 'office' },
      by,
    )
    await page.goto(url(`/join?invitation=${secret}`))
    await page.getByLabel('Your name').fill('Kim Ito')
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await page.waitForURL(isHome)
    const [made] = await keys(session, authenticatorId)
    assert.equal(made?.rpId, 'localhost')
    const [account] = await service.database.send([
      sql`select password_hash from users where email = 'kim@example.com'`,
    ])
    assert.equal(account!.rows[0]!['password_hash'], null)

    await signOut(page)
    await page.goto(url('/sign-in'))
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(isHome)
    assert.ok((await keys(session, authenticatorId))[0]!.signCount > made.signCount)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('are offered as autofill, and not again after one was rejected', async () => {
    const { page, complaints, close } = await device({ isOffered: true })
    const { email, user_id } = await north.hire('office')
    await signIn(page, email)
    await page.waitForURL(isHome)
    await page.goto(url('/factors'))
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey was added.').waitFor()
    await signOut(page)
    await page.goto(url('/sign-in'))
    await page.waitForURL(isHome)
    await service.database.send([sql`delete from passkeys where user_id = ${user_id}`])
    await signOut(page)
    await page.goto(url('/sign-in'))
    await page.getByRole('alert').getByText('Unknown passkey').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  it('request one challenge at a time, so that one cookie ties all of them to the browser', async () => {
    const { page, close } = await device({ isOffered: true })
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    const cookies: (string | undefined)[] = []
    const { promise: isPressed, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/passkeys/options', async (route) => {
      cookies.push((await route.request().allHeaders())['cookie'])
      await isPressed
      await route.continue()
    })
    await page.goto(url('/sign-in'))
    await button.click()
    await page.locator('button[data-passkey]:disabled').waitFor()
    answer()
    await page.locator('button[data-passkey]:enabled').waitFor()
    assert.deepEqual([cookies.length, cookies[0], cookies[1] === undefined], [2, undefined, false])
    await close()
  })

  it('are rejected without user verification', async () => {
    const { page, session, authenticatorId, close } = await device()
    const { email } = await north.hire('office')
    await signIn(page, email)
    await page.waitForURL(isHome)
    await page.goto(url('/factors'))
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey was added.').waitFor()
    await signOut(page)
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.goto(url('/sign-in'))
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').getByText("That didn't work.").waitFor()
    assert.equal(new URL(page.url()).pathname, '/sign-in')
    await close()
  })

  it('can be replaced after a loss: password, recovery code, another passkey', async () => {
    const first = await device()
    const { email } = await north.hire('office')
    await signIn(first.page, email)
    await first.page.waitForURL(isHome)
    await first.page.goto(url(`/${north.id}/settings`))
    await first.page.getByLabel('Name of a new passkey').fill('Old phone')
    await first.page.getByRole('button', { name: 'Add a passkey' }).click()
    await first.page.getByText('The passkey was added.').waitFor()
    await first.page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const letters = await first.page.locator('code.copy').textContent()
    await first.page
      .getByRole('textbox', { name: 'Code' })
      .fill(totpAt(bytesOf(letters!.replaceAll(' ', '')), stepAt(Date.now())))
    await first.page.getByRole('button', { name: 'Turn it on' }).click()
    const [code = ''] = (await first.page.locator('pre').textContent())!.split('\n')
    await first.close()

    const { page, close, complaints } = await device()
    await signIn(page, email)
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(isHome)
    await page.goto(url(`/${north.id}/settings`))
    await page.getByText('9 recovery codes are left.').waitFor()
    await page.getByText('Rename or remove').click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('The passkey was removed.').waitFor()
    await page.getByLabel('Name of a new passkey').fill('New phone')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey was added.').waitFor()
    await signOut(page)
    await page.goto(url('/sign-in'))
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(isHome)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('cannot sign in after removal, and the page says what to do', async () => {
    const { page, close } = await device()
    const { email, user_id } = await north.hire('office')
    await signIn(page, email)
    await page.waitForURL(isHome)
    await page.goto(url('/factors'))
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey was added.').waitFor()
    await service.database.send([sql`delete from passkeys where user_id = ${user_id}`])
    await signOut(page)
    await page.goto(url('/sign-in'))
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').getByText('Unknown passkey').waitFor()
    await close()
  })

  it("confirm the user's identity again, and then submit what was typed", async () => {
    const { page, close } = await device()
    const { email } = await north.hire('office')
    await signIn(page, email)
    await page.waitForURL(isHome)
    await page.goto(url('/factors'))
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey was added.').waitFor()
    await page.goto(url(`/${north.id}/settings/keys`))
    await service.database.send([sql`update sessions set confirmed_at = confirmed_at - interval '20 minutes'`])
    await page.getByLabel('Name').fill('Van tablet')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click()
    await page.getByRole('button', { name: 'Send it now' }).click()
    await page.getByText('API key created: Van tablet').waitFor()
    await close()
  })

  it('pass axe on every page that uses them', async () => {
    const { page, close } = await device()
    const { email } = await north.hire('office')
    await page.goto(url('/sign-in'))
    await passesAxe(page, 'signing in')
    await signIn(page, email)
    await page.waitForURL(isHome)
    await page.goto(url('/factors'))
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey was added.').waitFor()
    await passesAxe(page, 'factors')
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    await passesAxe(page, 'setting up an app')
    await page.goto(url('/confirm?to=/'))
    await passesAxe(page, 'confirming')
    await close()
  })
})
