import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listApp, findAppRules, setAppPolicy, unlistApp } from '../../../src/identity/apps/policy.ts'
import { createClient } from '../../../src/identity/credentials/clients/clients.ts'
import { askConsent, createCompany, pressConsent, hiddenFieldsOf, newBrowser } from '../../harness/web_client.ts'
import { CALLBACK, openPolicySite, type PolicySite } from './policy_site.ts'

let { service, register, office, noticesOf } = {} as PolicySite
before(async () => {
  ;({ service, register, office, noticesOf } = await openPolicySite())
})
after(() => service.stop())

describe('the app policy "anything"', () => {
  it('is the default, lets members connect any app and notifies the owners once', async () => {
    const company = await createCompany(service, 'Birch Air')
    assert.deepEqual(await findAppRules(service.database, company.id), { policy: 'anything', listed: [] })
    const { browser, grant, request, company: own, member } = await office('anything')
    const { opened } = await (await office('anything')).settings()
    await newBrowser(service).signIn(own.owner.email)
    const { path } = await request()
    await pressConsent(browser, path, 'view')
    assert.equal((await grant())?.tenant_id, own.id)
    assert.deepEqual(await noticesOf(own.owner.user_id), [
      { kind: 'member_app', about: { name: 'Assistant', person: 'Leo Park', company: 'Alder Plumbing' } },
    ])
    assert.deepEqual(
      (await noticesOf(member.user_id)).map(({ kind }) => kind),
      ['new_app'],
    )
    assert.equal(opened.jar.has('callout_session'), true)
    const again = await request({ prompt: 'consent' })
    await pressConsent(browser, again.path, 'view')
    assert.equal((await noticesOf(own.owner.user_id)).length, 1)
  })

  it('notifies an owner who connects an app once', async () => {
    const company = await createCompany(service, 'Cedar Air')
    const browser = newBrowser(service)
    await browser.signIn(company.owner.email)
    const { path } = await askConsent(service, browser, await register(), CALLBACK)
    await pressConsent(browser, path, 'view')
    assert.deepEqual(
      (await noticesOf(company.owner.user_id)).map(({ kind }) => kind),
      ['new_app'],
    )
  })
})

describe('the app policy "only listed apps"', () => {
  it('shows a member why an app is refused and whom to ask, and grants nothing', async () => {
    const { browser, request, grant, client, company } = await office('listed')
    const { path, id } = await request()
    const { status, text } = await browser.get(path)
    assert.equal(status, 403)
    assert.match(text, /This app isn(?:'|&#39;)t on the list[^]*Ask an owner: Ana Ruiz\.[^]*Client ID that an owner/)
    assert.ok(text.includes(client))
    assert.doesNotMatch(text, /Allow View everywhere|You are an owner/)
    for (const decision of ['view', 'approve', 'approved']) {
      const pressed = await browser.post('/oauth/consent', { authorization_id: id, company: company.id, decision })
      assert.equal(pressed.status, 403, decision)
    }
    assert.equal(await grant(), undefined)
    const denied = await browser.post('/oauth/consent', { authorization_id: id, decision: 'deny' })
    assert.match((await browser.get(denied.location!)).location!, /error=access_denied/)
  })

  it('applies to owners, and links them to the list', async () => {
    const { company, client } = await office('listed')
    const browser = newBrowser(service)
    await browser.signIn(company.owner.email)
    const { path } = await askConsent(service, browser, client, CALLBACK)
    const { status, text } = await browser.get(path)
    assert.equal(status, 403)
    assert.ok(text.includes(`/${company.id}/settings/apps#policy`))
  })

  it('lets a listed client connect until it is unlisted, even when it was approved before', async () => {
    const { browser, request, grant, client, company, owner } = await office('listed')
    await listApp(service.database, company.id, client, owner)
    const first = await request()
    await pressConsent(browser, first.path, 'view')
    assert.equal((await grant())?.client_id, client)
    assert.match((await browser.get((await request()).path)).text, /Going back to/)
    await unlistApp(service.database, company.id, { kind: 'client', value: client }, owner)
    const { status, text } = await browser.get((await request()).path)
    assert.equal(status, 403)
    assert.match(text, /on the list/)
    assert.equal((await grant())?.client_id, client)
  })

  it('is checked when the button is pressed, not when the page is shown', async () => {
    const { browser, request, grant, company, owner } = await office('anything')
    const { path } = await request()
    const form = hiddenFieldsOf((await browser.get(path)).text)
    await setAppPolicy(service.database, company.id, 'listed', owner)
    assert.equal((await browser.post('/oauth/consent', { ...form, decision: 'view' })).status, 403)
    assert.equal(await grant(), undefined)
  })

  it('lets clients of the company or the operator connect', async () => {
    for (const own of [true, false]) {
      const { company, browser } = await office('listed')
      const made = await createClient(service.database, {
        name: 'Ledger',
        redirect_uris: [CALLBACK],
        allow_list: null,
        ...(own ? { tenant: company.id } : {}),
      })
      const { path } = await askConsent(service, browser, made.id, CALLBACK)
      assert.match((await browser.get(path)).text, /Allow View everywhere/)
    }
  })

  it('applies to its own company only', async () => {
    const [one, other] = [await office('listed'), await office('listed')]
    await listApp(service.database, other.company.id, one.client, other.owner)
    assert.equal((await one.browser.get((await one.request()).path)).status, 403)
  })
})

describe('the app settings', () => {
  it('let an owner answer requests, set the policy and list apps, and answers are in the log', async () => {
    const { browser, request, settings, client, company } = await office('ask', { name: 'Field<hand>' })
    const { path } = await request()
    await pressConsent(browser, path, 'view')
    const { opened, at } = await settings()
    const today = await opened.get(`/${company.id}`)
    assert.match(
      today.text,
      /Apps to approve <span>1<\/span>[^]*Field&lt;hand&gt;[^]*assistant\.example[^]*Leo Park asks: View everything/,
    )
    const { text } = await opened.get(at('apps'))
    assert.match(
      text,
      /Apps that members asked for[^]*Field&lt;hand&gt;[^]*Nobody has checked this name\. It leads to assistant\.example/,
    )
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)![1]!
    await opened.post(at('apps', 'requests'), {
      user: hidden('user'),
      client: hidden('client'),
      asked: hidden('asked'),
      answer: 'approved',
    })
    assert.match((await browser.get(path)).text, /Allow what was approved/)
    assert.doesNotMatch((await opened.get(`/${company.id}`)).text, /Apps to approve/)

    assert.equal((await opened.post(at('apps', 'policy'), { policy: 'listed' })).status, 303)
    for (const app of ['Claude.AI', 'https://claude.ai/oauth/client.json', client])
      assert.equal((await opened.post(at('apps', 'listed'), { app })).status, 303, app)
    const { policy, listed } = await findAppRules(service.database, company.id)
    assert.deepEqual(
      [policy, listed.map(({ kind, value }) => [kind, value])],
      [
        'listed',
        [
          ['host', 'claude.ai'],
          ['client', client],
          ['client', 'https://claude.ai/oauth/client.json'],
        ],
      ],
    )
    await opened.post(at('apps', 'listed'), { act: 'unlist', kind: 'host', value: 'claude.ai' })
    assert.equal((await findAppRules(service.database, company.id)).listed.length, 2)
    const log = (await opened.get(at('log'))).text
    assert.match(log, /Was allowed Field&lt;hand&gt;[^]*Asked an owner for Field&lt;hand&gt;/)
  })

  it('reject an invalid app or policy and return 404 to members', async () => {
    const { settings, browser, company } = await office('anything')
    const { opened, at } = await settings()
    for (const app of ['', 'not a host!', 'http://plain.example/', 'x'.repeat(3000), 'unknown-client-id'])
      assert.ok((await opened.post(at('apps', 'listed'), { app })).status >= 400, app.slice(0, 20))
    assert.equal((await opened.post(at('apps', 'policy'), { policy: 'nothing' })).status, 422)
    for (const step of ['policy', 'listed', 'requests'])
      assert.equal((await browser.post(at('apps', step), { policy: 'ask', app: 'claude.ai' })).status, 404, step)
    assert.doesNotMatch((await browser.get(at('apps'))).text, /Which apps members may connect/)
    assert.deepEqual(await findAppRules(service.database, company.id), { policy: 'anything', listed: [] })
  })
})
