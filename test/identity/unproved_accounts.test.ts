import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { registerClient } from '../../src/identity/credentials/clients/clients.ts'
import { addOrInviteMember, type MemberAddition } from '../../src/identity/people/invitations/add_or_invite.ts'
import { addOperator } from '../../src/identity/people/operators.ts'
import { verifyPassword } from '../../src/identity/sign_in/passwords/passwords.ts'
import { addMember, removeMember } from '../../src/identity/people/people.ts'
import { createTenantOrInvite } from '../../src/identity/companies/tenants.ts'
import { findUser } from '../../src/identity/people/users.ts'
import { sql } from '../../src/platform/db/database.ts'
import { addPasskey } from '../harness/identity/factors.ts'
import type { TestService } from '../harness/harness.ts'
import {
  PASSWORD,
  askConsent,
  createCompany,
  pressConsent,
  startSite,
  tokensOf,
  newBrowser,
  type Browser,
  type BrowserResponse,
} from '../harness/web_client.ts'

const CALLBACK = 'http://127.0.0.1:41998/callback'
const HERS = 'her own long secret'

type Company = Awaited<ReturnType<typeof createCompany>> & { browser: Browser }
let service: TestService
let acme: Company
let globex: Company
let serial = 0
before(async () => {
  service = await startSite()
  acme = await openCompany('Acme Air')
  globex = await openCompany('Globex Plumbing')
})
after(() => service.stop())

async function openCompany(name: string): Promise<Company> {
  const company = await createCompany(service, name)
  const browser = newBrowser(service)
  await browser.signIn(company.owner.email)
  return { ...company, browser }
}
const newAddress = (): string => `ceo-${++serial}@a.example`
const invite = async ({ id, browser }: Company, email: string, role = 'office'): Promise<string> =>
  /invitation=([\w-]{43})/.exec((await browser.post(`/${id}/settings/members`, { email, name: '', role })).text)![1]!
const accept = (invitation: string, password: string, browser = newBrowser(service)): Promise<BrowserResponse> =>
  browser.post('/join', { invitation, name: 'Cy Lee', password })
const add = ({ id }: Company, email: string): Promise<MemberAddition> =>
  addOrInviteMember(service.database, { tenant: id }, { email, role: 'owner', password: 'generated' })
const linkOf = (hired: MemberAddition): string => {
  assert.ok('invitation' in hired, 'a link was made')
  return hired.invitation.secret
}
const signInAs = async (email: string, password: string): Promise<Browser> => {
  const browser = newBrowser(service)
  assert.equal((await browser.signIn(email, '/', password)).status, 303)
  return browser
}
const statusIn = async ({ id }: Company, browser: Browser): Promise<number> => (await browser.get(`/${id}`)).status
const keyWorks = async (key: string): Promise<boolean> =>
  (
    await fetch(service.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
  ).status === 200

/** Makes the owner of Globex accept an invitation for another person's address and leave every kind of access. */
async function takeAddress() {
  const email = newAddress()
  const browser = newBrowser(service)
  assert.equal((await accept(await invite(globex, email), PASSWORD, browser)).location, `/${globex.id}`)
  const key = /svc_uk_\w{43}/.exec(
    (await browser.post(`/${globex.id}/settings/keys`, { name: 'Back door', expires: '', customers: 'view' })).text,
  )![0]
  const client = (await registerClient(service.database, { name: 'Back door', redirect_uris: [CALLBACK], about: {} }))
    .id
  const { verifier, path } = await askConsent(service, browser, client, CALLBACK)
  const approved = await pressConsent(browser, path, 'approve', { customers: 'view' }, globex.id)
  const { access_token } = await tokensOf(
    service,
    client,
    new URL((await browser.get(approved.location!)).location!),
    verifier,
  )
  assert.ok((await keyWorks(key)) && (await keyWorks(access_token)))
  return { email, browser, key, token: access_token }
}

async function requireEnded({ email, browser, key, token }: Awaited<ReturnType<typeof takeAddress>>): Promise<void> {
  assert.equal(await statusIn(globex, browser), 303)
  assert.equal((await newBrowser(service).signIn(email)).status, 422)
  assert.deepEqual([await keyWorks(key), await keyWorks(token)], [false, false])
}

describe("an account that another company's invitation made", () => {
  it("isn't added by `member add`: its person gets a link, sets a new password, and earlier access ends", async () => {
    const before = await takeAddress()
    const hired = await add(acme, before.email)
    assert.deepEqual([hired.existing?.createdThrough, typeof hired.existing?.since], [globex.id, 'string'])
    assert.equal(await statusIn(acme, before.browser), 404)
    const hers = newBrowser(service)
    const page = await hers.get(`/join?invitation=${linkOf(hired)}`)
    assert.match(page.text, /Choose a new password\. Browsers signed in with this address/)
    assert.equal((await accept(linkOf(hired), HERS, hers)).location, `/${acme.id}`)
    assert.equal(await statusIn(acme, hers), 200)
    await requireEnded(before)
    assert.equal(await statusIn(acme, await signInAs(before.email, HERS)), 200)
  })

  it("isn't made an owner by `tenant create` until the owner accepts the link", async () => {
    const before = await takeAddress()
    const made = await createTenantOrInvite(service.database, {
      name: 'Fresh Start',
      timezone: 'America/New_York',
      currency: 'USD',
      country: 'US',
      owner: { email: before.email, password: 'generated' },
    })
    assert.equal((await before.browser.get(`/${made.id}`)).status, 404)
    const hers = newBrowser(service)
    assert.equal((await accept(linkOf(made.owner), HERS, hers)).location, `/${made.id}`)
    assert.equal((await hers.get(`/${made.id}/settings/members`)).status, 200)
    await requireEnded(before)
  })

  it("can accept a company's invitation only when signed in and with a new password", async () => {
    const { email, browser } = await takeAddress()
    const link = await invite(acme, email)
    const taken = await accept(link, HERS)
    assert.equal(taken.status, 409)
    assert.match(taken.text, /Sign in to accept, or ask this service’s administrator/)
    assert.equal(await statusIn(globex, browser), 200)
    assert.equal(await statusIn(acme, browser), 404)
    assert.equal((await browser.post('/join', { invitation: link })).status, 422, 'who claims it sets a new password')
    assert.equal((await browser.post('/join', { invitation: link, password: HERS })).location, `/${acme.id}`)
  })

  it("can't become an operator", async () => {
    const { email } = await takeAddress()
    await assert.rejects(
      findUser(service.database, email).then((user) => addOperator(service.database, user)),
      { code: 'conflict', message: /give it a password first/ },
    )
  })

  it('is added when its address was proved', async () => {
    const { email } = await takeAddress()
    await service.database.send([
      sql`update users set proved_at = moment(), unclaimed_since = null where email = ${email}`,
    ])
    assert.ok('added' in (await add(acme, email)))
  })

  it('can be added and invited again by its own company', async () => {
    const email = newAddress()
    await accept(await invite(globex, email), PASSWORD)
    const { user_id } = await findUser(service.database, email).then(({ id }) => ({ user_id: id }))
    await globex.browser.post(`/${globex.id}/settings/members/${user_id}`, { act: 'remove' })
    assert.ok('added' in (await add(globex, email)))
    await globex.browser.post(`/${globex.id}/settings/members/${user_id}`, { act: 'remove' })
    const back = await signInAs(email, PASSWORD)
    assert.equal((await back.post('/join', { invitation: await invite(globex, email) })).location, `/${globex.id}`)
    await globex.browser.post(`/${globex.id}/settings/members/${user_id}`, { act: 'remove' })
    assert.equal((await accept(await invite(globex, email), HERS)).location, `/${globex.id}`)
    assert.equal((await back.get('/')).text.includes('Sign out'), false)
  })
})

describe('an invitation link', () => {
  it('of another company ends when the operator creates the account', async () => {
    const email = newAddress()
    const [early, ours] = [await invite(globex, email), await invite(acme, email)]
    const hired = await add(acme, email)
    assert.ok('added' in hired && hired.added.password !== null)
    assert.equal((await accept(early, PASSWORD)).status, 409)
    assert.equal((await newBrowser(service).get(`/join?invitation=${ours}`)).status, 404)
    assert.equal(await statusIn(acme, await signInAs(email, hired.added.password)), 200)
  })

  it('for an account that the operator made can be accepted only by its person', async () => {
    const email = newAddress()
    const { password } = await addMember(
      service.database,
      { tenant: acme.id },
      { email, role: 'owner', password: 'generated' },
    )
    const link = await invite(globex, email)
    assert.equal((await accept(link, HERS)).status, 409)
    assert.equal(
      (await (await signInAs(email, password!)).post('/join', { invitation: link })).location,
      `/${globex.id}`,
    )
  })

  it('of a repeated command replaces the earlier one and works once', async () => {
    const { email } = await takeAddress()
    const [first, second] = [linkOf(await add(acme, email)), linkOf(await add(acme, email))]
    assert.equal((await accept(first, HERS)).status, 404)
    assert.equal((await accept(second, HERS)).status, 303)
    assert.equal((await accept(second, PASSWORD)).status, 404)
    assert.equal((await newBrowser(service).signIn(email, '/', HERS)).status, 303)
  })

  it("doesn't work for a person signed in with another account", async () => {
    const before = await takeAddress()
    const link = linkOf(await add(acme, before.email))
    assert.match((await acme.browser.get(`/join?invitation=${link}`)).text, /You are signed in as/)
    assert.equal((await accept(link, HERS, acme.browser)).status, 409)
    assert.equal(
      (await accept(link, HERS, before.browser)).location,
      `/${acme.id}`,
      'and by the account itself sets the password all the same',
    )
    assert.equal((await newBrowser(service).signIn(before.email)).status, 422)
  })

  it('needs the person to sign in when the address was proved meanwhile', async () => {
    const { email, browser } = await takeAddress()
    const link = linkOf(await add(acme, email))
    await service.database.send([
      sql`update users set proved_at = moment(), unclaimed_since = null where email = ${email}`,
    ])
    assert.equal((await accept(link, HERS)).status, 409)
    assert.equal((await browser.post('/join', { invitation: link })).location, `/${acme.id}`)
  })

  it('shows the same page for an existing and for a new address', async () => {
    const { email } = await takeAddress()
    const readInvitation = async (address: string) => {
      const link = await invite(acme, address)
      const { status, text, headers } = await newBrowser(service).get(`/join?invitation=${link}`)
      return {
        status,
        text: text.replaceAll(link, 'LINK').replaceAll(address, 'ADDRESS').replaceAll(encodeURIComponent(link), 'LINK'),
        location: headers.get('location'),
      }
    }
    assert.deepEqual(await readInvitation(email), await readInvitation(newAddress()))
  })

  it('of two companies, used at once for a new person, accepts one password and refuses the other', async () => {
    for (let round = 0; round < 8; round++) {
      const email = newAddress()
      const [one, other] = [await invite(acme, email), await invite(globex, email)]
      const answers = await Promise.all([accept(one, PASSWORD), accept(other, HERS)])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409])
      assert.match(answers.find(({ status }) => status === 409)!.text, /sign in to accept/)
      const isFirst = answers[0].status === 303
      const [known] = await service.database.send([
        sql`select u.password_hash as hash, t.tenant_id as tenant from users u join user_tenants t on t.user_id = u.id where u.email = ${email}`,
      ])
      assert.deepEqual(
        known!.rows.map(({ tenant }) => tenant),
        [isFirst ? acme.id : globex.id],
      )
      assert.ok(await verifyPassword(isFirst ? PASSWORD : HERS, String(known!.rows[0]!['hash'])))
    }
  })
})

describe('an account with a passkey and no password', () => {
  /** Makes such an account through Globex, whose owner may control it. */
  async function byPasskey(): Promise<{ email: string; browser: Browser; id: string }> {
    const [email, browser] = [newAddress(), newBrowser(service)]
    await accept(await invite(globex, email), HERS, browser)
    await addPasskey(service, browser)
    const { id } = await findUser(service.database, email)
    await service.database.send([sql`update users set password_hash = null where id = ${id}`])
    return { email, browser, id }
  }
  const readUser = async (id: string) =>
    (
      await service.database.send([
        sql`select password_hash is null as bare, vouched_at is not null as vouched from users where id = ${id}`,
      ])
    )[0]!.rows[0]

  it("isn't vouched for when its own company adds it again", async () => {
    const { email, id } = await byPasskey()
    await removeMember(service.database, { tenant: globex.id }, id)
    const hired = await add(globex, email)
    assert.ok('added' in hired)
    assert.equal(hired.added.password, null)
    assert.deepEqual(await readUser(id), { bare: true, vouched: false })
    linkOf(await add(acme, email))
  })

  it('gets no password when an operator adds it to a second company', async () => {
    const { email, id } = await byPasskey()
    await service.database.send([sql`update users set proved_at = moment(), unclaimed_since = null where id = ${id}`])
    const hired = await add(acme, email)
    assert.ok('added' in hired)
    assert.equal(hired.added.password, null)
    assert.deepEqual(await readUser(id), { bare: true, vouched: false })
    const given = { email, role: 'office', password: { chosen: 'a password of mine' } } as const
    await assert.rejects(
      addMember(service.database, { tenant: acme.id }, given),
      /another way to sign in; leave the password out/,
    )
  })
})
