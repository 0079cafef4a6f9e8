import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { findGrant } from '../../../src/identity/credentials/clients/grants.ts'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { CALLBACK } from '../../harness/identity/consent.ts'
import { addPasskey, afterMinutes, eventsOf } from '../../harness/identity/factors.ts'
import { pageTextOf } from '../../harness/identity/people_pages.ts'
import { submitContinue, openStepUp, readTypedField, type StepUp } from '../../harness/identity/step_up.ts'
import { PASSWORD } from '../../harness/web_client.ts'

let service: StepUp['service']
let company: StepUp['company']
let owner: StepUp['owner']
let signInAs: StepUp['signInAs']
let at: StepUp['at']
let inCompany: StepUp['inCompany']
let proposedBy: StepUp['proposedBy']
let connectedApp: StepUp['connectedApp']
before(async () => {
  ;({ service, company, owner, signInAs, at, inCompany, proposedBy, connectedApp } = await openStepUp())
})
after(() => service.stop())
beforeEach(() => service.database.send([sql`delete from attempts`, sql`update sessions set confirmed_at = moment()`]))

const ACTS: Readonly<
  Record<string, () => Promise<{ path: string; fields: Record<string, string>; isDone(): Promise<boolean> }>>
> = {
  'making a key': async () => ({
    path: at('keys'),
    fields: { name: 'Stepped up', jobs: 'view' },
    isDone: async () => (await owner.get(at('keys'))).text.includes('Stepped up'),
  }),
  'making a client': async () => ({
    path: at('clients'),
    fields: { name: 'Stepped client', redirect_uris: CALLBACK, jobs: 'view' },
    isDone: async () => (await owner.get(at('clients'))).text.includes('Stepped client'),
  }),
  'inviting somebody': async () => ({
    path: at('members'),
    fields: { email: 'stepped@example.com', name: '', role: 'tech' },
    isDone: async () => pageTextOf(await owner.get(at('members'))).includes('stepped@example.com'),
  }),
  "changing a member's role": async () => {
    const { user_id } = await company.hire('tech')
    return {
      path: at('members', user_id),
      fields: { role: 'office' },
      isDone: async () => {
        const [, answer] = await service.database.send([
          sql`select enter_tenant(${company.id}, null, 0)`,
          sql`select role from members where user_id = ${user_id}`,
        ])
        return answer!.rows[0]!['role'] === 'office'
      },
    }
  },
  "resetting a member's factors": async () => {
    const { user_id, email } = await company.hire('tech')
    await addPasskey(service, await signInAs(email))
    return {
      path: at('members', user_id, 'reset-factors'),
      fields: {},
      isDone: async () => (await eventsOf(service, user_id)).includes('factors_reset'),
    }
  },
  'signing a member out': async () => {
    const { user_id, email } = await company.hire('tech')
    const browser = await signInAs(email)
    return {
      path: at('members', user_id, 'sign-out'),
      fields: {},
      isDone: async () => (await browser.get(`/${company.id}`)).status === 303,
    }
  },
  'letting a key do what it proposed': async () => {
    const { id } = await createKey(
      service.database,
      { tenant: company.id },
      {
        user: company.owner.user_id,
        name: 'Proposing',
        expires_at: null,
        scopes: ['read:jobs', 'write:jobs'],
        proposes: ['write:jobs'],
      },
    )
    return {
      path: at('keys', id),
      fields: { act: 'set', jobs: 'edit' },
      isDone: async () => !(await proposedBy(id)).includes('write:jobs'),
    }
  },
  'letting an app do what it proposed': async () => {
    const client = await connectedApp(owner, { jobs: 'propose' })
    const user = company.owner.user_id
    return {
      path: `${at('app')}?${new URLSearchParams({ client, user }).toString()}`,
      fields: { jobs: 'edit' },
      isDone: async () => (await findGrant(service.database.send, client, user))!.proposes.length === 0,
    }
  },
  'letting a held key go on': async () => {
    const { id } = await createKey(
      service.database,
      { tenant: company.id },
      { user: null, name: 'Held', expires_at: null, scopes: ['write:jobs'] },
    )
    await inCompany(sql`update credentials set held_at = moment() where tenant_id = ${company.id} and id = ${id}`)
    return {
      path: at('keys', id),
      fields: { act: 'lift' },
      isDone: async () =>
        (await inCompany(sql`select from credentials where id = ${id} and held_at is null`)).count > 0,
    }
  },
  'letting keys and apps delete without approval': async () => {
    await inCompany(sql`update tenants set destructive_proposes = true where id = ${company.id}`)
    return {
      path: at('removals'),
      fields: { burst_limit: '0' },
      isDone: async () =>
        (await inCompany(sql`select from tenants where id = ${company.id} and not destructive_proposes`)).count > 0,
    }
  },
  'setting up an app': async () => ({
    path: '/factors/authenticator',
    fields: { to: '/factors' },
    isDone: async () => (await owner.get('/factors/authenticator')).status === 200,
  }),
}

for (const [name, prepared] of Object.entries(ACTS))
  describe(name, () => {
    it('runs without confirmation within 15 minutes', async () => {
      const { path, fields, isDone } = await prepared()
      await afterMinutes(service, 13)
      assert.ok((await owner.post(path, fields)).status < 400)
      assert.ok(await isDone())
    })

    it('asks for the password after 15 minutes and continues with the submitted form', async () => {
      await service.database.send([
        sql`delete from totp_secrets`,
        sql`select enter_tenant(${company.id}, null, 0)`,
        sql`delete from key_hashes`,
        sql`delete from credentials where kind = 'user_key'`,
        sql`delete from oauth_grants`,
        sql`delete from oauth_clients`,
        sql`delete from invitation_hashes`,
        sql`delete from invitations`,
      ])
      const { path, fields, isDone } = await prepared()
      await afterMinutes(service, 15)
      const asked = await owner.post(path, fields)
      assert.equal(asked.status, 401)
      assert.match(asked.text, /Confirm it&#39;s you, Ana Ruiz/)
      assert.ok(!(await isDoneStill(isDone)))
      const wrong = await owner.post('/confirm', { password: 'wrong', to: path, typed: readTypedField(asked) })
      assert.deepEqual([wrong.status, readTypedField(wrong)], [422, readTypedField(asked)])
      const confirmed = await owner.post('/confirm', { password: PASSWORD, to: path, typed: readTypedField(asked) })
      assert.equal(confirmed.status, 200)
      const done = await submitContinue(owner, confirmed)
      assert.ok(done.status < 400, done.text)
      assert.ok(await isDone())
    })
  })

/** Checks whether an action is done, without confirming it. */
async function isDoneStill(isDone: () => Promise<boolean>): Promise<boolean> {
  const done = await isDone()
  await afterMinutes(service, 0)
  return done
}
