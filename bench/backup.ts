import { mkdtemp, chmod, rm, stat } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { listArchives } from '../src/backup/jobs/daily.ts'
import { runInChild } from '../src/backup/jobs/run_in_child.ts'
import { restoreBackup } from '../src/backup/archive/restore.ts'
import { openTarget } from '../src/backup/target/open_target.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { openStorage } from '../src/platform/storage/open_storage.ts'
import { newId } from '../src/platform/validation/id.ts'
import { makeEmptyDatabase } from '../test/harness/database/empty_database.ts'
import { makeCompany, startTestService } from '../test/harness/harness.ts'

/**
 * Backs up and restores a gigabyte, half of it rows and half of it photos, and compares the latency of another company's
 * calls meanwhile with the baseline.
 *
 *   node bench/backup.ts [megabytes, 1024]
 */
const megabytes = Number(process.argv[2] ?? 1024)
const PHOTO = 2 * 2 ** 20
const folder = await mkdtemp(join(tmpdir(), 'callout-bench-backup-'))
await chmod(folder, 0o755)
const settings = readConfig({
  DATABASE_URL: 'postgres://elsewhere',
  DATA_DIR: join(folder, 'data'),
  BACKUP_TO: join(folder, 'backups'),
  BACKUP_KEY: randomBytes(32).toString('base64'),
})
const files = openStorage({ kind: 'directory', directory: join(folder, 'data', 'files') })
const service = await startTestService()
const [large, small] = [await makeCompany(service), await makeCompany(service)]
const job = await large.call('jobs_create', {
  title: 'Photos',
  customer_id: (await large.call('customers_create', { customer_type: 'company', company_name: 'Large' }))['id'],
})
const client = new Client(service.owner)
await client.connect()

process.stdout.write(`Creating ${megabytes} MB of data…\n`)
for (let bytes = 0; bytes < (megabytes * 2 ** 20) / 2; bytes += PHOTO) {
  const id = newId()
  const key = `${large.tenant}/${id}/${id}`
  await files.save(key, randomBytes(PHOTO), 'image/jpeg')
  await client.query(
    `insert into job_media (tenant_id, id, job_id, file_name, content_type, size_bytes, storage_key)
      values ($1, $2, $3, 'photo.jpg', 'image/jpeg', $4, $5)`,
    [large.tenant, id, job['id'], PHOTO, key],
  )
}
// Notes of words and numbers, 2 kB each, as companies write them.
await client.query(
  `insert into notes (tenant_id, id, body, words)
    select $1, uuidv7(), body, to_tsvector('simple', left(body, 60)) from generate_series(1, $2::int) n cross join lateral
      (select string_agg('visit ' || (random() * 1e6)::int || ' replaced capacitor part ' || md5((n * i)::text), ' ') as body
        from generate_series(1, 28) i) made`,
  [large.tenant, Math.round((megabytes * 2 ** 20) / 2 / 2_000)],
)
const { rows } = await client.query<{ mb: number }>(`select (pg_database_size(current_database()) / 2^20)::int as mb`)

type Latencies = { p50: number; p99: number; calls: number }

/** Makes calls of the small company, one after the other with a pause, until `until` settles. */
async function measure(until: Promise<unknown>): Promise<Latencies> {
  const over = new AbortController()
  const end = (): void => over.abort()
  until.then(end, end)
  const ms: number[] = []
  while (!over.signal.aborted) {
    const since = performance.now()
    await small.call('customers_search', { query: 'a' })
    ms.push(performance.now() - since)
    await sleep(20)
  }
  ms.sort((a, b) => a - b)
  const at = (share: number): number => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? NaN
  return { p50: at(0.5), p99: at(0.99), calls: ms.length }
}

const show = (what: string, { p50, p99, calls }: Latencies): void =>
  void process.stdout.write(
    `${what}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms over ${calls} calls (load ${loadavg()[0]?.toFixed(1)})\n`,
  )

await small.call('customers_create', { customer_type: 'company', company_name: 'Anna' })
await measure(sleep(3_000))
const baseline = await measure(sleep(30_000))
show('baseline', baseline)

let since = performance.now()
const backup = runInChild({ kind: 'backup', settings, owner: service.owner }, new AbortController().signal)
const during = await measure(backup)
const { bytes, ms } = await backup
show('during the backup', during)
process.stdout.write(
  `backup: ${(ms / 1000).toFixed(1)} s (${((performance.now() - since) / 1000).toFixed(1)} s with its process) for a database of ` +
    `${rows[0]?.mb} MB and ${megabytes / 2} MB of files, ${((bytes ?? 0) / 2 ** 20).toFixed(0)} MB written; p99 ${(during.p99 / baseline.p99).toFixed(2)} of the baseline\n`,
)
const again = await measure(sleep(15_000))
show('baseline again', again)

const target = openTarget({ kind: 'directory', directory: join(folder, 'backups') })
const newest = (await listArchives(target)).at(-1)
const path = join(folder, 'backups', newest?.name ?? '')
const empty = await makeEmptyDatabase()
since = performance.now()
await restoreBackup(empty.owner, openStorage({ kind: 'directory', directory: join(folder, 'restored') }), path, {
  key: settings.backup.key,
})
process.stdout.write(
  `restore: ${((performance.now() - since) / 1000).toFixed(1)} s for ${((await stat(path)).size / 2 ** 20).toFixed(0)} MB (load ${loadavg()[0]?.toFixed(1)})\n`,
)
await client.end()
await empty.drop()
await service.stop()
await rm(folder, { recursive: true, force: true })
