import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, it } from 'node:test'
import { createGzip, gunzipSync } from 'node:zlib'
import { streamArchive } from '../../../src/backup/archive/archive.ts'
import { restoreBackup } from '../../../src/backup/archive/restore.ts'
import { takeBackup, takeBackupTo } from '../../../src/backup/archive/take.ts'
import { END_BLOCKS, blocksOf, checksumBlocksOf } from '../../../src/backup/archive/tar.ts'
import { verifyBackup } from '../../../src/backup/archive/verify.ts'
import { digestOf, readEntries, openArchives, withEmpty, type Archives } from './archives.ts'

const [key, other] = [randomBytes(32), randomBytes(32)]

let archives: Archives
let encrypted: string
before(async () => {
  archives = await openArchives()
  encrypted = join(archives.folder, 'encrypted.tar.gz')
  await takeBackup(archives.service.owner, archives.files, encrypted, key)
})
after(() => archives.stop())

describe('verifying a backup', () => {
  it('returns the counts of rows and files', async () => {
    const { rows, files, missing } = await verifyBackup(archives.backup, null)
    assert.deepEqual([rows['tenants'], files, missing], [2, 1, []])
    const entries = await readEntries(archives.backup)
    assert.equal(Object.keys(rows).length > 50 && entries.length > 10, true)
  })

  it('relies on a checksum for each entry', async () => {
    const text = gunzipSync(await readFile(archives.backup)).toString('latin1')
    assert.equal(text.split('CALLOUT.sha256=').length - 1, (await readEntries(archives.backup)).length)
  })

  /** Writes a valid gzip archive in which one entry doesn't match its checksum, or has none. */
  async function forge(change: (name: string) => boolean, hasSum = true): Promise<string> {
    const path = join(archives.folder, 'forged.tar.gz')
    const entries = await readEntries(archives.backup)
    await pipeline(
      async function* () {
        for (const entry of entries) {
          const isIt = change(entry.name)
          if (!isIt || hasSum) yield* checksumBlocksOf(entry)
          const bytes = Buffer.from(entry.bytes)
          if (isIt && hasSum) bytes[bytes.length - 2]! ^= 1
          yield* blocksOf({ ...entry, bytes })
        }
        yield END_BLOCKS
      },
      createGzip(),
      createWriteStream(path),
    )
    return path
  }

  for (const [what, folder] of [
    ['rows', 'tables/customers/'],
    ['a file', 'files/'],
  ] as const) {
    it(`rejects ${what} that don't match the checksum, and so does a restore`, async () => {
      const path = await forge((name) => name.startsWith(folder))
      await assert.rejects(verifyBackup(path, null), /was not verified: its entry .* does not match its checksum$/)
      await withEmpty(async (empty) => {
        await assert.rejects(restoreBackup(empty.owner, archives.directory(`forged-${what}`), path), /checksum$/)
      })
    })
  }

  it('rejects an entry without a checksum', async () => {
    const path = await forge((name) => name.startsWith('tables/customers/'), false)
    await assert.rejects(verifyBackup(path, null), /: its entry tables\/customers\/000001\.copy has no checksum$/)
  })

  it('rejects a truncated file, missing rows and a file that is no backup', async () => {
    const [bytes, path] = [await readFile(archives.backup), join(archives.folder, 'damaged.tar.gz')]
    await writeFile(path, bytes.subarray(0, bytes.length / 2))
    await assert.rejects(verifyBackup(path, null), /was not verified: it is truncated$/)
    const short = await archives.changed('short.tar.gz', (entries) =>
      entries.filter(({ name }) => !name.startsWith('tables/customers/')),
    )
    await assert.rejects(verifyBackup(short, null), /it has 0 rows of customers and should have 2$/)
    await writeFile(path, 'text')
    await assert.rejects(verifyBackup(path, null), /it is not a backup, or was changed$/)
  })
})

describe('an encrypted backup', () => {
  it('is unreadable without its key, and is verified and restored with it', async () => {
    assert.ok((await readFile(encrypted)).subarray(0, 20).equals(Buffer.from('callout-encrypted-1\n')))
    assert.equal((await verifyBackup(encrypted, key)).files, 1)
    await assert.rejects(verifyBackup(encrypted, null), /it is encrypted; set BACKUP_KEY$/)
    await assert.rejects(verifyBackup(encrypted, other), /BACKUP_KEY is not the key/)
    await withEmpty(async (empty) => {
      await assert.rejects(restoreBackup(empty.owner, archives.directory('sealed'), encrypted), /set BACKUP_KEY$/)
      await restoreBackup(empty.owner, archives.directory('sealed'), encrypted, { key })
      assert.deepEqual(await digestOf(empty), await digestOf(archives.service))
    })
  })
})

describe('a streamed backup', () => {
  it('equals one in a file and respects backpressure', async () => {
    const [sink, path] = [new PassThrough(), join(archives.folder, 'streamed.tar.gz')]
    let ended = false
    const backup = takeBackupTo(archives.service.owner, archives.files, (fill) => streamArchive(sink, fill, null)).then(
      (made) => {
        ended = true
        return made
      },
    )
    await new Promise((resolve) => setTimeout(resolve, 500))
    assert.equal(ended, false)
    await pipeline(sink, createWriteStream(path))
    const made = await backup
    assert.deepEqual((await verifyBackup(path, null)).rows, made.rows)
  })

  it('fails if the reader closes the stream', async () => {
    const sink = new PassThrough()
    sink.once('data', () => sink.destroy())
    await assert.rejects(
      takeBackupTo(archives.service.owner, archives.files, (fill) => streamArchive(sink, fill, null)),
      /Premature close/,
    )
  })

  it('is refused while another process makes a backup', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let signalStart = (): void => {}
    const isBegun = new Promise<void>((resolve) => {
      signalStart = resolve
    })
    const { owner } = archives.service
    const first = takeBackupTo(owner, archives.files, () => (signalStart(), held), { isAlone: true })
    await isBegun
    await assert.rejects(
      takeBackupTo(owner, archives.files, async () => {}, { isAlone: true }),
      /^Error: Another process is making a backup$/,
    )
    release()
    await first
    await takeBackupTo(owner, archives.files, async () => {}, { isAlone: true })
  })
})
