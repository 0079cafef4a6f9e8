import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { resetFactors } from '../../../src/identity/factors/factors.ts'
import {
  requestReset,
  resetByLink,
  createResetLinkAsOperator,
  createResetLinkAsOwner,
} from '../../../src/identity/people/recovery/forgotten_password.ts'
import { resetPassword } from '../../../src/identity/people/recovery/own_password.ts'
import { signInByProvider, linkIdentity } from '../../../src/identity/providers/identities.ts'
import { endSession, findSession } from '../../../src/identity/sign_in/sessions.ts'
import { openMailScene } from '../../harness/messaging/account_mail.ts'
import { addPasskey, eventsOf } from '../../harness/identity/factors.ts'
import { PASSWORD, createCompany, newBrowser } from '../../harness/web_client.ts'

const ORIGIN = { address: '192.0.2.7', agent: null }
const NEXT = 'another long secret'

let mailed: Awaited<ReturnType<typeof openMailScene>>
let company: Awaited<ReturnType<typeof createCompany>>
let by: { user: string }
before(async () => {
  mailed = await openMailScene()
  company = await createCompany(mailed.service, 'Alder Plumbing')
  by = { user: company.owner.user_id }
})
after(() => mailed.stop())
beforeEach(async () => {
  await mailed.post.run()
  mailed.server.taken.length = 0
})

let serial = 0
const identityOf = (email: string | null) => {
  const subject = `subject-${++serial}`
  return {
    issuer: 'https://login.example.com',
    subject,
    email,
    name: null,
    address: email ?? 'x@example.com',
    methods: [],
    unconfirmed: null,
    recognizedAt: null,
  }
}

/** Returns a member whose account was linked to a stranger's through an open session. */
async function linkForeignAccount() {
  const { email, user_id: user } = await company.hire('tech')
  const browser = newBrowser(mailed.service)
  await browser.signIn(email)
  const secret = [...browser.jar].find(([name]) => /session/.test(name))![1]
  const session = (await findSession(mailed.service.database, secret))!
  const theirs = identityOf(null)
  await linkIdentity(mailed.service.database, session, theirs, ORIGIN)
  return { email, user, browser, secret, session, theirs }
}

type Linked = Awaited<ReturnType<typeof linkForeignAccount>>

const signsIn = async (identity: Linked['theirs']): Promise<boolean> =>
  !('refused' in (await signInByProvider(mailed.service.database, identity, ORIGIN)))

describe('an outside account that a stranger linked', () => {
  const recoveries: [string, (who: Linked) => Promise<unknown>][] = [
    [
      'a link that was mailed',
      async ({ email }) => {
        await requestReset(mailed.service.database, email)
        const texts = (await mailed.mailsTo(email)).map(({ mail }) => mail.text ?? '')
        await reset(/new-password\?link=([\w-]{43})/.exec(texts.join('\n'))![1]!)
      },
    ],
    [
      "an owner's link",
      async ({ user }) => reset(await createResetLinkAsOwner(mailed.service.database, company.id, user, by)),
    ],
    ["the operator's link", async ({ user }) => reset(await createResetLinkAsOperator(mailed.service.database, user))],
    ["the operator's password", ({ user }) => resetPassword(mailed.service.database, user, NEXT)],
    ["the operator's reset of factors", ({ user }) => resetFactors(mailed.service.database, user)],
    [
      "an owner's reset of factors",
      async ({ user }) => {
        const owner = newBrowser(mailed.service)
        await owner.signIn(company.owner.email)
        const done = await owner.post(`/${company.id}/settings/members/${user}/reset-factors`, {})
        assert.equal(done.status, 303)
      },
    ],
    [
      'a change of password that revokes what works without it',
      ({ browser }) =>
        browser.post(`/${company.id}/settings/password`, { current: PASSWORD, next: NEXT, end_standing: 'yes' }),
    ],
  ]
  for (const [name, recover] of recoveries)
    it(`can't sign in after ${name}, and the log shows the unlinking`, async () => {
      const who = await linkForeignAccount()
      assert.equal(await signsIn(who.theirs), true)
      await recover(who)
      assert.equal(await signsIn(who.theirs), false)
      assert.ok((await eventsOf(mailed.service, who.user)).includes('provider_unlinked'))
    })

  const reset = (secret: string): Promise<unknown> =>
    resetByLink(mailed.service.database, secret, { password: NEXT, endsActiveAccess: false }, ORIGIN)

  it('stays after a plain password change, whose page mentions it', async () => {
    const { browser, theirs } = await linkForeignAccount()
    const page = `/${company.id}/settings`
    assert.match((await browser.get(page)).text, /and unlink outside accounts[^]*An outside account signs you in too/)
    await browser.post(`${page}/password`, { current: PASSWORD, next: NEXT })
    assert.equal(await signsIn(theirs), true)
  })

  it('is mentioned on the page of a reset link only when there is one', async () => {
    const [who, other] = [await linkForeignAccount(), await company.hire('tech')]
    const pageOf = async (user: string): Promise<string> => {
      const secret = await createResetLinkAsOperator(mailed.service.database, user)
      return (await newBrowser(mailed.service).get(`/new-password?link=${secret}`)).text
    }
    assert.match(await pageOf(who.user), /Outside accounts that sign you in are unlinked/)
    assert.doesNotMatch(await pageOf(other.user_id), /Outside accounts/)
  })

  it("isn't all that the reset page mentions: a passkey that keeps working is mentioned too", async () => {
    const { user_id, email } = await company.hire('tech')
    const browser = newBrowser(mailed.service)
    await browser.signIn(email)
    const link = async () => createResetLinkAsOperator(mailed.service.database, user_id)
    const other = newBrowser(mailed.service)
    assert.doesNotMatch((await other.get(`/new-password?link=${await link()}`)).text, /passkey/)
    await addPasskey(mailed.service, browser)
    const secret = await link()
    assert.match((await other.get(`/new-password?link=${secret}`)).text, /One passkey still signs you in/)
    assert.match((await other.post('/new-password', { link: secret, password: NEXT })).text, /One passkey still signs/)
  })

  it("is reported to the account's owner when it is linked", async () => {
    const { email } = await linkForeignAccount()
    const [told] = await mailed.mailsTo(email)
    assert.equal(told!.mail.subject, 'An outside account was linked to yours')
    assert.match(told!.mail.text!, /x@example\. com signs you in without your password[^]*Was this you\?/)
  })

  it("can't be linked by a session that ended meanwhile", async () => {
    const { secret, session } = await linkForeignAccount()
    await endSession(mailed.service.database, secret)
    await assert.rejects(linkIdentity(mailed.service.database, session, identityOf(null), ORIGIN), { code: 'conflict' })
  })
})

it("is linked again automatically when its verified address is the member's own", async () => {
  const { email, user_id: user } = await company.hire('tech')
  const own = identityOf(email)
  assert.equal(await signsIn(own), true)
  await resetPassword(mailed.service.database, user, NEXT)
  assert.equal(await signsIn(own), true)
  assert.equal(await signsIn({ ...own, email: null }), true)
})
