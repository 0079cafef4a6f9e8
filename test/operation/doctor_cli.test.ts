import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { startEmbedded, type Embedded } from '../../src/db/embedded/embedded.ts'
import { openCommandLine, type CommandLine } from '../harness/command_line.ts'
import type { Result } from '../harness/harness.ts'

let line: CommandLine
let server: Embedded
let { callout, done } = {} as CommandLine
before(async () => {
  line = await openCommandLine()
  ;({ callout, done } = line)
  await done('migrate')
  server = await startEmbedded({ dataDir: line.dataDir, settings: { fsync: 'off' } })
})
after(async () => {
  await server.stop()
  await line.close()
})

describe('doctor', () => {
  const wrong = ({ checks }: Result): Result[] => checks.filter(({ ok }: Result) => !ok)

  it('finds a sound installation sound', async () => {
    const found = await done('doctor')
    assert.equal(found.ok, true)
    assert.deepEqual(
      found.checks.map(({ check }: Result) => check),
      [
        'configuration',
        'base URL',
        'data directory',
        'disk',
        'temporary folder',
        'storage',
        'mail server',
        'SMS account',
        'Payments key',
        'database',
        'migrations',
        'application role',
        'row-level security',
        'frozen companies',
        'clock',
        'data key',
      ],
    )
  })

  it('names what is wrong, with what mends it', async () => {
    const client = new Client(server.connection)
    await client.connect()
    const { rows } = await client.query<{ name: string }>('select max(name) as name from migrations')
    const last = rows[0]!.name
    await client.query(`alter table tags no force row level security; alter table members disable row level security;
      update migrations set name = '000_other' where name = '${last}'`)
    const late = await callout(['doctor', '--json'])
    assert.deepEqual([late.code, wrong(JSON.parse(late.out)).map(({ says }) => says)], [1, [`missing: ${last}`]])
    await client.query(
      `update migrations set name = '${last}' where name = '000_other'; alter role callout_app bypassrls`,
    )
    const { code, out } = await callout(['doctor', '--json'], {
      env: { BASE_URL: 'http://callout.test', NODE_ENV: 'production' },
    })
    const found = wrong(JSON.parse(out))
    assert.deepEqual(
      [code, found.map(({ check }) => check)],
      [1, ['base URL', 'application role', 'row-level security']],
    )
    assert.equal(found[2]!.says, 'off for members, tags')
    for (const { mend } of found.slice(1)) await client.query(mend)
    await client.end()
    assert.equal((await done('doctor')).ok, true)
  })

  it('names companies that were frozen for over a day', async () => {
    const company = await done('tenant', 'create', '--name', 'Moved', '--owner-email', 'ada@moved.example')
    const client = new Client(server.connection)
    await client.connect()
    const frozen = async (since: string): Promise<Result> => {
      await client.query(`delete from frozen_companies`)
      await client.query(`insert into frozen_companies (tenant_id, since) values ($1, now() - $2::interval)`, [
        company.id,
        since,
      ])
      const { checks } = JSON.parse((await callout(['doctor', '--json'])).out) as { checks: Result[] }
      return checks.find(({ check }) => check === 'frozen companies')!
    }
    assert.deepEqual(await frozen('23 hours'), { check: 'frozen companies', ok: true, says: '1, none for a day' })
    assert.deepEqual(await frozen('25 hours'), {
      check: 'frozen companies',
      ok: false,
      says: `for over a day: ${company.id}`,
      mend: 'Where nothing is being moved, run: callout tenant thaw <id>',
    })
    await done('tenant', 'thaw', company.id)
    await client.end()
  })

  it("says which setting can't be read, and that the database does not answer", async () => {
    const settings = await callout(['doctor'], { env: { PORT: 'abc' } })
    assert.match(settings.out, /^WRONG {2}configuration +PORT must be a whole number/)
    assert.equal(settings.code, 1)
    const gone = await callout(['doctor', '--json'], { env: { DATABASE_URL: 'postgres://u@127.0.0.1:1/x' } })
    assert.deepEqual([gone.code, wrong(JSON.parse(gone.out)).map(({ check }) => check)], [1, ['database']])
  })
})
