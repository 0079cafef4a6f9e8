import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { registerClient } from '../../src/identity/credentials/clients/clients.ts'
import { findGrant } from '../../src/identity/credentials/clients/grants.ts'
import { proposesOf, parseProposes } from '../../src/identity/permissions/areas.ts'
import { callerOf } from '../harness/harness.ts'
import { askConsent, hiddenFieldsOf, tokensOf, type Browser } from '../harness/web_client.ts'
import { openScene, type SceneCompany } from './scene.ts'

const CALLBACK = 'http://127.0.0.1:33418/callback'

let scene: Awaited<ReturnType<typeof openScene>>
let company: SceneCompany
let client: string
let browser: Browser
before(async () => {
  scene = await openScene()
  company = await scene.startCompany('Comfort Air')
  browser = company.owner
  client = (await registerClient(scene.service.database, { name: 'Assistant', redirect_uris: [CALLBACK], about: {} }))
    .id
})
after(() => scene.service.stop())

/** Connects the app with these levels through the consent screen. */
async function connect(levels: Record<string, string>) {
  const { path, verifier } = await askConsent(scene.service, browser, client, CALLBACK, { prompt: 'consent' })
  const { text } = await browser.get(`${path}&all=none`)
  const resumed = await browser.post('/oauth/consent', { ...hiddenFieldsOf(text), decision: 'approve', ...levels })
  const { location } = await browser.get(resumed.location!)
  const { access_token } = await tokensOf(scene.service, client, new URL(location!), verifier)
  return { text, ...callerOf(scene.service.url, access_token) }
}

const app = (): string => `${company.at('settings', 'app')}?client=${client}&user=${company.ownerId}`
const person = { customer_type: 'individual', first_name: 'Ana' }

describe('approval levels of an app', () => {
  it('follow the consent screen until someone changes them in the settings', async () => {
    const { text, call, refusal } = await connect({ customers: 'propose', notes: 'edit', jobs: 'view' })
    assert.match(text, /name="customers" value="propose"/)
    assert.match(await refusal('customers_create', person), /^conflict: waits for approval at /)
    assert.ok((await call('notes_create', { body: 'Acts here' }))['id'])
    assert.match(await refusal('jobs_create', { title: 'x' }), /^insufficient_scope: /)

    assert.match((await browser.get(app())).text, /name="customers" value="propose" checked/)
    assert.match((await browser.get(company.at('settings', 'apps'))).text, /Customers &amp; contacts: Propose/)
    await browser.post(app(), { customers: 'edit', notes: 'propose', jobs: 'view' })
    assert.ok((await call('customers_create', person))['id'])
    assert.match(await refusal('notes_create', { body: 'Waits now' }), /^conflict: waits for approval at /)
    await browser.post(app(), { customers: 'edit', notes: 'view', jobs: 'edit' })
    const grant = (await findGrant(scene.service.database.send, client, company.ownerId))!
    assert.deepEqual(grant.proposes, [])
    assert.deepEqual(
      grant.scopes.filter((scope) => scope.startsWith('write:')),
      ['write:customers'],
    )
  })

  it('keep the last choice when the app reconnects without a prompt', async () => {
    await connect({ customers: 'propose' })
    const { path, verifier } = await askConsent(scene.service, browser, client, CALLBACK)
    const onward = /class="button main" href="([^"]+)"/
      .exec((await browser.get(path)).text)![1]!
      .replaceAll('&amp;', '&')
    const { location } = await browser.get(onward)
    const { access_token } = await tokensOf(scene.service, client, new URL(location!), verifier)
    assert.match(
      await callerOf(scene.service.url, access_token).refusal('customers_create', person),
      /^conflict: waits for approval at /,
    )
  })
})

describe('approval levels of an API key', () => {
  it('make writes wait for approval only in the areas set to Propose', async () => {
    const { text } = await browser.post(company.at('settings', 'keys'), {
      name: 'Robot',
      customers: 'propose',
      jobs: 'view',
      notes: 'edit',
    })
    const key = /svc_uk_[0-9A-Za-z]{43}/.exec(text)![0]
    const { call, refusal } = callerOf(scene.service.url, key)
    assert.match(await refusal('customers_create', person), /^conflict: waits for approval at /)
    assert.ok((await call('notes_create', { body: 'Acts' }))['id'])
    assert.match(await refusal('jobs_create', { title: 'x' }), /^insufficient_scope: /)
  })

  it("return 404 to a member who doesn't own the key", async () => {
    const tech = await company.hire('tech')
    for (const act of ['set', 'lift', 'revoke'])
      assert.equal(
        (await tech.browser.post(company.at('settings', 'keys', company.agent.id), { act })).status,
        404,
        act,
      )
    assert.equal((await tech.browser.get(company.at('settings', 'keys', company.agent.id))).status, 404)
  })
})

describe('a list of areas that need approval', () => {
  it('accepts areas in any case, entities, "all" and "none", and rejects anything else', () => {
    assert.deepEqual(parseProposes(' invoices , Catalog & Pricing'), [
      'write:invoices',
      'write:catalog_items',
      'write:catalog_categories',
    ])
    assert.deepEqual(parseProposes('catalog_items'), ['write:catalog_items'])
    assert.deepEqual([parseProposes('none'), parseProposes('all').length], [[], 10])
    assert.deepEqual(proposesOf({ Invoices: 'propose', Quotes: 'edit' }), ['write:invoices'])
    for (const text of ['', ' , ', 'nonsense', 'none,jobs'])
      assert.throws(() => parseProposes(text), { code: 'invalid_input' })
  })
})
