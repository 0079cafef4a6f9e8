import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { makeDatabase, type TestDatabase } from '../../../test/harness/harness.ts'
import { recognizePerson } from '../../../test/harness/identity/recognized.ts'
import { sql } from '../../platform/db/tenant.ts'
import { transact } from '../../platform/db/transaction.ts'
import { createPendingSignIn } from '../factors/pending_sign_in.ts'
import { newId } from '../../platform/validation/id.ts'
import { membershipIn, membershipsOf } from '../people/memberships.ts'
import { addMember, removeMember } from '../people/people.ts'
import { endSession, endSessionsOf, findSession, startSession, isSameEpoch, sweepSessions } from './sessions.ts'
import { signIn, type PasswordSignInResult } from './sign_in.ts'
import { createTenant } from '../companies/tenants.ts'

const PASSWORD = 'correct horse battery'
const place = { timezone: 'America/New_York', currency: 'USD', country: 'US' }

let test: TestDatabase
let tenant: string
let ana: string

before(async () => {
  test = await makeDatabase()
  const company = await createTenant(test.database, {
    ...place,
    name: 'Northside Heating',
    owner: { email: 'ana@example.com', name: 'Ana', password: { chosen: PASSWORD } },
  })
  tenant = company.id
  ana = company.owner.user_id
})
after(() => test.drop())

const tries = (
  email: string,
  password: string,
  address = '203.0.113.5',
  earlier: string | null = null,
): Promise<PasswordSignInResult> => signIn(test.database, { email, password }, { address, agent: null, earlier })

const byPassword = { methods: ['password'], origin: null } as const

const begin = async (): Promise<string | null> =>
  startSession(test.database, await recognizePerson(test.database, ana), byPassword)

const secretOf = (answer: PasswordSignInResult): string => {
  assert.ok(answer !== null && 'secret' in answer)
  return answer.secret
}

const leave = (interval: string) =>
  test.database.send([sql`update sessions set seen_at = moment() - ${interval}::interval`])

describe('signing in', () => {
  it('starts a session that identifies the user', async () => {
    const secret = secretOf(await tries('ana@example.com', PASSWORD))
    const session = await findSession(test.database, secret)
    assert.deepEqual(session?.user, {
      id: ana,
      email: 'ana@example.com',
      name: 'Ana',
      isNameAssumed: false,
      language: null,
      usesKeys: true,
    })
    assert.ok(Math.abs(Date.parse(session.since) - Date.now()) < 60_000)
  })

  it('accepts the email address in any case and with surrounding spaces', async () => {
    secretOf(await tries('  Ana@Example.COM ', PASSWORD))
  })

  it('creates a new secret and ends the previous session', async () => {
    const first = secretOf(await tries('ana@example.com', PASSWORD))
    const second = secretOf(await tries('ana@example.com', PASSWORD, '203.0.113.5', first))
    assert.notEqual(first, second)
    assert.equal(await findSession(test.database, first), null)
    assert.equal((await findSession(test.database, second))?.user.id, ana)
  })

  it('does not store the session secret in plain text', async () => {
    const secret = secretOf(await tries('ana@example.com', PASSWORD))
    const [answer] = await test.database.send([
      sql`select count(*) as n from sessions where encode(hash, 'escape') like ${`%${secret}%`}`,
    ])
    assert.equal(answer.rows[0]!['n'], 0)
  })
})

describe('a failed sign-in', () => {
  it('returns null for a wrong password, an unknown or malformed address and a user without a password', async () => {
    await addMember(test.database, { tenant }, { email: 'new@example.com', role: 'tech', password: 'none' })
    const given = [
      ['ana@example.com', 'wrong'],
      ['ana@example.com', ''],
      ['nobody@example.com', PASSWORD],
      ['new@example.com', PASSWORD],
      ['\0', 'x'],
      ['\ud800', 'x'],
      ['', ''],
    ]
    // Sequential: a busy machine may answer seven concurrent sign-ins with "too busy".
    for (const [email = '', password = ''] of given)
      assert.equal(await tries(email, password, '203.0.113.6'), null, `${email} ${password}`)
  })
})

describe('a session', () => {
  it('stays valid while used and expires thirty days after its last use', async () => {
    const secret = await begin()
    await leave('29 days')
    assert.equal((await findSession(test.database, secret))?.user.id, ana)
    await leave('29 days')
    assert.equal((await findSession(test.database, secret))?.user.id, ana)
    await leave('31 days')
    assert.equal(await findSession(test.database, secret), null)
    assert.equal(await findSession(test.database, secret), null)
    await test.database.send([sweepSessions()])
    const [answer] = await test.database.send([sql`select count(*) as n from sessions`])
    assert.equal(answer.rows[0]!['n'], 0)
  })

  it('ends alone or with all other sessions of the user', async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => begin()))
    await endSession(test.database, one!)
    assert.equal(await findSession(test.database, one!), null)
    assert.notEqual(await findSession(test.database, two!), null)
    await test.database.send(endSessionsOf(ana))
    assert.deepEqual(await Promise.all([two!, three!].map((secret) => findSession(test.database, secret))), [
      null,
      null,
    ])
  })

  it('expires ninety days after it began, even when used', async () => {
    const secret = await begin()
    const ageSessions = (interval: string) =>
      test.database.send([sql`update sessions set created_at = moment() - ${interval}::interval`])
    await ageSessions('89 days')
    assert.equal((await findSession(test.database, secret))?.user.id, ana)
    await ageSessions('91 days')
    assert.equal(await findSession(test.database, secret), null)
    const [swept] = await test.database.send([sweepSessions()])
    assert.equal(swept.count, 1)
  })

  it('does not start from an identification made before all sessions were ended', async () => {
    const before = await recognizePerson(test.database, ana)
    await test.database.send(endSessionsOf(ana))
    assert.equal(await startSession(test.database, before, byPassword), null)
    assert.notEqual(await begin(), null)
  })

  it('waits for a running endSessionsOf and then does not start', async () => {
    const before = await recognizePerson(test.database, ana)
    let begun: Promise<string | null> | undefined
    await transact(test.database, async (send) => {
      await send(endSessionsOf(ana))
      begun = startSession(test.database, before, byPassword)
      assert.equal(await Promise.race([begun, setTimeout(200, 'waits')]), 'waits')
    })
    assert.equal(await begun, null)
  })

  it('is ended by an endSessionsOf that waited for it', async () => {
    const before = await recognizePerson(test.database, ana)
    let ended: Promise<unknown> | undefined
    await transact(test.database, async (send) => {
      await send([
        sql`insert into sessions (hash, user_id, methods)
        select '\\x01', u.id, '{password}' from (select u.id from users u where ${isSameEpoch(before)} for share) u`,
      ])
      ended = test.database.send(endSessionsOf(ana))
      assert.equal(await Promise.race([ended, setTimeout(200, 'waits')]), 'waits')
    })
    await ended
    const [left] = await test.database.send([sql`select from sessions where user_id = ${ana}`])
    assert.equal(left.count, 0)
  })

  it('does not wait for a second factor after all sessions were ended', async () => {
    const before = await recognizePerson(test.database, ana)
    await test.database.send([
      sql`insert into totp_secrets (user_id, secret, confirmed_at) values (${ana}, '\\x01', moment())`,
      ...endSessionsOf(ana),
    ])
    assert.equal(await createPendingSignIn(test.database, before, ['password']), null)
    assert.notEqual(
      await createPendingSignIn(test.database, await recognizePerson(test.database, ana), ['password']),
      null,
    )
    await test.database.send([sql`delete from totp_secrets where user_id = ${ana}`])
  })

  it('is null for a missing or unknown secret', async () => {
    assert.equal(await findSession(test.database, null), null)
    assert.equal(await findSession(test.database, 'x'.repeat(43)), null)
  })
})

describe('memberships', () => {
  it("list the user's active companies by name", async () => {
    const { database } = test
    const made = await createTenant(database, {
      ...place,
      name: 'Alder Plumbing',
      owner: { email: 'cy@example.com', password: 'none' },
    })
    await addMember(database, { tenant: made.id }, { email: 'ana@example.com', role: 'tech', password: 'none' })
    const both = await membershipsOf(database, ana)
    assert.deepEqual(
      both.map(({ company, role }) => [company.name, role]),
      [
        ['Alder Plumbing', 'tech'],
        ['Northside Heating', 'owner'],
      ],
    )
    assert.deepEqual(await membershipIn(database, made.id, ana), both[0])
    await removeMember(database, { tenant: made.id }, ana)
    assert.deepEqual(
      (await membershipsOf(database, ana)).map(({ company }) => company.name),
      ['Northside Heating'],
    )
    assert.equal(await membershipIn(database, made.id, ana), null)
  })

  it('are empty for a stranger, an unknown company or a malformed id', async () => {
    const { database } = test
    assert.deepEqual(await membershipsOf(database, newId()), [])
    assert.equal(await membershipIn(database, tenant, newId()), null)
    assert.equal(await membershipIn(database, newId(), ana), null)
    assert.equal(await membershipIn(database, 'x', ana), null)
  })
})
