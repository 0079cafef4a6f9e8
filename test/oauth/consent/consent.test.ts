import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AREA_NAMES, type Ceiling } from '../../../src/identity/permissions/areas.ts'
import { createClient } from '../../../src/identity/credentials/clients/clients.ts'
import { findGrant } from '../../../src/identity/credentials/clients/grants.ts'
import { removeMember } from '../../../src/identity/people/people.ts'
import { CALLBACK, startConsenting, type Consenting } from '../../harness/identity/consent.ts'
import { askConsent, createCompany, exchangeCode, newBrowser } from '../../harness/web_client.ts'

let service: Consenting['service']
let north: Consenting['north']
let register: Consenting['register']
let openRequest: Consenting['openRequest']
let decide: Consenting['decide']
let follow: Consenting['follow']
before(async () => {
  ;({ service, north, register, openRequest, decide, follow } = await startConsenting())
})
after(() => service.stop())

const selectionOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/name="(\w+)" value="(\w+)" checked/g)].map(([, name, value]) => [name, value]))
const optionsOf = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`type="radio" name="${name}" value="(\\w+)"`, 'g'))].map(([, value]) => value!)
const labelsOf = (text: string): string[] =>
  [...text.matchAll(/class="choice-label"[^>]*>([^<]+)</g)].map(([, label]) => label!.replace('&amp;', '&'))

describe('an approved consent', () => {
  it('signs in first, shows nine areas at None and returns the chosen scopes to the client', async () => {
    const browser = newBrowser(service)
    const client = await register()
    const { path, id, verifier } = await askConsent(service, browser, client, CALLBACK)
    const first = await browser.get(path)
    assert.deepEqual([first.status, first.location], [303, `/sign-in?to=${encodeURIComponent(path)}`])
    assert.equal((await browser.signIn(north.owner.email, path)).location, path)
    const { text, status } = await browser.get(path)
    assert.equal(status, 200)
    assert.deepEqual(labelsOf(text), [
      'Customers & contacts',
      'Notes',
      'Jobs & scheduling',
      'Recurring jobs',
      'Invoices',
      'Quotes',
      'Catalog & pricing',
      'Plans',
      'Tax rates',
    ])
    assert.deepEqual(new Set(Object.values(selectionOf(text))), new Set(['none']))
    assert.equal(Object.keys(selectionOf(text)).length, 9)
    const callback = await follow(
      browser,
      await decide(browser, id, 'approve', { customers: 'view', jobs: 'edit', catalog_items: 'view' }),
    )
    assert.deepEqual(
      [callback.origin + callback.pathname, [...callback.searchParams.keys()].sort()],
      [CALLBACK, ['code', 'iss', 'state']],
    )
    assert.deepEqual(
      [callback.searchParams.get('state'), callback.searchParams.get('iss')],
      ['st4te', service.config.authUrl],
    )
    const claims = await exchangeCode(service, client, callback, verifier)
    assert.equal(claims.tenant_id, north.id)
    assert.deepEqual(claims.scopes.sort(), [
      'read:catalog_categories',
      'read:catalog_items',
      'read:customers',
      'read:jobs',
      'write:jobs',
    ])
  })

  it('asks a member of several companies for the company, and lets them change it', async () => {
    const alder = await createCompany(service, 'Alder Plumbing')
    const both = await createCompany(service, 'Both')
    await alder.join('tech', { email: both.owner.email })
    const { browser, id, path, client, verifier } = await openRequest(both.owner.email)
    const choice = await browser.get(path)
    assert.match(
      choice.text,
      /Which company is <bdi>Assistant<\/bdi> for\?[^]*Alder Plumbing[^]*Technician[^]*Both[^]*Owner/,
    )
    assert.equal(labelsOf(choice.text).length, 0)
    assert.equal((await browser.get(`${path}&company=${north.id}`)).text, choice.text)
    const elsewhere = await decide(browser, id, 'approve', { company: north.id, jobs: 'edit' })
    assert.equal(elsewhere.status, 409)
    assert.match(elsewhere.text, /role="alert"[^]*No access was granted[^]*Alder Plumbing[^]*Both/)
    assert.equal(await findGrant(service.database.send, client, both.owner.user_id), undefined)
    const screen = await browser.get(`${path}&company=${alder.id}`)
    assert.match(screen.text, /Choose another/)
    assert.deepEqual(optionsOf(screen.text, 'quotes'), ['none', 'view'])
    assert.deepEqual(optionsOf((await browser.get(`${path}&company=${both.id}`)).text, 'quotes'), [
      'none',
      'view',
      'propose',
      'edit',
    ])
    const callback = await follow(browser, await decide(browser, id, 'approve', { quotes: 'view' }, alder.id))
    assert.equal((await exchangeCode(service, client, callback, verifier)).tenant_id, alder.id)
  })

  it('can set all areas to View or to the maximum, without script', async () => {
    const tech = await north.hire('tech')
    const { browser, path } = await openRequest(tech.email)
    assert.deepEqual(selectionOf((await browser.get(`${path}&all=view`)).text), {
      customers: 'view',
      notes: 'view',
      jobs: 'view',
      job_series: 'view',
      quotes: 'view',
      catalog_items: 'view',
    })
    assert.deepEqual(selectionOf((await browser.get(`${path}&all=most`)).text), {
      customers: 'view',
      notes: 'edit',
      jobs: 'edit',
      job_series: 'view',
      quotes: 'view',
      catalog_items: 'view',
    })
    assert.deepEqual(
      new Set(Object.values(selectionOf((await browser.get(`${path}&all=none`)).text))),
      new Set(['none']),
    )
    assert.deepEqual(
      new Set(Object.values(selectionOf((await browser.get(`${path}&all=everything`)).text))),
      new Set(['none']),
    )
  })

  it('offers and grants no more than the member may do, whatever the form sends', async () => {
    const tech = await north.hire('tech')
    const { browser, path, id, client } = await openRequest(tech.email)
    const { text } = await browser.get(path)
    assert.deepEqual(
      [optionsOf(text, 'customers'), optionsOf(text, 'jobs'), optionsOf(text, 'invoices')],
      [['none', 'view'], ['none', 'view', 'propose', 'edit'], []],
    )
    assert.match(text, /Invoices[^]*None: you can’t grant this/)
    await follow(
      browser,
      await decide(browser, id, 'approve', { customers: 'edit', invoices: 'edit', jobs: 'owner', notes: 'view' }),
    )
    assert.deepEqual((await findGrant(service.database.send, client, tech.user_id))?.scopes, [
      'read:customers',
      'read:notes',
    ])
  })

  it("shows only the areas of the client's allow-list", async () => {
    const made = await createClient(service.database, {
      name: 'Ledger',
      redirect_uris: [CALLBACK],
      allow_list: ['read:invoices', 'read:quotes', 'write:quotes', 'read:settings'],
    })
    const { browser, path, id } = await openRequest(undefined, { client: made.id })
    const { text } = await browser.get(path)
    assert.deepEqual(labelsOf(text), ['Invoices', 'Quotes'])
    assert.deepEqual(
      [optionsOf(text, 'invoices'), optionsOf(text, 'quotes')],
      [
        ['none', 'view'],
        ['none', 'view', 'propose', 'edit'],
      ],
    )
    assert.match(text, /This service&#39;s administrator added it/)
    assert.doesNotMatch(text, /An owner of/)
    await follow(browser, await decide(browser, id, 'approve', { invoices: 'edit', quotes: 'edit', customers: 'edit' }))
    assert.deepEqual((await findGrant(service.database.send, made.id, north.owner.user_id))?.scopes, [
      'read:invoices',
      'read:quotes',
      'write:quotes',
    ])
  })

  it('is not asked for again, unless prompt=consent', async () => {
    const { browser, client, id } = await openRequest()
    await follow(browser, await decide(browser, id, 'approve', { jobs: 'view' }))
    const again = await askConsent(service, browser, client, CALLBACK)
    const callback = await follow(browser, await browser.get(again.path))
    assert.deepEqual((await exchangeCode(service, client, callback, again.verifier)).scopes, ['read:jobs'])
    const prompted = await askConsent(service, browser, client, CALLBACK, { prompt: 'consent' })
    const { status, text } = await browser.get(prompted.path)
    assert.deepEqual([status, new Set(Object.values(selectionOf(text)))], [200, new Set(['none'])])
  })

  it('shows a page between a sign-in and an app that was approved before', async () => {
    const { browser, client, id } = await openRequest()
    await follow(browser, await decide(browser, id, 'approve', { jobs: 'view' }))
    browser.jar.delete('callout_session')
    const again = await askConsent(service, browser, client, CALLBACK)
    await browser.signIn(north.owner.email, again.path)
    const { status, text } = await browser.get(again.path)
    assert.equal(status, 200)
    const [, onward = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(text) ?? []
    assert.ok(text.includes(`<a class="button main" href="${onward}">Continue</a>`))
    const callback = await follow(browser, await browser.get(onward.replaceAll('&amp;', '&')))
    assert.deepEqual((await exchangeCode(service, client, callback, again.verifier)).scopes, ['read:jobs'])
  })

  it('lets the person sign out and leads back to sign-in for someone else', async () => {
    const { browser, path } = await openRequest()
    const out = await browser.post('/sign-out', { to: path })
    assert.equal(out.location, path)
    assert.equal((await browser.get(path)).location, `/sign-in?to=${encodeURIComponent(path)}`)
  })
})

describe('a denied consent', () => {
  it('returns access_denied to the client and stores no grant', async () => {
    const { browser, id, client } = await openRequest()
    const callback = await follow(browser, await decide(browser, id, 'deny'))
    assert.deepEqual(
      [callback.searchParams.get('error'), callback.searchParams.get('state'), callback.searchParams.get('code')],
      ['access_denied', 'st4te', null],
    )
    assert.equal(await findGrant(service.database.send, client, north.owner.user_id), undefined)
  })

  it('is the only option for a person without a company', async () => {
    const company = await createCompany(service, 'Former')
    const former = await company.hire('office')
    await removeMember(service.database, { tenant: company.id }, former.user_id)
    const { browser, path, id } = await openRequest(former.email)
    const { status, text } = await browser.get(path)
    assert.equal(status, 403)
    assert.match(text, /You don’t belong to a company/)
    assert.equal((await decide(browser, id, 'approve', { jobs: 'edit' })).status, 403)
    assert.equal((await follow(browser, await decide(browser, id, 'deny'))).searchParams.get('error'), 'access_denied')
  })
})

describe('a consent without any access', () => {
  it('is asked about again when there was something to grant', async () => {
    const { browser, id, client } = await openRequest()
    const { status, text } = await decide(browser, id, 'approve')
    assert.equal(status, 422)
    assert.match(text, /role="alert"[^]*Nothing is chosen yet/)
    assert.equal(await findGrant(service.database.send, client, north.owner.user_id), undefined)
  })

  it('is explained for a member without any rights and gives a grant without scopes', async () => {
    const areas = Object.fromEntries(AREA_NAMES.map((area) => [area, 'none'])) as Ceiling
    const nobody = await north.hire('office', areas)
    const { browser, path, id, client } = await openRequest(nobody.email)
    const { text } = await browser.get(path)
    assert.match(text, /You can’t grant any access here[^]*Connect without access/)
    assert.equal(labelsOf(text).length, 0)
    const callback = await follow(browser, await decide(browser, id, 'approve', { jobs: 'edit' }))
    assert.notEqual(callback.searchParams.get('code'), null)
    assert.deepEqual((await findGrant(service.database.send, client, nobody.user_id))?.scopes, [])
  })
})
