import { Writable } from 'node:stream'
import { callbackify } from 'node:util'
import { openBucketRequest, putRequest, requireOk, type BucketRequest } from '../../platform/storage/storage_bucket.ts'
import type { Bucket } from '../../platform/storage/storage.ts'
import { requireBackupName } from './names.ts'
import type { BackupFile, BackupTarget } from './target.ts'

/** Size in bytes of an upload part. With S3's limit of 10,000 parts, a file can have 320 GB. */
const PART_BYTES = 32 * 2 ** 20
/** Bytes to read per request, within its time limit. */
const SLICE_BYTES = 16 * 2 ** 20
const TYPE = 'application/octet-stream'

/** Opens a bucket of an S3-compatible service for backups. */
export function openBackupBucket(bucket: Bucket): BackupTarget {
  const request = openBucketRequest(bucket)
  return {
    label: `s3://${[bucket.bucket, bucket.prefix].filter((part) => part !== '').join('/')}`,
    write: async (name, fill) => {
      const upload = openUpload(request, requireBackupName(name))
      const [add, finish] = [callbackify(upload.add), callbackify(upload.finish)]
      const sink = new Writable({
        highWaterMark: 2 ** 20,
        write: (chunk: Buffer, _, done) => add(chunk, done),
        final: (done) => finish(done),
      })
      try {
        await fill(sink)
        return upload.size()
      } catch (error) {
        await upload.cancel().catch(() => {})
        throw error
      }
    },
    read: async (name) => readSlices(request, requireBackupName(name)),
    list: (prefix) => listBucket(request, bucket, prefix),
    remove: async (name) =>
      void (await requireOk(await request(requireBackupName(name), { method: 'DELETE' }), 'DELETE')),
  }
}

/** Uploads a file in parts, or with one PUT if it fits into a part. The bucket shows it only once complete. */
function openUpload(request: BucketRequest, name: string) {
  let chunks: Buffer[] = []
  let [length, total] = [0, 0]
  let id: string | undefined
  const tags: string[] = []
  const send = async (): Promise<void> => {
    id ??= tagIn(await requireOk(await request(name, { method: 'POST' }, { uploads: '' }), 'POST'), 'UploadId')
    const query = { partNumber: String(tags.length + 1), uploadId: id }
    const response = await request(name, putRequest(Buffer.concat(chunks, length), TYPE), query)
    await requireOk(response, 'PUT')
    tags.push(response.headers.get('etag') ?? '')
    chunks = []
    length = 0
  }
  return {
    size: (): number => total,
    add: async (chunk: Buffer): Promise<void> => {
      chunks.push(chunk)
      length += chunk.length
      total += chunk.length
      if (length >= PART_BYTES) await send()
    },
    finish: async (): Promise<void> => {
      if (id === undefined)
        return void (await requireOk(await request(name, putRequest(Buffer.concat(chunks, length), TYPE)), 'PUT'))
      if (length > 0) await send()
      const parts = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`)
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      const text = await requireOk(await request(name, { method: 'POST', body }, { uploadId: id }), 'POST')
      // S3 may report that it couldn't complete the upload only in the body of a 200.
      if (text.includes('<Error>')) throw new Error(`Storage answered POST with ${tagIn(text, 'Code')}`)
    },
    cancel: async (): Promise<void> => {
      if (id !== undefined) await requireOk(await request(name, { method: 'DELETE' }, { uploadId: id }), 'DELETE')
    },
  }
}

/** Reads a file in slices, so that each request stays within its time limit. */
async function readSlices(request: BucketRequest, name: string): Promise<AsyncIterable<Buffer> | undefined> {
  const head = await request(name, { method: 'HEAD' })
  if (head.status === 404) return undefined
  await requireOk(head, 'HEAD')
  const total = Number(head.headers.get('content-length'))
  return (async function* () {
    for (let at = 0; at < total; at += SLICE_BYTES) {
      const range = `bytes=${at}-${Math.min(at + SLICE_BYTES, total) - 1}`
      const response = await request(name, { headers: { Range: range } })
      if (!response.ok) await requireOk(response, 'GET')
      yield Buffer.from(await response.arrayBuffer())
    }
  })()
}

async function listBucket(request: BucketRequest, { prefix }: Bucket, folder: string): Promise<BackupFile[]> {
  const root = prefix === '' ? '' : `${prefix}/`
  const files: BackupFile[] = []
  let token: string | undefined
  do {
    const query = { 'list-type': '2', prefix: `${root}${folder}`, ...(token && { 'continuation-token': token }) }
    const text = await requireOk(await request('', {}, query), 'GET')
    for (const [, object = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const name = unescapeXml(tagIn(object, 'Key')).slice(root.length)
      files.push({ name, bytes: Number(tagIn(object, 'Size')), at: Date.parse(tagIn(object, 'LastModified')) })
    }
    token = text.includes('<IsTruncated>true') ? unescapeXml(tagIn(text, 'NextContinuationToken')) : undefined
  } while (token !== undefined)
  return files.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function tagIn(text: string, tag: string): string {
  const [, value] = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text) ?? []
  if (value === undefined) throw new Error(`Storage answered without ${tag}`)
  return value
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}
const unescapeXml = (text: string): string =>
  text.replace(/&(?:quot|apos|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? '')
const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
