import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { decodeJwt } from 'jose'
import { registerClient } from '../../src/identity/credentials/clients/clients.ts'
import { findGrant } from '../../src/identity/credentials/clients/grants.ts'
import { addOperator } from '../../src/identity/people/operators.ts'
import { newPageRouter } from '../../src/platform/http/page_request.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { pages } from '../../src/web/pages.ts'
import { openSite } from '../../src/web/site.ts'
import {
  LOOPBACK_NETWORK,
  providedCompany,
  startCompanyProvider,
  signInThrough,
  type CompanyProviderServer,
} from '../harness/identity/company_provider.ts'
import { askOptions, eventsOf } from '../harness/identity/factors.ts'
import type { TestService } from '../harness/harness.ts'
import {
  askConsent,
  createCompany,
  pressConsent,
  startSite,
  tokensOf,
  newBrowser,
  type Browser,
  type BrowserResponse,
} from '../harness/web_client.ts'

const CALLBACK = 'https://assistant.example/callback'

type FoundCompany = Awaited<ReturnType<typeof createCompany>>

let provider: CompanyProviderServer
let here: TestService
/** Company whose identity provider signs the person in. */
let theirs: FoundCompany
/** Another company, which the person owns. They also run the installation. */
let other: FoundCompany
let person: { email: string; user_id: string }
let bound: Browser
before(async () => {
  provider = await startCompanyProvider()
  here = await startSite({}, { network: LOOPBACK_NETWORK })
  theirs = await providedCompany(here, provider, 'Alder Plumbing')
  other = await createCompany(here, 'Birch Cleaning')
  person = other.owner
  await theirs.join('owner', { email: person.email })
  await addOperator(here.database, { id: person.user_id, email: person.email, name: 'Ana Ruiz' })
  bound = await signInByProvider()
})
after(async () => {
  await here.stop()
  await provider.stop()
})
beforeEach(() => here.database.send([sql`delete from attempts`]))

/** Returns a browser signed in through the company's identity provider. */
async function signInByProvider(): Promise<Browser> {
  const browser = newBrowser(here)
  await signInThrough(provider, browser, theirs.id, { sub: 'ana', email: person.email, email_verified: true })
  return browser
}

/** Lists every page route, with an id in place of each parameter. */
function addresses(tenant: string): { method: string; path: string }[] {
  const site = openSite({ database: here.database } as never, here.config, () => {}, LOOPBACK_NETWORK)
  const { routes } = pages(site, newPageRouter())
  site.changes.close()
  const listed = routes
    .filter(({ method, path }) => (method === 'GET' || method === 'POST') && !path.includes('*'))
    .map(({ method, path }) => ({
      method,
      path: path
        .replace(/:tenant(\{(?:[^{}]|\{[^}]*\})*\})?/g, tenant)
        .replace(/:\w+(\{(?:[^{}]|\{[^}]*\})*\})?/g, (_, rule: string | undefined) =>
          rule === undefined || rule.includes('0-9a-f') ? tenant : 'jobs',
        ),
    }))
  return [...new Map(listed.map((one) => [`${one.method} ${one.path}`, one])).values()]
}

const sendRequest = (browser: Browser, { method, path }: { method: string; path: string }): Promise<BrowserResponse> =>
  method === 'GET' ? browser.get(path) : browser.post(path, { to: '/' })

/** Returns the answer without the parts that differ each time. */
const normalizeAnswer = ({ status, location, text }: BrowserResponse): unknown => ({
  status,
  location,
  text: text.replaceAll(/nonce="[^"]*"|reference[^<]*|[0-9a-f-]{36}/g, ''),
})

/** Paths outside the company that its session may open, to sign out or to be redirected back. */
const LED_BACK = ['/', '/sign-out', '/field', '/field/']

describe('a session limited to one company', () => {
  it('is anonymous at every other address of other companies and of the installation', async () => {
    const listed = addresses(other.id).filter(({ path }) => !LED_BACK.includes(path))
    assert.ok(listed.length > 150, String(listed.length))
    for (const one of listed) {
      await here.database.send([sql`delete from attempts`])
      const [to, nobody] = [await sendRequest(bound, one), await sendRequest(newBrowser(here), one)]
      assert.deepEqual(normalizeAnswer(to), normalizeAnswer(nobody), `${one.method} ${one.path}`)
    }
    assert.equal((await bound.get(`/${theirs.id}`)).status, 200)
  })

  it('is redirected to its company from the home page and the field app', async () => {
    assert.equal((await bound.get('/')).location, `/${theirs.id}`)
    assert.equal((await bound.get('/field/')).location ?? '', `/field/${theirs.id}/`)
  })

  it("opens its company with the person's current rights", async () => {
    assert.equal((await bound.get(`/${theirs.id}`)).status, 200)
    assert.equal((await bound.get(`/${theirs.id}/settings/members`)).status, 200)
    assert.equal((await bound.get(`/field/${theirs.id}/`)).status, 200)
  })

  it("can neither see nor change the person's own account", async () => {
    const before = await here.database.send([sql`select * from users where id = ${person.user_id}`])
    const at = (step: string) => `/${theirs.id}/settings/${step}`
    const own = await bound.get(`/${theirs.id}/settings`)
    assert.match(own.text, /signed in to Alder Plumbing only/)
    assert.doesNotMatch(own.text, /Birch Cleaning|operator|Passkeys|Current password/)
    assert.doesNotMatch((await bound.get(`/${theirs.id}`)).text, /Birch Cleaning/)
    const tries: [string, Record<string, string>][] = [
      ['you', { name: 'Mallory', language: 'es' }],
      ['password', { current: '', next: 'a new and long password' }],
      ['address', { address: 'mallory@example.com', password: '' }],
      ['sign-ins', {}],
      ['linked', { issuer: 'https://x.example', subject: 'x' }],
    ]
    for (const [step, fields] of tries) {
      const seen = await bound.post(at(step), fields)
      assert.equal(seen.status, 403, step)
      assert.match(seen.text, /belongs to your own account/)
    }
    assert.equal((await bound.get(at('sign-ins'))).status, 403)
    assert.doesNotMatch((await bound.get(at('places'))).text, /New number/)
    const after = await here.database.send([sql`select * from users where id = ${person.user_id}`])
    assert.deepEqual(after[0]!.rows, before[0]!.rows)
  })

  it("isn't offered a passkey prompt and can't add a factor", async () => {
    for (const purpose of ['confirm', 'add', 'second'])
      assert.equal((await askOptions(here, bound, { for: purpose })).status, 401)
    assert.match((await bound.post('/factors/passkeys', { passkey: '{}' })).text, /Sign in/)
    assert.match((await bound.post('/factors/authenticator', {})).text, /Sign in/)
  })

  it('is listed for the person in their other company and can be ended there', async () => {
    const [browser, own] = [await signInByProvider(), newBrowser(here)]
    await own.signIn(person.email)
    assert.match((await own.get(`/${other.id}/settings/sign-ins`)).text, /by the company&#39;s provider/)
    assert.equal((await own.post(`/${other.id}/settings/sign-ins`, {})).status, 303)
    assert.equal((await browser.get(`/${theirs.id}`)).status, 303)
    bound = await signInByProvider()
  })

  it('appears in the security log of its own company, not of another', async () => {
    const own = newBrowser(here)
    await own.signIn(person.email)
    assert.ok((await eventsOf(here, person.user_id)).includes('company_provider_linked'))
    const { text } = await own.get(`/${other.id}/settings/log`)
    assert.doesNotMatch(text, /company&#39;s provider/)
    assert.match((await bound.get(`/${theirs.id}/settings/log`)).text, /Signed in through the company&#39;s provider/)
  })
})

describe('an app connected from a session limited to one company', () => {
  const registerApp = async () =>
    (await registerClient(here.database, { name: 'Fieldhand', redirect_uris: [CALLBACK], about: {} })).id

  it('gets that company, and no other is offered', async () => {
    const client = await registerApp()
    const { path } = await askConsent(here, bound, client, CALLBACK)
    const { text } = await bound.get(path)
    assert.match(text, /to Alder Plumbing/)
    assert.doesNotMatch(text, /Birch Cleaning|another company/)
    assert.doesNotMatch((await bound.get(`${path}&company=${other.id}`)).text, /Birch Cleaning/)
    const done = await pressConsent(bound, path, 'view', { company: theirs.id })
    assert.match(done.location!, /^http/)
    assert.equal((await findGrant(here.database.send, client, person.user_id))!.tenant_id, theirs.id)
  })

  it("ignores another company's id in the form", async () => {
    const client = await registerApp()
    const { path } = await askConsent(here, bound, client, CALLBACK)
    await pressConsent(bound, path, 'view', { company: other.id })
    assert.equal((await findGrant(here.database.send, client, person.user_id))!.tenant_id, theirs.id)
  })

  it('is renewed without consent only in a session of the same kind', async () => {
    const client = await registerApp()
    const own = newBrowser(here)
    await own.signIn(person.email)
    const first = await askConsent(here, bound, client, CALLBACK)
    await pressConsent(bound, first.path, 'view', { company: theirs.id })
    const passes = async (browser: Browser): Promise<boolean> =>
      /which you approved before/.test(
        (await browser.get((await askConsent(here, browser, client, CALLBACK)).path)).text,
      )
    assert.deepEqual([await passes(bound), await passes(own)], [true, false])
    const second = await askConsent(here, own, client, CALLBACK)
    await pressConsent(own, second.path, 'view', {}, theirs.id)
    assert.deepEqual([await passes(own), await passes(bound)], [true, false])
  })

  it('returns 403 and keeps the grant when the person connected it to another company', async () => {
    const client = await registerApp()
    const own = newBrowser(here)
    await own.signIn(person.email)
    const asked = await askConsent(here, own, client, CALLBACK)
    await pressConsent(own, asked.path, 'view', {}, other.id)
    const before = await findGrant(here.database.send, client, person.user_id)
    assert.equal(before!.tenant_id, other.id)
    const { path } = await askConsent(here, bound, client, CALLBACK)
    const seen = await bound.get(path)
    assert.equal(seen.status, 403)
    assert.doesNotMatch(seen.text, /Birch Cleaning/)
    assert.equal((await pressConsent(bound, path, 'view', { company: theirs.id })).status, 403)
    assert.deepEqual(await findGrant(here.database.send, client, person.user_id), before)
  })

  it("gets no ID token, while the person's own session gives one", async () => {
    const client = await registerApp()
    const own = newBrowser(here)
    await own.signIn(person.email)
    const idToken = async (browser: Browser, prompt: string): Promise<Record<string, unknown> | undefined> => {
      const asked = await askConsent(here, browser, client, CALLBACK, { scope: 'openid email', nonce: 'n0nce', prompt })
      const { status, location, text } =
        prompt === '' ? await browser.get(asked.path) : await pressConsent(browser, asked.path, 'view', {}, theirs.id)
      const onward = location ?? /<a class="button main" href="([^"]+)">/.exec(text)?.[1]?.replaceAll('&amp;', '&')
      assert.ok(onward, `${status} ${text}`)
      const back = new URL((await browser.get(onward)).location!)
      const answer: { access_token?: string; id_token?: string } = await tokensOf(here, client, back, asked.verifier)
      assert.ok(answer.access_token, JSON.stringify(answer))
      return answer.id_token === undefined ? undefined : decodeJwt(answer.id_token)
    }
    assert.equal(await idToken(bound, 'consent'), undefined)
    assert.equal(await idToken(bound, ''), undefined)
    const told = await idToken(own, 'consent')
    assert.deepEqual([told!['sub'], told!['email'], told!['email_verified']], [person.user_id, person.email, true])
    assert.equal(await idToken(bound, 'consent'), undefined)
  })

  it('needs a fresh sign-in at the provider before it may write', async () => {
    const client = await registerApp()
    const { path } = await askConsent(here, bound, client, CALLBACK)
    await here.database.send([sql`update sessions set confirmed_at = moment() - interval '16 minutes'`])
    const done = await pressConsent(bound, path, 'approve', { jobs: 'edit', work: 'edit', customers: 'edit' })
    assert.match(done.location!, new RegExp(`^/${theirs.id}/sign-in\\?.*again=yes`))
    assert.equal(await findGrant(here.database.send, client, person.user_id), undefined)
  })
})

it('has a value for every route parameter in the address list', () => {
  assert.ok(addresses(newId()).every(({ path }) => !path.includes(':')))
})
