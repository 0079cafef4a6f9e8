import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/tenant.ts'
import type { TestService } from '../../harness/harness.ts'
import { newBrowser, type Browser, type BrowserResponse } from '../../harness/web_client.ts'
import { continueUrl, openProviderScene, type ProviderScene } from './provider_scene.ts'

let here: TestService
let { company, atProvider, approveSignIn, signInThrough, newEmail, forgetAttempts, stop } = {} as ProviderScene
before(async () => {
  const scene = await openProviderScene()
  ;({ here, company, atProvider, approveSignIn, signInThrough, newEmail, forgetAttempts, stop } = scene)
})
after(() => stop())
beforeEach(() => forgetAttempts())

describe('a linked account', () => {
  const signInNewMember = async (): Promise<{ browser: Browser; email: string; user: string }> => {
    const { email, user_id } = await company.hire('tech')
    const browser = newBrowser(here)
    await browser.signIn(email)
    return { browser, email, user: user_id }
  }
  const settings = (): string => `/${company.id}/settings/sign-ins`
  async function linkWith(browser: Browser, at: Browser): Promise<BrowserResponse> {
    const left = await browser.post('/sign-in/provider', { to: settings() })
    const back = new URL(await approveSignIn(at, continueUrl(left)!))
    return browser.get(back.pathname + back.search)
  }

  it('is linked only by a same-origin form, also under another address, and can then sign in', async () => {
    const { browser, user } = await signInNewMember()
    assert.equal((await browser.get('/sign-in/provider')).location, '/')
    const foreign = await browser.post(
      '/sign-in/provider',
      { to: settings() },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    )
    assert.equal(foreign.status, 403)
    const at = await atProvider(newEmail())
    assert.equal((await linkWith(browser, at)).location, settings())
    assert.match((await browser.get(settings())).text, /Your account is linked/)
    const other = newBrowser(here)
    assert.equal((await signInThrough(other, at)).status, 303)
    const [found] = await here.database.send([sql`select user_id from identities where user_id = ${user}`])
    assert.equal(found!.count, 1)
  })

  it("can't be linked to two people, or to another person who signed in meanwhile", async () => {
    const [one, two] = [await signInNewMember(), await signInNewMember()]
    const at = await atProvider(newEmail())
    await linkWith(one.browser, at)
    await linkWith(two.browser, at)
    assert.match((await two.browser.get(settings())).text, /That account is already linked to another user\./)
    const left = await one.browser.post('/sign-in/provider', { to: settings() })
    const back = new URL(await approveSignIn(await atProvider(newEmail()), continueUrl(left)!))
    await one.browser.signIn(two.email)
    assert.equal((await one.browser.get(back.pathname + back.search)).status, 409)
  })

  it('can be unlinked only by its owner, unless it is the only way to sign in', async () => {
    const { browser, user } = await signInNewMember()
    const at = await atProvider(newEmail())
    await linkWith(browser, at)
    const [row] = await here.database.send([sql`select issuer, subject from identities where user_id = ${user}`])
    const identity = row!.rows[0] as { issuer: string; subject: string }
    const stranger = await signInNewMember()
    const unlink = `/${company.id}/settings/linked`
    assert.equal((await stranger.browser.post(unlink, identity)).status, 404)
    const [kept] = await here.database.send([
      sql`select password_hash as hash from users where id = ${user}`,
      sql`update users set password_hash = null where id = ${user}`,
    ])
    const refused = await browser.post(unlink, identity)
    assert.equal(refused.status, 409)
    assert.match(refused.text, /your last way to sign in/)
    await here.database.send([
      sql`update users set password_hash = ${String(kept!.rows[0]!['hash'])} where id = ${user}`,
    ])
    assert.equal((await browser.post(unlink, identity)).status, 303)
    assert.equal((await signInThrough(newBrowser(here), at)).status, 422)
  })
})
