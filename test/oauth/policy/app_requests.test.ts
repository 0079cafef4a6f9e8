import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '../../../src/platform/validation/id.ts'
import { requestApp, decideAppRequest } from '../../../src/identity/apps/requests.ts'
import { revokeGrant } from '../../../src/identity/credentials/clients/grants.ts'
import { removeMember } from '../../../src/identity/people/people.ts'
import { askConsent, pressConsent, hiddenFieldsOf, newBrowser } from '../../harness/web_client.ts'
import { CALLBACK, openPolicySite, type PolicySite } from './policy_site.ts'

let { service, office, noticesOf } = {} as PolicySite
before(async () => {
  ;({ service, office, noticesOf } = await openPolicySite())
})
after(() => service.stop())

describe('the app policy "ask an owner first"', () => {
  it('stores the request, notifies owners and connects only after an approval', async () => {
    const { browser, request, grant, requests, decide, company, member } = await office('ask')
    await newBrowser(service).signIn(company.owner.email)
    const { path } = await request()
    assert.match(
      (await browser.get(path)).text,
      /Ask for View everywhere[^]*an owner must approve it first[^]*Ask an owner/,
    )
    const pressed = await pressConsent(browser, path, 'view')
    assert.equal(await grant(), undefined)
    const waits = await browser.get(pressed.location!)
    assert.match(waits.text, /An owner was asked[^]*View everything[^]*Owners who can approve: Ana Ruiz\./)
    const [asked] = await requests()
    assert.deepEqual(
      [asked!.name, asked!.host, asked!.user_name, asked!.state, asked!.scopes.length],
      ['Assistant', 'assistant.example', 'Leo Park', 'waiting', 10],
    )
    assert.deepEqual(
      (await noticesOf(company.owner.user_id)).map(({ kind }) => kind),
      ['app_asked'],
    )

    await decide('approved')
    assert.equal((await noticesOf(member.user_id)).at(-1)?.kind, 'app_approved')
    const open = await browser.get(path)
    assert.match(open.text, /Allow what was approved[^]*An owner approved: View everything/)
    const given = await browser.post('/oauth/consent', { ...hiddenFieldsOf(open.text), decision: 'approved' })
    assert.match((await browser.get(given.location!)).location!, /code=/)
    assert.equal((await grant())?.scopes.length, 10)
  })

  it('asks again for more than was approved and drops the earlier approval', async () => {
    const { browser, request, grant, requests, decide } = await office('ask')
    const { path } = await request()
    await pressConsent(browser, path, 'approve', { jobs: 'view' })
    await decide('approved')
    const more = await pressConsent(browser, path, 'approve', { jobs: 'view', customers: 'view' })
    assert.match((await browser.get(more.location!)).text, /An owner was asked/)
    assert.equal(await grant(), undefined)
    const [asked] = await requests()
    assert.deepEqual([asked!.state, asked!.scopes], ['waiting', ['read:customers', 'read:jobs']])
  })

  it('asks again for Edit when Propose was approved, and grants Propose after that approval', async () => {
    const { browser, request, grant, requests, decide } = await office('ask')
    const { path } = await request()
    await pressConsent(browser, path, 'approve', { jobs: 'propose', customers: 'view' })
    await decide('approved')
    await pressConsent(browser, path, 'approve', { jobs: 'edit' })
    assert.equal((await requests())[0]!.state, 'waiting')
    assert.equal(await grant(), undefined)
    const back = await browser.get(`${path}&anew=yes`)
    await browser.post('/oauth/consent', { ...hiddenFieldsOf(back.text), decision: 'approve', jobs: 'propose' })
    await decide('approved')
    await pressConsent(browser, path, 'approve', { jobs: 'propose' })
    assert.deepEqual((await grant())?.proposes, ['write:jobs'])
  })

  it('shows that an owner declined, accepts no second request, and the owner can still approve', async () => {
    const { browser, request, grant, requests, decide, member } = await office('ask')
    const { path, id } = await request()
    await pressConsent(browser, path, 'view')
    await decide('declined')
    assert.equal((await noticesOf(member.user_id)).at(-1)?.kind, 'app_declined')
    assert.match((await browser.get(path)).text, /An owner declined this app[^]*talk to an owner: Ana Ruiz/)
    assert.equal((await browser.post('/oauth/consent', { authorization_id: id, decision: 'view' })).status, 403)
    assert.equal((await requests())[0]!.state, 'declined')
    await decide('approved')
    assert.match((await browser.get(path)).text, /Allow what was approved/)
    assert.equal(await grant(), undefined)
  })

  it('returns 404 for an answer without a request, whatever user is sent', async () => {
    const { settings, requests } = await office('ask')
    const { opened, at } = await settings()
    for (const user of ['', 'nobody', '=', newId()]) {
      const sent = { user, client: 'x', asked: '', answer: 'approved' }
      assert.equal((await opened.post(at('apps', 'requests'), sent)).status, 404, user)
    }
    assert.deepEqual(await requests(), [])
  })

  it("refuses an owner's answer to an earlier request", async () => {
    const { browser, request, requests, company, owner } = await office('ask')
    const { path } = await request()
    await pressConsent(browser, path, 'approve', { jobs: 'view' })
    const [{ user_id, client_id, asked_at }] = (await requests()) as [Awaited<ReturnType<typeof requests>>[0]]
    const anew = await browser.get(`${path}&anew=yes`)
    await browser.post('/oauth/consent', { ...hiddenFieldsOf(anew.text), decision: 'approve', jobs: 'edit' })
    await assert.rejects(
      decideAppRequest(
        service.database,
        company.id,
        { user: user_id, client: client_id, askedAt: asked_at },
        'approved',
        owner,
      ),
      /sent a new request/,
    )
    assert.equal((await requests())[0]!.state, 'waiting')
  })

  it('drops an approval when the app is disconnected, and a request when the member leaves', async () => {
    const { browser, request, grant, requests, decide, client, member, company } = await office('ask')
    const { path } = await request()
    await pressConsent(browser, path, 'view')
    await decide('approved')
    await browser.post('/oauth/consent', { ...hiddenFieldsOf((await browser.get(path)).text), decision: 'approved' })
    assert.notEqual(await grant(), undefined)
    assert.match((await browser.get((await request()).path)).text, /Going back to/)
    await revokeGrant(service.database, client, member.user_id, null, company.id)
    assert.deepEqual(await requests(), [])
    const next = await request()
    await pressConsent(browser, next.path, 'view')
    assert.equal((await requests()).length, 1)
    await removeMember(service.database, { tenant: company.id }, member.user_id)
    assert.deepEqual(await requests(), [])
  })

  it('lets owners connect without asking', async () => {
    const { company, client } = await office('ask')
    const browser = newBrowser(service)
    await browser.signIn(company.owner.email)
    const { path } = await askConsent(service, browser, client, CALLBACK)
    assert.match((await browser.get(path)).text, /Allow View everywhere/)
  })

  it('allows at most 20 open requests per member', async () => {
    const { company, member } = await office('ask')
    const ask = (id: string) =>
      requestApp(
        service.database,
        company.id,
        {
          app: { id, kind: 'registered', name: 'App' },
          host: 'a.example',
          requested: { scopes: ['read:jobs'], proposes: [] },
        },
        member.user_id,
      )
    for (let i = 0; i < 20; i++) await ask(`client-${i}`)
    await assert.rejects(ask('client-20'), /already asked for 20 apps/)
    await ask('client-3')
  })
})
