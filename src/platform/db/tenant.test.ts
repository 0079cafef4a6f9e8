import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { makeDatabase, type TestDatabase } from '../../../test/harness/harness.ts'
import { Refusal, conflictField, notFound } from '../errors/refusal.ts'
import { newId } from '../validation/id.ts'
import type { Database } from './database.ts'
import { StaleAccess, readTenant, sql, writeTenant, type Db } from './tenant.ts'

let test: TestDatabase
let database: Database
const tenant = newId()
before(async () => {
  test = await makeDatabase()
  database = test.database
  await writeTenant(database, { tenant }, (db) =>
    db.run(
      sql`insert into tenants (id, name, timezone, currency, country) values (${tenant}, 'Test', 'UTC', 'USD', 'US')`,
    ),
  )
})
after(() => test.drop())

const addTag = (db: Db, name: string, id = newId()) =>
  db.run(
    sql`insert into tags (tenant_id, id, name, name_folded, identity) values (${db.tenant}, ${id}, ${name}, ${name}, ${name})`,
  )
const rename = (db: Db, id: string, name: string) =>
  db.run(sql`update tags set identity = ${name} where tenant_id = ${db.tenant} and id = ${id}`)
const tagNames = async (): Promise<string[]> =>
  (
    await readTenant(database, { tenant }, (db) =>
      db.all<{ identity: string }>(sql`select identity from tags where tenant_id = ${db.tenant} order by identity`),
    )
  ).map(({ identity }) => identity)

/** Counts the round trips of a database. */
function countTrips(of: Database): { database: Database; trips: () => number } {
  let trips = 0
  const counting =
    (send: Database['send']): Database['send'] =>
    (statements) => {
      trips++
      return send(statements)
    }
  return {
    database: {
      ...of,
      send: counting((statements) => of.send(statements)),
      hold: (use) => of.hold((send) => use(counting(send))),
    },
    trips: () => trips,
  }
}

describe('a tenant read', () => {
  it('sends the queries of one tick in one round trip', async () => {
    const { database: counting, trips } = countTrips(database)
    const read = await readTenant(counting, { tenant }, (db) =>
      Promise.all([1, 2, 3].map((n) => db.one<{ n: number }>(sql`select ${n}::int as n`))),
    )
    assert.deepEqual(read, [{ n: 1 }, { n: 2 }, { n: 3 }])
    assert.equal(trips(), 1)
  })

  it('throws for an unexpected number of rows and names the missing record', async () => {
    await readTenant(database, { tenant }, async (db) => {
      assert.equal(await db.maybe(sql`select 1 where false`), undefined)
      await assert.rejects(db.one(sql`select generate_series(1, 2)`), /Expected one row/)
      await assert.rejects(db.one(sql`select 1 where false`), /Expected one row/)
      await assert.rejects(db.present(sql`select 1 where false`, 'customer'), notFound('customer'))
    })
  })
})

describe('a tenant write', () => {
  it('is atomic, including its finishing statements', async () => {
    const { database: counting, trips } = countTrips(database)
    await writeTenant(
      counting,
      { tenant },
      (db) => Promise.all([addTag(db, 'kept'), addTag(db, 'too')]),
      () => [sql`select 1`],
    )
    assert.equal(trips(), 2)
    assert.deepEqual(await tagNames(), ['kept', 'too'])
    await assert.rejects(
      writeTenant(
        database,
        { tenant },
        (db) => addTag(db, 'undone'),
        () => [sql`select 1 / 0`],
      ),
    )
    await assert.rejects(
      writeTenant(database, { tenant }, async (db) => {
        await addTag(db, 'undone')
        throw new Refusal('conflict', 'no')
      }),
      new Refusal('conflict', 'no'),
    )
    assert.deepEqual(await tagNames(), ['kept', 'too'])
  })

  it('is rolled back by an error that its work swallowed', async () => {
    await assert.rejects(
      writeTenant(database, { tenant }, async (db) => {
        await addTag(db, 'before')
        await addTag(db, 'kept').catch(() => {})
        return 'fine'
      }),
      { code: 'conflict', message: "name is another tag's; find that one with tags_list, or choose another" },
    )
    await assert.rejects(
      writeTenant(database, { tenant }, async (db) => {
        await db.run(sql`select 1 / ${0}::int`).catch(() => {})
        await addTag(db, 'after').catch(() => {})
      }),
      { code: '22012' },
    )
    assert.deepEqual(await tagNames(), ['kept', 'too'])
  })

  it('rejects queries after its end', async () => {
    let late: Promise<unknown> | undefined
    const ending = writeTenant(database, { tenant }, async (db) => {
      await addTag(db, 'ended')
      late = new Promise((resolve) => setTimeout(resolve, 50)).then(() => addTag(db, 'late'))
      throw new Refusal('conflict', 'one branch fails while another goes on')
    })
    await assert.rejects(ending, /one branch fails/)
    await assert.rejects(late!, /The transaction has ended/)
    assert.deepEqual(
      (await tagNames()).filter((name) => name === 'ended' || name === 'late'),
      [],
    )
  })

  it('leaves no open transaction on its connection', async () => {
    for (let i = 0; i < 20; i++)
      await assert.rejects(writeTenant(database, { tenant }, (db) => db.run(sql`select 1 / ${0}::int`)))
    const open = await readTenant(database, { tenant }, (db) =>
      db.all(sql`
      select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`),
    )
    assert.deepEqual(open, [])
  })

  it('is retried after a deadlock', async () => {
    const [one, other] = [newId(), newId()]
    await writeTenant(database, { tenant }, (db) => Promise.all([addTag(db, 'one', one), addTag(db, 'other', other)]))
    let runs = 0
    let arrive!: () => void
    const both = new Promise<void>((resolve) => (arrive = resolve))
    const cross = (name: string, first: string, second: string) =>
      writeTenant(database, { tenant }, async (db) => {
        await rename(db, first, `${name} first`)
        if (++runs === 2) arrive()
        await both
        await rename(db, second, `${name} second`)
      })
    await Promise.all([cross('a', one, other), cross('b', other, one)])
    assert.equal(runs, 3)
    const names = (await tagNames()).filter((name) => /first|second/.test(name))
    assert.ok(names.join() === 'a first,a second' || names.join() === 'b first,b second', names.join())
  })

  it('is tried three times after a serialization failure or deadlock, and once after other errors', async () => {
    let runs = 0
    const failing = (code: string) =>
      writeTenant(database, { tenant }, (db) => {
        runs++
        return db.run(sql`select raise(${code})`)
      })
    await makeRaise()
    for (const [code, expected] of [
      ['40001', 3],
      ['40P01', 3],
      ['22012', 1],
      ['55P03', 1],
    ] as const) {
      runs = 0
      await assert.rejects(failing(code), { code })
      assert.equal(runs, expected, code)
    }
  })

  it("throws StaleAccess when the caller's rights have changed", async () => {
    const entry = { tenant, credential: { id: newId(), version: 1 } }
    let ran = false
    await assert.rejects(
      writeTenant(database, entry, async (db) => {
        await addTag(db, 'stale')
        ran = true
      }),
      StaleAccess,
    )
    await assert.rejects(
      readTenant(database, entry, (db) => db.all(sql`select 1`)),
      StaleAccess,
    )
    assert.equal(ran, false)
    assert.ok(!(await tagNames()).includes('stale'))
  })
})

/** Makes a function that fails with the given SQLSTATE. */
async function makeRaise(): Promise<void> {
  const admin = new Client(test.owner)
  await admin.connect()
  await admin.query(
    `create function raise(code text) returns int language plpgsql as $$ begin raise exception 'asked for' using errcode = code; end $$`,
  )
  await admin.end()
}

describe('a savepoint of a transaction', () => {
  it('is rolled back alone when it is refused', async () => {
    const before = await tagNames()
    const [kept, lost] = [`kept ${newId()}`, `lost ${newId()}`]
    await writeTenant(database, { tenant }, async (db) => {
      await db.separately((own) => addTag(own, kept))
      for (const refuse of [() => Promise.reject(conflictField('name', 'is taken')), (own: Db) => addTag(own, kept)])
        await assert.rejects(
          db.separately(async (own) => {
            await addTag(own, lost)
            return refuse(own)
          }),
          Refusal,
        )
      await addTag(db, `${kept} too`)
    })
    assert.deepEqual(await tagNames(), [...before, kept, `${kept} too`].sort())
  })

  it('rejects queries after its end', async () => {
    const before = await tagNames()
    let late: Promise<unknown> | undefined
    await writeTenant(database, { tenant }, async (db) => {
      const over = Promise.withResolvers<void>()
      await db
        .separately((own) => {
          late = over.promise.then(() => addTag(own, `late ${newId()}`))
          return Promise.reject(notFound('tag'))
        })
        .catch(() => {})
      over.resolve()
      await assert.rejects(late!, /has ended/)
      await db.run(sql`select 1`)
    })
    assert.deepEqual(await tagNames(), before)
  })

  it('may contain savepoints, rolled back alone or with it', async () => {
    await writeTenant(database, { tenant }, async (db) => {
      await db.separately(async (own) => {
        await addTag(own, 'part kept')
        await assert.rejects(
          own.separately(async (inner) => {
            await addTag(inner, 'inner undone')
            throw new Refusal('conflict', 'no')
          }),
        )
        await own.separately((inner) => addTag(inner, 'inner kept'))
      })
      await assert.rejects(
        db.separately(async (own) => {
          await own.separately((inner) => addTag(inner, 'undone with its part'))
          throw new Refusal('conflict', 'no')
        }),
      )
    })
    assert.deepEqual(
      (await tagNames()).filter((name) => /inner|part/.test(name)),
      ['inner kept', 'part kept'],
    )
  })
})
