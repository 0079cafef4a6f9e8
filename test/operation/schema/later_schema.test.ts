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

/** Runs work on a database that a later release brought to its own schema. */
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
  const mend = 'start that release again, or restore the backup that was taken before its upgrade'

  it('is refused with the way back, by whoever migrates, starts or looks', () =>
    onLaterSchema([GOES_ON, LATER], async (owner) => {
      const refused = { message: `${says}; to mend it: ${mend}` }
      await assert.rejects(migrate(owner), refused)
      await assert.rejects(missingMigrations(owner), refused)
      const [schema] = (await databaseFindings(owner, null, 'external')).filter(({ ok }) => !ok)
      assert.ok(schema!.says.includes(says), schema!.says)
    }))

  it('is opened where each of its further steps says that the release before may go on', () =>
    onLaterSchema([GOES_ON], async (owner) => {
      assert.deepEqual(await migrate(owner), [])
      assert.deepEqual(await missingMigrations(owner), [])
    }))

  it('keeps which release took a step', () =>
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

/** Lists the migrations that say that the release before may go on beside them. */
async function listMarkedMigrations(): Promise<{ name: string }[]> {
  return (await findMigrations())
    .filter(({ text }) => text.includes('-- previous release: goes on\n'))
    .map(({ name }) => ({ name }))
}
