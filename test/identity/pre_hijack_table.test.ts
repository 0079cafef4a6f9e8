import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Client } from 'pg'
import { inviteExisting } from '../../src/cli/tenant_file/people.ts'
import { addOrInviteMember } from '../../src/identity/people/invitations/add_or_invite.ts'
import { registerClient } from '../../src/identity/credentials/clients/clients.ts'
import { resetPassword } from '../../src/identity/people/recovery/own_password.ts'
import { findSession } from '../../src/identity/sign_in/sessions.ts'
import { CALLBACK } from '../harness/identity/consenting.ts'
import { createResetLinkAsOperator } from '../../src/identity/people/recovery/forgotten_password.ts'
import { signInByCompany } from '../../src/identity/providers/company/company_sign_in.ts'
import { signInByProvider, linkIdentity } from '../../src/identity/providers/identities.ts'
import type { ProvidedIdentity } from '../../src/identity/providers/provider.ts'
import { sql } from '../../src/platform/db/database.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { openMailed, secretOf } from '../harness/messaging/account_mail.ts'
import { addPasskey, signInByPasskey } from '../harness/identity/factors.ts'
import {
  PASSWORD,
  askConsent,
  foundCompany,
  pressConsent,
  tokensOf,
  visitor,
  type Browser,
  type Seen,
} from '../harness/visiting.ts'

const HIS = 'his own long secret'
const ORIGIN = { address: '192.0.2.7', agent: null }

type Company = Awaited<ReturnType<typeof foundCompany>> & { browser: Browser }
let mailed: Awaited<ReturnType<typeof openMailed>>
let acme: Company
let globex: Company
let serial = 0
before(async () => {
  mailed = await openMailed()
  acme = await opened('Acme Air')
  globex = await opened('Globex Plumbing')
  for (const { id, issuer } of [
    { id: globex.id, issuer: 'https://id.globex.example' },
    { id: acme.id, issuer: 'https://id.acme.example' },
  ])
    await mailed.service.database.send([
      sql`select enter_tenant(${id}, null, 0)`,
      sql`insert into company_providers (tenant_id, issuer, client_id, name, version, tried, on_since)
        values (${id}, ${issuer}, 'callout', 'Provider', ${newId()}, '{}', moment())`,
    ])
})
after(() => mailed.stop())
beforeEach(() => mailed.service.database.send([sql`delete from attempts`]))

async function opened(name: string): Promise<Company> {
  const company = await foundCompany(mailed.service, name)
  const browser = visitor(mailed.service)
  await browser.signIn(company.owner.email)
  return { ...company, browser }
}

const handedOut = async ({ id, browser }: Company, email: string): Promise<string> => {
  const { text } = await browser.post(`/${id}/settings/members`, { email, name: '', role: 'office', way: 'link' })
  return /invitation=([\w-]{43})/.exec(text)![1]!
}
const sendInvite = async ({ id, browser }: Company, email: string): Promise<string> => {
  await browser.post(`/${id}/settings/members`, { email, name: '', role: 'owner', way: 'mail' })
  return secretOf(await mailed.pathIn(email))
}
const accept = (invitation: string, password: string, browser: Browser): Promise<Seen> =>
  browser.post('/join', { invitation, name: 'Cy Lee', password })
const opens = async ({ id }: Company, browser: Browser): Promise<boolean> =>
  (await browser.get(`/${id}`)).status === 200
const signedIn = async (email: string, password: string): Promise<Browser> => {
  const browser = visitor(mailed.service)
  const seen = await browser.signIn(email, '/', password)
  assert.equal(seen.status, 303, seen.text)
  return browser
}
const idOf = async (email: string): Promise<string> =>
  String((await mailed.service.database.send([sql`select id from users where email = ${email}`]))[0]!.rows[0]!['id'])
const identity = (issuer: string, subject: string, email: string): ProvidedIdentity => ({
  issuer,
  subject,
  email,
  said: email,
  name: 'Cy Lee',
  methods: [],
  recognizedAt: null,
})

/** Returns which of her ways in open a company that the person belongs to. */
type Tries = (company: Company) => Promise<string[]>

/** Prepares an account that the owner of Globex controls. Returns her ways back into it. */
type Attack = (email: string, hers: Browser) => Promise<Tries>

const openingsOf = async (ways: Readonly<Record<string, () => Promise<boolean>>>): Promise<string[]> => {
  const open = []
  for (const [way, opensIt] of Object.entries(ways)) if (await opensIt()) open.push(way)
  return open
}

/** Checks whether the service still accepts an API key or an app's token. */
const isLetIn = async (token: string): Promise<boolean> => {
  const { status } = await fetch(mailed.service.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  return status === 200
}

const app = async (hers: Browser): Promise<string> => {
  const { id } = await registerClient(mailed.service.database, {
    name: 'Back door',
    redirect_uris: [CALLBACK],
    about: {},
  })
  const { path, verifier } = await askConsent(mailed.service, hers, id, CALLBACK)
  const { location } = await pressConsent(hers, path, 'view', {}, globex.id)
  const back = new URL((await hers.get(location!)).location!)
  const { access_token: token } = await tokensOf(mailed.service, id, back, verifier)
  return token
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  'classic-federated merge': async (email) => (company) =>
    openingsOf({
      password: async () => {
        const browser = visitor(mailed.service)
        return (await browser.signIn(email, '/', PASSWORD)).status === 303 && opens(company, browser)
      },
    }),
  'unexpired session': async (_, hers) => {
    const made = await hers.post(`/${globex.id}/settings/keys`, { name: 'Back door', expires: '', customers: 'view' })
    const key = /svc_uk_\w{43}/.exec(made.text)![0]
    const token = await app(hers)
    const { authenticator } = await addPasskey(mailed.service, hers)
    return (company) =>
      openingsOf({
        session: () => opens(company, hers),
        key: () => isLetIn(key),
        app: () => isLetIn(token),
        passkey: async () => {
          const browser = visitor(mailed.service)
          await signInByPasskey(mailed.service, browser, authenticator)
          return opens(company, browser)
        },
      })
  },
  'trojan identifier': async (email) => {
    const trojan = { ...identity('https://id.example', `hers-${email}`, `hers-${email}`), email: null }
    await mailed.service.database.send([
      sql`insert into identities (issuer, subject, user_id) values (${trojan.issuer}, ${trojan.subject}, ${await idOf(email)})`,
    ])
    return () =>
      openingsOf({
        provider: async () => !('refused' in (await signInByProvider(mailed.service.database, trojan, ORIGIN))),
      })
  },
  'unexpired e-mail change': async (email, hers) => {
    const address = `hers-${email}`
    await hers.post(`/${globex.id}/settings/address`, { address, password: PASSWORD })
    const path = await mailed.pathIn(address)
    return () =>
      openingsOf({
        link: async () => {
          for (const more of [{}, { password: PASSWORD }, { password: PASSWORD, next: 'another long secret' }])
            await hers.post('/prove', { link: secretOf(path), ...more })
          const [found] = await mailed.service.database.send([sql`select from users where email = ${address}`])
          return found!.count > 0
        },
      })
  },
  'non-verifying provider': async (email) => (company) =>
    openingsOf({
      provider: async () => {
        const claimed = identity('https://id.globex.example', email, email)
        const entered = await signInByCompany(mailed.service.database, globex.id, claimed, ORIGIN)
        if ('refused' in entered || 'pending' in entered) return false
        const { status } = await fetch(`${mailed.service.config.baseUrl}/${company.id}`, {
          headers: { cookie: `callout_session=${entered.secret}; __Host-callout_session=${entered.secret}` },
          redirect: 'manual',
        })
        return status === 200
      },
    }),
}

/** Her ways in. Each opens her own company as long as nobody claims the account. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  'classic-federated merge': ['password'],
  'unexpired session': ['session', 'key', 'app', 'passkey'],
  'trojan identifier': ['provider'],
  'unexpired e-mail change': ['link'],
  'non-verifying provider': ['provider'],
}

/** Ways in which he gets to his account, and from there to Acme. Each returns his browser. */
const ROADS: Readonly<Record<string, (email: string) => Promise<Browser>>> = {
  'a link, signed in': async (email) => {
    const his = await signedIn(email, PASSWORD)
    const invitation = await handedOut(acme, email)
    assert.match((await his.get(`/join?invitation=${invitation}`)).text, /Choose a new password/)
    assert.equal((await his.post('/join', { invitation })).status, 422)
    assert.equal((await accept(invitation, HIS, his)).location, `/${acme.id}`)
    return his
  },
  'a mailed link, signed in': async (email) => {
    const his = await signedIn(email, PASSWORD)
    const invitation = await sendInvite(acme, email)
    assert.equal((await his.post('/join', { invitation })).status, 422)
    assert.equal((await accept(invitation, HIS, his)).location, `/${acme.id}`)
    return his
  },
  'a mailed link': async (email) => {
    const his = visitor(mailed.service)
    assert.equal((await accept(await sendInvite(acme, email), HIS, his)).location, `/${acme.id}`)
    return his
  },
  'the command line': async (email) => {
    const hired = await add(email)
    assert.ok('asked' in hired)
    const his = visitor(mailed.service)
    assert.equal((await accept(hired.asked.secret, HIS, his)).location, `/${acme.id}`)
    return his
  },
  "a company's file, signed in": async (email) => {
    const invitation = await fileLink(email)
    const his = await signedIn(email, PASSWORD)
    assert.equal(await opens(acme, his), false, 'nobody joins without accepting')
    assert.equal((await his.post('/join', { invitation })).status, 422)
    assert.equal((await accept(invitation, HIS, his)).location, `/${acme.id}`)
    return his
  },
  'a proof of the address': async (email) => {
    const his = await signedIn(email, PASSWORD)
    await his.post('/account/proof', { to: '/' })
    const link = secretOf(await mailed.pathIn(email))
    assert.equal((await his.post('/prove', { link })).status, 422)
    assert.equal((await his.post('/prove', { link, next: HIS })).location, '/')
    assert.ok('added' in (await add(email)))
    return his
  },
  "an owner's reset link, then a proof": async (email) => {
    const way = `/${globex.id}/settings/members/${await idOf(email)}/link`
    const reset = /new-password\?link=([\w-]{43})/.exec((await globex.browser.post(way, {})).text)![1]!
    await visitor(mailed.service).post('/new-password', { link: reset, password: 'between the two of them' })
    const his = await signedIn(email, 'between the two of them')
    await his.post('/account/proof', { to: '/' })
    const link = secretOf(await mailed.pathIn(email))
    assert.equal((await his.post('/prove', { link, next: HIS })).location, '/')
    assert.ok('added' in (await add(email)))
    return his
  },
  "an operator's reset link": async (email) => {
    const link = await createResetLinkAsOperator(mailed.service.database, await idOf(email))
    await visitor(mailed.service).post('/new-password', { link, password: 'between the two of them' })
    const his = await signedIn(email, 'between the two of them')
    assert.equal((await accept(await handedOut(acme, email), HIS, his)).location, `/${acme.id}`)
    return his
  },
  'a reset by mail': async (email) => {
    await mailed.service.database.send([sql`update users set proved_at = moment() where email = ${email}`])
    await visitor(mailed.service).post('/forgot-password', { email })
    const link = secretOf(await mailed.pathIn(email))
    assert.equal((await visitor(mailed.service).post('/new-password', { link, password: HIS })).status, 200)
    assert.ok('added' in (await add(email)))
    return signedIn(email, HIS)
  },
  'a password that the command line sets': async (email) => {
    await resetPassword(mailed.service.database, await idOf(email), HIS)
    assert.ok('added' in (await add(email)))
    return signedIn(email, HIS)
  },
  'a provider that they link, signed in': async (email) => {
    const his = await signedIn(email, PASSWORD)
    const session = (await findSession(mailed.service.database, sessionOf(his)))!
    const linked = identity('https://id.example', `his-${email}`, email)
    const person = await linkIdentity(mailed.service.database, session, linked, ORIGIN)
    assert.equal(person?.user, await idOf(email))
    assert.equal(await opens(globex, his), false, 'the browser goes on with another session')
    assert.ok('added' in (await add(email)))
    return enterAgain(email, linked)
  },
  'a provider': async (email) => {
    const his = identity('https://id.example', `his-${email}`, email)
    const entered = await signInByProvider(mailed.service.database, his, ORIGIN)
    assert.ok('isClaimed' in entered && entered.isClaimed && 'secret' in entered)
    assert.ok('added' in (await add(email)))
    return enterAgain(email, his)
  },
}

const sessionOf = ({ jar }: Browser): string => [...jar].find(([name]) => /session/.test(name))![1]

/** Comes back by a provider that claims nothing again, and sets a password by mail. */
async function enterAgain(email: string, linked: ProvidedIdentity): Promise<Browser> {
  const again = await signInByProvider(mailed.service.database, linked, ORIGIN)
  assert.ok('isClaimed' in again && !again.isClaimed)
  await visitor(mailed.service).post('/forgot-password', { email })
  const link = secretOf(await mailed.pathIn(email))
  await visitor(mailed.service).post('/new-password', { link, password: HIS })
  return signedIn(email, HIS)
}

/** Returns the link that an import of Acme's file makes for somebody who has an account here. */
async function fileLink(email: string): Promise<string> {
  const client = new Client(mailed.service.owner)
  await client.connect()
  await client.query("insert into members (tenant_id, user_id, role, ceiling) values ($1, $2, 'office', '{}')", [
    acme.id,
    await idOf(email),
  ])
  const [invited] = await inviteExisting(client, acme.id, [await idOf(email)])
  await client.end()
  return invited!.secret
}

const add = (email: string) =>
  addOrInviteMember(mailed.service.database, { tenant: acme.id }, { email, role: 'owner', password: 'generated' })

/** Makes an account by an invitation of Globex that its owner accepts herself. */
async function takeAddress(): Promise<{ email: string; hers: Browser }> {
  const [email, hers] = [`ceo-${++serial}@a.example`, visitor(mailed.service)]
  await accept(await handedOut(globex, email), PASSWORD, hers)
  return { email, hers }
}

describe('an account that nobody has claimed', () => {
  for (const [attack, leave] of Object.entries(ATTACKS))
    it(`is open to ${attack}, so that what follows tries something`, async () => {
      const { email, hers } = await takeAddress()
      const tries = await leave(email, hers)
      assert.deepEqual(await tries(globex), WAYS[attack])
    })
})

for (const [road, come] of Object.entries(ROADS))
  describe(`whoever comes to their account by ${road}`, () => {
    for (const [attack, leave] of Object.entries(ATTACKS))
      it(`is safe from ${attack}`, async () => {
        const { email, hers } = await takeAddress()
        const tries = await leave(email, hers)
        const his = await come(email)
        assert.equal(await opens(acme, his), true)
        assert.deepEqual(await tries(acme), [])
        assert.equal(await opens(acme, his), true)
      })
  })

describe('a road that leads nowhere while somebody else made the account', () => {
  const roads: Readonly<Record<string, (email: string) => Promise<Seen>>> = {
    'a link that was handed out, signed out': async (email) =>
      accept(await handedOut(acme, email), HIS, visitor(mailed.service)),
    "a company's file, signed out": async (email) => accept(await fileLink(email), HIS, visitor(mailed.service)),
    'the link of the command line, signed in': async (email) => {
      const hired = await add(email)
      assert.ok('asked' in hired)
      return (await signedIn(email, PASSWORD)).post('/join', { invitation: hired.asked.secret, password: HIS })
    },
  }
  for (const [road, come] of Object.entries(roads))
    it(`is ${road}`, async () => {
      const { email, hers } = await takeAddress()
      assert.ok((await come(email)).status >= 400)
      assert.equal(await opens(acme, hers), false)
      assert.equal(await opens(globex, hers), true)
    })

  it('is a reset by mail, since nobody stands for the address, and the provider of the company that invites', async () => {
    const { email, hers } = await takeAddress()
    await visitor(mailed.service).post('/forgot-password', { email })
    assert.deepEqual(await mailed.mailsTo(email), [])
    await handedOut(acme, email)
    const claimed = identity('https://id.acme.example', email, email)
    assert.deepEqual(await signInByCompany(mailed.service.database, acme.id, claimed, ORIGIN), { refused: 'theirs' })
    assert.equal(await opens(acme, hers), false)
  })
})

describe('pages of a company', () => {
  it('are cut off from windows of other sites, and those that apps open as popups are not', async () => {
    const policyOf = async (path: string) => (await acme.browser.get(path)).headers.get('cross-origin-opener-policy')
    for (const path of [`/${acme.id}`, `/${acme.id}/customers`, `/${acme.id}/settings/members`])
      assert.equal(await policyOf(path), 'same-origin', path)
    for (const path of ['/', '/sign-in', '/confirm', '/oauth/consent', `/${acme.id}/sign-in`])
      assert.equal(await policyOf(path), null, path)
  })
})

describe('the page of what was there before', () => {
  it('lists what ended, for its person alone', async () => {
    const { email, hers } = await takeAddress()
    await hers.post(`/${globex.id}/settings/keys`, { name: 'Back door', expires: '', customers: 'view' })
    await addPasskey(mailed.service, hers)
    const his = await ROADS['a link, signed in']!(email)
    const { status, text } = await his.get('/account/before?to=/')
    assert.equal(status, 200)
    assert.match(text, /Access before you joined[^]*A password[^]*Passkey[^]*Back door, Globex Plumbing/)
    assert.equal((await hers.get('/account/before')).status, 303)
    assert.match((await acme.browser.get('/account/before')).text, /No one else could sign in to your account/)
  })

  it('comes once: a third company asks for no new password', async () => {
    const { email } = await takeAddress()
    const his = await ROADS['a mailed link, signed in']!(email)
    const third = await opened('Initech Electric')
    assert.equal((await his.post('/join', { invitation: await handedOut(third, email) })).location, `/${third.id}`)
    assert.equal((await signedIn(email, HIS)) !== null, true)
  })
})
