import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import S3rver from 's3rver'
import { explainTargetFault } from './fault.ts'
import { openTarget } from './open_target.ts'
import { writeBytes, type BackupTarget } from './target.ts'

let directory: string
let server: S3rver
let endpoint: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'callout-target-'))
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(directory, 's3'),
    configureBuckets: [{ name: 'backups' }],
  })
  endpoint = `http://127.0.0.1:${(await server.run()).port}`
})
after(async () => {
  await server.close()
  await rm(directory, { recursive: true })
})

const inFolder = (): BackupTarget => openTarget({ kind: 'directory', directory: join(directory, 'folder') })
const inBucket = (bucket = 'backups'): BackupTarget =>
  openTarget({
    kind: 'bucket',
    endpoint,
    bucket,
    prefix: 'callout/a',
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    sessionToken: null,
  })

async function read(target: BackupTarget, name: string): Promise<Buffer | undefined> {
  const chunks = await target.read(name)
  if (chunks === undefined) return undefined
  const pieces: Buffer[] = []
  for await (const chunk of chunks) pieces.push(chunk)
  return Buffer.concat(pieces)
}

/** Writes part of a file and then fails. */
async function breakOff(sink: Writable, bytes: Buffer): Promise<void> {
  await new Promise((resolve) => sink.write(bytes, resolve))
  throw new Error('cut off')
}

for (const [what, open] of [
  ['a folder', inFolder],
  ['a bucket', inBucket],
] as const) {
  describe(`a backup target: ${what}`, () => {
    it('reads back small and large files, and lists them by name with their sizes', async () => {
      const target = open()
      const [small, large] = [Buffer.from('small'), randomBytes(40 * 2 ** 20)]
      assert.deepEqual(await target.list(''), [])
      assert.equal(await writeBytes(target, 'b/two.gz', small), small.length)
      assert.equal(await writeBytes(target, 'b/one.gz', large), large.length)
      assert.equal(await writeBytes(target, 'empty', Buffer.alloc(0)), 0)
      assert.ok((await read(target, 'b/one.gz'))?.equals(large))
      assert.ok((await read(target, 'b/two.gz'))?.equals(small))
      assert.equal((await read(target, 'empty'))?.length, 0)
      assert.equal(await read(target, 'b/three.gz'), undefined)
      const files = await target.list('b/')
      assert.deepEqual(
        files.map(({ name, bytes }) => [name, bytes]),
        [
          ['b/one.gz', large.length],
          ['b/two.gz', small.length],
        ],
      )
      assert.ok(files.every(({ at }) => Math.abs(Date.now() - at) < 60_000))
      for (const { name } of await target.list('')) await target.remove(name)
      await target.remove('b/one.gz')
      assert.deepEqual(await target.list(''), [])
    })

    it('keeps the previous file when a write fails', async () => {
      const target = open()
      await writeBytes(target, 'kept', Buffer.from('before'))
      for (const bytes of [Buffer.from('after'), randomBytes(33 * 2 ** 20)])
        await assert.rejects(
          target.write('kept', (sink) => breakOff(sink, bytes)),
          /^Error: cut off$/,
        )
      assert.deepEqual(
        (await target.list('')).map(({ name }) => name),
        ['kept'],
      )
      assert.equal(String(await read(target, 'kept')), 'before')
      await target.remove('kept')
    })

    it('rejects names that leave the target or are malformed', async () => {
      const target = open()
      for (const name of ['../x', 'a/../../x', '/etc/passwd', '', '.', 'a//b', 'a\0', '-x', 'a'.repeat(300)]) {
        await assert.rejects(writeBytes(target, name, Buffer.from('x')), /Not a backup name/, name)
        await assert.rejects(async () => target.read(name), /Not a backup name/, name)
        await assert.rejects(async () => target.remove(name), /Not a backup name/, name)
      }
    })
  })
}

describe('a backup directory', () => {
  it('creates the directory and its files for the owner only, but no parent directory', async () => {
    await writeBytes(inFolder(), 'one', Buffer.from('x'))
    assert.equal((await stat(join(directory, 'folder'))).mode & 0o077, 0)
    assert.equal((await stat(join(directory, 'folder', 'one'))).mode & 0o077, 0)
    const gone = openTarget({ kind: 'directory', directory: join(directory, 'unmounted', 'backups') })
    await assert.rejects(writeBytes(gone, 'one', Buffer.from('x')), { code: 'ENOENT' })
    assert.deepEqual(await gone.list(''), [])
  })

  it('removes partial files older than a day and keeps recent ones', async () => {
    const [old, young] = ['old.123.part', 'young.123.part'].map((name) => join(directory, 'folder', name))
    await writeFile(old!, 'x')
    await writeFile(young!, 'x')
    await utimes(old!, 0, 0)
    const listed = (await inFolder().list('')).map(({ name }) => name)
    assert.deepEqual([listed.includes('old.123.part'), listed.includes('young.123.part')], [false, false])
    const left = await readdir(join(directory, 'folder'))
    assert.deepEqual([left.includes('old.123.part'), left.includes('young.123.part')], [false, true])
  })

  it('explains a path that is a file, and passes unrelated errors through', async () => {
    const path = join(directory, 'file')
    await writeFile(path, 'x')
    await chmod(path, 0o600)
    const explainFault = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'done',
        (error: unknown) => explainTargetFault(path, error),
      )
    const target = openTarget({ kind: 'directory', directory: path })
    assert.match(
      await explainFault(writeBytes(target, 'one', Buffer.from('x'))),
      /^The folder .*file is missing or is a file/,
    )
    assert.match(await explainFault(readdir(join(directory, 'gone'))), /^ENOENT: no such file or directory, scandir/)
  })
})

describe('a backup bucket', () => {
  it('reports NoSuchBucket when the bucket does not exist', async () => {
    await assert.rejects(writeBytes(inBucket('none'), 'one', Buffer.from('x')), /PUT with 404: NoSuchBucket/)
    await assert.rejects(inBucket('none').list(''), /GET with 404: NoSuchBucket/)
  })
})
