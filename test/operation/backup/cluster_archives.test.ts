import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { restoreBackup } from '../../../src/backup/archive/restore.ts'
import { exportTenant } from '../../../src/cli/tenant_file/export.ts'
import { importTenant } from '../../../src/cli/tenant_file/import.ts'
import { migrate } from '../../../src/platform/db/migrations/migrate.ts'
import { CLUSTER, makeEmptyCluster } from '../../harness/database/cluster.ts'
import { openWitness } from '../../harness/clients/witness.ts'
import { digestOf, openArchives, withEmpty, type Archives } from './archives.ts'

describe(
  'a Citus cluster',
  { skip: CLUSTER === undefined && 'CITUS_URL names no cluster (docs/operating/citus.md)' },
  () => {
    let archives: Archives
    before(async () => {
      archives = await openArchives()
    })
    after(() => archives.stop())

    it('makes a backup that a single database can restore', () =>
      withEmpty(async (empty) => {
        await restoreBackup(empty.owner, archives.directory('alone'), archives.backup)
        assert.deepEqual(await digestOf(empty), await digestOf(archives.service))
      }))

    it('makes a backup that a cluster can restore and distribute', async () => {
      const other = await makeEmptyCluster(CLUSTER!, `test_${randomBytes(6).toString('hex')}`)
      try {
        await restoreBackup(other.owner, archives.directory('spread'), archives.backup)
        await migrate(other.owner, { distributes: true })
        assert.deepEqual(await digestOf(other), await digestOf(archives.service))
      } finally {
        await other.drop()
      }
    })

    it('exports a company that a single database imports, and imports it back', async () => {
      const { company, service, folder, files, directory } = archives
      const { tenant } = company
      const out = join(folder, 'out.tar.gz')
      await exportTenant(service.owner, files, out, { tenant, freezes: true })
      const other = await makeEmptyCluster(CLUSTER!, `test_${randomBytes(6).toString('hex')}`)
      try {
        await withEmpty(async (empty) => {
          await migrate(empty.owner)
          const storage = directory('visited')
          const came = await importTenant(empty.owner, storage, out)
          const again = join(folder, 'again.tar.gz')
          await exportTenant(empty.owner, storage, again, { tenant, freezes: false })
          await migrate(other.owner, { distributes: true })
          const back = await importTenant(other.owner, directory('back'), again)
          assert.deepEqual(back.held, came.held)
        })
        const witness = await openWitness(other)
        assert.equal(await witness.value('select count(*)::int from customers').finally(() => witness.close()), 1)
      } finally {
        await other.drop()
      }
    })
  },
)
