import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import pino from 'pino'
import { verifyBackup } from '../../../src/backup/archive/verify.ts'
import { makeDailyBackup } from '../../../src/backup/jobs/daily.ts'
import { runInChild } from '../../../src/backup/jobs/run_in_child.ts'
import { runJob, type BackupJob, type BackupSettings } from '../../../src/backup/jobs/job.ts'
import { selectBackupStatus, type BackupStatus } from '../../../src/backup/status.ts'
import { explainTargetFault } from '../../../src/backup/target/fault.ts'
import { openTarget } from '../../../src/backup/target/open_target.ts'
import type { BackupTarget } from '../../../src/backup/target/target.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { sql } from '../../../src/platform/db/tenant.ts'
import { openStorage } from '../../../src/platform/storage/open_storage.ts'
import type { PeriodicTask } from '../../../src/worker/periodic_task.ts'
import { backupTasks } from '../../../src/worker/tasks/installation/backup.ts'
import { enrollAll, runDue } from '../../../src/worker/worker.ts'
import { makeCompany, startTestService, type TestService } from '../../harness/harness.ts'

let folder: string
let service: TestService
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-daily-'))
  await chmod(folder, 0o755)
  service = await startTestService()
  await makeCompany(service)
})
after(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => service.database.send([sql`delete from chore_leases where chore in ('backup', 'drill', 'archive')`]))

const key = randomBytes(32)

const settingsOf = (name: string, env: Record<string, string> = {}): BackupSettings =>
  readConfig({
    DATABASE_URL: 'postgres://elsewhere',
    DATA_DIR: join(folder, 'data'),
    BACKUP_TO: join(folder, name),
    BACKUP_KEY: key.toString('base64'),
    ...env,
  })

type Clock = () => Temporal.Instant
const now: Clock = () => Temporal.Now.instant()
const log = pino({ level: 'silent' })

/** Runs the due tasks of one service process and returns their outcomes. */
async function run(
  tasks: readonly PeriodicTask[],
  { clock = now, stopping = new AbortController().signal }: { clock?: Clock; stopping?: AbortSignal } = {},
): Promise<string[]> {
  const outcomes: string[] = []
  const runEnded = (name: string, outcome: string): void => void outcomes.push(`${name} ${outcome}`)
  const context = { database: service.database, log, clock, stopping, onRunEnd: runEnded }
  await enrollAll(context, tasks)
  await runDue(context, tasks, 10)
  return outcomes
}

const tasksOf = (
  settings: BackupSettings,
  names: readonly string[],
  doJob: typeof runInChild = (job, signal) => runJob(job, signal),
): PeriodicTask[] =>
  backupTasks(settings, service.owner, { startupDelayMs: 0, runJob: doJob }).filter(({ name }) => names.includes(name))

async function status(kind: string): Promise<BackupStatus> {
  const [answer] = await service.database.send([selectBackupStatus()])
  const row = answer.rows.find((one) => one.kind === kind)
  assert.ok(row, `no row of ${kind}`)
  return row
}

const archives = async (name: string): Promise<string[]> =>
  (await readdir(join(folder, name))).filter((file) => file.startsWith('callout-')).sort()

describe('the daily backup', () => {
  it('is made in a child process, encrypted and recorded in the status', async () => {
    const outcomes = await run(tasksOf(settingsOf('first'), ['backup'], runInChild))
    assert.deepEqual(outcomes, ['backup done'])
    const [name, ...more] = await readdir(join(folder, 'first'))
    assert.deepEqual(more, [])
    const { rows, made_at } = await verifyBackup(join(folder, 'first', name ?? ''), key)
    assert.equal(rows['tenants'], 1)
    const row = await status('backup')
    assert.deepEqual([row.name, row.error, Date.parse(row.as_of ?? '')], [name, null, Date.parse(made_at)])
    assert.ok(row.bytes !== null && row.bytes > 1_000 && row.ms !== null && row.ms > 0)
  })

  it('is next due at BACKUP_TIME, and keeps the newest BACKUP_KEEP once a new one succeeds', async () => {
    const settings = settingsOf('kept', { BACKUP_KEEP: '2', BACKUP_TIME: '02:30' })
    const old = ['2026-01-01T00-00-00Z', '2026-01-02T00-00-00Z'].map((at) => `callout-${at}.tar.gz`)
    await mkdir(join(folder, 'kept'))
    for (const name of [...old, 'mine.txt', 'callout-notes.tar.gz']) await writeFile(join(folder, 'kept', name), 'x')
    const failing = tasksOf(settings, ['backup'], (job: BackupJob, signal) =>
      runJob({ ...job, settings: { ...job.settings, storage: settings.storage }, owner: { host: '/nowhere' } }, signal),
    )
    assert.deepEqual(await run(failing), ['backup failed'])
    assert.deepEqual(await archives('kept'), ['callout-notes.tar.gz', ...old].sort())
    await service.database.send([sql`delete from chore_leases where chore = 'backup'`])
    const tasks = tasksOf(settings, ['backup'])
    assert.deepEqual(await run(tasks), ['backup done'])
    const left = (await archives('kept')).filter((name) => name !== 'callout-notes.tar.gz')
    assert.equal(left.length, 2)
    assert.equal(left[0], old[1])
    assert.ok((await readdir(join(folder, 'kept'))).includes('mine.txt'))
    assert.deepEqual(await run(tasks), [])
    const [due] = await service.database.send([
      sql<{ due_at: string }>`select due_at from chore_leases where chore = 'backup'`,
    ])
    const at = Temporal.Instant.from(due.rows[0]?.due_at ?? '').toZonedDateTimeISO(Temporal.Now.timeZoneId())
    assert.equal(at.toPlainTime().toString({ smallestUnit: 'minute' }), '02:30')
    assert.ok(at.since(Temporal.Now.zonedDateTimeISO(), { largestUnit: 'hour' }).hours < 25)
  })

  it('is made once by several processes', async () => {
    const settings = settingsOf('once')
    const outcomes = await Promise.all([1, 2, 3].map(() => run(tasksOf(settings, ['backup']))))
    assert.deepEqual(outcomes.flat(), ['backup done'])
    assert.equal((await archives('once')).length, 1)
  })

  for (const [what, prepare, says] of [
    ['gone', async () => join('unmounted', 'backups'), /^The folder .* is missing or is a file/],
    [
      'a file',
      async () => {
        await writeFile(join(folder, 'file'), 'x')
        return 'file'
      },
      /^The folder .* is missing or is a file/,
    ],
  ] as const) {
    it(`reports that its folder is ${what} and keeps the last success`, async () => {
      const before = await status('backup')
      assert.deepEqual(await run(tasksOf(settingsOf(await prepare()), ['backup'])), ['backup failed'])
      const after = await status('backup')
      assert.match(after.error ?? '', says)
      assert.deepEqual([after.succeeded_at, after.name], [before.succeeded_at, before.name])
    })
  }

  it('reports a full disk and leaves no partial file', { skip: process.platform !== 'linux' }, async () => {
    const target = openTarget({ kind: 'directory', directory: join(folder, 'first') })
    const full: BackupTarget = {
      ...target,
      write: async (_, fill) => {
        await fill(createWriteStream('/dev/full'))
        return 0
      },
    }
    const { owner } = service
    const [storage, { signal }] = [openStorage(settingsOf('first').storage), new AbortController()]
    await assert.rejects(
      makeDailyBackup({ owner, storage, target: full, keep: 1, key, signal }),
      (error) => explainTargetFault('/full', error) === 'No space left in /full',
    )
    assert.equal((await archives('first')).length, 1)
  })

  it('is canceled at shutdown without a partial file and is due again at once', async () => {
    const stopping = new AbortController()
    const [client, witness] = [new Client(service.owner), new Client(service.owner)]
    await Promise.all([client.connect(), witness.connect()])
    await client.query('begin')
    await client.query('lock table customers in access exclusive mode')
    const running = run(tasksOf(settingsOf('stopped'), ['backup'], runInChild), { stopping: stopping.signal })
    const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%lock table%'
      and datname = current_database()`
    while ((await witness.query(isWaiting)).rowCount === 0) await sleep(50)
    stopping.abort()
    assert.deepEqual(await running, ['backup given_back'])
    await Promise.all([client.end(), witness.end()])
    assert.deepEqual(await readdir(join(folder, 'stopped')).catch(() => []), [])
    const [due] = await service.database.send([
      sql<{
        due: boolean
      }>`select due_at <= now() + interval '1 second' as due from chore_leases where chore = 'backup'`,
    ])
    assert.equal(due.rows[0]?.due, true)
  })
})

describe('the restore drill', () => {
  it('waits for a backup, then restores the newest into a temporary server and cleans up', async () => {
    await service.database.send([sql`delete from backup_status`])
    const settings = settingsOf('first')
    assert.deepEqual(await run(tasksOf(settings, ['drill'])), ['drill done'])
    const [none] = await service.database.send([selectBackupStatus()])
    assert.deepEqual(none.rows, [])
    await service.database.send([sql`delete from chore_leases where chore = 'drill'`])
    assert.deepEqual(await run(tasksOf(settings, ['backup'])), ['backup done'])
    assert.deepEqual(await run(tasksOf(settings, ['drill'], runInChild)), ['drill done'])
    const [drill, backup] = [await status('drill'), await status('backup')]
    assert.deepEqual([drill.name, drill.as_of, drill.error], [backup.name, backup.as_of, null])
    assert.deepEqual(await readdir(join(folder, 'data')), [])
  })

  it('reports what is wrong with a damaged backup', async () => {
    const newest = 'callout-2099-01-01T00-00-00Z.tar.gz'
    await writeFile(join(folder, 'first', newest), 'text')
    assert.deepEqual(await run(tasksOf(settingsOf('first'), ['drill'])), ['drill failed'])
    const { error, name } = await status('drill')
    assert.equal(error, `${newest} was not restored: it is not a backup, or was changed`)
    assert.notEqual(name, newest)
    assert.deepEqual(await readdir(join(folder, 'data')), [])
  })
})
