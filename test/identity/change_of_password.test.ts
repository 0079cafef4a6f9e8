import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { registerClient } from '../../src/identity/credentials/clients/clients.ts'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { addMember } from '../../src/identity/people/people.ts'
import { openSettings } from '../harness/identity/settings.ts'
import {
  PASSWORD,
  askConsent,
  createCompany,
  pressConsent,
  tokensOf,
  newBrowser,
  type Browser,
} from '../harness/web_client.ts'

const CALLBACK = 'http://127.0.0.1:41997/callback'
const NEXT = 'another long secret'

type Settings = Awaited<ReturnType<typeof openSettings>>
let service: Settings['service']
let company: Settings['company']
let signInAs: Settings['signInAs']
let at: Settings['at']
let readAudit: Settings['readAudit']
before(async () => {
  ;({ service, company, signInAs, at, readAudit } = await openSettings())
})
after(() => service.stop())

const works = async (token: string): Promise<boolean> =>
  (
    await fetch(service.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
  ).status === 200

/** Returns a member of two companies with a key in each, and an app. */
async function busy() {
  const member = await company.hire('office')
  const other = await createCompany(service, 'Second Company')
  await addMember(service.database, { tenant: other.id }, { email: member.email, role: 'tech', password: 'none' })
  const [here, there] = await Promise.all(
    [company.id, other.id].map((tenant) =>
      createKey(
        service.database,
        { tenant },
        { user: member.user_id, name: 'Script', scopes: ['read:jobs'], expires_at: null },
      ),
    ),
  )
  const browser = await signInAs(member.email)
  const client = (await registerClient(service.database, { name: 'Fieldhand', redirect_uris: [CALLBACK], about: {} }))
    .id
  const { path, verifier } = await askConsent(service, browser, client, CALLBACK)
  const approved = await pressConsent(browser, path, 'approve', { jobs: 'view' }, company.id)
  const { access_token } = await tokensOf(
    service,
    client,
    new URL((await browser.get(approved.location!)).location!),
    verifier,
  )
  const tokens = [here!.key, there!.key, access_token]
  const colleague = await createKey(
    service.database,
    { tenant: company.id },
    { user: company.owner.user_id, name: "Owner's", scopes: ['read:jobs'], expires_at: null },
  )
  return { member, browser, colleague: colleague.key, standing: () => Promise.all(tokens.map(works)) }
}

const change = (browser: Browser, more: Record<string, string> = {}) =>
  browser.post(at('password'), { current: PASSWORD, next: NEXT, ...more })

describe('a password change', () => {
  it('lists the keys and apps that keep working and leaves them by default', async () => {
    const { member, browser, standing } = await busy()
    const elsewhere = await signInAs(member.email)
    assert.match(
      (await browser.get(at())).text,
      /name="end_standing"[^]*Working without your password: 2 API keys, one connected app\./,
    )
    const changed = await change(browser)
    assert.match(
      changed.text,
      /You were signed out on your other devices\. Working without your password: 2 API keys, one connected app\./,
    )
    assert.deepEqual(await standing(), [true, true, true])
    assert.deepEqual([(await browser.get(at())).status, (await elsewhere.get(at())).status], [200, 303])
  })

  it("ends the member's keys and apps in every company when asked, with an audit entry", async () => {
    const { member, browser, standing, colleague } = await busy()
    const changed = await change(browser, { end_standing: 'yes' })
    assert.match(changed.text, /You have no API keys or connected apps in use\./)
    assert.deepEqual(await standing(), [false, false, false])
    assert.ok(await works(colleague))
    const [row] = (await readAudit('members.disconnect')).filter(({ record_id }) => record_id === member.user_id)
    assert.deepEqual([row!['user_id'], row!['changed']], [member.user_id, { keys: [1, 0], apps: [1, 0] }])
    assert.equal((await newBrowser(service).signIn(member.email, '/', NEXT)).status, 303)
  })

  it('ends nothing when it is refused', async () => {
    const { browser, standing } = await busy()
    assert.equal((await change(browser, { current: 'not the present one', end_standing: 'yes' })).status, 422)
    const easy = await change(browser, { next: 'AlderPlumbing1', end_standing: 'yes' })
    assert.match(
      easy.text,
      /too easy to guess because it uses your email address, your name or your company’s name\. Choose/,
    )
    assert.deepEqual(await standing(), [true, true, true])
  })
})
