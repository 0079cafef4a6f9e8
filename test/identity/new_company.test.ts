import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findUser } from '../../src/identity/people/users.ts'
import { readTenant, sql } from '../../src/platform/db/tenant.ts'
import { newAuthenticator, type Forgery } from '../harness/identity/authenticator.ts'
import { askOptions, signInByPasskey } from '../harness/identity/factors.ts'
import { openMailScene, secretOf } from '../harness/messaging/account_mail.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { PASSWORD, createCompany, startSite, newBrowser, type Browser } from '../harness/web_client.ts'

const COMPANY = { company: 'Alder Plumbing', country: 'US', timezone: 'America/Chicago', zones_of: 'US' }
const PERSON = { name: 'Ana Ruiz', password: 'a long secret of mine' }

let mailed: Awaited<ReturnType<typeof openMailScene>>
let serial = 0
before(async () => {
  mailed = await openMailScene({ NEW_COMPANIES_PER_DAY: '6' })
})
after(() => mailed.stop())

const send = (statement: ReturnType<typeof sql>) => mailed.service.database.send([statement])
const forgetLimits = () => mailed.service.database.send([sql`delete from attempts`, sql`delete from company_starts`])
const newAddress = (): string => `starter-${++serial}@example.com`
const ask = (email: string, browser = newBrowser(mailed.service)) => browser.post('/start', { email })
async function linkFor(email: string): Promise<string> {
  assert.equal((await ask(email)).status, 200)
  return mailed.pathIn(email)
}
const start = (path: string, more: Record<string, string> = {}, browser = newBrowser(mailed.service)) =>
  browser.post('/start', { link: secretOf(path), ...PERSON, ...COMPANY, ...more })
const count = async (table: 'tenants' | 'users'): Promise<number> => {
  const [found] = await send(
    table === 'users' ? sql`select count(*)::int as n from users` : sql`select companies as n from company_starts`,
  )
  return Number(found!.rows[0]?.['n'] ?? 0)
}

describe('starting a new company', () => {
  it('from a mailed link makes its reader the owner, signs them in and leads to the setup', async () => {
    const email = newAddress()
    const path = await linkFor(email)
    const browser: Browser = newBrowser(mailed.service)
    for (let scans = 0; scans < 3; scans++) assert.equal((await newBrowser(mailed.service).get(path)).status, 200)
    assert.match(pageTextOf(await browser.get(path)), new RegExp(`You sign in as ${email}`))
    const started = await start(path, {}, browser)
    assert.equal(started.status, 303)
    const tenant = /^\/([0-9a-f-]{36})\/setup$/.exec(started.location ?? '')![1]!
    assert.match(pageTextOf(await browser.get(`/${tenant}/setup`)), /Set up your company .*0 of 8 done|1 of 8 done/)
    const company = await readTenant(mailed.service.database, { tenant }, (db) =>
      db.one(sql`select t.name, t.timezone, t.country, t.currency, m.role, u.email, u.proved_at is not null as proved
        from tenants t join members m on m.tenant_id = t.id join users u on u.id = m.user_id where t.id = ${db.tenant}`),
    )
    assert.deepEqual(company, {
      name: 'Alder Plumbing',
      timezone: 'America/Chicago',
      country: 'US',
      currency: 'USD',
      role: 'owner',
      email,
      proved: true,
    })
    assert.equal((await start(path)).status, 404, 'the link works once')
    assert.equal((await newBrowser(mailed.service).signIn(email, '/', PERSON.password)).status, 303)
  })

  it('works with a passkey instead of a password, which is then the only way to sign in', async () => {
    await forgetLimits()
    const { service } = mailed
    const [email, browser, authenticator] = [
      newAddress(),
      newBrowser(service),
      newAuthenticator(service.config.baseUrl),
    ]
    const path = await linkFor(email)
    assert.match((await browser.get(path)).text, /data-passkey="start"/)
    const ask = { for: 'start', name: PERSON.name, link: secretOf(path) }
    const startBy = async (forged: Forgery) => {
      const { options } = await askOptions(service, browser, ask)
      const { name } = PERSON
      return browser.post('/start', {
        ...COMPANY,
        link: ask.link,
        name,
        passkey: authenticator.create(options, forged),
      })
    }
    const forged = await startBy({ isVerified: false })
    assert.equal(forged.status, 422)
    assert.match(pageTextOf(forged), /The passkey could not be checked\./)
    const started = await startBy({})
    assert.match(started.location ?? '', /^\/[0-9a-f-]{36}\/setup$/)
    assert.equal((await browser.get(started.location!)).status, 200)
    assert.equal((await signInByPasskey(service, newBrowser(service), authenticator)).status, 303)
    assert.equal((await newBrowser(service).signIn(email, '/', PERSON.password)).status, 422)
    assert.equal((await start(path)).status, 404, 'the link was used')
  })

  it("asks for the time zone of another country and uses that country's currency", async () => {
    const path = await linkFor(newAddress())
    const browser = newBrowser(mailed.service)
    const asked = await start(path, { country: 'MX' }, browser)
    assert.equal(asked.status, 422)
    assert.match(pageTextOf(asked), /Choose your time zone/)
    assert.match(asked.text, /value="America\/Mexico_City"/)
    assert.ok(!asked.text.includes(PERSON.password), 'the password is not sent back')
    const started = await start(path, { country: 'MX', timezone: 'America/Mexico_City', zones_of: 'MX' }, browser)
    const tenant = started.location!.slice(1, 37)
    const row = await readTenant(mailed.service.database, { tenant }, (db) =>
      db.one<{ currency: string }>(sql`select currency from tenants where id = ${db.tenant}`),
    )
    assert.equal(row.currency, 'MXN')
  })

  it('returns the same page for every address, and mails an existing user to sign in', async () => {
    await forgetLimits()
    const { owner } = await createCompany(mailed.service, 'Cedar Air')
    const [known, unknown] = [await ask(owner.email), await ask(newAddress())]
    assert.equal(known.text, unknown.text)
    const [mail] = (await mailed.mailsTo(owner.email)).slice(-1)
    assert.match(mail!.mail.text ?? '', /You already sign in .*\/start\n/s)
    assert.doesNotMatch(mail!.mail.text ?? '', /link=/)
  })

  it('rejects invalid input with the reason and creates nothing', async () => {
    await forgetLimits()
    const path = await linkFor(newAddress())
    const before = [await count('users'), await count('tenants')]
    for (const [more, says] of [
      [{ company: ' ' }, /Enter/],
      [{ name: '' }, /Enter/],
      [{ password: 'short' }, /12/],
      [{ timezone: 'Mars/Olympus', zones_of: 'US' }, /time zone/i],
      [{ country: 'XX' }, /country/i],
    ] as const) {
      const refused = await start(path, { ...more })
      assert.ok(refused.status >= 400 && refused.status < 500, JSON.stringify(more))
      assert.match(pageTextOf(refused), says)
    }
    assert.deepEqual([await count('users'), await count('tenants')], before)
    assert.equal((await start(`/start?link=${'x'.repeat(43)}`)).status, 404)
    assert.equal((await start(path)).status, 303, 'the link still works')
  })

  it("is limited to the operator's daily maximum, even with concurrent requests", async () => {
    await forgetLimits()
    const paths: string[] = []
    for (let i = 0; i < 9; i++) {
      await mailed.service.database.send([sql`delete from attempts`])
      paths.push(await linkFor(newAddress()))
    }
    await mailed.service.database.send([sql`delete from attempts`])
    const answers = await Promise.all(paths.map((path) => start(path)))
    assert.equal(answers.filter(({ status }) => status === 303).length, 6)
    const refused = answers.filter(({ status }) => status === 409)
    assert.equal(refused.length, 3)
    assert.match(pageTextOf(refused[0]!), /No more companies can be started today/)
  })

  it('mails an address once, and limits requests per sender and mails per day', async () => {
    await forgetLimits()
    const email = newAddress()
    for (let times = 0; times < 5; times++) assert.equal((await ask(email)).status, 200)
    assert.equal((await mailed.mailsTo(email)).length, 1)
    const limited = await ask(email)
    assert.equal(limited.status, 429)
    await send(sql`delete from attempts`)
    await send(sql`update company_starts set mails = 60`)
    const full = await ask(newAddress())
    assert.equal(full.status, 409)
    assert.match(pageTextOf(full), /No more companies can be started today/)
    assert.equal((await ask('not an address')).status, 422)
  })

  it('works for a signed-in person once their address is proved', async () => {
    await forgetLimits()
    const { owner } = await createCompany(mailed.service, 'Birch Cooling')
    const browser = newBrowser(mailed.service)
    await browser.signIn(owner.email)
    assert.match(pageTextOf(await browser.get('/start')), new RegExp(`You sign in as ${owner.email}`))
    const refused = await browser.post('/start', COMPANY)
    assert.equal(refused.status, 409)
    assert.match(pageTextOf(refused), /Confirm your address/)
    await send(sql`update users set proved_at = moment() where email = ${owner.email}`)
    const started = await browser.post('/start', COMPANY)
    assert.equal(started.status, 303)
    assert.equal((await browser.get(started.location!)).status, 200)
    assert.match(pageTextOf(await browser.get('/')), /Choose a company/)
  })

  it('claims the account that another company made for the address and ends its old password', async () => {
    await forgetLimits()
    const other = await createCompany(mailed.service, 'Dogwood')
    const boss = newBrowser(mailed.service)
    await boss.signIn(other.owner.email)
    const email = newAddress()
    const shown = await boss.post(`/${other.id}/settings/members`, { email, name: '', role: 'tech', way: 'link' })
    const invitation = /invitation=([\w-]{43})/.exec(shown.text)![1]!
    await newBrowser(mailed.service).post('/join', { invitation, name: 'Ivy', password: PASSWORD })
    const user = await findUser(mailed.service.database, email)
    const started = await start(await linkFor(email))
    assert.equal(started.status, 303)
    assert.equal((await findUser(mailed.service.database, email)).id, user.id)
    assert.equal(
      (await newBrowser(mailed.service).signIn(email, '/', PASSWORD)).status,
      422,
      'the earlier password ended',
    )
    assert.equal((await newBrowser(mailed.service).signIn(email, '/', PERSON.password)).status, 303)
  })

  it("is unavailable when the operator doesn't allow it", async () => {
    const closed = await startSite()
    try {
      const browser = newBrowser(closed)
      assert.equal((await browser.get('/start')).location, '/docs/company')
      assert.equal((await browser.post('/start', { email: newAddress() })).location, '/docs/company')
      const ask = { for: 'start', name: '', link: 'x'.repeat(43) }
      assert.equal((await askOptions(closed, browser, ask)).status, 404)
      assert.doesNotMatch((await browser.get('/')).text, /href="\/start"/)
      assert.doesNotMatch((await browser.get('/sign-in')).text, /href="\/start"/)
      const [mails] = await closed.database.send([sql`select from account_mails`])
      assert.equal(mails.count, 0)
    } finally {
      await closed.stop()
    }
    const open = newBrowser(mailed.service)
    assert.match((await open.get('/')).text, /href="\/start"/)
    assert.match((await open.get('/sign-in')).text, /href="\/start"/)
  })
})
