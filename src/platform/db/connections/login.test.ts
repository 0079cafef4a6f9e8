import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { Client, type ClientConfig } from 'pg'
import { addressOf } from '../../../../test/harness/address.ts'
import { makeEmptyDatabase } from '../../../../test/harness/database/empty_database.ts'
import { makeDatabase, type TestDatabase } from '../../../../test/harness/harness.ts'
import { openDatabase, sql } from '../database.ts'
import { flawIn } from '../migrations/flaw.ts'
import { loginOf } from './login.ts'
import { migrate } from '../migrations/migrate.ts'
import { openServiceDatabase } from '../open.ts'

let test: TestDatabase
let admin: Client
before(async () => {
  test = await makeDatabase()
  admin = new Client(test.owner)
  await admin.connect()
})
after(async () => {
  await admin.end()
  await test.drop()
})

/** Checks that this login can connect and becomes an application role. */
async function serves(login: ClientConfig): Promise<boolean> {
  const database = openDatabase(login, { maxConnections: 1 })
  const [answer] = await database.send([sql`select session_user as login`]).finally(() => database.close())
  return String(answer.rows[0]!['login']).startsWith('callout_app_')
}

describe('the login role', () => {
  it('is created once by eight concurrent processes', async () => {
    await admin.query(`drop role ${test.login.user}`)
    await admin.query('delete from callout_owner.logins')
    const logins = await Promise.all(Array.from({ length: 8 }, () => loginOf(test.owner)))
    assert.deepEqual(new Set(logins.map(({ user, password }) => `${user} ${String(password)}`)).size, 1)
    assert.equal(logins[0]!.user, test.login.user)
    assert.ok(await serves(logins[7]!))
    const { rows } = await admin.query('select role, password from callout_owner.logins')
    assert.deepEqual(rows, [{ role: test.login.user, password: logins[0]!.password }])
  })

  it('works for an owner given as a connection string, with the credentials anywhere in it', async () => {
    for (const connectionString of [
      addressOf(test.owner),
      `${addressOf({ ...test.owner, user: undefined, password: undefined })}&user=postgres&password=${String(test.owner.password)}`,
    ]) {
      assert.ok(await serves(await loginOf({ connectionString })), connectionString)
    }
  })

  it('is stored as a SCRAM verifier, and only the owner can read its password', async () => {
    const {
      rows: [kept],
    } = await admin.query<{ rolpassword: string }>('select rolpassword from pg_authid where rolname = $1', [
      test.login.user,
    ])
    assert.match(kept!.rolpassword, /^SCRAM-SHA-256\$4096:/)
    const database = openDatabase(await loginOf(test.owner), { maxConnections: 1 })
    await assert.rejects(database.send([sql`select * from callout_owner.logins`]), { code: '42501' })
    await database.close()
  })

  it('is recreated when dropped, and repaired when its settings or grants are changed', async () => {
    const settings = async () =>
      (await admin.query('select rolconfig from pg_roles where rolname = $1', [test.login.user])).rows
    const sound = await settings()
    for (const harm of [
      `drop role ${test.login.user}`,
      `alter role ${test.login.user} set statement_timeout = 0`,
      `revoke callout_app from ${test.login.user}`,
      `alter role ${test.login.user} nologin`,
    ]) {
      await admin.query(harm)
      assert.ok(await serves(await loginOf(test.owner)), harm)
      assert.deepEqual(await settings(), sound, harm)
    }
  })
})

describe('the owner role', () => {
  it('creates the login role with CREATEROLE, and without it the error names what to set', async (t) => {
    const empty = await makeEmptyDatabase({ ordinary: true })
    t.after(() => empty.drop())
    await migrate(empty.owner)
    await admin.query(`alter role ${empty.owner.user} nocreaterole`)
    await assert.rejects(openServiceDatabase(empty.owner, null), (error: Error) => {
      assert.match(
        error.message,
        /^The service has no login role in the database, and the owner can't create one \([^\n]+\); to fix it: [^\n]*CREATEROLE attribute, or set DATABASE_APP_URL [^\n]*$/,
      )
      return true
    })
    await admin.query(`alter role ${empty.owner.user} createrole`)
    assert.ok(await serves(await loginOf(empty.owner)))
    await admin.query(`alter role ${empty.owner.user} nocreaterole`)
    assert.ok(await serves(await loginOf(empty.owner)), 'what it made it need not make again')
  })

  it("may use the operator's own role, and each error names what that role still lacks", async (t) => {
    const [user, password] = [`Service-${randomBytes(4).toString('hex')}`, 'of our own']
    await admin.query(`create role "${user}" login password '${password}'`)
    t.after(() => admin.query(`drop role "${user}"`))
    const address = addressOf({ ...test.owner, user, password })
    const lacking: string[] = []
    for (;;) {
      const opened = await openServiceDatabase(test.owner, address).catch((error: unknown) => flawIn(error)!)
      if (!('says' in opened)) {
        const [answer] = await opened.send([sql`select session_user as login`])
        assert.equal(answer.rows[0]!['login'], user)
        await opened.close()
        break
      }
      lacking.push(opened.says)
      await admin.query(opened.mend)
    }
    assert.deepEqual(lacking, [
      `The service refuses to use this database session: ${user} lacks the privileges of callout_app`,
    ])
    await admin.query(`alter role "${user}" reset lock_timeout`)
    await assert.rejects(openServiceDatabase(test.owner, address), {
      message:
        `The service refuses to use this database session: ${user} doesn't have the settings that the service needs (lock_timeout); ` +
        `to fix it: alter role "${user}" set lock_timeout = '1500ms';`,
    })
    await assert.rejects(
      openServiceDatabase(test.owner, addressOf({ ...test.owner, user, password: 'another' })),
      /^Error: The service can't log in to the database: password authentication failed [^\n]*; to fix it: correct DATABASE_APP_URL[^\n]*$/,
    )
    await assert.rejects(openServiceDatabase(test.owner, addressOf(test.owner)), {
      message:
        'The service refuses to use this database session: its role postgres owns the tables; ' +
        'to fix it: set DATABASE_APP_URL to your own login role in callout_app, or unset it',
    })
  })
})
