import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { takeBackup } from '../../../src/backup/archive/take.ts'
import { restoreBackup } from '../../../src/backup/archive/restore.ts'
import { upgradeMajorVersion } from '../../../src/cli/upgrade/next_major.ts'
import { startEmbedded } from '../../../src/platform/db/embedded/embedded.ts'
import { idsOf, serverAccount } from '../../../src/platform/db/embedded/user.ts'
import { missingMigrations } from '../../../src/platform/db/migrations/migrate.ts'
import { openServiceDatabase } from '../../../src/platform/db/open.ts'
import { openStorage } from '../../../src/platform/storage/open_storage.ts'
import { openWitness } from '../../harness/clients/witness.ts'
import { MONEY } from '../../harness/money/money_kept.ts'

/** An earlier PostgreSQL on this machine, whose data files ours can't open. */
const PREVIOUS = ['17', '16', '15'].map((major) => `/usr/lib/postgresql/${major}`).find((path) => existsSync(path))
const kept = new URL('../../fixtures/schemas/500_trusted_domains', import.meta.url).pathname

let folder: string
let money: unknown[]
before(async () => {
  if (PREVIOUS === undefined) return
  folder = await mkdtemp(join(tmpdir(), 'callout-major-'))
  await chmod(folder, 0o755)
  await makeOldCluster()
})
after(async () => {
  if (PREVIOUS !== undefined) await rm(folder, { recursive: true, force: true })
})

const dataDir = (): string => join(folder, 'data')
const storage = () => openStorage({ kind: 'directory', directory: join(folder, 'files') })

/** Creates a data directory with an installation, as a release with that PostgreSQL would. */
async function makeOldCluster(): Promise<void> {
  const home = join(dataDir(), 'postgres')
  await mkdir(home, { recursive: true })
  const account = await serverAccount(dataDir())
  await writeFile(join(home, 'password'), 'secret\n', { mode: 0o600 })
  if (account) for (const path of [home, join(home, 'password')]) await chown(path, account.uid, account.gid)
  const choices = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(`${PREVIOUS}/bin/initdb`, [`--pgdata=${home}/data`, `--pwfile=${home}/password`, ...choices], {
    ...idsOf(account),
    cwd: home,
    stdio: 'ignore',
  })
  const old = await startEmbedded({ dataDir: dataDir(), previous: PREVIOUS!, settings: { fsync: 'off' } })
  try {
    await restoreBackup(old.connection, storage(), `${kept}.tar.gz`)
    money = await ask(old.connection, MONEY)
    await openServiceDatabase(old.connection, null).then((database) => database.close())
  } finally {
    await old.stop()
  }
}

async function ask(owner: Parameters<typeof takeBackup>[0], query: string): Promise<unknown[]> {
  const witness = await openWitness({ owner })
  return witness.rows(query).finally(() => witness.close())
}

const takeOver = (previous: string | null, lines: string[] = []): Promise<void> =>
  upgradeMajorVersion(
    { databaseUrl: null, dataDir: dataDir(), postgresPrevious: previous },
    (line) => void lines.push(line),
  )

const major = (): Promise<string> => readFile(join(dataDir(), 'postgres/data/PG_VERSION'), 'utf8')

const skip = PREVIOUS === undefined && 'no PostgreSQL 15 to 17 is installed in /usr/lib/postgresql'

describe('a database of an earlier PostgreSQL major version', { skip }, () => {
  it('stays unchanged if POSTGRES_PREVIOUS is missing or wrong', async () => {
    const before = await major()
    await takeOver(null)
    await assert.rejects(
      startEmbedded({ dataDir: dataDir() }),
      /Set POSTGRES_PREVIOUS to the directory of the Callout release/,
    )
    await assert.rejects(takeOver(folder), /POSTGRES_PREVIOUS is .*, which has no Callout with its PostgreSQL\.$/)
    const ours = new URL('../../..', import.meta.url).pathname
    await assert.rejects(takeOver(ours), /POSTGRES_PREVIOUS is .*, whose PostgreSQL is not \d+ either\.$/)
    assert.equal(await major(), before)
    assert.deepEqual((await readdir(dataDir())).sort(), ['postgres', 'postgres.log'])
  })

  it('stays unchanged if a service is running on it', async () => {
    const old = await startEmbedded({ dataDir: dataDir(), previous: PREVIOUS! })
    const { acquireLock } = await import('../../../src/platform/db/open.ts')
    const lock = await acquireLock(old.connection, dataDir())
    await assert.rejects(takeOver(PREVIOUS!), /A service is already running on /)
    assert.deepEqual(await ask(old.connection, MONEY), money)
    await lock.end()
    await old.stop()
  })

  it('is upgraded with every row, and its old files are kept', async () => {
    const before = (await major()).trim()
    const lines: string[] = []
    await takeOver(PREVIOUS!, lines)
    assert.match(lines.join('\n'), new RegExp(`Migrating the database from PostgreSQL ${before} to 18\\.`))
    assert.equal((await major()).trim(), '18')
    assert.ok((await lstat(join(dataDir(), `postgres.${before}/data`))).isDirectory())
    assert.equal(existsSync(join(dataDir(), 'postgres.next')), false)
    const server = await startEmbedded({ dataDir: dataDir() })
    try {
      assert.deepEqual(await ask(server.connection, MONEY), money)
      assert.deepEqual(await missingMigrations(server.connection), [])
      await openServiceDatabase(server.connection, null).then((database) => database.close())
    } finally {
      await server.stop()
    }
    await takeOver(PREVIOUS!, lines)
    assert.equal(lines.length, 2)
  })

  it('is found after an interrupted exchange of folders', async () => {
    await mkdir(join(dataDir(), 'postgres.next'))
    await rename(join(dataDir(), 'postgres'), join(dataDir(), 'postgres.next/postgres'))
    const server = await startEmbedded({ dataDir: dataDir() })
    assert.deepEqual(await ask(server.connection, MONEY), money)
    await server.stop()
  })
})
