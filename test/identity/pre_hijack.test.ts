import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/database.ts'
import { ATTACKER_PASSWORD, openPreHijack, type Company, type PreHijack } from '../harness/identity/pre_hijack.ts'
import { secretOf } from '../harness/messaging/account_mail.ts'
import { PASSWORD, newBrowser, type Browser, type BrowserResponse } from '../harness/web_client.ts'

let scene: PreHijack
let mailed: PreHijack['mailed']
let acme: PreHijack['acme']
let globex: PreHijack['globex']
let handedOut: PreHijack['handedOut']
let sendInvite: PreHijack['sendInvite']
let add: PreHijack['add']
let serial = 0
before(async () => {
  scene = await openPreHijack()
  ;({ mailed, acme, globex, handedOut, sendInvite, add } = scene)
})
after(() => mailed.stop())

const newAddress = (): string => `him-${++serial}@a.example`
const accept = (invitation: string, password: string, browser = newBrowser(mailed.service)): Promise<BrowserResponse> =>
  scene.accept(invitation, password, browser)
const statusIn = async ({ id }: Company, browser: Browser): Promise<number> => (await browser.get(`/${id}`)).status
const signsIn = async (email: string, password: string): Promise<boolean> =>
  (await newBrowser(mailed.service).signIn(email, '/', password)).status === 303
const isProved = async (email: string): Promise<boolean> =>
  (await mailed.service.database.send([sql`select from users where email = ${email} and proved_at is not null`]))[0]!
    .count === 1

describe('an attacker who takes an address before its owner', () => {
  it('1: loses the account to the invitation link from the command line', async () => {
    const { email, hers } = await scene.takeAddress()
    const hired = await add(email)
    assert.ok('invitation' in hired)
    const his = newBrowser(mailed.service)
    assert.equal((await accept(hired.invitation.secret, ATTACKER_PASSWORD, his)).location, `/${acme.id}`)
    assert.deepEqual(
      [await statusIn(acme, his), await statusIn(acme, hers), await statusIn(globex, hers)],
      [200, 303, 303],
    )
    assert.deepEqual([await signsIn(email, PASSWORD), await signsIn(email, ATTACKER_PASSWORD)], [false, true])
  })

  it('2: loses the account, with linked identities and sessions, to a mailed invitation', async () => {
    const { email, hers } = await scene.takeAddress()
    const { database } = mailed.service
    await database.send([
      sql`insert into identities (issuer, subject, user_id) select 'https://id.example', 'hers', id from users where email = ${email}`,
    ])
    const invitation = await sendInvite(acme, email)
    assert.equal((await hers.get(`/${acme.id}`)).status, 404)
    const his = newBrowser(mailed.service)
    assert.equal((await accept(invitation, ATTACKER_PASSWORD, his)).location, `/${acme.id}`)
    assert.deepEqual([await statusIn(acme, his), await statusIn(globex, hers)], [200, 303])
    assert.deepEqual([await signsIn(email, PASSWORD), await isProved(email)], [false, true])
    assert.equal((await database.send([sql`select from identities where subject = 'hers'`]))[0]!.count, 0)
  })

  it("3: can't get the address proved without the attacker's password", async () => {
    const { email, hers } = await scene.takeAddress()
    await hers.post('/account/proof', { to: '/' })
    const path = await mailed.pathIn(email)
    const his = newBrowser(mailed.service)
    assert.match(
      (await his.get(path)).text,
      /The account of Cy Lee[^]*Press this only if you sign in as Cy Lee yourself/,
    )
    assert.equal((await his.post('/prove', { link: secretOf(path) })).status, 422)
    assert.equal((await his.post('/prove', { link: secretOf(path), password: ATTACKER_PASSWORD })).status, 422)
    assert.equal(await isProved(email), false)
    assert.ok('invitation' in (await add(email)))
  })

  it("4: can't prove the victim's address by changing to it", async () => {
    const [email, own] = [newAddress(), newAddress()]
    const hers = newBrowser(mailed.service)
    await accept(await handedOut(globex, own), PASSWORD, hers)
    await hers.post(`/${globex.id}/settings/address`, { address: email, password: PASSWORD })
    const path = await mailed.pathIn(email)
    assert.equal((await newBrowser(mailed.service).post('/prove', { link: secretOf(path) })).status, 422)
    assert.ok('added' in (await add(email)), 'nobody has the address')
    assert.equal((await hers.post('/prove', { link: secretOf(path) })).status, 409, 'it has an account by now')
  })

  it("5: can't accept an older invitation after the victim joined", async () => {
    const email = newAddress()
    const kept = await handedOut(globex, email)
    await accept(await sendInvite(acme, email), ATTACKER_PASSWORD)
    assert.equal((await accept(kept, PASSWORD)).status, 409)
    assert.deepEqual([await signsIn(email, PASSWORD), await signsIn(email, ATTACKER_PASSWORD)], [false, true])
  })

  it("6: can't use an owner's reset link to enter another company, or after the victim joined it", async () => {
    const email = newAddress()
    const hers = newBrowser(mailed.service)
    await accept(await sendInvite(globex, email), ATTACKER_PASSWORD, newBrowser(mailed.service))
    const [found] = await mailed.service.database.send([sql`select id from users where email = ${email}`])
    const way = `/${globex.id}/settings/members/${String(found!.rows[0]!['id'])}/link`
    const link = /new-password\?link=([\w-]{43})/.exec((await globex.browser.post(way, {})).text)![1]!
    await hers.post('/new-password', { link, password: PASSWORD })
    assert.equal(await isProved(email), false)
    assert.ok('invitation' in (await add(email)), 'acme does not take whoever she is for him')
    const invitation = await sendInvite(acme, email)
    assert.equal((await accept(invitation, ATTACKER_PASSWORD)).location, `/${acme.id}`)
    assert.equal((await globex.browser.post(way, {})).status, 409)
  })

  it('gets no mail sent to the address, and sees account notices on the page', async () => {
    const { email, hers } = await scene.takeAddress()
    await hers.post('/forgot-password', { email })
    await hers.post(`/${globex.id}/settings/keys`, { name: 'Back door', expires: '', customers: 'view' })
    const another = newBrowser(mailed.service)
    await another.signIn(email)
    assert.deepEqual(await mailed.mailsTo(email), [])
    assert.match((await another.get('/account/notices')).text, /New API key in your name[^]*Back door/)
  })
})

describe('two invitations for a new person, accepted at once', () => {
  it('end with the password of the mailed one, in either order', async () => {
    for (let round = 0; round < 6; round++) {
      const email = newAddress()
      const [shown, sent] = [await handedOut(globex, email), await sendInvite(acme, email)]
      const hers = newBrowser(mailed.service)
      const [first, second] = await Promise.all([accept(shown, PASSWORD, hers), accept(sent, ATTACKER_PASSWORD)])
      assert.equal(second.location, `/${acme.id}`)
      assert.ok(first.status === 303 || first.status === 409)
      assert.deepEqual([await signsIn(email, PASSWORD), await signsIn(email, ATTACKER_PASSWORD)], [false, true])
      assert.notEqual(await statusIn(globex, hers), 200)
    }
  })

  it('both mailed, accept one password and tell the other to sign in', async () => {
    const email = newAddress()
    const [one, other] = [await sendInvite(globex, email), await sendInvite(acme, email)]
    const answers = await Promise.all([accept(one, PASSWORD), accept(other, ATTACKER_PASSWORD)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409])
    assert.match(answers.find(({ status }) => status === 409)!.text, /sign in to accept/)
    assert.equal(await signsIn(email, answers[0].status === 303 ? PASSWORD : ATTACKER_PASSWORD), true)
  })
})

describe('the page of a mailed invitation', () => {
  it('is the same for an existing and for a new address', async () => {
    const { email } = await scene.takeAddress()
    const readInvitation = async (address: string) => {
      const link = await sendInvite(acme, address)
      const { status, text, location } = await newBrowser(mailed.service).get(`/join?invitation=${link}`)
      return { status, location, text: text.replaceAll(link, 'LINK').replaceAll(address, 'ADDRESS') }
    }
    assert.deepEqual(await readInvitation(email), await readInvitation(newAddress()))
  })
})
