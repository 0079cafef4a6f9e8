import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { openDatabase, sql, type Database } from '../../src/platform/db/database.ts'
import { migrate } from '../../src/platform/db/migrations/migrate.ts'
import { openServiceDatabase } from '../../src/platform/db/open.ts'
import { addressOf } from '../harness/address.ts'
import { makeDatabase, type TestDatabase } from '../harness/harness.ts'
import { describeWithPgBouncer, startPgBouncer, type PgBouncer } from '../harness/database/pgbouncer.ts'
import { testIsolation, startTwoCompanies, type TwoCompanies } from '../harness/two_companies.ts'

const program = fileURLToPath(new URL('../../bin/callout', import.meta.url))

describeWithPgBouncer('through PgBouncer', () => {
  describe('transaction pooling: two companies with row-level security but no tenant filters', () => {
    let bouncer: PgBouncer
    let two: TwoCompanies
    before(async () => {
      two = await startTwoCompanies({
        bare: true,
        way: async (login) => {
          bouncer = await startPgBouncer([login], { mode: 'transaction' })
          return bouncer.through(login)
        },
      })
    })
    after(async () => {
      await two.stop()
      await bouncer.stop()
    })

    testIsolation(() => two)
  })

  for (const mode of ['transaction', 'session'] as const)
    describe(`${mode} pooling`, () => {
      let test: TestDatabase
      let bouncer: PgBouncer
      let database: Database
      before(async () => {
        test = await makeDatabase()
        bouncer = await startPgBouncer([test.login, test.owner], {
          mode,
          sessions: 12,
          forced: { as_owner: test.owner },
        })
        database = openDatabase(bouncer.through(test.login), { maxConnections: 6 })
      })
      after(async () => {
        await database.close()
        await bouncer.stop()
        await test.drop()
      })

      const facts = sql`select session_user as login, current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('TimeZone') as zone, current_setting('row_security') as rows`

      it('gives every session the login role and its timeouts, with no named prepared statements', async () => {
        const seen = await Promise.all(
          Array.from({ length: 60 }, (_, i) =>
            // Each sleeps for a moment, so that one session can't serve them all.
            database.send([facts, sql`select ${i}::int as n, pg_backend_pid() as pid, pg_sleep(0.05)`]),
          ),
        )
        const expected = {
          login: test.login.user,
          statement: '3s',
          lock: '1500ms',
          idle: '15s',
          zone: 'UTC',
          rows: 'on',
        }
        seen.forEach(([session, own], i) => assert.deepEqual([session!.rows, own!.rows[0]!['n']], [[expected], i]))
        assert.ok(new Set(seen.map(([, own]) => own!.rows[0]!['pid'])).size > 1)
        const named = await Promise.all(
          Array.from({ length: 12 }, () => database.send([sql`select count(*) as n from pg_prepared_statements`])),
        )
        assert.ok(named.every(([answer]) => answer!.rows[0]!['n'] === 0))
      })

      it('is refused when the pooler signs in as its own user, and doctor reports why', async () => {
        const says = 'its role postgres owns the tables'
        const mend = `make the pooler log in as ${test.login.user}, the requested user, not as its own (user= in its list of databases)`
        const astray = addressOf(bouncer.through(test.login, 'as_owner'))
        await assert.rejects(openServiceDatabase(test.owner, astray), {
          message: `The service refuses to use this database session: ${says}; to fix it: ${mend}`,
        })
        const { code, out } = await callout(['doctor', '--json'], { DATABASE_APP_URL: astray })
        const wrong = (
          JSON.parse(out) as { checks: { check: string; ok: boolean; says: string; mend?: string }[] }
        ).checks.filter(({ check }) => check === 'application role')
        assert.deepEqual(
          [code, wrong],
          [
            1,
            [
              {
                check: 'application role',
                ok: false,
                says: `The service refuses to use this database session: ${says}`,
                mend,
              },
            ],
          ],
        )
      })

      it('makes the server exit with a hint about DATABASE_APP_URL for an unknown user', async () => {
        const stranger = addressOf(bouncer.through({ ...test.login, user: 'stranger' }))
        const { code, out, err } = await callout(['serve'], { DATABASE_APP_URL: stranger, PORT: '0' })
        assert.deepEqual([code, out], [1, ''])
        assert.match(
          err,
          /^callout: The service can't log in to the database: [^\n]+; to fix it: correct DATABASE_APP_URL, and allow its user to log in there\n$/,
        )
      })

      it('lets the owner migrate and leaves no advisory lock behind', async () => {
        const owner = bouncer.through(test.owner)
        for (let i = 0; i < 3; i++) assert.deepEqual(await migrate(owner), [])
        const admin = new Client(test.owner)
        await admin.connect()
        const { rows } = await admin.query(
          `select count(*)::int as held from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
        )
        await admin.end()
        assert.deepEqual(rows, [{ held: 0 }])
      })

      const callout = (
        typed: readonly string[],
        env: Record<string, string>,
      ): Promise<{ code: number; out: string; err: string }> =>
        new Promise((resolve) => {
          execFile(
            process.execPath,
            [program, ...typed],
            {
              env: {
                PATH: process.env['PATH'],
                DATABASE_URL: addressOf(test.owner),
                DATA_DIR: join(bouncer.folder, 'data'),
                ...env,
              },
            },
            (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
          )
        })
    })
})
