import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { openChangeArchive, type ChangeArchive } from '../../../src/backup/changes/archive_run.ts'
import { listBases } from '../../../src/backup/changes/base.ts'
import { restoreUntil } from '../../../src/backup/changes/restore_until.ts'
import { isBaseDue } from '../../../src/backup/changes/ship.ts'
import { parseSegment } from '../../../src/backup/changes/segments.ts'
import { runJob, type BackupSettings } from '../../../src/backup/jobs/job.ts'
import { openTarget } from '../../../src/backup/target/open_target.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { archiveSettings } from '../../../src/platform/db/embedded/archiving.ts'
import { startEmbedded, type Embedded } from '../../../src/platform/db/embedded/embedded.ts'
import { openStorage } from '../../../src/platform/storage/open_storage.ts'
import { newId } from '../../../src/platform/validation/id.ts'

const key = randomBytes(32)
const log = (): void => {}

let folder: string
let settings: BackupSettings
let server: Embedded
let client: Client
let archive: ChangeArchive
const stored = `${newId()}/${newId()}`

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-changes-'))
  await chmod(folder, 0o755)
  settings = settingsOf('data')
  server = await startEmbedded({ dataDir: settings.dataDir, settings: archiveSettings })
  client = await connect(server)
  await client.query(`create table kept (n int primary key, at timestamptz default clock_timestamp());
    create table papers (storage_key text, content_type text)`)
  await writeFile(join(settings.dataDir, 'data.key'), 'the data key\n')
  const opened = openChangeArchive(settings)
  assert.ok(opened)
  archive = opened
})
after(async () => {
  await client.end().catch(() => {})
  await server.stop().catch(() => {})
  await rm(folder, { recursive: true, force: true })
})

const settingsOf = (name: string, env: Record<string, string> = {}): BackupSettings =>
  readConfig({
    DATA_DIR: join(folder, name),
    BACKUP_TO: join(folder, 'backups'),
    BACKUP_KEY: key.toString('base64'),
    ...env,
  })

async function connect({ connection }: Embedded): Promise<Client> {
  const made = new Client(connection)
  made.on('error', () => {})
  await made.connect()
  return made
}

const signal = new AbortController().signal
const target = () => openTarget({ kind: 'directory', directory: join(folder, 'backups') })
const makeBase = (): Promise<unknown> => runJob({ kind: 'base', settings, owner: server.connection }, signal)

/** Switches the WAL segment and waits until it is archived. */
async function switchLog(): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name')
  const isDone = 'select last_archived_wal >= $1 as done from pg_stat_archiver'
  while ((await client.query<{ done: boolean }>(isDone, [rows[0]?.name])).rows[0]?.done !== true) await sleep(50)
}

const write = (n: number): Promise<unknown> => client.query('insert into kept (n) values ($1)', [n])

async function moment(): Promise<string> {
  const { rows } = await client.query<{ at: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
  )
  return rows[0]?.at ?? ''
}

/** Restores into a new folder and returns its database and rows. */
async function restoreBackup(name: string, until: string | null, withKey: Buffer | null = key) {
  const [dataDir, moment] = [join(folder, name), until === null ? null : Temporal.Instant.from(until)]
  const storage = openStorage({ kind: 'directory', directory: join(dataDir, 'files') })
  const state = await restoreUntil({ target: target(), key: withKey, dataDir, storage, until: moment, log })
  const opened = await startEmbedded({ dataDir, settings: archiveSettings })
  const reader = await connect(opened)
  const { rows } = await reader.query<{ n: number }>('select n from kept order by n')
  return { state, dataDir, opened, reader, rows: rows.map(({ n }) => n) }
}

async function close({ opened, reader, dataDir }: Awaited<ReturnType<typeof restoreBackup>>): Promise<void> {
  await reader.end()
  await opened.stop()
  await rm(dataDir, { recursive: true })
}

let between = ''

describe('the change archive', () => {
  it('saves and restores nothing before the first base backup', async () => {
    await write(1)
    await switchLog()
    assert.equal(await archive.isBaseDue(), true)
    assert.equal(await archive.save(), undefined)
    await assert.rejects(restoreBackup('early', null), /No base backup to start from in .*; restore a daily backup/)
  })

  it('saves changes and uploads encrypted, up to the last archived segment', async () => {
    await makeBase()
    assert.equal(await archive.isBaseDue(), false)
    const path = join(settings.dataDir, 'files', stored)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, 'an upload')
    await client.query('insert into papers values ($1, $2)', [stored, 'text/plain'])
    await write(2)
    await switchLog()
    const saved = await archive.save()
    assert.ok(saved?.asOf && Date.now() - Date.parse(saved.asOf) < 60_000)
    between = await moment()
    await sleep(20)
    await write(3)
    await switchLog()
    await archive.save()
    const names = (await target().list('')).map(({ name }) => name)
    assert.equal(names.filter((name) => name.startsWith('files/')).length, 1)
    for (const name of names) {
      const head = (await readFile(join(folder, 'backups', name))).subarray(0, 20)
      assert.equal(String(head), 'callout-encrypted-1\n', name)
    }
  })

  it('rejects a segment that differs from the saved one of the same name', async () => {
    const spool = join(await realpath(join(settings.dataDir, 'postgres')), 'archive')
    const name = (await target().list('changes/'))
      .map((file) => file.name.slice('changes/'.length, -'.gz'.length))
      .find((one) => parseSegment(one))
    assert.ok(name)
    await writeFile(join(spool, name), Buffer.alloc(16 * 2 ** 20))
    await assert.rejects(archive.save(), /has a different changes\/.*: another installation uses this folder/)
    await rm(join(spool, name))
  })

  it('reports a missing backup folder and works again once it is back', async () => {
    const elsewhere = openChangeArchive(settingsOf('data', { BACKUP_TO: join(folder, 'un', 'mounted') }))
    await client.query('insert into kept (n) values (0)')
    await switchLog()
    await assert.rejects(async () => elsewhere?.save(), /^Error: The folder .*mounted is missing or is a file/)
    assert.ok(await archive.save())
  })

  it('needs a new base backup after a gap or a day', async () => {
    const later = (hours: number): Promise<boolean> =>
      isBaseDue(target(), key, Temporal.Now.instant().add({ minutes: Math.round(hours * 60) }))
    assert.deepEqual([await later(0), await later(1), await later(23), await later(25)], [false, false, false, true])
    const names = (await target().list('changes/')).map(({ name }) => join(folder, 'backups', name))
    const middle = names.at(-2) ?? ''
    await rename(middle, `${middle}.aside`)
    assert.deepEqual([await later(0), await later(1)], [false, true])
    await rename(`${middle}.aside`, middle)
  })
})

describe('an installation with a lost disk', () => {
  it('is restored up to the last archived change, with uploads and data key', async () => {
    process.kill(
      Number(
        (
          await readFile(join(await realpath(join(settings.dataDir, 'postgres')), 'data', 'postmaster.pid'), 'utf8')
        ).split('\n')[0],
      ),
      'SIGKILL',
    )
    await client.end().catch(() => {})
    await server.stop().catch(() => {})
    await rm(settings.dataDir, { recursive: true, force: true })
    const installation = await restoreBackup('data', null)
    assert.deepEqual(installation.rows, [0, 1, 2, 3])
    assert.deepEqual([installation.state.files, installation.state.missing], [1, []])
    assert.equal(await readFile(join(installation.dataDir, 'files', stored), 'utf8'), 'an upload')
    assert.equal(await readFile(join(installation.dataDir, 'data.key'), 'utf8'), 'the data key\n')
    assert.deepEqual((await readdir(await realpath(join(installation.dataDir, 'postgres')))).includes('restore'), false)
    await installation.reader.query('insert into kept (n) values (4)')
    await close(installation)
  })

  it('is restored to a point in time, on a new timeline', async () => {
    const installation = await restoreBackup('between', between)
    assert.deepEqual(installation.rows, [1, 2])
    assert.ok(installation.state.as_of !== null && installation.state.as_of <= between)
    const { rows } = await installation.reader.query<{ timeline: number }>(
      'select timeline_id as timeline from pg_control_checkpoint()',
    )
    assert.equal(rows[0]?.timeline, 2)
    await close(installation)
  })

  it('is restored in full for a time after the last change', async () => {
    const installation = await restoreBackup('after', new Date(Date.now() + 3_600_000).toISOString())
    assert.deepEqual(installation.rows, [0, 1, 2, 3])
    await close(installation)
  })

  it("isn't restored to a time before the first backup, without the key or over another database", async () => {
    await assert.rejects(restoreBackup('past', '2026-01-01T00:00:00Z'), /; the earliest possible time is 20/)
    await assert.rejects(restoreBackup('keyless', null, null), /it is encrypted; set BACKUP_KEY$/)
    for (const name of ['past', 'keyless']) assert.deepEqual(await readdir(join(folder, name)).catch(() => []), [])
    const bases = await listBases(target(), key)
    assert.equal(bases.length, 1)
    await mkdir(join(folder, 'taken', 'postgres'), { recursive: true })
    await assert.rejects(restoreBackup('taken', null), /already has a database: set DATA_DIR to a new folder/)
  })
})
