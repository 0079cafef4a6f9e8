import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listApp, findAppRules, setAppPolicy, unlistApp } from '../../../src/identity/apps/policy.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { requestApp, decideAppRequest, listAppRequests } from '../../../src/identity/apps/requests.ts'
import { createClient, registerClient } from '../../../src/identity/credentials/clients/clients.ts'
import { findGrant, withdrawGrant } from '../../../src/identity/credentials/clients/grants.ts'
import { removeMember } from '../../../src/identity/people/people.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { readTenant } from '../../../src/platform/db/tenant.ts'
import type { TestService } from '../../harness/harness.ts'
import { askConsent, foundCompany, pressConsent, shownOn, startSite, visitor } from '../../harness/visiting.ts'

const CALLBACK = 'https://assistant.example/callback'

let service: TestService
before(async () => {
  service = await startSite()
})
after(() => service.stop())

const register = async (name = 'Assistant'): Promise<string> =>
  (await registerClient(service.database, { name, redirect_uris: [CALLBACK], about: {} })).id

/**
 * Returns a company of a policy, its owner's browser in the settings, and one of the office before a request of a new app.
 */
async function office(policy: 'anything' | 'listed' | 'ask', { name = 'Assistant' } = {}) {
  const company = await foundCompany(service, 'Alder Plumbing')
  const owner = { user: company.owner.user_id }
  await setAppPolicy(service.database, company.id, policy, owner)
  const member = await company.hire('office')
  const browser = visitor(service)
  await browser.signIn(member.email)
  const client = await register(name)
  const request = async (more: Record<string, string> = {}) => askConsent(service, browser, client, CALLBACK, more)
  const grant = () => findGrant(service.database.send, client, member.user_id)
  const requests = () => readTenant(service.database, { tenant: company.id }, listAppRequests)
  const decide = async (state: 'approved' | 'declined') => {
    const [asked] = await requests()
    const { user_id, client_id, asked_at } = asked!
    await decideAppRequest(
      service.database,
      company.id,
      { user: user_id, client: client_id, askedAt: asked_at },
      state,
      owner,
    )
  }
  const settings = async () => {
    const opened = visitor(service)
    await opened.signIn(company.owner.email)
    return { opened, at: (...steps: string[]) => `/${[company.id, 'settings', ...steps].join('/')}` }
  }
  return { company, owner, member, browser, client, request, grant, requests, decide, settings }
}

const noticesOf = async (user: string): Promise<{ kind: string; about: Record<string, string> }[]> => {
  const [answer] = await service.database.send([
    sql`select kind, about from notices where user_id = ${user} and kind <> 'prove_address' order by id`,
  ])
  return answer!.rows as { kind: string; about: Record<string, string> }[]
}

describe('anything', () => {
  it('is the policy of a new company: a member connects what they like, and its owners are told, once', async () => {
    const company = await foundCompany(service, 'Birch Air')
    assert.deepEqual(await findAppRules(service.database, company.id), { policy: 'anything', listed: [] })
    const { browser, grant, request, company: own, member } = await office('anything')
    const { opened } = await (await office('anything')).settings()
    await visitor(service).signIn(own.owner.email)
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

  it('tells an owner who connects an app themself once, as its person', async () => {
    const company = await foundCompany(service, 'Cedar Air')
    const browser = visitor(service)
    await browser.signIn(company.owner.email)
    const { path } = await askConsent(service, browser, await register(), CALLBACK)
    await pressConsent(browser, path, 'view')
    assert.deepEqual(
      (await noticesOf(company.owner.user_id)).map(({ kind }) => kind),
      ['new_app'],
    )
  })
})

describe('only listed apps', () => {
  it('shows who else is refused why, and whom to ask, and gives nothing however it is pressed', async () => {
    const { browser, request, grant, client, company } = await office('listed')
    const { path, id } = await request()
    const { status, text } = await browser.get(path)
    assert.equal(status, 403)
    assert.match(text, /This app isn(?:'|&#39;)t on the list[^]*Ask an owner: Ana Ruiz\.[^]*the client ID/)
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

  it('holds for owners, who are led to the list', async () => {
    const { company, client } = await office('listed')
    const browser = visitor(service)
    await browser.signIn(company.owner.email)
    const { path } = await askConsent(service, browser, client, CALLBACK)
    const { status, text } = await browser.get(path)
    assert.equal(status, 403)
    assert.ok(text.includes(`/${company.id}/settings/apps#policy`))
  })

  it('lets a client pass by its id, and again no more once it is off the list, also where it was approved before', async () => {
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

  it('is judged when the button is pressed, not when the screen was drawn', async () => {
    const { browser, request, grant, company, owner } = await office('anything')
    const { path } = await request()
    const form = shownOn((await browser.get(path)).text)
    await setAppPolicy(service.database, company.id, 'listed', owner)
    assert.equal((await browser.post('/oauth/consent', { ...form, decision: 'view' })).status, 403)
    assert.equal(await grant(), undefined)
  })

  it('lets the clients pass that the company or the operator made', async () => {
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

  it('is of one company alone', async () => {
    const [one, other] = [await office('listed'), await office('listed')]
    await listApp(service.database, other.company.id, one.client, other.owner)
    assert.equal((await one.browser.get((await one.request()).path)).status, 403)
  })
})

describe('ask an owner first', () => {
  it('keeps the wish, tells the owners, and connects only after an owner approved', async () => {
    const { browser, request, grant, requests, decide, company, member } = await office('ask')
    await visitor(service).signIn(company.owner.email)
    const { path } = await request()
    assert.match((await browser.get(path)).text, /Ask for View everywhere[^]*an owner says yes first[^]*Ask an owner/)
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
    const given = await browser.post('/oauth/consent', { ...shownOn(open.text), decision: 'approved' })
    assert.match((await browser.get(given.location!)).location!, /code=/)
    assert.equal((await grant())?.scopes.length, 10)
  })

  it('asks anew for more than was approved, and forgets what was approved', async () => {
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

  it('gives less than was approved without asking, and proposing where proposing was approved', async () => {
    const { browser, request, grant, requests, decide } = await office('ask')
    const { path } = await request()
    await pressConsent(browser, path, 'approve', { jobs: 'propose', customers: 'view' })
    await decide('approved')
    await pressConsent(browser, path, 'approve', { jobs: 'edit' })
    assert.equal((await requests())[0]!.state, 'waiting')
    assert.equal(await grant(), undefined)
    const back = await browser.get(`${path}&anew=yes`)
    await browser.post('/oauth/consent', { ...shownOn(back.text), decision: 'approve', jobs: 'propose' })
    await decide('approved')
    await pressConsent(browser, path, 'approve', { jobs: 'propose' })
    assert.deepEqual((await grant())?.proposes, ['write:jobs'])
  })

  it('says so where an owner declined, takes no second wish, and can still be approved', async () => {
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

  it('answers nothing where nobody asked, whatever is sent as who did', async () => {
    const { settings, requests } = await office('ask')
    const { opened, at } = await settings()
    for (const user of ['', 'nobody', '=', newId()]) {
      const sent = { user, client: 'x', asked: '', answer: 'approved' }
      assert.equal((await opened.post(at('apps', 'requests'), sent)).status, 404, user)
    }
    assert.deepEqual(await requests(), [])
  })

  it('shows no owner what was not asked: an answer to an earlier wish is refused', async () => {
    const { browser, request, requests, company, owner } = await office('ask')
    const { path } = await request()
    await pressConsent(browser, path, 'approve', { jobs: 'view' })
    const [{ user_id, client_id, asked_at }] = (await requests()) as [Awaited<ReturnType<typeof requests>>[0]]
    const anew = await browser.get(`${path}&anew=yes`)
    await browser.post('/oauth/consent', { ...shownOn(anew.text), decision: 'approve', jobs: 'edit' })
    await assert.rejects(
      decideAppRequest(
        service.database,
        company.id,
        { user: user_id, client: client_id, askedAt: asked_at },
        'approved',
        owner,
      ),
      /asked for anew/,
    )
    assert.equal((await requests())[0]!.state, 'waiting')
  })

  it('ends an approval when the app is disconnected or the member leaves', async () => {
    const { browser, request, grant, requests, decide, client, member, company } = await office('ask')
    const { path } = await request()
    await pressConsent(browser, path, 'view')
    await decide('approved')
    await browser.post('/oauth/consent', { ...shownOn((await browser.get(path)).text), decision: 'approved' })
    assert.notEqual(await grant(), undefined)
    assert.match((await browser.get((await request()).path)).text, /Going back to/)
    await withdrawGrant(service.database, client, member.user_id, null, company.id)
    assert.deepEqual(await requests(), [])
    const next = await request()
    await pressConsent(browser, next.path, 'view')
    assert.equal((await requests()).length, 1)
    await removeMember(service.database, { tenant: company.id }, member.user_id)
    assert.deepEqual(await requests(), [])
  })

  it('lets owners connect, whom there is nobody to ask', async () => {
    const { company, client } = await office('ask')
    const browser = visitor(service)
    await browser.signIn(company.owner.email)
    const { path } = await askConsent(service, browser, client, CALLBACK)
    assert.match((await browser.get(path)).text, /Allow View everywhere/)
  })

  it('has twenty wishes of one member wait at most', async () => {
    const { company, member } = await office('ask')
    const ask = (id: string) =>
      requestApp(
        service.database,
        company.id,
        {
          app: { id, kind: 'registered', name: 'App' },
          host: 'a.example',
          wish: { scopes: ['read:jobs'], proposes: [] },
        },
        member.user_id,
      )
    for (let i = 0; i < 20; i++) await ask(`client-${i}`)
    await assert.rejects(ask('client-20'), /20 apps already/)
    await ask('client-3')
  })
})

describe('the settings', () => {
  it('let an owner set the policy, list and unlist apps, and answer; the log says so', async () => {
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

  it('refuse what is no host and no client, another policy, and whoever is no owner', async () => {
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
