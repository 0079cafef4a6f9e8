import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  approveRequest,
  authorizeUrl,
  BASE,
  Browser,
  CALLBACK,
  challengeOf,
  allAreas,
  ISSUER,
  registerPublicClient,
  startAuthorizing,
  startAuthorization,
  verifierOf,
  type Asking,
  type AuthorizingService,
  type Deciding,
} from '../harness/identity/authorization.ts'
import { makeCompany, type Company } from '../harness/harness.ts'

let service: AuthorizingService
let company: Company
let client: string
let owner: Deciding
before(async () => {
  service = await startAuthorizing()
  company = await makeCompany(service)
  client = await registerPublicClient(service)
  owner = { user: company.owner.id, tenant: company.tenant }
})
after(() => service.stop())

const challenge = challengeOf(verifierOf())
const browser = () => new Browser(service.fetch)
const url = (more: Asking = {}) => authorizeUrl(client, challenge, more)

/** Returns the parameters of the redirect to the client, or undefined when a page is shown. */
async function calledBack(
  target: string,
): Promise<{ status: number; params: Record<string, string> | undefined; text: string }> {
  const response = await browser().get(target)
  const location = response.headers.get('location')
  return {
    status: response.status,
    params: location === null ? undefined : Object.fromEntries(new URL(location).searchParams),
    text: await response.text(),
  }
}

describe('the consent URL', () => {
  it('is the target of every authorize request, whatever its prompt', async () => {
    for (const prompt of [undefined, 'login', 'consent', 'select_account', 'login consent']) {
      const response = await browser().get(url({ prompt }))
      assert.equal(response.status, 303)
      assert.match(
        response.headers.get('location')!,
        new RegExp(`^${BASE}/oauth/consent\\?authorization_id=[\\w-]{20,}$`),
      )
      assert.equal(response.headers.get('cache-control'), 'no-store')
    }
  })

  it('loads only in the browser that started the request', async () => {
    const [one, other] = [browser(), browser()]
    const id = await startAuthorization(one, url())
    await startAuthorization(other, url())
    const name = service.port.browserCookieName
    const interaction = await service.port.load(id, one.valueOf(name))
    assert.deepEqual(interaction, {
      id,
      client: { id: client, name: 'Test client', kind: 'registered', allowed: null, company: null },
      redirect: { host: '127.0.0.1:33418', kind: 'loopback' },
      requestedScopes: [],
      mustPrompt: false,
    })
    for (const cookie of [other.valueOf(name), undefined, '', 'x', id])
      assert.equal(await service.port.load(id, cookie), null)
    assert.equal(await service.port.load('elsewhere', one.valueOf(name)), null)
  })

  it('keeps requests of several tabs apart', async () => {
    const one = browser()
    const ids = [await startAuthorization(one, url()), await startAuthorization(one, url({ state: 'other' }))]
    for (const id of ids)
      assert.equal((await service.port.load(id, one.valueOf(service.port.browserCookieName)))?.id, id)
  })

  it('has the redirect target and whether consent must be asked again', async () => {
    const own = await registerPublicClient(service, {
      redirect_uris: ['com.example.app:/back', 'https://a.example/cb'],
    })
    for (const [redirect_uri, redirect] of [
      ['com.example.app:/back', { host: 'com.example.app', kind: 'app' }],
      ['https://a.example/cb', { host: 'a.example', kind: 'web' }],
    ] as const) {
      const one = browser()
      const id = await startAuthorization(
        one,
        authorizeUrl(own, challenge, { redirect_uri, prompt: 'consent', scope: 'openid email read:jobs' }),
      )
      const interaction = await service.port.load(id, one.valueOf(service.port.browserCookieName))
      assert.deepEqual(
        [interaction?.redirect, interaction?.mustPrompt, interaction?.requestedScopes],
        [redirect, true, ['openid', 'email']],
      )
    }
  })
})

describe('the redirect back to the client', () => {
  const loadInteraction = async (more: Asking = {}) => {
    const one = browser()
    const interaction = await service.port.load(
      await startAuthorization(one, url(more)),
      one.valueOf(service.port.browserCookieName),
    )
    return { one, interaction: interaction! }
  }
  const approve = (interaction: NonNullable<Awaited<ReturnType<AuthorizingService['port']['load']>>>) =>
    service.port.approve(interaction, { ...owner, areas: allAreas('view') })

  it('needs the same browser and the one-time token, and works once', async () => {
    const { one, interaction } = await loadInteraction()
    const resume = await approve(interaction)
    assert.equal((await browser().get(resume)).status, 410)
    assert.equal((await one.get(resume.replace(/resume=.*/, ''))).status, 410)
    assert.equal((await one.get(resume.replace(/resume=.*/, 'resume=x'))).status, 410)
    const back = await one.get(resume)
    assert.equal(back.status, 303)
    assert.ok(back.headers.get('location')!.startsWith(`${CALLBACK}?`))
    assert.equal((await one.get(resume)).status, 410)
  })

  it("can't be stolen with a cookie made from an approved id", async () => {
    const { interaction } = await loadInteraction()
    const resume = await approve(interaction)
    const thief = browser()
    await startAuthorization(thief, url())
    thief.cookies.set('_interaction_resume /', { value: interaction.id, path: '/' })
    assert.equal((await thief.get(resume)).status, 410)
    assert.equal((await thief.get(`${ISSUER}/oauth/authorize/${interaction.id}`)).status, 410)
  })

  it('works only for the last of two decisions', async () => {
    const { one, interaction } = await loadInteraction()
    const [first, second] = [await approve(interaction), await approve(interaction)]
    assert.equal((await one.get(first)).status, 410)
    assert.equal((await one.get(second)).status, 303)
    await assert.rejects(approve(interaction), { code: 'not_found' })
  })

  it('returns a denial to the client with state and iss', async () => {
    const { one, interaction } = await loadInteraction({ state: 'a b' })
    const back = new URL((await one.get(await service.port.deny(interaction))).headers.get('location')!)
    assert.deepEqual(
      [back.searchParams.get('error'), back.searchParams.get('state'), back.searchParams.get('iss')],
      ['access_denied', 'a b', ISSUER],
    )
  })

  it("can't be approved for a company that the person doesn't belong to", async () => {
    const other = await makeCompany(service)
    const { interaction } = await loadInteraction()
    await assert.rejects(
      service.port.approve(interaction, { user: company.owner.id, tenant: other.tenant, areas: allAreas('view') }),
      { code: 'not_found' },
    )
    await assert.rejects(service.port.approve({ ...interaction }, { ...owner, areas: {} }), { code: 'not_found' })
  })

  it("leaves none of the library's session cookies", async () => {
    const { one, interaction } = await loadInteraction()
    await one.get(await approve(interaction))
    assert.deepEqual(
      [...one.cookies.keys()].filter((key) => !key.startsWith('_interaction_resume')).map((key) => key.split(' ')[0]),
      ['__Host-callout_browser'],
    )
  })
})

describe('the state parameter', () => {
  it('is returned byte for byte', async () => {
    for (const raw of [
      'abc',
      'a%20b',
      'a+b',
      '%7Ba%3A1%7D',
      '%2B%26%3D%23',
      '%C3%A4',
      '%FF%FE',
      '~!*()-._',
      'x'.repeat(3_000),
      '%25',
      'eyJhIjoxfQ%3D%3D',
    ]) {
      const one = browser()
      const back = await approvedRaw(one, `${url({ state: undefined })}&state=${raw}`)
      assert.match(back, new RegExp(`[?&]state=${raw.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(&|$)`))
    }
  })

  it("is omitted when it wasn't sent", async () => {
    assert.ok(
      !(await approveRequest(service.port, browser(), url({ state: undefined }), owner)).searchParams.has('state'),
    )
  })

  it('is returned with an error', async () => {
    assert.equal((await calledBack(url({ code_challenge: undefined, state: 'a/b+c' }))).params?.['state'], 'a/b+c')
  })

  async function approvedRaw(one: Browser, target: string): Promise<string> {
    const interaction = await service.port.load(
      await startAuthorization(one, target),
      one.valueOf(service.port.browserCookieName),
    )
    return (await one.get(await service.port.approve(interaction!, { ...owner, areas: allAreas('view') }))).headers.get(
      'location',
    )!
  }
})
