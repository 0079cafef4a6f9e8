import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { databaseFindings } from '../../../src/cli/doctor/doctor_database.ts'
import {
  findMigrations,
  migrate,
  missingMigrations,
  type Migration,
} from '../../../src/platform/db/migrations/migrate.ts'
import { VERSION } from '../../../src/platform/version.ts'
import { makeEmptyDatabase } from '../../harness/database/empty_database.ts'
import { openWitness } from '../../harness/clients/witness.ts'

const step = (name: string, text: string): Migration => ({ name, text, checksum: `of ${name}` })

/** Runs work on a database that a later release has migrated. */
async function onLaterSchema(
  steps: readonly Migration[],
  work: (owner: Parameters<typeof migrate>[0]) => Promise<void>,
): Promise<void> {
  const empty = await makeEmptyDatabase()
  try {
    await migrate(empty.owner, { migrations: [...(await findMigrations()), ...steps] })
    await work(empty.owner)
  } finally {
    await empty.drop()
  }
}

describe('a database of a later release', () => {
  const LATER = step('998_later', 'create table later_things (id integer)')
  const GOES_ON = step('997_added', '-- previous release: goes on\ncreate table added_things (id integer)')
  const says = `The database has the schema of a later release, ${VERSION} (998_later); this is ${VERSION}`
  const mend = `start Callout ${VERSION} or a later one, or restore the backup that was taken before its upgrade`

  it('is refused with a hint by migrate, the start and doctor', () =>
    onLaterSchema([GOES_ON, LATER], async (owner) => {
      const refused = { message: `${says}; to fix it: ${mend}` }
      await assert.rejects(migrate(owner), refused)
      await assert.rejects(missingMigrations(owner), refused)
      const [schema] = (await databaseFindings(owner, null, 'external')).filter(({ ok }) => !ok)
      assert.ok(schema!.says.includes(says), schema!.says)
    }))

  it('opens if each later migration allows the previous release', () =>
    onLaterSchema([GOES_ON], async (owner) => {
      assert.deepEqual(await migrate(owner), [])
      assert.deepEqual(await missingMigrations(owner), [])
    }))

  it('names the release to use, if it was recorded', () =>
    onLaterSchema([LATER], async (owner) => {
      const witness = await openWitness({ owner })
      try {
        const later = `update migrations set release = $1 where name = '998_later'`
        await witness.rows(later, '9.1.0')
        await assert.rejects(
          migrate(owner),
          /schema of a later release, 9\.1\.0 .*; to fix it: start Callout 9\.1\.0 or/,
        )
        await witness.rows(later, null)
        await assert.rejects(migrate(owner), /schema of a later release \(998_later\).* start that release or/)
      } finally {
        await witness.close()
      }
    }))

  it('records the releases that ran on it in order', () =>
    onLaterSchema([], async (owner) => {
      const witness = await openWitness({ owner })
      const ran = (): Promise<unknown> => witness.rows('select version from releases order by started_at')
      try {
        await migrate(owner)
        assert.deepEqual(await ran(), [{ version: VERSION }])
        await witness.rows(`update releases set version = '0.1.9', started_at = '2026-01-31T08:00Z'`)
        await Promise.all([migrate(owner), migrate(owner)])
        assert.deepEqual(await ran(), [{ version: '0.1.9' }, { version: VERSION }])
        const finding = (await databaseFindings(owner, null, 'external')).find(({ check }) => check === 'release')
        assert.match(
          finding!.says,
          new RegExp(
            `^${VERSION}; last on this database: ${VERSION} since .*Z, before that 0\\.1\\.9 since 2026-01-31T08:00Z$`,
          ),
        )
      } finally {
        await witness.close()
      }
    }))

  it('records the release of each migration', () =>
    onLaterSchema([], async (owner) => {
      const witness = await openWitness({ owner })
      try {
        assert.deepEqual(await witness.rows('select distinct release from migrations'), [{ release: VERSION }])
        const marked = await witness.rows('select name from migrations where allows_previous order by name')
        assert.deepEqual(marked, await listMarkedMigrations())
      } finally {
        await witness.close()
      }
    }))
})

/** Lists the migrations that allow the previous release to continue. */
async function listMarkedMigrations(): Promise<{ name: string }[]> {
  return (await findMigrations())
    .filter(({ text }) => text.includes('-- previous release: goes on\n'))
    .map(({ name }) => ({ name }))
}

describe('a migration since 0.2.0', () => {
  it('declares whether the previous release may continue', async () => {
    const silent = (await findMigrations()).filter(
      ({ name, text }) =>
        name > '500_trusted_domains' && text.match(/^-- previous release: (?:goes on|stops)$/gm)?.length !== 1,
    )
    assert.deepEqual(
      silent.map(({ name }) => name),
      [],
    )
  })
})

describe('an empty database', () => {
  it('stays empty if a migration fails, and the error names it', async () => {
    const empty = await makeEmptyDatabase()
    try {
      const migrations = [...(await findMigrations()), step('998_wrong', 'select 1 / 0')]
      await assert.rejects(migrate(empty.owner, { migrations }), {
        message: 'Migration 998_wrong failed: division by zero',
      })
      const count = (await findMigrations()).length
      assert.equal((await migrate(empty.owner)).length, count)
    } finally {
      await empty.drop()
    }
  })
})
