import assert from 'node:assert/strict'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { schemaText } from '../../../scripts/schema.ts'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { restoreBackup, readManifest } from '../../../src/backup/archive/restore.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { missingMigrations } from '../../../src/platform/db/migrations/migrate.ts'
import { openServiceDatabase } from '../../../src/platform/db/open.ts'
import { openStorage } from '../../../src/platform/storage/open_storage.ts'
import { startService } from '../../../src/start/service.ts'
import { makeEmptyDatabase } from '../../harness/database/empty_database.ts'
import { callerOf } from '../../harness/harness.ts'
import { MONEY } from '../../harness/money/money_kept.ts'
import { openWitness } from '../../harness/clients/witness.ts'

// An installation of each released schema, saved by scripts/keep_schema.ts. 117_job_numbers is a backup
// with its demo company. upgrade.test.ts has the others from before the baseline.
const folder = fileURLToPath(new URL('../../fixtures/schemas/', import.meta.url))
const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).map((name) => name.replace('.json', ''))
const schema = await readFile(new URL('../../../docs/schema.sql', import.meta.url), 'utf8')

type Kept = {
  tenant: string
  records: Record<'user' | 'customer' | 'job' | 'invoice' | 'quote', string>
  money: Record<string, unknown>[]
}

let files: string
before(async () => {
  files = await mkdtemp(join(tmpdir(), 'callout-schemas-'))
})
after(() => rm(files, { recursive: true }))

describe('an installation of an earlier schema', () => {
  // The first release, two of 0.1, and 0.2.0.
  it('is saved for each release', () => {
    for (const name of ['117_job_numbers', '170_scheduling', '250_apps', '500_trusted_domains'])
      assert.ok(names.includes(name), name)
  })

  for (const name of names)
    it(`of ${name} restores, migrates to the current schema with the same amounts and is usable`, async () => {
      const kept = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as Kept
      const backup = join(folder, `${name}.tar.gz`)
      assert.equal((await readManifest(backup)).migrations.at(-1)?.name, name)
      const empty = await makeEmptyDatabase()
      try {
        await restoreBackup(empty.owner, openStorage({ kind: 'directory', directory: join(files, name) }), backup)
        assert.deepEqual(await missingMigrations(empty.owner), [])
        assert.equal(await schemaText(empty.owner), schema)
        const witness = await openWitness(empty)
        assert.deepEqual(await witness.rows(MONEY), kept.money)
        await witness.close()
        await walk(empty, kept)
      } finally {
        await empty.drop()
      }
    })
})

/** Does a day's work: reads, lists, bills and gets a refusal. */
async function walk(
  { owner }: Awaited<ReturnType<typeof makeEmptyDatabase>>,
  { tenant, records }: Kept,
): Promise<void> {
  const database = await openServiceDatabase(owner, null)
  const config = readConfig({ BASE_URL: 'http://callout.test', PORT: '0', RATE_LIMIT_PER_CREDENTIAL: '0' })
  const service = await startService(config, database, pino({ level: 'silent' }), null)
  try {
    const { key } = await createKey(
      database,
      { tenant },
      { user: records.user, name: 'Now', scopes: SCOPES, expires_at: null },
    )
    const { call, refusal } = callerOf(`http://127.0.0.1:${service.port}/api/mcp`, key)
    const before = await call('invoices_get', { id: records.invoice })
    assert.deepEqual([before['status'], before['balance_due_cents']], ['paid', 0])
    assert.ok((await call('jobs_list', { customer_id: records.customer })).rows.length > 0)
    const made = await call('invoices_create', {
      customer_id: records.customer,
      line_items: [{ name: 'Now', quantity: 1, unit_price_cents: 2_500, taxable: false }],
    })
    assert.equal(made['total_cents'], 2_500)
    assert.ok(Number(String(made['display_number']).replace(/\D/g, '')) > 1_001)
    await call('quotes_update', { id: records.quote, title: 'After the upgrade' })
    assert.match(await refusal('invoices_get', { id: tenant }), /^not_found: /)
  } finally {
    await service.stop(0)
    await database.close()
  }
}
