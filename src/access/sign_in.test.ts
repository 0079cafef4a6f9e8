import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeDatabase } from '../../test/harness.ts'
import type { TestDatabase } from '../../test/harness.ts'
import { sql } from '../db/tenant.ts'
import { newId } from '../shape/id.ts'
import { membershipIn, membershipsOf } from './memberships.ts'
import { addMember, removeMember } from './people.ts'
import { endSession, endSessionsOf, findSession, startSession, sweepSessions } from './sessions.ts'
import { signIn } from './sign_in.ts'
import type { SignIn } from './sign_in.ts'
import { createTenant } from './tenants.ts'

const PASSWORD = 'correct horse battery'
const place = { timezone: 'America/New_York', currency: 'USD', country: 'US' }

let test: TestDatabase
let tenant: string
let ana: string

before(async () => {
  test = await makeDatabase()
  const company = await createTenant(test.database, {
    ...place, name: 'Northside Heating', owner: { email: 'ana@example.com', name: 'Ana', password: { chosen: PASSWORD } },
  })
  tenant = company.id
  ana = company.owner.user_id
})
after(() => test.drop())

const tries = (email: string, password: string, address = '203.0.113.5', earlier: string | null = null): Promise<SignIn> =>
  signIn(test.database, { email, password }, address, earlier)

const secretOf = (answer: SignIn): string => {
  assert.ok(answer !== null && 'secret' in answer)
  return answer.secret
}

const leave = (interval: string) => test.database.send([sql`update sessions set seen_at = moment() - ${interval}::interval`])

/** As if something had been tried so often just now. */
const tried = (subject: string, tries: number) =>
  test.database.send([sql`insert into attempts (subject, begun_at, tries) values (sha256(${Buffer.from(`sign-in ${subject}`)}), moment(), ${tries})`])

describe('ok', () => {
  it('starts a session that finds the user', async () => {
    const secret = secretOf(await tries('ana@example.com', PASSWORD))
    const session = await findSession(test.database, secret)
    assert.deepEqual(session?.user, { id: ana, email: 'ana@example.com', name: 'Ana' })
    assert.ok(Math.abs(Date.parse(session.since) - Date.now()) < 60_000)
  })

  it('takes the e-mail address in any case, with space around it', async () => {
    secretOf(await tries('  Ana@Example.COM ', PASSWORD))
  })

  it('makes a new secret each time and ends the session of before', async () => {
    const first = secretOf(await tries('ana@example.com', PASSWORD))
    const second = secretOf(await tries('ana@example.com', PASSWORD, '203.0.113.5', first))
    assert.notEqual(first, second)
    assert.equal(await findSession(test.database, first), null)
    assert.equal((await findSession(test.database, second))?.user.id, ana)
  })

  it('keeps no secret in the database', async () => {
    const secret = secretOf(await tries('ana@example.com', PASSWORD))
    const [answer] = await test.database.send([sql`select count(*) as n from sessions where encode(hash, 'escape') like ${`%${secret}%`}`])
    assert.equal(answer!.rows[0]!['n'], 0)
  })
})

describe('wrong', () => {
  it('is the same answer for a wrong password, an unknown address, one without a password and what is none', async () => {
    await addMember(test.database, { tenant }, { email: 'new@example.com', role: 'tech', password: 'none' })
    const given = [['ana@example.com', 'wrong'], ['ana@example.com', ''], ['nobody@example.com', PASSWORD], ['new@example.com', PASSWORD], ['\0', 'x'], ['\ud800', 'x'], ['', '']]
    assert.deepEqual(await Promise.all(given.map(([email = '', password = '']) => tries(email, password, '203.0.113.6'))), given.map(() => null))
  })
})

describe('wait', () => {
  it('is asked after ten tries on an account, known or not, from any address, also at once', async () => {
    await addMember(test.database, { tenant }, { email: 'bo@example.com', role: 'tech', password: { chosen: PASSWORD } })
    for (const email of ['bo@example.com', 'unknown@example.com']) {
      await tried(`account ${email}`, 8)
      const answers = await Promise.all([1, 2, 3, 4].map((i) => tries(email, 'wrong', `198.51.100.${i}`)))
      assert.equal(answers.filter((answer) => answer === null).length, 2)
      const wait = await tries(email, PASSWORD, '198.51.100.99')
      assert.ok(wait !== null && 'wait' in wait && wait.wait > 800 && wait.wait <= 900, JSON.stringify(wait))
    }
  })

  it('is over with the window', async () => {
    await test.database.send([sql`update attempts set begun_at = begun_at - interval '16 minutes'`])
    secretOf(await tries('bo@example.com', PASSWORD, '198.51.100.99'))
  })

  it('is asked after a hundred tries from an address on any account', async () => {
    await tried('address 192.0.2.1', 99)
    secretOf(await tries('ana@example.com', PASSWORD, '192.0.2.1'))
    const wait = await tries('ana@example.com', PASSWORD, '192.0.2.1')
    assert.ok(wait !== null && 'wait' in wait)
    secretOf(await tries('ana@example.com', PASSWORD, '192.0.2.2'))
  })

  it('is never asked of somebody who signs in rightly again and again', async () => {
    await tried('account ana@example.com', 9)
    for (let i = 0; i < 2; i++) secretOf(await tries('ana@example.com', PASSWORD, '192.0.2.3'))
  })
})

describe('session', () => {
  it('lives while it is used and ends thirty days after its last use', async () => {
    const secret = await startSession(test.database, ana)
    await leave('29 days')
    assert.equal((await findSession(test.database, secret))?.user.id, ana)
    await leave('29 days')
    assert.equal((await findSession(test.database, secret))?.user.id, ana)
    await leave('31 days')
    assert.equal(await findSession(test.database, secret), null)
    assert.equal(await findSession(test.database, secret), null)
    await test.database.send([sweepSessions()])
    const [answer] = await test.database.send([sql`select count(*) as n from sessions`])
    assert.equal(answer!.rows[0]!['n'], 0)
  })

  it('ends by itself or with all others of the user', async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => startSession(test.database, ana)))
    await endSession(test.database, one!)
    assert.equal(await findSession(test.database, one!), null)
    assert.notEqual(await findSession(test.database, two!), null)
    await endSessionsOf(test.database, ana)
    assert.deepEqual(await Promise.all([two!, three!].map((secret) => findSession(test.database, secret))), [null, null])
  })

  it('of nobody is none', async () => {
    assert.equal(await findSession(test.database, null), null)
    assert.equal(await findSession(test.database, 'x'.repeat(43)), null)
  })
})

describe('memberships', () => {
  it('are the companies of the user by name, without those that ended', async () => {
    const { database } = test
    const made = await createTenant(database, { ...place, name: 'Alder Plumbing', owner: { email: 'cy@example.com', password: 'none' } })
    await addMember(database, { tenant: made.id }, { email: 'ana@example.com', role: 'tech', password: 'none' })
    const both = await membershipsOf(database, ana)
    assert.deepEqual(both.map(({ company, role }) => [company.name, role]), [['Alder Plumbing', 'tech'], ['Northside Heating', 'owner']])
    assert.deepEqual(await membershipIn(database, made.id, ana), both[0])
    await removeMember(database, { tenant: made.id }, ana)
    assert.deepEqual((await membershipsOf(database, ana)).map(({ company }) => company.name), ['Northside Heating'])
    assert.equal(await membershipIn(database, made.id, ana), null)
  })

  it('of a stranger, an unknown company or what is no id are none', async () => {
    const { database } = test
    assert.deepEqual(await membershipsOf(database, newId()), [])
    assert.equal(await membershipIn(database, tenant, newId()), null)
    assert.equal(await membershipIn(database, newId(), ana), null)
    assert.equal(await membershipIn(database, 'x', ana), null)
  })
})
