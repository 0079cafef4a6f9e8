import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, it } from 'node:test'
import { createGzip } from 'node:zlib'
import { restoreBackup, readManifest } from '../../../src/backup/archive/restore.ts'
import { takeBackup } from '../../../src/backup/archive/take.ts'
import { END_BLOCKS, blocksOf, type ArchiveEntry } from '../../../src/backup/archive/tar.ts'
import type { Storage } from '../../../src/platform/storage/storage.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import type { EmptyDatabase } from '../../harness/database/empty_database.ts'
import type { TestService } from '../../harness/harness.ts'
import { openWitness } from '../../harness/clients/witness.ts'
import { digestOf, readEntries, openArchives, withEmpty, type Archives } from './archives.ts'

let folder: string
let service: TestService
let files: Storage
let key: string
let backup: string
let directory: Archives['directory']
let read: Archives['read']
let changed: Archives['changed']
let stop: Archives['stop']
before(async () => {
  ;({ folder, service, files, key, backup, directory, read, changed, stop } = await openArchives())
})
after(() => stop())

const editing =
  (which: string, edit: (value: never) => void) =>
  (entries: ArchiveEntry[]): ArchiveEntry[] =>
    entries.map((entry) => {
      if (entry.name !== which) return entry
      const value = JSON.parse(entry.bytes.toString()) as never
      edit(value)
      return { ...entry, bytes: Buffer.from(JSON.stringify(value)) }
    })

describe('a restore or backup is refused for', () => {
  /** Asserts that the database has no table and the folder no file. */
  const nothing = async ({ owner }: EmptyDatabase, place: string): Promise<void> => {
    const witness = await openWitness({ owner })
    assert.deepEqual(await witness.rows(`select relname from pg_class where relnamespace = 'public'::regnamespace`), [])
    await witness.close()
    const left = await readdir(join(folder, place), { recursive: true, withFileTypes: true }).catch(() => [])
    assert.deepEqual(
      left.filter((entry) => entry.isFile()).map(({ name }) => name),
      [],
    )
  }

  const damages: [what: string, make: () => Promise<string>, says: RegExp][] = [
    ['a file that is not there', async () => join(folder, 'nowhere.tar.gz'), /: there is no such file$/],
    ['a directory', async () => folder, /: it is a directory$/],
    [
      'another file',
      async () => {
        await writeFile(join(folder, 'text'), 'select 1')
        return join(folder, 'text')
      },
      /: it is not a backup, or was changed$/,
    ],
    [
      'an empty file',
      async () => {
        await writeFile(join(folder, 'empty'), '')
        return join(folder, 'empty')
      },
      /: it is truncated$/,
    ],
    ['another archive', () => changed('other.tar.gz', (entries) => entries.slice(1)), /: it is not a backup$/],
    ['one without an end', () => changed('endless.tar.gz', (entries) => entries.slice(0, -1)), /: it is truncated$/],
    [
      'one with more after its end',
      () => changed('more.tar.gz', (entries) => [...entries, entries[1]!]),
      /: it has data after its end$/,
    ],
    [
      'one that lacks rows',
      () => changed('short.tar.gz', (entries) => entries.filter(({ name }) => !name.startsWith('tables/audit/'))),
      /: it has 0 rows of audit and should have \d+$/,
    ],
    [
      'one that lacks a file',
      () => changed('fileless.tar.gz', (entries) => entries.filter(({ name }) => !name.startsWith('files/'))),
      /: it has 0 files and should have 1$/,
    ],
    [
      'one with a file of nobody',
      () =>
        changed('stray.tar.gz', (entries) =>
          entries.map((entry) => (entry.name.startsWith('files/') ? { ...entry, name: `files/${newId()}` } : entry)),
        ),
      /: it has a file that no row refers to/,
    ],
    [
      'one with an entry that leads elsewhere',
      () =>
        changed('astray.tar.gz', (entries) =>
          entries.map((entry) => (entry.name.startsWith('files/') ? { ...entry, name: 'files/../../x' } : entry)),
        ),
      /: it has an unknown entry, files/,
    ],
    [
      'one with rows of another table',
      () =>
        changed('tables.tar.gz', (entries) =>
          entries.map((entry) =>
            entry.name.startsWith('tables/audit/') ? { ...entry, name: 'tables/pg_class/000001.copy' } : entry,
          ),
        ),
      /: it has rows of pg_class, a table that isn't in its schema$/,
    ],
    [
      'one of a row that points nowhere',
      () =>
        changed('orphans.tar.gz', (entries) =>
          editing('end.json', (value: { rows: Record<string, number> }) => {
            value.rows['users'] = 0
          })(entries.filter(({ name }) => !name.startsWith('tables/users/'))),
        ),
      /: insert or update on table "\w+" violates foreign key constraint/,
    ],
    [
      'one of a later version',
      () =>
        changed(
          'later.tar.gz',
          editing('callout-backup.json', (value: { migrations: object[] }) =>
            value.migrations.push({ name: '999_later', checksum: 'x' }),
          ),
        ),
      /: migration 999_later is unknown here; upgrade Callout first$/,
    ],
    [
      'one of another schema',
      () =>
        changed(
          'else.tar.gz',
          editing('callout-backup.json', (value: { migrations: { checksum: string }[] }) => {
            value.migrations[0]!.checksum = 'x'
          }),
        ),
      /: migration 001_tenants is different here$/,
    ],
    [
      'one of another format',
      () =>
        changed(
          'format.tar.gz',
          editing('callout-backup.json', (value: { format: number }) => {
            value.format = 3
          }),
        ),
      /: it is a backup in another format$/,
    ],
  ]
  for (const [i, [what, make, says]] of damages.entries()) {
    it(`${what}, and nothing is left`, () =>
      withEmpty(async (empty) => {
        const path = await make()
        await assert.rejects(
          restoreBackup(empty.owner, directory(`refused${i}`), path),
          (error: Error) => error.message.startsWith(`${path} was not restored: `) && says.test(error.message),
        )
        await nothing(empty, `refused${i}`)
      }))
  }

  /**
   * Returns an archive with valid first entries and then an entry of zeros. Without a name, the zeros follow its end.
   */
  async function bomb(before: number, name: string, mib: number): Promise<string> {
    const path = join(folder, 'bomb.tar.gz')
    const zeros = Buffer.alloc(2 ** 20)
    await pipeline(
      async function* () {
        for (const entry of (await readEntries(backup)).slice(0, before)) yield* blocksOf(entry)
        yield name === '' ? END_BLOCKS : blocksOf({ name, bytes: { length: mib * 2 ** 20 } as Buffer })[0]
        for (let i = 0; i < mib; i++) yield zeros
        if (name !== '') yield END_BLOCKS
      },
      createGzip({ level: 1 }),
      createWriteStream(path),
    )
    return path
  }

  for (const [what, before, name, says] of [
    [
      'in its first entry',
      0,
      'callout-backup.json',
      /: its entry callout-backup\.json has 209715200 bytes; the maximum is 16777216$/,
    ],
    ['in an entry of no kind', 1, 'x', /: it has an unknown entry, x$/],
    ['in a table', 1, 'tables/audit/000001.copy', /: it has rows that aren't text$/],
    [
      'in a file of nobody',
      1,
      `files/${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`,
      /: it has a file that no row refers to/,
    ],
    ['at its end', 1, 'end.json', /: its entry end\.json has 209715200 bytes/],
    ['after its end', 1, '', /: it has data after its end$/],
  ] as const) {
    it(`an archive with a decompression bomb ${what}, using less than 64 MiB`, () =>
      withEmpty(async (empty) => {
        const path = await bomb(before, name, 200)
        const begun = process.memoryUsage().arrayBuffers
        let most = 0
        const watching = setInterval(() => {
          most = Math.max(most, process.memoryUsage().arrayBuffers - begun)
        }, 1)
        await assert.rejects(
          restoreBackup(empty.owner, directory('bomb'), path),
          (error: Error) => error.message.startsWith(`${path} was not restored: `) && says.test(error.message),
        )
        clearInterval(watching)
        assert.ok(most < 64 * 2 ** 20, `${most} bytes`)
        await nothing(empty, 'bomb')
      }))
  }

  it('an archive that is truncated or has a flipped bit, and nothing is left', () =>
    withEmpty(async (empty) => {
      const whole = await readFile(backup)
      const path = join(folder, 'damaged.tar.gz')
      for (const part of [0.01, 0.5, 0.99, 0.99999]) {
        await writeFile(path, whole.subarray(0, Math.floor(whole.length * part)))
        await assert.rejects(restoreBackup(empty.owner, directory('damaged'), path), /it is truncated$/)
        const bent = Buffer.from(whole)
        bent[Math.floor(whole.length * part)]! ^= 4
        await writeFile(path, bent)
        await assert.rejects(restoreBackup(empty.owner, directory('damaged'), path), /was not restored: /)
      }
      await nothing(empty, 'damaged')
    }))

  it("a database that isn't empty, which stays unchanged", async () => {
    const before = await digestOf(service)
    await assert.rejects(
      restoreBackup(service.owner, directory('taken'), backup),
      /was not restored: the database is not empty; set DATABASE_URL or DATA_DIR to a new one$/,
    )
    assert.deepEqual(await digestOf(service), before)
  })

  it('storage with another file under the same key, which stays unchanged', () =>
    withEmpty(async (empty) => {
      await directory('occupied').save(key, Buffer.from('another'), 'text/plain')
      await assert.rejects(
        restoreBackup(empty.owner, directory('occupied'), backup),
        /storage already has a different file .*; set/,
      )
      assert.equal((await read(directory('occupied')))!.toString(), 'another')
    }))

  it('storage that fails, and rows and files are removed again', () =>
    withEmpty(async (empty) => {
      const failing: Storage = {
        ...directory('failing'),
        save: async (to, bytes, type) => {
          await directory('failing').save(to, bytes, type)
          throw new Error('no room')
        },
      }
      await assert.rejects(restoreBackup(empty.owner, failing, backup), /was not restored: no room$/)
      await nothing(empty, 'failing')
    }))

  it('an existing target file, a missing folder and a database without a schema', () =>
    withEmpty(async (empty) => {
      const before = await readFile(backup)
      await assert.rejects(takeBackup(service.owner, files, backup), /already exists; choose another file$/)
      assert.ok(before.equals(await readFile(backup)))
      await assert.rejects(
        takeBackup(service.owner, files, join(folder, 'no', 'where')),
        /The directory .* does not exist$/,
      )
      await assert.rejects(takeBackup(empty.owner, files, join(folder, 'none')), /has no schema yet/)
    }))

  it('storage that fails during a backup, and no file is left', async () => {
    const path = join(folder, 'failed.tar.gz')
    await assert.rejects(
      takeBackup(service.owner, { ...files, get: () => Promise.reject(new Error('unreachable')) }, path),
      /unreachable/,
    )
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('failed')),
      [],
    )
  })

  it('a missing file when only the manifest is read', async () => {
    assert.equal((await readManifest(backup)).migrations[0]!.name, '001_tenants')
    await assert.rejects(readManifest(join(folder, 'nowhere')), /nowhere was not restored: there is no such file$/)
  })
})
