import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeDatabase, type TestDatabase } from '../../../test/harness/harness.ts'
import { readTenant, sql } from '../../platform/db/tenant.ts'
import { DEFAULT_CEILINGS } from '../permissions/areas.ts'
import { findCaller } from '../credentials/caller.ts'
import { createKey, listKeys, parseExpiry, revokeKey, tenantOfKey } from '../credentials/keys.ts'
import { hashOf } from '../credentials/secret_hash.ts'
import { verifyPassword } from '../sign_in/passwords/passwords.ts'
import { addMember, findMember, listMembers, removeMember, changeMember } from './people.ts'
import { createTenant, findTenant, listTenants, type NewCompany } from '../companies/tenants.ts'

let at: TestDatabase
let serial = 0
before(async () => {
  at = await makeDatabase()
})
after(() => at.drop())

const email = (name = 'person'): string => `${name}-${++serial}@example.com`
const newCompany = (given: Partial<NewCompany> = {}) =>
  createTenant(at.database, {
    name: 'Acme Air',
    timezone: 'America/Chicago',
    currency: 'USD',
    country: 'US',
    owner: { email: email('owner'), password: 'none' },
    ...given,
  })
const newTech = (tenant: string) =>
  addMember(at.database, { tenant }, { email: email('tech'), role: 'tech', password: 'none' })
const newKey = (tenant: string, user: string | null, scopes = ['read:jobs', 'write:jobs', 'read:invoices']) =>
  createKey(at.database, { tenant }, { user, name: 'Key', scopes, expires_at: null })
const passwordOf = async (user: string): Promise<string | null> => {
  const [answer] = await at.database.send([sql`select password_hash from users where id = ${user}`])
  const hash = answer.rows[0]!['password_hash']
  return typeof hash === 'string' ? hash : null
}
const auditOf = (tenant: string, record: string) =>
  readTenant(at.database, { tenant }, (db) =>
    db.all<{ tool: string; user_id: string | null; record_type: string; changed: Record<string, unknown> }>(sql`
    select tool, user_id, record_type, changed from audit where tenant_id = ${db.tenant} and record_id = ${record} order by tool`),
  )
const scopesOf = async (key: string): Promise<string[] | string> => {
  const found = await findCaller(at.database, hashOf(key))
  return typeof found === 'string' ? found : [...found.scopes].sort()
}

describe('companies, members and keys', () => {
  it('creates a company with its owner and shows the generated password once', async () => {
    const made = await newCompany({
      name: ' Acme Air ',
      timezone: 'america/chicago',
      currency: 'usd',
      country: 'us',
      owner: { email: 'Dana@Acme.Example', name: 'Dana', password: 'generated' },
    })
    assert.deepEqual(
      [made.name, made.timezone, made.currency, made.country],
      ['Acme Air', 'America/Chicago', 'USD', 'US'],
    )
    assert.deepEqual([made.owner.email, made.owner.name, made.owner.role], ['dana@acme.example', 'Dana', 'owner'])
    assert.deepEqual(made.owner.areas, DEFAULT_CEILINGS.owner)
    assert.ok(await verifyPassword(made.owner.password!, await passwordOf(made.owner.user_id)))
    const { owner: _, ...company } = made
    assert.deepEqual(await findTenant(at.database, made.id), company)
    assert.deepEqual((await listTenants(at.owner)).at(-1), { ...company, frozen_since: null })
  })

  it('reuses the existing user of an email address, with the same name and password', async () => {
    const owner = { email: email('twice'), name: 'First Name', password: { chosen: 'a password of mine' } } as const
    const first = await newCompany({ owner })
    const second = await newCompany({ owner: { ...owner, name: 'Second Name', password: 'generated' } })
    assert.equal(second.owner.user_id, first.owner.user_id)
    assert.equal(second.owner.name, 'First Name')
    assert.equal(second.owner.password, null)
    assert.ok(await verifyPassword('a password of mine', await passwordOf(first.owner.user_id)))
  })

  it('generates a password for a user without one when requested', async () => {
    const { id } = await newCompany()
    const first = await newTech(id)
    assert.equal(first.password, null)
    assert.equal(await passwordOf(first.user_id), null)
    const again = await newCompany({ owner: { email: first.email, password: 'generated' } })
    assert.ok(await verifyPassword(again.owner.password!, await passwordOf(first.user_id)))
  })

  it("lists only the company's own members by role and name, and finds one by email or id", async () => {
    const { id } = await newCompany()
    await newCompany()
    for (const [role, name] of [
      ['tech', 'zoe'],
      ['tech', 'Abe'],
      ['office', 'Mia'],
    ] as const) {
      await addMember(at.database, { tenant: id }, { email: email(), name, role, password: 'none' })
    }
    const members = await listMembers(at.database, { tenant: id })
    assert.deepEqual(
      members.slice(1).map(({ name, role }) => [role, name]),
      [
        ['office', 'Mia'],
        ['tech', 'Abe'],
        ['tech', 'zoe'],
      ],
    )
    assert.equal((await findMember(at.database, { tenant: id }, members[1]!.email.toUpperCase())).name, 'Mia')
    assert.equal((await findMember(at.database, { tenant: id }, members[1]!.user_id)).name, 'Mia')
  })

  it('changes areas on top of the current ones, and resets them when the role changes', async () => {
    const { id } = await newCompany()
    const { user_id } = await newTech(id)
    const { key } = await newKey(id, user_id)
    assert.deepEqual(await scopesOf(key), ['read:jobs', 'write:jobs'])
    await changeMember(at.database, { tenant: id }, user_id, { areas: { Invoices: 'view' } })
    const limited = await changeMember(at.database, { tenant: id }, user_id, { areas: { 'Jobs & scheduling': 'none' } })
    assert.deepEqual(limited.areas, { ...DEFAULT_CEILINGS.tech, Invoices: 'view', 'Jobs & scheduling': 'none' })
    assert.deepEqual(await scopesOf(key), ['read:invoices'])
    const promoted = await changeMember(at.database, { tenant: id }, user_id, { role: 'owner' })
    assert.deepEqual(promoted.areas, DEFAULT_CEILINGS.owner)
    const back = await changeMember(at.database, { tenant: id }, user_id, { role: 'tech', areas: { Plans: 'view' } })
    assert.deepEqual(back.areas, { ...DEFAULT_CEILINGS.tech, Plans: 'view' })
  })

  it('increments the access version only when access changes', async () => {
    const { id } = await newCompany()
    const { user_id } = await newTech(id)
    const { key } = await newKey(id, user_id)
    const version = async (): Promise<number> => {
      const found = await findCaller(at.database, hashOf(key))
      assert.ok(typeof found === 'object')
      return found.credential.version
    }
    const first = await version()
    await changeMember(at.database, { tenant: id }, user_id, { role: 'tech', areas: { Invoices: 'none' } })
    assert.equal(await version(), first)
    await changeMember(at.database, { tenant: id }, user_id, { areas: { Invoices: 'view' } })
    assert.ok((await version()) > first)
  })

  it('removes a member with their keys; the keys stay invalid after the member is added again', async () => {
    const { id } = await newCompany()
    const { user_id, email } = await newTech(id)
    const { key } = await newKey(id, user_id)
    const removed = await removeMember(at.database, { tenant: id }, user_id)
    assert.ok(removed.deactivated_at !== null)
    assert.equal(await scopesOf(key), 'invalid_token')
    const back = await addMember(at.database, { tenant: id }, { email, role: 'office', password: 'none' })
    assert.deepEqual(
      [back.user_id, back.role, back.deactivated_at, back.areas],
      [user_id, 'office', null, DEFAULT_CEILINGS.office],
    )
    assert.equal(await scopesOf(key), 'invalid_token')
    assert.deepEqual(
      (await listMembers(at.database, { tenant: id })).map(({ role }) => role),
      ['owner', 'office'],
    )
  })

  it('records every access change in the audit log with its actor', async () => {
    const { id, owner } = await newCompany()
    const { user_id } = await newTech(id)
    await changeMember(at.database, { tenant: id }, user_id, { areas: { Invoices: 'view' } }, { user: owner.user_id })
    await removeMember(at.database, { tenant: id }, user_id)
    const acts = await auditOf(id, user_id)
    assert.deepEqual(
      acts.map(({ tool, record_type, user_id }) => [tool, record_type, user_id]),
      [
        ['members.add', 'member', null],
        ['members.remove', 'member', null],
        ['members.set', 'member', owner.user_id],
      ],
    )
    assert.deepEqual(acts[0]!.changed['role'], [null, 'tech'])
    const key = await newKey(id, null)
    await revokeKey(at.database, { tenant: id }, key.id)
    await revokeKey(at.database, { tenant: id }, key.id)
    const ends = await auditOf(id, key.id)
    assert.deepEqual(
      ends.map(({ tool, record_type }) => [tool, record_type]),
      [
        ['keys.create', 'key'],
        ['keys.revoke', 'key'],
      ],
    )
    assert.ok(!JSON.stringify(ends).includes(key.key))
  })

  it('revokes a key once and finds its company', async () => {
    const { id } = await newCompany()
    const made = await newKey(id, null)
    assert.equal(await tenantOfKey(at.database, made.id), id)
    assert.equal(typeof (await scopesOf(made.key)), 'object')
    const { revoked_at } = await revokeKey(at.database, { tenant: id }, made.id)
    assert.equal(await scopesOf(made.key), 'invalid_token')
    assert.equal((await revokeKey(at.database, { tenant: id }, made.id)).revoked_at, revoked_at)
    assert.deepEqual(
      (await listKeys(at.database, { tenant: id })).map((key) => [key.id, key.revoked_at]),
      [[made.id, revoked_at]],
    )
  })

  it("expires a key at the end of a day in the company's time zone, or at an instant", () => {
    assert.equal(parseExpiry('2999-07-01', 'America/Chicago'), '2999-07-02T05:00:00.000Z')
    assert.equal(parseExpiry('2999-07-01T09:00', 'America/Chicago'), '2999-07-01T14:00:00.000Z')
    assert.equal(parseExpiry('2999-07-01T09:00:00+02:00', 'America/Chicago'), '2999-07-01T07:00:00.000Z')
  })
})

describe('people: invalid_input', () => {
  it('is thrown for invalid company data, and no company is created', async () => {
    const before = (await listTenants(at.owner)).length
    for (const given of [
      { name: ' ' },
      { timezone: '-06:00' },
      { currency: 'XX' },
      { country: 'ZZ' },
      { owner: { email: 'nobody', password: 'none' } as const },
      { owner: { email: email(), password: { chosen: 'too short' } } },
      { owner: { email: email(), name: '', password: 'none' } as const },
    ]) {
      await assert.rejects(newCompany(given), { code: 'invalid_input' })
    }
    assert.equal((await listTenants(at.owner)).length, before)
  })

  it("is thrown for a member that is neither email nor id, and for limiting an owner's areas", async () => {
    const { id, owner } = await newCompany()
    await assert.rejects(async () => findMember(at.database, { tenant: id }, 'dana'), { code: 'invalid_input' })
    await assert.rejects(changeMember(at.database, { tenant: id }, owner.user_id, { areas: { Plans: 'none' } }), {
      code: 'invalid_input',
    })
    await assert.rejects(
      addMember(
        at.database,
        { tenant: id },
        { email: email(), role: 'owner', areas: { Plans: 'none' }, password: 'none' },
      ),
      { code: 'invalid_input' },
    )
  })

  it('is thrown for an expiry in the past, too far ahead or unreadable', () => {
    for (const text of ['2020-01-01', '9999-12-31', 'tomorrow', '', '2999-02-30', '2999-07-01T09:00:00+99:99']) {
      assert.throws(() => parseExpiry(text, 'UTC'), { code: 'invalid_input', message: /^expires must/ }, text)
    }
  })
})

describe('people: not_found', () => {
  it('is thrown for an unknown company and for members and keys of another company', async () => {
    const [mine, theirs] = await Promise.all([newCompany(), newCompany()])
    const key = await newKey(theirs.id, null)
    const entry = { tenant: mine.id }
    await assert.rejects(findTenant(at.database, '01a1fd5a-e8cf-7dd1-8b0e-1942a1470de2'), {
      code: 'not_found',
      message: 'tenant not found',
    })
    await assert.rejects(findMember(at.database, entry, theirs.owner.email), {
      code: 'not_found',
      message: 'member not found',
    })
    await assert.rejects(changeMember(at.database, entry, theirs.owner.user_id, { role: 'tech' }), {
      code: 'not_found',
    })
    await assert.rejects(removeMember(at.database, entry, theirs.owner.user_id), { code: 'not_found' })
    await assert.rejects(newKey(mine.id, theirs.owner.user_id), { code: 'not_found' })
    await assert.rejects(revokeKey(at.database, entry, key.id), { code: 'not_found', message: 'key not found' })
    await assert.rejects(tenantOfKey(at.database, mine.id), { code: 'not_found' })
  })

  it('is thrown for a removed member', async () => {
    const { id } = await newCompany()
    const { user_id } = await newTech(id)
    await removeMember(at.database, { tenant: id }, user_id)
    await assert.rejects(removeMember(at.database, { tenant: id }, user_id), { code: 'not_found' })
    await assert.rejects(newKey(id, user_id), { code: 'not_found' })
  })
})

describe('people: conflict', () => {
  it('is thrown when an active member is added again', async () => {
    const { id, owner } = await newCompany()
    await assert.rejects(
      addMember(at.database, { tenant: id }, { email: owner.email, role: 'tech', password: 'none' }),
      { code: 'conflict' },
    )
    assert.equal((await findMember(at.database, { tenant: id }, owner.email)).role, 'owner')
  })

  it('is thrown for a chosen password when the user has one, and no company is created', async () => {
    const owner = { email: email(), password: { chosen: 'a password of mine' } }
    await newCompany({ owner })
    const before = (await listTenants(at.owner)).length
    await assert.rejects(newCompany({ owner }), { code: 'conflict' })
    assert.equal((await listTenants(at.owner)).length, before)
  })

  it('is thrown when the last owner is demoted or removed, also by two owners at once', async () => {
    const { id, owner } = await newCompany()
    await assert.rejects(changeMember(at.database, { tenant: id }, owner.user_id, { role: 'office' }), {
      code: 'conflict',
    })
    await assert.rejects(removeMember(at.database, { tenant: id }, owner.user_id), { code: 'conflict' })
    for (let round = 0; round < 5; round++) {
      const other = await addMember(at.database, { tenant: id }, { email: email(), role: 'owner', password: 'none' })
      const done = await Promise.allSettled([
        removeMember(at.database, { tenant: id }, other.user_id),
        changeMember(at.database, { tenant: id }, owner.user_id, { role: 'tech' }),
      ])
      assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
      const owners = (await listMembers(at.database, { tenant: id })).filter(
        ({ role, deactivated_at }) => role === 'owner' && deactivated_at === null,
      )
      assert.equal(owners.length, 1)
      if (owners[0]!.user_id === owner.user_id) continue
      await changeMember(at.database, { tenant: id }, owner.user_id, { role: 'owner' })
      await removeMember(at.database, { tenant: id }, other.user_id)
    }
  })
})
