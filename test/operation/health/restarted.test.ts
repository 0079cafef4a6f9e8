import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { databaseFinding, readDatabase } from '../../../src/health/checks/database.ts'
import { sayFinding } from '../../../src/health/finding.ts'
import { startEmbedded, type Embedded } from '../../../src/platform/db/embedded/embedded.ts'
import { migrate } from '../../../src/platform/db/migrations/migrate.ts'
import { openServiceDatabase } from '../../../src/platform/db/open.ts'
import { sql, type Database } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'

// A shared test server may be older than the reported period, so this test has its own.

let dataDir: string
let server: Embedded
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callout-restarted-'))
  server = await start()
  await migrate(server.connection)
})
after(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const start = (): Promise<Embedded> => startEmbedded({ dataDir, settings: { fsync: 'off' } })

async function asService<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openServiceDatabase(server.connection, null)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const find = () => asService(async ({ send }) => sayFinding(databaseFinding(await readDatabase(send))))

it('doctor warns if the database restarted while the service ran, not if it started before', async () => {
  const state = JSON.stringify({ started_at: new Date().toISOString() })
  await asService(({ send }) => send([sql`insert into worker_processes (id, state) values (${newId()}, ${state})`]))
  assert.equal((await find()).warning, undefined)
  await server.stop()
  server = await start()
  const { warning, says, mend } = await find()
  assert.equal(warning, true)
  assert.match(says, /^PostgreSQL [\d.]+ restarted \d+ min ago while the service was running$/)
  assert.match(mend ?? '', /^Look for the cause in postgres\.log/)
})
