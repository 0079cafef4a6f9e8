import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { makeDatabase, type TestDatabase } from '../../../test/harness/harness.ts'
import { sql } from '../../platform/db/tenant.ts'
import { createTenant } from '../companies/tenants.ts'
import { changeOwnPassword, resetPassword } from '../people/recovery/own_password.ts'
import { signIn } from '../sign_in/sign_in.ts'
import { logAccountEvent, logAccountEventOnce, sweepAccountEvents } from './account_events.ts'

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const EMAIL = 'ana@example.com'
const PASSWORD = 'correct horse battery'
const origin = { address: '203.0.113.5', agent: CHROME }

let test: TestDatabase
let ana: string
before(async () => {
  test = await makeDatabase()
  const company = await createTenant(test.database, {
    timezone: 'America/New_York',
    currency: 'USD',
    country: 'US',
    name: 'Northside Heating',
    owner: { email: EMAIL, name: 'Ana', password: { chosen: PASSWORD } },
  })
  ana = company.owner.user_id
})
after(() => test.drop())
beforeEach(() => test.database.send([sql`delete from account_events`]))

type Row = { kind: string; network: string | null; device: string | null; about: object }
const events = async (): Promise<Row[]> =>
  (await test.database.send([sql`select kind, network, device, about from account_events order by at, id`]))[0]
    .rows as Row[]
const kinds = async (): Promise<string[]> => (await events()).map(({ kind }) => kind)

describe('account events', () => {
  it('record a sign-in with its network and device, not the full address', async () => {
    await signIn(test.database, { email: EMAIL, password: PASSWORD }, origin)
    assert.deepEqual(await events(), [
      { kind: 'signed_in', network: '203.0.113.0/24', device: 'Chrome on Linux', about: { methods: ['password'] } },
    ])
  })

  it('record one failure per network and hour, and none for an unknown email address', async () => {
    for (const address of ['203.0.113.5', '203.0.113.9', '198.51.100.7'])
      await test.database.send([
        logAccountEventOnce({ user: ana, kind: 'sign_in_failed', origin: { address, agent: null } }),
      ])
    assert.deepEqual(
      (await events()).map(({ network }) => network),
      ['203.0.113.0/24', '198.51.100.0/24'],
    )
    assert.equal(await signIn(test.database, { email: 'nobody@example.com', password: 'x' }, origin), null)
    assert.equal((await events()).length, 2)
  })

  it('record password changes by the user and by the operator', async () => {
    await changeOwnPassword(
      test.database,
      ana,
      { current: PASSWORD, next: 'another horse battery', endsActiveAccess: false, methods: ['password'] },
      origin,
    )
    await resetPassword(test.database, ana, PASSWORD)
    assert.deepEqual(await kinds(), ['password_changed', 'signed_in', 'password_reset'])
  })

  it('are removed after a year', async () => {
    await test.database.send([
      logAccountEvent({ user: ana, kind: 'signed_in' }),
      logAccountEvent({ user: ana, kind: 'confirmed' }),
    ])
    await test.database.send([sql`update account_events set at = at - interval '366 days' where kind = 'signed_in'`])
    await test.database.send([sweepAccountEvents()])
    assert.deepEqual(await kinds(), ['confirmed'])
  })
})
