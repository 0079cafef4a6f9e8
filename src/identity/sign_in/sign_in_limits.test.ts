import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { makeDatabase, type TestDatabase } from '../../../test/harness/harness.ts'
import { sql } from '../../platform/db/tenant.ts'
import { sweepAttempts } from './attempts.ts'
import { KNOWN_DAYS, sweepBrowsers } from './known_browsers.ts'
import { resetPassword } from '../people/recovery/own_password.ts'
import { addMember } from '../people/people.ts'
import type { SignInOrigin } from './complete_sign_in.ts'
import { signIn, type PasswordSignInResult } from './sign_in.ts'
import { createTenant } from '../companies/tenants.ts'

const PASSWORD = 'correct horse battery'
const ANA = 'ana@example.com'
const BO = 'bo@example.com'

let test: TestDatabase
let tenant: string
before(async () => {
  test = await makeDatabase()
  const made = await createTenant(test.database, {
    timezone: 'America/New_York',
    currency: 'USD',
    country: 'US',
    name: 'Northside Heating',
    owner: { email: ANA, name: 'Ana', password: { chosen: PASSWORD } },
  })
  tenant = made.id
  await addMember(test.database, { tenant }, { email: BO, role: 'tech', password: { chosen: PASSWORD } })
})
after(() => test.drop())
beforeEach(() => test.database.send([sql`delete from attempts`]))

let pauses: number[] = []
const pause = async (seconds: number): Promise<void> => void pauses.push(seconds)
const tries = (email: string, password: string, place: SignInOrigin): Promise<PasswordSignInResult> =>
  signIn(test.database, { email, password }, place, pause)
const at = (address: string, known: string | null = null): SignInOrigin => ({ address, agent: null, known })
/** Sets the number of recent tries of a subject. */
const setTries = (subject: string, count: number) =>
  test.database.send([
    sql`insert into attempts (subject, begun_at, tries) values (sha256(${Buffer.from(`sign-in ${subject}`)}), moment(), ${count})
    on conflict (subject) do update set tries = excluded.tries`,
  ])
const countOf = async (subject: string): Promise<number> =>
  Number(
    (
      await test.database.send([
        sql`select tries from attempts where subject = sha256(${Buffer.from(`sign-in ${subject}`)})`,
      ])
    )[0].rows[0]?.['tries'] ?? 0,
  )
const rows = async (table: 'attempts' | 'known_browsers'): Promise<number> =>
  Number(
    (
      await test.database.send([
        table === 'attempts' ? sql`select count(*) as n from attempts` : sql`select count(*) as n from known_browsers`,
      ])
    )[0].rows[0]!['n'],
  )
const waitOf = (answer: PasswordSignInResult): number => (answer !== null && 'wait' in answer ? answer.wait : 0)
function assertSignedIn(answer: PasswordSignInResult): { secret: string; known: string } {
  assert.ok(answer !== null && 'secret' in answer, JSON.stringify(answer))
  return answer
}

describe('sign-in limit per account and network', () => {
  it('allows ten tries for existing and unknown accounts, also concurrent, then blocks for 15 minutes', async () => {
    for (const [i, email] of [BO, 'unknown@example.com'].entries()) {
      await setTries(`account ${email} from 198.51.10${i}.0/24`, 8)
      const answers = await Promise.all([1, 2, 3, 4].map((host) => tries(email, 'wrong', at(`198.51.10${i}.${host}`))))
      assert.equal(answers.filter((answer) => answer === null).length, 2)
      const wait = waitOf(await tries(email, PASSWORD, at(`198.51.10${i}.99`)))
      assert.ok(wait > 800 && wait <= 900, String(wait))
    }
    await test.database.send([sql`update attempts set begun_at = begun_at - interval '16 minutes'`])
    assertSignedIn(await tries(BO, PASSWORD, at('198.51.100.99')))
  })

  it('groups IPv6 addresses by /48', async () => {
    await setTries('account bo@example.com from 2001:db8:0::/48', 10)
    assert.ok(waitOf(await tries(BO, PASSWORD, at('2001:db8:0:42ff::/64'))) > 0)
    assertSignedIn(await tries(BO, PASSWORD, at('2001:db8:1:4200::/64')))
  })

  it('does not block the account from another network', async () => {
    for (let i = 0; i < 12; i++) await tries(BO, 'wrong', at('192.0.2.1'))
    assert.ok(waitOf(await tries(BO, PASSWORD, at('192.0.2.200'))) > 0)
    assertSignedIn(await tries(BO, PASSWORD, at('203.0.113.5')))
  })

  it('never blocks repeated successful sign-ins', async () => {
    await setTries('account ana@example.com from 192.0.2.0/24', 9)
    for (let i = 0; i < 3; i++) assertSignedIn(await tries(ANA, PASSWORD, at('192.0.2.3')))
    assert.equal(await countOf('account ana@example.com'), 0)
  })
})

describe('sign-in limit per account from all networks', () => {
  it('delays every try past the twentieth, by up to ten seconds, and never blocks', async () => {
    pauses = []
    await setTries('account bo@example.com', 19)
    await tries(BO, 'wrong', at('192.0.2.1'))
    assert.deepEqual(pauses, [])
    await tries(BO, 'wrong', at('198.51.100.1'))
    assertSignedIn(await tries(BO, PASSWORD, at('203.0.113.1')))
    assert.deepEqual(pauses, [1, 1])
    await test.database.send([sql`update attempts set tries = 100000`])
    await test.database.send([
      sql`delete from attempts where subject <> sha256(${Buffer.from('sign-in account bo@example.com')})`,
    ])
    assertSignedIn(await tries(BO, PASSWORD, at('203.0.113.1')))
    assert.equal(pauses.at(-1), 10)
  })
})

describe('sign-in limit per address', () => {
  it('allows a hundred tries, then blocks only that address', async () => {
    await setTries('address 192.0.2.1', 99)
    assertSignedIn(await tries(ANA, PASSWORD, at('192.0.2.1')))
    assert.ok(waitOf(await tries(ANA, PASSWORD, at('192.0.2.1'))) > 0)
    assertSignedIn(await tries(ANA, PASSWORD, at('192.0.2.2')))
  })

  it('once exceeded, counts no further tries and adds no rows', async () => {
    await setTries('address 192.0.2.1', 100)
    for (let i = 0; i < 30; i++) await tries(i % 2 === 0 ? BO : `nobody-${i}@example.com`, 'wrong', at('192.0.2.1'))
    assert.deepEqual(
      [
        await countOf('account bo@example.com'),
        await countOf('account bo@example.com from 192.0.2.0/24'),
        await rows('attempts'),
      ],
      [0, 0, 1],
    )
  })

  it('is deleted after its window', async () => {
    await tries(BO, 'wrong', at('192.0.2.1'))
    assert.equal(await rows('attempts'), 3)
    await test.database.send([sql`update attempts set begun_at = begun_at - interval '16 minutes'`, sweepAttempts()])
    assert.equal(await rows('attempts'), 0)
  })
})

describe('sign-in from a known browser', () => {
  it('is not blocked by other failures of its network, address or account', async () => {
    const { known } = assertSignedIn(await tries(ANA, PASSWORD, at('192.0.2.1')))
    pauses = []
    await setTries('address 192.0.2.1', 1000)
    await setTries('account ana@example.com', 1000)
    await setTries('account ana@example.com from 192.0.2.0/24', 1000)
    assert.equal(await tries(ANA, 'mistyped', at('192.0.2.1', known)), null)
    assertSignedIn(await tries(ANA, PASSWORD, at('192.0.2.1', known)))
    assert.deepEqual(pauses, [])
  })

  it('has its own limit of ten tries, which counts against nothing else', async () => {
    const { known } = assertSignedIn(await tries(ANA, PASSWORD, at('192.0.2.1')))
    for (let i = 0; i < 10; i++) assert.equal(await tries(ANA, 'wrong', at('192.0.2.1', known)), null)
    assert.ok(waitOf(await tries(ANA, PASSWORD, at('192.0.2.1', known))) > 0)
    assertSignedIn(await tries(ANA, PASSWORD, at('192.0.2.1')))
  })

  it('applies only to accounts that signed in from that browser', async () => {
    const first = assertSignedIn(await tries(ANA, PASSWORD, at('192.0.2.1'))).known
    const second = assertSignedIn(await tries(BO, PASSWORD, at('192.0.2.1', first))).known
    for (const email of [ANA, BO]) await setTries(`account ${email} from 192.0.2.0/24`, 1000)
    assert.ok(waitOf(await tries(ANA, PASSWORD, at('192.0.2.1', first))) > 0, 'what it was given before counts no more')
    assertSignedIn(await tries(BO, PASSWORD, at('192.0.2.1', second)))
    const { known: third } = assertSignedIn(await tries(ANA, PASSWORD, at('198.51.100.7')))
    assert.ok(waitOf(await tries(BO, PASSWORD, at('192.0.2.1', third))) > 0)
    assert.ok(waitOf(await tries(BO, PASSWORD, at('192.0.2.1', 'x'.repeat(43)))) > 0)
    for (const email of ['\0', '\ud800', ''])
      assert.equal(await tries(email, PASSWORD, at('203.0.113.77', third)), null)
  })

  it('applies for half a year, for ten browsers per user and until the password changes', async () => {
    const { known } = assertSignedIn(await tries(BO, PASSWORD, at('192.0.2.1')))
    await setTries('account bo@example.com from 192.0.2.0/24', 1000)
    const ageBrowsers = (days: number) =>
      test.database.send([sql`update known_browsers set seen_at = moment() - make_interval(days => ${days})`])
    await ageBrowsers(KNOWN_DAYS - 1)
    assert.equal(await tries(BO, 'wrong', at('192.0.2.1', known)), null)
    await ageBrowsers(KNOWN_DAYS + 1)
    assert.ok(waitOf(await tries(BO, PASSWORD, at('192.0.2.1', known))) > 0)
    await test.database.send([sweepBrowsers()])
    assert.equal(await rows('known_browsers'), 0)
    for (let i = 0; i < 11; i++) await tries(BO, PASSWORD, at('203.0.113.5'))
    assert.equal(await rows('known_browsers'), 10)
    const { known: last } = assertSignedIn(await tries(BO, PASSWORD, at('203.0.113.5')))
    const [bo] = await test.database.send([sql`select id from users where email = ${BO}`])
    await resetPassword(test.database, String(bo.rows[0]!['id']), PASSWORD)
    assert.ok(waitOf(await tries(BO, PASSWORD, at('192.0.2.1', last))) > 0)
  })
})
