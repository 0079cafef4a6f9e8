import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_CEILINGS } from '../../src/identity/permissions/areas.ts'
import { createClient, registerClient } from '../../src/identity/credentials/clients/clients.ts'
import { invitePerson } from '../../src/identity/people/invitations/invitations.ts'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { raw, sql } from '../../src/platform/db/database.ts'
import { MAILBOXES, addChannel } from '../../src/messaging/inbox/directory.ts'
import { SESSIONS } from '../harness/database/cluster.ts'
import { openSettings } from '../harness/identity/settings.ts'
import type { Browser, BrowserResponse } from '../harness/web_client.ts'

type Settings = Awaited<ReturnType<typeof openSettings>>
let service: Settings['service']
let company: Settings['company']
let at: Settings['at']
let second: { browser: Browser; user_id: string }
let theirs: { app: string; member: string; key: string; invitation: string; client: string }
before(async () => {
  const opened = await openSettings()
  ;({ service, company, at } = opened)
  const hired = await company.hire('owner')
  second = { browser: await opened.signInAs(hired.email), user_id: hired.user_id }
  const { database } = service
  const tenant = company.id
  const colleague = await company.hire('office')
  const app = (
    await registerClient(database, { name: 'Fieldhand', redirect_uris: ['https://app.example/cb'], about: {} })
  ).id
  await database.send([
    sql`insert into oauth_grants (client_id, user_id, tenant_id, scopes) values (${app}, ${colleague.user_id}, ${tenant}, ${['read:jobs', 'read:plans']})`,
  ])
  theirs = {
    app: `${at('app')}?client=${app}&user=${colleague.user_id}`,
    member: colleague.user_id,
    key: (
      await createKey(
        database,
        { tenant },
        { user: colleague.user_id, name: 'Theirs', scopes: ['read:jobs'], expires_at: null },
      )
    ).id,
    invitation: (
      await invitePerson(
        database,
        tenant,
        { email: 'open@example.com', name: null, role: 'tech' },
        { user: company.owner.user_id },
      )
    ).id,
    client: (
      await createClient(database, {
        name: 'Ours',
        redirect_uris: ['https://app.example/cb'],
        allow_list: ['read:jobs'],
        tenant,
      })
    ).id,
  }
  await addChannel(database, MAILBOXES, tenant, 'jobs@in.example.com')
})
after(() => service.stop())

const TYPED = {
  name: 'Taken Over',
  timezone: 'America/Chicago',
  country: 'us',
  currency: 'USD',
  address: '',
  phone: '',
  email: '',
  document_footer: '',
  default_net_days: '30',
  invoice_prefix: '',
  next_invoice_number: '1001',
}

/** Settings forms that only an owner may submit, or that change what belongs to another person. */
const FORMS: Readonly<Record<string, () => [path: string, fields: Record<string, string>]>> = {
  'the company': () => [at('company'), TYPED],
  'an invitation': () => [at('members'), { email: 'friend@example.com', name: '', role: 'owner' }],
  "an invitation's end": () => [at('invitations', theirs.invitation), {}],
  'a role': () => [at('members', theirs.member), { role: 'owner' }],
  'a key of the company': () => [at('keys'), { name: 'Left behind', expires: '', company: 'yes', jobs: 'view' }],
  "a key of one's own for more than is left": () => [at('keys'), { name: 'Left behind', expires: '', plans: 'edit' }],
  "another's key": () => [at('keys', theirs.key), {}],
  'a client': () => [at('clients'), { name: 'Left behind', redirect_uris: 'https://app.example/cb', jobs: 'view' }],
  "a client's end": () => [at('clients', theirs.client), {}],
  "what another's app may": () => [theirs.app, { jobs: 'view' }],
  "another's app": () => [theirs.app, { act: 'withdraw' }],
  'a removal': () => [at('members', theirs.member), { act: 'remove' }],
  "a mailbox's end": () => [at('places'), { kind: 'mailboxes', place: 'jobs@in.example.com', act: 'remove' }],
}

/** Returns everything that the forms could change, as text. */
async function everything(): Promise<string> {
  const answers = await service.database.send([
    sql`select enter_tenant(${company.id}, null, 0)`,
    sql`select name, timezone from tenants`,
    sql`select user_id, role, deactivated_at from members where user_id <> ${second.user_id} order by 1`,
    sql`select id, withdrawn_at from invitations order by 1`,
    sql`select id, kind, revoked_at from credentials where kind <> 'browser' order by 1`,
    sql`select id from oauth_clients order by 1`,
    sql`select address from mailboxes order by 1`,
    sql`select client_id, scopes from oauth_grants order by 1`,
  ])
  return JSON.stringify(answers.map(({ rows }) => rows))
}

const setRole = (role: 'owner' | 'tech') => [
  sql`select enter_tenant(${company.id}, null, 0)`,
  sql`select from tenants where id = ${company.id} for no key update`,
  sql`update members set role = ${role}, ceiling = ${DEFAULT_CEILINGS[role]} where tenant_id = ${company.id} and user_id = ${second.user_id}`,
]

/** Waits until the form waits for a lock or is answered. */
async function waitUntilBlocked(answer: Promise<BrowserResponse>): Promise<void> {
  for (;;) {
    const [waiting] = await service.database.send([
      sql`select true from ${raw(SESSIONS)} where datname = current_database() and wait_event_type = 'Lock'`,
    ])
    if (waiting!.count > 0 || (await Promise.race([answer.then(() => true), setTimeout(25, false)]))) return
  }
}

describe('a settings form of an owner', () => {
  for (const [what, form] of Object.entries(FORMS)) {
    it(`who is demoted during the request gets 404 and changes nothing: ${what}`, async () => {
      const before = await everything()
      const answer = await service.database.hold(async (send) => {
        await send([sql`begin`, ...setRole('tech')])
        const sent = second.browser.post(...form())
        await waitUntilBlocked(sent)
        await send([sql`commit`])
        return sent
      })
      assert.equal(answer.status, 404)
      assert.doesNotMatch(answer.text, /settings\/members|svc_tk_|svc_uk_/)
      assert.equal(await everything(), before)
      await service.database.send(setRole('owner'))
    })
  }

  it('returns 404 when the owner was demoted between page and form', async () => {
    for (const [what, form] of Object.entries(FORMS)) {
      const [path, fields] = form()
      if (path === at('keys')) continue
      await service.database.send(setRole('tech'))
      const before = await everything()
      assert.equal((await second.browser.post(path, fields)).status, 404, what)
      assert.equal(await everything(), before)
      await service.database.send(setRole('owner'))
    }
  })

  it('works for each form while they are an owner', async () => {
    const before = await everything()
    for (const [what, form] of Object.entries(FORMS)) {
      const { status } = await second.browser.post(...form())
      assert.ok(status < 400, `${what}: ${status}`)
    }
    assert.notEqual(await everything(), before)
  })
})
