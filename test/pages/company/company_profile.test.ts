import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { addMember } from '../../../src/identity/people/people.ts'
import { createTenant, createTenantOrInvite } from '../../../src/identity/companies/tenants.ts'
import { findCompany } from '../../../src/identity/companies/company.ts'
import { sql } from '../../../src/platform/db/tenant.ts'
import type { TestService } from '../../harness/harness.ts'
import { pageTextOf } from '../../harness/identity/people_pages.ts'
import {
  createCompany,
  givePassword,
  startSite,
  newBrowser,
  type Browser,
  type BrowserResponse,
} from '../../harness/web_client.ts'

let service: TestService
before(async () => {
  service = await startSite()
})
after(() => service.stop())

async function openCompany(name: string, timezone?: string) {
  const company = await createCompany(service, name, undefined, timezone)
  const browser = newBrowser(service)
  await browser.signIn(company.owner.email)
  return { company, browser, path: (step: string) => `/${company.id}/settings/${step}` }
}

/** Returns the fields that a form sends when nothing is changed. */
function fieldsOf({ text }: BrowserResponse, form: string): Record<string, string> {
  const $ = load(text)
  return Object.fromEntries(
    $(form)
      .first()
      .serializeArray()
      .map(({ name, value }) => [name, value]),
  )
}

const labelsOf = ({ text }: BrowserResponse, select: string): string[] => {
  const $ = load(text)
  return $(`${select} option`)
    .toArray()
    .map((option) => $(option).text())
}

describe("the company's country and time zone", () => {
  it("offers countries by name in the user's language, and saves the chosen one", async () => {
    const { company, browser, path } = await openCompany('Oak')
    const page = await browser.get(path('company'))
    const countries = labelsOf(page, '#country')
    assert.equal(fieldsOf(page, '.record-form')['country'], 'US')
    assert.ok(countries.length > 200)
    assert.ok(!countries.some((name) => /^[A-Z]{2}$/.test(name)), 'a bare code')
    assert.deepEqual(
      ['Canada', 'Mexico', 'United States'].map((name) => countries.includes(name)),
      [true, true, true],
    )
    const spanish = await browser.send(path('company'), { headers: { 'accept-language': 'es' } })
    assert.ok(labelsOf(spanish, '#country').includes('Estados Unidos'))
    const saved = await browser.post(path('company'), { ...fieldsOf(page, '.record-form'), country: 'CA' })
    assert.equal(saved.status, 303)
    assert.equal((await findCompany(service.database, company.id)).country, 'CA')
    assert.ok(labelsOf(await browser.get(path('company')), '#timezone').includes('Newfoundland Time (St Johns)'))
  })

  it("offers the country's time zones by their common names, and all others through a link", async () => {
    const { company, browser, path } = await openCompany('Pine', 'America/Chicago')
    const page = await browser.get(path('company'))
    assert.deepEqual(labelsOf(page, '#timezone'), [
      'Eastern Time (New York)',
      'Central Time (Chicago)',
      'Mountain Time (Denver)',
      'Mountain Standard Time (Phoenix)',
      'Pacific Time (Los Angeles)',
      'Alaska Time (Anchorage)',
      'Hawaii-Aleutian Time (Adak)',
      'Hawaii-Aleutian Standard Time (Honolulu)',
    ])
    const whole = await browser.get(load(page.text)('#timezone-help a').attr('href')!)
    const others = labelsOf(whole, '#timezone')
    assert.ok(others.length > 130)
    assert.ok(others.includes('Central European Time') && !others.includes('Pacific Time'))
    assert.ok(!others.some((name) => /[/_]/.test(name)), 'a code')
    const sent = fieldsOf(whole, '.record-form')
    assert.deepEqual([sent['timezone'], sent['country']], ['America/Chicago', 'US'])
    await browser.post(path('company'), { ...sent, timezone: 'America/Indiana/Knox' })
    assert.equal((await findCompany(service.database, company.id)).timezone, 'America/Indiana/Knox')
    assert.equal(labelsOf(await browser.get(path('company')), '#timezone')[0], 'Central Time (Knox, Indiana)')
    const refused = await browser.post(path('company'), { ...sent, timezone: 'Mars/Olympus' })
    assert.equal(refused.status, 422)
    assert.ok(labelsOf(refused, '#timezone').includes('Mars/Olympus'))
  })
})

describe('working hours', () => {
  const pairs = ({ text }: BrowserResponse, day: string): { open: number; folded: number } => {
    const $ = load(text)
    const all = $(`.week-hours input[name^="${day}."]`)
    const folded = all.filter((_, input) => $(input).closest('details').length > 0)
    return { open: (all.length - folded.length) / 2, folded: folded.length / 2 }
  }

  it('shows one pair of times per day and a folded second pair, which saves without JavaScript', async () => {
    const { browser, path } = await openCompany('Elm')
    const page = await browser.get(path('hours'))
    assert.deepEqual(
      [pairs(page, 'monday'), pairs(page, 'sunday')],
      [
        { open: 1, folded: 1 },
        { open: 1, folded: 1 },
      ],
    )
    const sent = { ...fieldsOf(page, '.hours .form'), 'monday.0.to': '12:00' }
    await browser.post(path('hours'), { ...sent, 'monday.1.from': '13:00', 'monday.1.to': '17:00' })
    const after = await browser.get(path('hours'))
    assert.deepEqual(pairs(after, 'monday'), { open: 2, folded: 1 })
    assert.deepEqual(pairs(after, 'tuesday'), { open: 1, folded: 1 })
    assert.match(pageTextOf(after), /Times are in the Eastern Time \(New York\) time zone\./)
  })
})

describe('a user without a name', () => {
  const nameOf = async (id: string): Promise<unknown> =>
    (await service.database.send([sql`select name from users where id = ${id}`]))[0]!.rows[0]!['name']

  async function nameless(email: string): Promise<{ browser: Browser; id: string; user: string }> {
    const made = await createTenant(service.database, {
      name: 'Fir',
      timezone: 'America/New_York',
      currency: 'USD',
      country: 'US',
      owner: { email, password: 'none' },
    })
    await givePassword(service.database, made.id, made.owner.user_id)
    const browser = newBrowser(service)
    await browser.signIn(email)
    return { browser, id: made.id, user: made.owner.user_id }
  }

  it('is asked for their name on the home page until they enter one', async () => {
    const { browser, id, user } = await nameless('rosa.office@example.com')
    const page = await browser.get(`/${id}`)
    assert.match(pageTextOf(page), /What should we call you\?/)
    const refused = await browser.post('/account/name', { name: ' ', to: `/${id}` })
    assert.equal(refused.location, `/${id}`)
    assert.match(
      pageTextOf(await browser.get(`/${id}`)),
      /Enter your name, at most 100 characters\..*What should we call you/,
    )
    await browser.post('/account/name', { name: 'Rosa Diaz', to: `/${id}` })
    assert.equal(await nameOf(user), 'Rosa Diaz')
    assert.doesNotMatch(pageTextOf(await browser.get(`/${id}`)), /What should we call you/)
    assert.equal((await newBrowser(service).post('/account/name', { name: 'Eve', to: '/' })).status, 401)
    assert.equal(await nameOf(user), 'Rosa Diaz')
  })

  it("isn't asked if they set a name in settings or were added with one", async () => {
    const { browser, id } = await nameless('info@example.com')
    await browser.post(`/${id}/settings/you`, { name: 'Info Person', language: '' })
    assert.doesNotMatch(pageTextOf(await browser.get(`/${id}`)), /What should we call you/)
    const member = await addMember(
      service.database,
      { tenant: id },
      { email: 'named@example.com', name: 'Named', role: 'office', password: 'none' },
    )
    await givePassword(service.database, id, member.user_id)
    const other = newBrowser(service)
    await other.signIn('named@example.com')
    assert.doesNotMatch(pageTextOf(await other.get(`/${id}`)), /What should we call you/)
  })

  it('is invited without a name made up from their email address', async () => {
    const mine = { name: 'Larch', timezone: 'America/New_York', currency: 'USD', country: 'US' }
    const stranger = await createCompany(service, 'Yew')
    const { owner } = await createTenantOrInvite(service.database, {
      ...mine,
      owner: { email: stranger.owner.email, password: 'none' },
    })
    if ('invitation' in owner) assert.equal(owner.invitation.name, null)
    else assert.equal(owner.added.name, 'Ana Ruiz')
  })
})
