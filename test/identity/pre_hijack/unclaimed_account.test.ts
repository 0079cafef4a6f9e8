import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { joinByCompany } from '../../../src/identity/providers/company/company_join.ts'
import { signInByCompany } from '../../../src/identity/providers/company/company_sign_in.ts'
import { findSession } from '../../../src/identity/sign_in/sessions.ts'
import { sql } from '../../../src/platform/db/database.ts'
import {
  ATTACKER_PASSWORD,
  ORIGIN,
  identity,
  openPreHijack,
  type PreHijack,
} from '../../harness/identity/pre_hijack.ts'
import { attacksOn } from '../../harness/identity/pre_hijack_attacks.ts'
import { PASSWORD, newBrowser, type BrowserResponse } from '../../harness/web_client.ts'

let scene: PreHijack
let mailed: PreHijack['mailed']
let acme: PreHijack['acme']
let globex: PreHijack['globex']
let handedOut: PreHijack['handedOut']
let accept: PreHijack['accept']
let opens: PreHijack['opens']
let signedIn: PreHijack['signedIn']
let add: PreHijack['add']
let fileLink: PreHijack['fileLink']
let takeAddress: PreHijack['takeAddress']
before(async () => {
  scene = await openPreHijack()
  ;({ mailed, acme, globex, handedOut, accept, opens, signedIn, add, fileLink, takeAddress } = scene)
})
after(() => mailed.stop())
beforeEach(() => mailed.service.database.send([sql`delete from attempts`]))

const ATTACKS = attacksOn(() => scene)

/** Attacker's ways in, which work until the account is claimed. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  'classic-federated merge': ['password'],
  'unexpired session': ['session', 'key', 'app', 'passkey'],
  'trojan identifier': ['provider'],
  'unexpired email change': ['link'],
  'non-verifying provider': ['provider'],
}

describe('an unclaimed account', () => {
  for (const [attack, leave] of Object.entries(ATTACKS))
    it(`is open to ${attack}, which shows that the attack is real`, async () => {
      const { email, hers } = await takeAddress()
      const tries = await leave(email, hers)
      assert.deepEqual(await tries(globex), WAYS[attack])
    })
})

describe("a path that doesn't claim an attacker's account", () => {
  const roads: Readonly<Record<string, (email: string) => Promise<BrowserResponse>>> = {
    'a link that was handed out, signed out': async (email) =>
      accept(await handedOut(acme, email), ATTACKER_PASSWORD, newBrowser(mailed.service)),
    "a company's file, signed out": async (email) =>
      accept(await fileLink(email), ATTACKER_PASSWORD, newBrowser(mailed.service)),
    'the link of the command line, signed in': async (email) => {
      const hired = await add(email)
      assert.ok('invitation' in hired)
      return (await signedIn(email, PASSWORD)).post('/join', {
        invitation: hired.invitation.secret,
        password: ATTACKER_PASSWORD,
      })
    },
  }
  for (const [road, come] of Object.entries(roads))
    it(`is ${road}`, async () => {
      const { email, hers } = await takeAddress()
      assert.ok((await come(email)).status >= 400)
      assert.equal(await opens(acme, hers), false)
      assert.equal(await opens(globex, hers), true)
    })

  it("is a mail reset of an unproved address, or the inviting company's provider", async () => {
    const { email, hers } = await takeAddress()
    await newBrowser(mailed.service).post('/forgot-password', { email })
    assert.deepEqual(await mailed.mailsTo(email), [])
    await handedOut(acme, email)
    const claimed = identity('https://id.acme.example', email, email)
    assert.deepEqual(await signInByCompany(mailed.service.database, acme.id, claimed, ORIGIN), { refused: 'theirs' })
    assert.equal(await opens(acme, hers), false)
  })

  it('is starting a company from an account with an unproved address', async () => {
    const { hers } = await takeAddress()
    const company = { company: 'Hers', country: 'US', timezone: 'America/Chicago', zones_of: 'US' }
    assert.equal((await hers.post('/start', company)).status, 409)
  })

  it("is joining through the company's provider while signed in to that account", async () => {
    const { email, hers } = await takeAddress()
    const secret = await handedOut(acme, email)
    const [, cookie] = [...hers.jar].find(([name]) => /session/.test(name))!
    const session = (await findSession(mailed.service.database, cookie))!
    const hersThere = { ...identity('https://id.acme.example', 'hers', email), email: null, unconfirmed: email }
    await assert.rejects(
      joinByCompany(mailed.service.database, { tenant: acme.id, secret }, session, hersThere, ORIGIN),
      /choose a new one/,
    )
    assert.equal(await opens(acme, hers), false)
  })
})

describe('Cross-Origin-Opener-Policy', () => {
  it('is same-origin on company pages and absent on pages that apps open as popups', async () => {
    const policyOf = async (path: string) => (await acme.browser.get(path)).headers.get('cross-origin-opener-policy')
    for (const path of [`/${acme.id}`, `/${acme.id}/customers`, `/${acme.id}/settings/members`])
      assert.equal(await policyOf(path), 'same-origin', path)
    for (const path of ['/', '/sign-in', '/confirm', '/oauth/consent', `/${acme.id}/sign-in`])
      assert.equal(await policyOf(path), null, path)
  })
})
