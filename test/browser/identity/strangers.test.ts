import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { addOrInviteMember } from '../../../src/identity/people/invitations/add_or_invite.ts'
import { openMailScene } from '../../harness/messaging/account_mail.ts'
import { PASSWORD, createCompany } from '../../harness/web_client.ts'
import { SIZES, inBrowser, launch, openPage } from '../harness/launch.ts'
import { follow, goTo, press } from '../harness/moves.ts'

const [HERS, HIS] = ['her own long secret', 'his own long secret']

type Company = Awaited<ReturnType<typeof createCompany>>
type Opened = Awaited<ReturnType<typeof openPage>>

let mailed: Awaited<ReturnType<typeof openMailScene>>
let browser: Browser
let acme: Company & Opened
let globex: Company & Opened
let serial = 0

const url = (path: string): string => new URL(path, mailed.service.config.baseUrl).href
const pathOf = (page: Page): string => new URL(page.url()).pathname
const newAddress = (): string => `ceo-${++serial}@a.example`

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto(url('/sign-in'))
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function openCompany(name: string): Promise<Company & Opened> {
  const company = await createCompany(mailed.service, name)
  const at = await openPage(browser)
  await signIn(at.page, company.owner.email, PASSWORD)
  await at.page.waitForURL(({ pathname }) => pathname === `/${company.id}`)
  return { ...company, ...at }
}

/** Invites a member as an owner, with a link or by mail. Returns the link. */
async function inviteMember({ page, id }: Company & Opened, email: string, way: 'link' | 'mail'): Promise<string> {
  await page.goto(url(`/${id}/settings/members`))
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Role').selectOption('Office')
  await press(page, way === 'mail' ? 'Send invite' : 'Create invite link')
  if (way === 'link') return page.locator('.notice code').innerText()
  await page.getByText(email).first().waitFor()
  return url(await mailed.pathIn(email))
}

async function join(page: Page, link: string, password: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Your name').fill('Cy Lee')
  await page.getByLabel('Password').fill(password)
  await press(page, 'Join the company')
}

const isAt = (page: Page, { id }: Company): Promise<void> => page.waitForURL(({ pathname }) => pathname === `/${id}`)

/** Checks whether a browser is signed in to a company. */
async function isIn(page: Page, { id }: Company): Promise<boolean> {
  await page.goto(url(`/${id}`))
  return pathOf(page) === `/${id}`
}

async function signsIn(email: string, password: string): Promise<boolean> {
  const at = await openPage(browser)
  await signIn(at.page, email, password)
  await at.page.getByRole('heading', { level: 1 }).waitFor()
  const isHere = pathOf(at.page) !== '/sign-in'
  await at.close()
  return isHere
}

/** The owner of Globex creates an account for herself with his address before he knows of it. */
async function hijackAddress(): Promise<{ email: string; hers: Opened }> {
  const [email, hers] = [newAddress(), await openPage(browser)]
  await join(hers.page, await inviteMember(globex, email, 'link'), HERS)
  await isAt(hers.page, globex)
  return { email, hers }
}

inBrowser("an account created with someone else's email address", () => {
  before(async () => {
    mailed = await openMailScene()
    browser = await launch()
    acme = await openCompany('Acme Air')
    globex = await openCompany('Globex Plumbing')
  })
  after(async () => {
    await browser.close()
    await mailed.stop()
  })

  it('1: is taken over by the invitation link that the operator creates', async () => {
    const { email, hers } = await hijackAddress()
    const hired = await addOrInviteMember(
      mailed.service.database,
      { tenant: acme.id },
      { email, role: 'owner', password: 'generated' },
    )
    assert.ok('invitation' in hired)
    const his = await openPage(browser, { viewport: SIZES.phone })
    await join(his.page, url(`/join?invitation=${hired.invitation.secret}`), HIS)
    await isAt(his.page, acme)
    assert.deepEqual(
      [await isIn(his.page, acme), await isIn(hers.page, acme), await isIn(hers.page, globex)],
      [true, false, false],
    )
    assert.deepEqual([await signsIn(email, HERS), await signsIn(email, HIS)], [false, true])
    await Promise.all([hers.close(), his.close()])
  })

  it('2: is taken over by a mailed invitation', async () => {
    const { email, hers } = await hijackAddress()
    const his = await openPage(browser, { javaScriptEnabled: false })
    await join(his.page, await inviteMember(acme, email, 'mail'), HIS)
    await isAt(his.page, acme)
    assert.deepEqual([await isIn(hers.page, globex), await isIn(hers.page, acme)], [false, false])
    assert.equal(await signsIn(email, HERS), false)
    await Promise.all([hers.close(), his.close()])
  })

  it('3: is not verified by the link that the attacker has sent to the address', async () => {
    const { email, hers } = await hijackAddress()
    await hers.page.locator('.notice-line a').click()
    await press(hers.page, 'Send link')
    await hers.page.getByText(`A link is on its way to ${email}.`).waitFor()
    const his = await openPage(browser)
    await his.page.goto(url(await mailed.pathIn(email)))
    await his.page.getByText('Press this only if you sign in as Cy Lee yourself').waitFor()
    await his.page.getByLabel('Password of this account').fill(HIS)
    await his.page.getByLabel('New password').fill(HIS)
    await press(his.page, 'Yes, this is my address')
    await his.page.getByRole('alert').waitFor()
    await hers.page.goto(url(`/${globex.id}/settings`))
    assert.equal(await hers.page.getByText('Confirmed', { exact: true }).count(), 0)
    await Promise.all([hers.close(), his.close()])
  })

  it('4: cannot be had by changing to the address either', async () => {
    const [own, email] = [newAddress(), newAddress()]
    const hers = await openPage(browser)
    await join(hers.page, await inviteMember(globex, own, 'link'), HERS)
    await isAt(hers.page, globex)
    await hers.page.goto(url(`/${globex.id}/settings`))
    await hers.page.getByText('Use another address').click()
    const form = hers.page.locator('form[action$="/settings/address"]')
    await form.getByLabel('New email address').fill(email)
    await form.getByLabel('Password').fill(HERS)
    await form.getByRole('button', { name: 'Send link', exact: true }).click()
    await hers.page.getByText(`A link is on its way to ${email}.`).waitFor()
    const his = await openPage(browser)
    await his.page.goto(url(await mailed.pathIn(email)))
    await his.page.getByRole('heading', { level: 1 }).waitFor()
    await his.close()
    assert.equal(await signsIn(email, HERS), false)
    const invitee = await openPage(browser)
    await join(invitee.page, await inviteMember(acme, email, 'mail'), HIS)
    await isAt(invitee.page, acme)
    await Promise.all([hers.close(), invitee.close()])
  })

  it('5: cannot be created with an old invitation link once the owner of the address has joined', async () => {
    const email = newAddress()
    const kept = await inviteMember(globex, email, 'link')
    const his = await openPage(browser)
    await join(his.page, await inviteMember(acme, email, 'mail'), HIS)
    await isAt(his.page, acme)
    const hers = await openPage(browser)
    await join(hers.page, kept, HERS)
    await hers.page.getByRole('alert').getByText('sign in to accept').waitFor()
    assert.equal(await isIn(hers.page, globex), false)
    assert.deepEqual([await isIn(his.page, acme), await signsIn(email, HERS)], [true, false])
    await Promise.all([hers.close(), his.close()])
  })
})

inBrowser('a stolen session', () => {
  before(async () => {
    mailed = await openMailScene()
    browser = await launch()
    acme = await openCompany('Acme Air')
  })
  after(async () => {
    await browser.close()
    await mailed.stop()
  })

  it('can be ended by its user from another device, and by an owner', async () => {
    const { email, user_id } = await acme.hire('office')
    for (const ending of ['person', 'owner']) {
      const laptop = await openPage(browser)
      await signIn(laptop.page, email, PASSWORD)
      await isAt(laptop.page, acme)
      const thief = await openPage(browser)
      await thief.page.context().addCookies(await laptop.page.context().cookies())
      assert.equal(await isIn(thief.page, acme), true)
      await laptop.close()
      if (ending === 'person') await endFromPhone(email)
      else await endAsOwner(user_id)
      assert.equal(await isIn(thief.page, acme), false, ending)
      await thief.page.goto(url(`/${acme.id}/customers`))
      assert.equal(pathOf(thief.page), '/sign-in')
      await thief.close()
    }
  })
})

/** Signs in on a phone and signs out all other sessions, after seeing where they are. */
async function endFromPhone(email: string): Promise<void> {
  const phone = await openPage(browser, { viewport: SIZES.phone, hasTouch: true, isMobile: true })
  await signIn(phone.page, email, PASSWORD)
  await isAt(phone.page, acme)
  await phone.page.goto(url(`/${acme.id}/settings/sign-ins`))
  await phone.page.getByText('This browser, now').waitFor()
  await press(phone.page, 'Sign out everywhere else')
  await phone.page.getByText('Signed out one other browser').first().waitFor()
  assert.equal(await isIn(phone.page, acme), true)
  await phone.close()
}

async function endAsOwner(user: string): Promise<void> {
  const { page, id } = acme
  await page.goto(url(`/${id}`))
  await goTo(page, 'Settings')
  await follow(page, 'Members')
  await page.goto(url(`/${id}/settings/members/${user}`))
  await press(page, 'Sign out everywhere')
  await page.getByRole('status').getByText('They were signed out of').waitFor()
}
