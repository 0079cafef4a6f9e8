import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { makeCompany, startTestService, type Company, type TestService } from '../../../../test/harness/harness.ts'
import { rpc, toolHeaders } from '../../../../test/harness/http.ts'
import { Unavailable } from '../../errors/refusal.ts'
import { openDatabase, sql } from '../database.ts'

let service: TestService
let company: Company
let admin: Client
let login: string
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  admin = new Client(service.owner)
  await admin.connect()
  login = String(service.login.user)
})
after(async () => {
  await admin.end()
  await service.stop()
})

/** Returns the one line of the error for an unusable connection. */
async function line(connection = service.login): Promise<string> {
  const database = openDatabase(connection, { maxConnections: 1 })
  const failed = await database.send([sql`select set_config('app.tenant_id', ${company.tenant}, false)`]).then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.deepEqual([database.load().used, database.load().idle], [0, 0])
  await database.close()
  assert.ok(failed instanceof Unavailable && failed.cause instanceof Error)
  assert.match(failed.cause.message, /^The service refuses to use this database session: [^\n]+; to fix it: [^\n]+$/)
  return failed.cause.message
}

describe('a connection', () => {
  it('is rejected when its role owns the tables', async () => {
    assert.match(await line(service.owner), /its role postgres owns the tables/)
  })

  for (const [harm, says, mended] of [
    ['bypassrls', /its role LOGIN bypasses row-level security/, 'nobypassrls'],
    ['superuser', /its role LOGIN bypasses row-level security/, 'nosuperuser'],
    ['createrole', /its role LOGIN bypasses row-level security/, 'nocreaterole'],
    [
      'set row_security = off',
      /LOGIN doesn't have the settings that the service needs \(row_security\); to fix it: alter role LOGIN set row_security = 'on';$/,
      "set row_security = 'on'",
    ],
    [
      'set statement_timeout = 0',
      /\(statement_timeout\); to fix it: alter role LOGIN set statement_timeout = '3s';$/,
      "set statement_timeout = '3s'",
    ],
    [
      "set timezone = 'Asia/Tokyo'",
      /\(TimeZone\); to fix it: alter role LOGIN set TimeZone = 'UTC';$/,
      "set timezone = 'UTC'",
    ],
  ] as const) {
    it(`is rejected when its role has ${harm}`, async () => {
      await admin.query(`alter role ${login} ${harm}`)
      assert.match((await line()).replaceAll(login, 'LOGIN'), says)
      await admin.query(`alter role ${login} ${mended}`)
      const sound = openDatabase(service.login, { maxConnections: 1 })
      assert.equal((await sound.send([sql`select 1`])).length, 1)
      await sound.close()
    })
  }

  it('is rejected when its role is member of another, owns a table or lacks callout_app', async () => {
    await admin.query(`grant pg_read_all_data to ${login}`)
    assert.match(
      await line(),
      new RegExp(`${login} can act as pg_read_all_data; to fix it: revoke pg_read_all_data from ${login};$`),
    )
    await admin.query(`revoke pg_read_all_data from ${login}; alter table tags owner to ${login}`)
    assert.match(await line(), new RegExp(`its role ${login} owns the tables`))
    await admin.query(`alter table tags owner to postgres; revoke callout_app from ${login}`)
    assert.match(
      await line(),
      new RegExp(`${login} lacks the privileges of callout_app; to fix it: grant callout_app to ${login};`),
    )
    await admin.query(`grant callout_app to ${login}`)
  })
})

describe('the service', () => {
  it('answers 503 while its role bypasses row-level security, and recovers afterwards', async () => {
    const cut = () => admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [login])
    const ready = async () => (await fetch(`${service.origin}/health/ready`)).status
    await admin.query(`alter role ${login} bypassrls`)
    await cut()
    assert.equal(await ready(), 503)
    const refused = await fetch(service.url, {
      method: 'POST',
      headers: toolHeaders(company.owner.key),
      body: rpc('tools/call', { name: 'tags_list' }),
    })
    assert.deepEqual([refused.status, /unavailable/.test(await refused.text())], [503, true])
    await admin.query(`alter role ${login} nobypassrls`)
    assert.equal(await ready(), 200)
    assert.deepEqual((await company.call('tags_list')).rows, [])
  })
})
