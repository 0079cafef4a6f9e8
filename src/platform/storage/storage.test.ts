import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import S3rver from 's3rver'
import { KEYS, REGION, startBucket } from '../../../test/harness/files/bucket.ts'
import { newId } from '../validation/id.ts'
import { openStorage } from './open_storage.ts'
import type { Storage } from './storage.ts'

const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251))
const keyOf = (): string => `${newId()}/${newId()}/${newId()}`

async function read(storage: Storage, key: string): Promise<Buffer | undefined> {
  const stream = await storage.get(key)
  return stream && Buffer.from(await new Response(stream).arrayBuffer())
}

let directory: string
let bucket: Awaited<ReturnType<typeof startBucket>>
let server: S3rver
let endpoint: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'callout-files-'))
  bucket = await startBucket()
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(directory, 's3'),
    configureBuckets: [{ name: 'files' }],
  })
  endpoint = `http://127.0.0.1:${(await server.run()).port}`
})
after(async () => {
  await server.close()
  await rm(directory, { recursive: true })
  await bucket.stop()
})

const inDirectory = (): Storage => openStorage({ kind: 'directory', directory: join(directory, 'files') })
const inBucket = (given: { secretAccessKey?: string; prefix?: string } = {}): Storage =>
  openStorage({
    kind: 'bucket',
    endpoint: bucket.endpoint,
    bucket: 'files',
    prefix: '',
    region: REGION,
    ...KEYS,
    sessionToken: null,
    ...given,
  })

/** Opens storage with the server's credentials. */
const onServer = (given: { bucket?: string } = {}): Storage =>
  openStorage({
    kind: 'bucket',
    endpoint,
    bucket: 'files',
    prefix: 'a/b',
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    sessionToken: null,
    ...given,
  })

for (const [name, open] of [
  ['a directory', inDirectory],
  ['a bucket', inBucket],
  ['an S3 server', onServer],
] as const) {
  describe(name, () => {
    it('returns the last saved content, and nothing after it was removed', async () => {
      const storage = open()
      const key = keyOf()
      assert.equal(await read(storage, key), undefined)
      await storage.save(key, Buffer.from('first'), 'text/plain')
      await storage.save(key, bytes, 'application/pdf')
      assert.ok((await read(storage, key))!.equals(bytes))
      assert.equal(await read(storage, keyOf()), undefined)
      await storage.remove(key)
      await storage.remove(key)
      assert.equal(await read(storage, key), undefined)
    })

    it('accepts an empty file', async () => {
      const key = keyOf()
      await open().save(key, Buffer.alloc(0), 'text/plain')
      assert.equal((await read(open(), key))!.length, 0)
    })
  })
}

describe('directory storage', () => {
  it('rejects keys that leave the directory', async () => {
    const storage = inDirectory()
    for (const key of ['../x', `${newId()}/../../x`, '/etc/passwd', '', newId().toUpperCase(), `${newId()}\0`]) {
      await assert.rejects(storage.save(key, bytes, 'text/plain'), /Not a storage key/, key)
      await assert.rejects(storage.get(key), /Not a storage key/, key)
    }
  })

  it('leaves no partial files and nothing readable by others', async () => {
    const storage = inDirectory()
    const [tenant, message, file] = [newId(), newId(), newId()]
    await Promise.all(
      Array.from({ length: 5 }, () => storage.save(`${tenant}/${message}/${file}`, bytes, 'text/plain')),
    )
    const place = join(directory, 'files', tenant, message)
    assert.deepEqual(await readdir(place), [file])
    assert.equal((await stat(join(place, file))).mode & 0o077, 0)
  })
})

describe('bucket storage', () => {
  it('saves objects under bucket and prefix with their type', async () => {
    const key = keyOf()
    await inBucket({ prefix: 'callout/a b' }).save(key, bytes, 'image/png')
    assert.equal(bucket.objects.get(`/files/callout/a%20b/${key}`)!.type, 'image/png')
  })

  it('throws the status and reason of a failed request', async () => {
    await assert.rejects(
      inBucket({ secretAccessKey: 'wrong' }).save(keyOf(), bytes, 'image/png'),
      /Storage answered PUT with 403: .*SignatureDoesNotMatch/,
    )
    await assert.rejects(inBucket({ secretAccessKey: 'wrong' }).get(keyOf()), /Storage answered GET with 403/)
    bucket.setBroken(true)
    await assert.rejects(
      inBucket()
        .save(keyOf(), bytes, 'image/png')
        .finally(() => bucket.setBroken(false)),
      /Storage answered PUT with 503/,
    )
  })
})

describe('another S3 server', () => {
  it('reports NoSuchBucket when the bucket is missing', async () => {
    await assert.rejects(onServer({ bucket: 'none' }).save(keyOf(), bytes, 'text/plain'), /PUT with 404: NoSuchBucket/)
  })
})
