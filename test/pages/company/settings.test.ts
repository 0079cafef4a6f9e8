import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addOperator } from '../../../src/identity/people/operators.ts'
import { findUser } from '../../../src/identity/people/users.ts'
import { openSettings } from '../../harness/identity/settings.ts'
import { PASSWORD, createCompany, newBrowser } from '../../harness/web_client.ts'

type Settings = Awaited<ReturnType<typeof openSettings>>
let service: Settings['service']
let company: Settings['company']
let owner: Settings['owner']
let signInAs: Settings['signInAs']
let at: Settings['at']
let readAudit: Settings['readAudit']
before(async () => {
  ;({ service, company, owner, signInAs, at, readAudit } = await openSettings())
})
after(() => service.stop())

const unescapeHtml = (text: string): string => text.replaceAll('&#39;', "'").replaceAll('&amp;', '&')

describe('access to settings', () => {
  it('gives every member their own pages, and owners the company pages', async () => {
    const tech = await signInAs((await company.hire('tech')).email)
    for (const step of ['', '/apps', '/keys'])
      assert.equal((await tech.get(`/${company.id}/settings${step}`)).status, 200, step)
    for (const step of ['company', 'members', 'clients', 'places']) {
      assert.equal((await tech.get(at(step))).status, 404, step)
      assert.equal((await owner.get(at(step))).status, 200, step)
    }
    assert.doesNotMatch((await tech.get(at())).text, /settings\/members/)
  })

  it('returns 404 to other companies and redirects signed-out users to sign-in', async () => {
    const other = await createCompany(service, 'North Cleaning')
    const stranger = await signInAs(other.owner.email)
    for (const step of ['', '/company', '/members', '/keys'])
      assert.equal((await stranger.get(`/${company.id}/settings${step}`)).status, 404, step)
    assert.match((await newBrowser(service).get(at())).location ?? '', /^\/sign-in\?to=/)
  })

  it('refuses a cross-site form with 403', async () => {
    const sent = await owner.post(
      at('company'),
      { name: 'Taken' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    )
    assert.equal(sent.status, 403)
    assert.doesNotMatch((await owner.get(at('company'))).text, /Taken/)
  })
})

describe('the company settings form', () => {
  const TYPED = {
    name: 'Alder Plumbing',
    timezone: 'America/Chicago',
    country: 'us',
    currency: 'USD',
    address: '1 Main St\nAustin, TX',
    phone: '(512) 555-0143',
    email: 'Office@Alder.example',
    document_footer: 'License M-1',
    default_net_days: '30',
    invoice_prefix: 'A-',
    next_invoice_number: '2001',
  }

  it('saves the values and audits the change', async () => {
    assert.equal((await owner.post(at('company'), TYPED)).location, at('company'))
    const { text } = await owner.get(at('company'))
    for (const value of [
      'America/Chicago',
      'office@alder.example',
      '1 Main St',
      'License M-1',
      '"30"',
      '"A-"',
      '"2001"',
    ])
      assert.ok(text.includes(value), value)
    const [row] = await readAudit('companies.set')
    assert.deepEqual((row!['changed'] as Record<string, unknown>)['timezone'], ['America/New_York', 'America/Chicago'])
  })

  it('refuses invalid values and keeps what was typed', async () => {
    for (const [wrong, says] of [
      [{ timezone: 'UTC+5' }, /Choose a time zone/],
      [{ country: 'USA' }, /Enter a country code/],
      [{ currency: 'ZZZ' }, /Enter a currency code/],
      [{ email: 'nobody' }, /Enter an email address/],
      [{ default_net_days: '366' }, /days to pay an invoice as a whole number from 0 to 365/],
      [{ name: ' ' }, /Enter a name/],
      [{ next_invoice_number: '2000' }, /Enter 2001 or higher as the next invoice number/],
      [{ next_invoice_number: '-1' }, /next invoice number as a whole number from 1/],
    ] as const) {
      const answer = await owner.post(at('company'), { ...TYPED, phone: 'typed before', ...wrong })
      assert.ok(answer.status === 422 || answer.status === 409, JSON.stringify(wrong))
      assert.match(unescapeHtml(answer.text), says)
      assert.ok(answer.text.includes('typed before'))
    }
  })

  it('escapes HTML in the company name', async () => {
    await owner.post(at('company'), { ...TYPED, name: '<script>alert(1)</script>' })
    const { text } = await owner.get(at('company'))
    assert.ok(!text.includes('<script>alert'))
    assert.ok(text.includes('&lt;script&gt;alert(1)'))
    await owner.post(at('company'), TYPED)
  })
})

describe('changing the password', () => {
  it('requires the current password, and signs out every other browser', async () => {
    const { email } = await company.hire('tech')
    const [here, elsewhere] = [await signInAs(email), await signInAs(email)]
    const changed = await here.post(at('password'), { current: PASSWORD, next: 'another long password' })
    assert.equal(changed.status, 200)
    assert.equal((await here.get(at())).status, 200)
    assert.equal((await elsewhere.get(at())).status, 303)
    const again = newBrowser(service)
    assert.equal((await again.signIn(email)).status, 422)
    assert.equal((await again.signIn(email, '/', 'another long password')).status, 303)
  })

  it('refuses a wrong current password, a short or unchanged new one, and too many attempts', async () => {
    const browser = await signInAs((await company.hire('tech')).email)
    const changePassword = (current: string, next: string) => browser.post(at('password'), { current, next })
    assert.match(
      (await changePassword('not it at all', 'another long password')).text,
      /This isn’t your current password/,
    )
    assert.match((await changePassword(PASSWORD, 'short')).text, /Choose a password of 12 to 200 characters/)
    assert.match((await changePassword(PASSWORD, PASSWORD)).text, /different from your current one/)
    for (let i = 0; i < 7; i++) await changePassword('not it at all', 'another long password')
    assert.match((await changePassword(PASSWORD, 'another long password')).text, /Too many attempts/)
  })
})

describe('phone numbers and mailboxes', () => {
  it("are added by owners who are operators, and can't be removed by another company", async () => {
    const boss = await createCompany(service, 'Operator Plumbing')
    const browser = await signInAs(boss.owner.email)
    const places = `/${boss.id}/settings/places`
    assert.equal((await browser.post(places, { kind: 'numbers', place: '+15125550199' })).status, 404)
    await addOperator(service.database, await findUser(service.database, boss.owner.email))
    assert.equal((await browser.post(places, { kind: 'numbers', place: '(512) 555-0199' })).location, places)
    assert.equal((await browser.post(places, { kind: 'mailboxes', place: 'Office@operator.example' })).location, places)
    const { text } = await browser.get(places)
    assert.ok(text.includes('(512) 555-0199') && text.includes('office@operator.example'))
    assert.equal((await browser.post(places, { kind: 'numbers', place: 'call me' })).status, 422)
    assert.equal(
      (await owner.post(at('places'), { kind: 'numbers', place: '+15125550199', act: 'remove' })).status,
      404,
    )
    assert.equal(
      (await browser.post(places, { kind: 'numbers', place: '+15125550199', act: 'remove' })).location,
      places,
    )
    assert.ok(!(await browser.get(places)).text.includes('555-0199'))
  })
})
