import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { resetPassword } from '../../../src/identity/people/recovery/own_password.ts'
import { findSession } from '../../../src/identity/sign_in/sessions.ts'
import { createResetLinkAsOperator } from '../../../src/identity/people/recovery/forgotten_password.ts'
import { signInByProvider, linkIdentity } from '../../../src/identity/providers/identities.ts'
import type { ProvidedIdentity } from '../../../src/identity/providers/provider.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { secretOf } from '../../harness/messaging/account_mail.ts'
import { addPasskey } from '../../harness/identity/factors.ts'
import {
  ATTACKER_PASSWORD,
  ORIGIN,
  identity,
  openPreHijack,
  type PreHijack,
} from '../../harness/identity/pre_hijack.ts'
import { attacksOn } from '../../harness/identity/pre_hijack_attacks.ts'
import { PASSWORD, newBrowser, type Browser } from '../../harness/web_client.ts'

let scene: PreHijack
let mailed: PreHijack['mailed']
let acme: PreHijack['acme']
let globex: PreHijack['globex']
let opened: PreHijack['opened']
let handedOut: PreHijack['handedOut']
let sendInvite: PreHijack['sendInvite']
let accept: PreHijack['accept']
let opens: PreHijack['opens']
let signedIn: PreHijack['signedIn']
let idOf: PreHijack['idOf']
let add: PreHijack['add']
let fileLink: PreHijack['fileLink']
let takeAddress: PreHijack['takeAddress']
before(async () => {
  scene = await openPreHijack()
  ;({ mailed, acme, globex, opened, handedOut, sendInvite, accept, opens, signedIn, idOf, add, fileLink, takeAddress } =
    scene)
})
after(() => mailed.stop())
beforeEach(() => mailed.service.database.send([sql`delete from attempts`]))

const ATTACKS = attacksOn(() => scene)

/** Ways for the victim to reach their account and then Acme. Each returns their browser. */
const ROADS: Readonly<Record<string, (email: string) => Promise<Browser>>> = {
  'a link, signed in': async (email) => {
    const his = await signedIn(email, PASSWORD)
    const invitation = await handedOut(acme, email)
    assert.match((await his.get(`/join?invitation=${invitation}`)).text, /Choose a new password/)
    assert.equal((await his.post('/join', { invitation })).status, 422)
    assert.equal((await accept(invitation, ATTACKER_PASSWORD, his)).location, `/${acme.id}`)
    return his
  },
  'a mailed link, signed in': async (email) => {
    const his = await signedIn(email, PASSWORD)
    const invitation = await sendInvite(acme, email)
    assert.equal((await his.post('/join', { invitation })).status, 422)
    assert.equal((await accept(invitation, ATTACKER_PASSWORD, his)).location, `/${acme.id}`)
    return his
  },
  'a mailed link': async (email) => {
    const his = newBrowser(mailed.service)
    assert.equal((await accept(await sendInvite(acme, email), ATTACKER_PASSWORD, his)).location, `/${acme.id}`)
    return his
  },
  'a mailed link that starts a company': async (email) => {
    const his = newBrowser(mailed.service)
    await his.post('/start', { email })
    const link = secretOf(await mailed.pathIn(email))
    const company = { company: 'His own', country: 'US', timezone: 'America/Chicago', zones_of: 'US' }
    assert.match(
      (await his.post('/start', { link, name: 'Cy Lee', password: ATTACKER_PASSWORD, ...company })).location!,
      /\/setup$/,
    )
    assert.ok('added' in (await add(email)))
    return his
  },
  'the command line': async (email) => {
    const hired = await add(email)
    assert.ok('invitation' in hired)
    const his = newBrowser(mailed.service)
    assert.equal((await accept(hired.invitation.secret, ATTACKER_PASSWORD, his)).location, `/${acme.id}`)
    return his
  },
  "a company's file, signed in": async (email) => {
    const invitation = await fileLink(email)
    const his = await signedIn(email, PASSWORD)
    assert.equal(await opens(acme, his), false, 'nobody joins without accepting')
    assert.equal((await his.post('/join', { invitation })).status, 422)
    assert.equal((await accept(invitation, ATTACKER_PASSWORD, his)).location, `/${acme.id}`)
    return his
  },
  'a proof of the address': async (email) => {
    const his = await signedIn(email, PASSWORD)
    await his.post('/account/proof', { to: '/' })
    const link = secretOf(await mailed.pathIn(email))
    assert.equal((await his.post('/prove', { link })).status, 422)
    assert.equal((await his.post('/prove', { link, next: ATTACKER_PASSWORD })).location, '/')
    assert.ok('added' in (await add(email)))
    return his
  },
  "an owner's reset link, then a proof": async (email) => {
    const way = `/${globex.id}/settings/members/${await idOf(email)}/link`
    const reset = /new-password\?link=([\w-]{43})/.exec((await globex.browser.post(way, {})).text)![1]!
    await newBrowser(mailed.service).post('/new-password', { link: reset, password: 'between the two of them' })
    const his = await signedIn(email, 'between the two of them')
    await his.post('/account/proof', { to: '/' })
    const link = secretOf(await mailed.pathIn(email))
    assert.equal((await his.post('/prove', { link, next: ATTACKER_PASSWORD })).location, '/')
    assert.ok('added' in (await add(email)))
    return his
  },
  "an operator's reset link": async (email) => {
    const link = await createResetLinkAsOperator(mailed.service.database, await idOf(email))
    await newBrowser(mailed.service).post('/new-password', { link, password: 'between the two of them' })
    const his = await signedIn(email, 'between the two of them')
    assert.equal((await accept(await handedOut(acme, email), ATTACKER_PASSWORD, his)).location, `/${acme.id}`)
    return his
  },
  'a reset by mail': async (email) => {
    await mailed.service.database.send([sql`update users set proved_at = moment() where email = ${email}`])
    await newBrowser(mailed.service).post('/forgot-password', { email })
    const link = secretOf(await mailed.pathIn(email))
    assert.equal(
      (await newBrowser(mailed.service).post('/new-password', { link, password: ATTACKER_PASSWORD })).status,
      200,
    )
    assert.ok('added' in (await add(email)))
    return signedIn(email, ATTACKER_PASSWORD)
  },
  'a password that the command line sets': async (email) => {
    await resetPassword(mailed.service.database, await idOf(email), ATTACKER_PASSWORD)
    assert.ok('added' in (await add(email)))
    return signedIn(email, ATTACKER_PASSWORD)
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

/** Signs in again through a provider and sets a password by mail. */
async function enterAgain(email: string, linked: ProvidedIdentity): Promise<Browser> {
  const again = await signInByProvider(mailed.service.database, linked, ORIGIN)
  assert.ok('isClaimed' in again && !again.isClaimed)
  await newBrowser(mailed.service).post('/forgot-password', { email })
  const link = secretOf(await mailed.pathIn(email))
  await newBrowser(mailed.service).post('/new-password', { link, password: ATTACKER_PASSWORD })
  return signedIn(email, ATTACKER_PASSWORD)
}

for (const [road, come] of Object.entries(ROADS))
  describe(`a victim who claims the account by ${road}`, () => {
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

describe('the page of earlier access', () => {
  it("lists what was ended, only for the account's owner", async () => {
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

  it('appears once, and another company asks for no new password', async () => {
    const { email } = await takeAddress()
    const his = await ROADS['a mailed link, signed in']!(email)
    const third = await opened('Initech Electric')
    assert.equal((await his.post('/join', { invitation: await handedOut(third, email) })).location, `/${third.id}`)
    assert.equal((await signedIn(email, ATTACKER_PASSWORD)) !== null, true)
  })
})
