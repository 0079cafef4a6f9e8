import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { onSignIn, type SignInOutcome } from '../../../src/identity/sign_in/outcomes.ts'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { invitePerson } from '../../../src/identity/people/invitations/invitations.ts'
import { sql } from '../../../src/platform/db/tenant.ts'
import { startTestService, type TestService } from '../../harness/harness.ts'
import { freePort, newBrowser } from '../../harness/web_client.ts'
import { openProviderScene, type ProviderScene } from './provider_scene.ts'

let provider: TestService
let here: TestService
let { company, atProvider, approveSignIn, signInThrough, newEmail, forgetAttempts, stop } = {} as ProviderScene
before(async () => {
  const scene = await openProviderScene()
  ;({ provider, here, company, atProvider, approveSignIn, signInThrough, newEmail, forgetAttempts, stop } = scene)
})
after(() => stop())
beforeEach(() => forgetAttempts())

const eventsOf = async (email: string): Promise<string[]> =>
  (
    await here.database.send([
      sql`select e.kind from account_events e join users u on u.id = e.user_id where u.email = ${email} and e.kind <> 'sign_in_failed' order by e.at, e.id`,
    ])
  )[0]!.rows.map(({ kind }) => String(kind))

describe('signing in through a provider', () => {
  it('is offered, uses PKCE and signs in the person with the verified address', async () => {
    const browser = newBrowser(here)
    assert.match((await browser.get('/sign-in')).text, /Sign in with Identity Inc/)
    const email = newEmail()
    await company.join('tech', { email })
    await here.database.send([sql`update users set vouched_at = moment() where email = ${email}`])
    const { location } = await browser.get('/sign-in/provider')
    const asked = new URL(location!).searchParams
    assert.deepEqual(
      [asked.get('code_challenge_method'), asked.get('response_type'), asked.get('scope')],
      ['S256', 'code', 'openid email profile'],
    )
    const done = await signInThrough(browser, await atProvider(email), `/${company.id}/settings`)
    assert.deepEqual([done.status, done.location], [303, `/${company.id}/settings`])
    assert.match((await browser.get(`/${company.id}/settings/sign-ins`)).text, /with an outside account/)
    assert.deepEqual(await eventsOf(email), ['provider_linked', 'signed_in'])
  })

  it('finds a linked account by subject when the address has changed', async () => {
    const email = newEmail()
    await company.hire('tech')
    await company.join('tech', { email })
    const at = await atProvider(email)
    await signInThrough(newBrowser(here), at)
    await here.database.send([sql`update users set email = ${newEmail()} where email = ${email}`])
    assert.equal((await signInThrough(newBrowser(here), at)).status, 303)
  })

  it('rejects an unverified address and an unknown one', async () => {
    const [unverified, unknown] = [newEmail(), newEmail()]
    await company.join('tech', { email: unverified })
    const first = newBrowser(here)
    const outcomes: SignInOutcome[] = []
    const stop = onSignIn((outcome) => outcomes.push(outcome))
    const refused = await signInThrough(first, await atProvider(unverified, false))
    assert.equal(refused.status, 422)
    assert.match(refused.text, /isn&#39;t verified there/)
    const second = await signInThrough(newBrowser(here), await atProvider(unknown))
    assert.equal(second.status, 422)
    assert.match(second.text, /Nobody here has person-/)
    stop()
    const failed = outcomes.filter(({ methods }) => methods.includes('provider'))
    assert.deepEqual(failed, [
      { outcome: 'failed', methods: ['provider'] },
      { outcome: 'failed', methods: ['provider'] },
    ])
    assert.equal((await first.get(`/${company.id}`)).status, 303)
    const [made] = await here.database.send([sql`select from users where email = ${unknown}`])
    assert.equal(made!.count, 0)
  })

  it('resets an account that was made for the address and never proved', async () => {
    const email = newEmail()
    const squatter = await company.hire('tech')
    await here.database.send([
      sql`update users set email = ${email}, vouched_at = null, proved_at = null where id = ${squatter.user_id}`,
    ])
    const intruder = newBrowser(here)
    await intruder.signIn(email)
    assert.equal((await intruder.get(`/${company.id}`)).status, 200)
    const key = await createKey(
      here.database,
      { tenant: company.id },
      { user: squatter.user_id, name: 'Left behind', scopes: ['read:jobs'], expires_at: null },
    )
    const owner = newBrowser(here)
    assert.equal((await signInThrough(owner, await atProvider(email))).status, 303)
    assert.equal((await owner.get(`/${company.id}`)).status, 200)
    assert.equal((await intruder.get(`/${company.id}`)).status, 303)
    assert.equal((await newBrowser(here).signIn(email)).status, 422)
    const [, left] = await here.database.send([
      sql`select enter_tenant(${company.id}, null, 0)`,
      sql`select revoked_at is not null as revoked from credentials where id = ${key.id}`,
    ])
    assert.deepEqual(left!.rows, [{ revoked: true }])
    assert.deepEqual(await eventsOf(email), ['signed_in', 'account_started_over', 'provider_linked', 'signed_in'])
  })

  it('accepts the invitation the person came from, only for the verified address and without a password', async () => {
    const [invited, other] = [newEmail(), newEmail()]
    const { secret } = await invitePerson(
      here.database,
      company.id,
      { email: invited, name: null, role: 'tech' },
      { user: company.owner.user_id },
    )
    const path = `/join?invitation=${secret}`
    assert.equal((await signInThrough(newBrowser(here), await atProvider(other), path)).status, 422)
    const joined = newBrowser(here)
    assert.equal((await signInThrough(joined, await atProvider(invited), path)).location, `/${company.id}`)
    assert.equal((await joined.get(`/${company.id}`)).status, 200)
    const [made] = await here.database.send([
      sql`select password_hash, proved_at is not null as proved from users where email = ${invited}`,
    ])
    assert.deepEqual(made!.rows, [{ password_hash: null, proved: true }])
  })
})

describe('the provider callback', () => {
  it('works once, only in the same browser and with its own state', async () => {
    const email = newEmail()
    await company.join('tech', { email })
    const at = await atProvider(email)
    const [mine, stranger] = [newBrowser(here), newBrowser(here)]
    const { location } = await mine.get('/sign-in/provider')
    const back = new URL(await approveSignIn(at, location!))
    assert.equal((await stranger.get(back.pathname + back.search)).status, 400)
    await stranger.get('/sign-in/provider')
    assert.equal((await stranger.get(back.pathname + back.search)).status, 422)
    assert.equal((await mine.get(back.pathname + back.search)).status, 303)
    assert.equal((await mine.get(back.pathname + back.search)).status, 400)
  })

  it('is rejected when the provider reports an error, when it is forged and when it is too late', async () => {
    const browser = newBrowser(here)
    const startSignIn = async (): Promise<URLSearchParams> =>
      new URL((await browser.get('/sign-in/provider')).location!).searchParams
    const callback = '/sign-in/provider/callback'
    const state = (await startSignIn()).get('state')!
    assert.equal((await browser.get(`${callback}?error=access_denied&state=${state}`)).status, 422)
    await startSignIn()
    assert.equal((await browser.get(`${callback}?code=invented&state=invented`)).status, 422)
    const again = (await startSignIn()).get('state')!
    assert.equal(
      (await browser.get(`${callback}?code=invented&state=${again}&iss=${encodeURIComponent(provider.config.authUrl)}`))
        .status,
      422,
    )
    await startSignIn()
    await here.database.send([sql`update provider_requests set created_at = created_at - interval '16 minutes'`])
    assert.equal((await browser.get(`${callback}?code=x&state=y`)).status, 400)
    assert.equal((await browser.get(`/${company.id}`)).status, 303)
  })

  it('rejects HEAD requests and stays usable', async () => {
    const email = newEmail()
    await company.join('tech', { email })
    const browser = newBrowser(here)
    const { location } = await browser.get('/sign-in/provider')
    const back = new URL(await approveSignIn(await atProvider(email), location!))
    for (const path of ['/sign-in/provider', back.pathname + back.search])
      assert.equal((await browser.send(path, { method: 'HEAD' })).status, 405)
    assert.equal((await browser.get(back.pathname + back.search)).status, 303)
  })

  it('redirects only to local pages', async () => {
    const email = newEmail()
    await company.join('tech', { email })
    const done = await signInThrough(newBrowser(here), await atProvider(email), 'https://evil.example/x')
    assert.deepEqual([done.status, done.location], [303, '/'])
  })

  it('is limited per address', async () => {
    const browser = newBrowser(here)
    await here.database.send([sql`delete from provider_requests`])
    const statuses = new Set<number>()
    for (let i = 0; i < 61; i++) statuses.add((await browser.get('/sign-in/provider')).status)
    assert.deepEqual([...statuses], [303, 429])
  })
})

describe('without a working provider', () => {
  it('there is no button and its routes return 404', async () => {
    const browser = newBrowser(provider)
    assert.doesNotMatch((await browser.get('/sign-in')).text, /sign-in\/provider/)
    assert.equal((await browser.get('/sign-in/provider')).status, 404)
    assert.equal((await browser.get('/sign-in/provider/callback?code=x')).status, 404)
  })

  it('sign-in returns 503 with Retry-After when the provider is down', async () => {
    const port = await freePort()
    const dead = await startTestService({
      BASE_URL: `http://localhost:${port}`,
      PORT: String(port),
      OIDC_ISSUER: `http://localhost:${await freePort()}`,
      OIDC_CLIENT_ID: 'nobody',
    })
    try {
      const { status, headers } = await newBrowser(dead).get('/sign-in/provider')
      assert.deepEqual([status, headers.get('retry-after')], [503, '30'])
    } finally {
      await dead.stop()
    }
  })
})
