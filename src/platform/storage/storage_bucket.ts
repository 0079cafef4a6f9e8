import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { Bucket, Storage } from './storage.ts'

const TIMEOUT_MS = 60_000

/** Sends a request for a key of a bucket, or for the bucket itself with an empty key. */
export type BucketRequest = (
  key: string,
  init: RequestInit,
  query?: Readonly<Record<string, string>>,
) => Promise<Response>

/** Returns a function that signs and sends requests to a bucket of an S3-compatible service, path-style. */
export function openBucketRequest({
  endpoint,
  bucket,
  prefix,
  region,
  accessKeyId,
  secretAccessKey,
  sessionToken,
}: Bucket): BucketRequest {
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === null ? {} : { sessionToken }),
    service: 's3',
    region,
    retries: 2,
  })
  const addressOf = (key: string): string =>
    `${endpoint}/${[bucket, ...(key === '' ? [] : [...prefix.split('/'), ...key.split('/')])]
      .filter((part) => part !== '')
      .map(encodeURIComponent)
      .join('/')}`
  return (key, init, query) =>
    client.fetch(`${addressOf(key)}${query === undefined ? '' : `?${new URLSearchParams(query).toString()}`}`, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])]),
    })
}

/** Returns the options of a PUT request with these bytes. */
export const putRequest = (bytes: Buffer, type: string): RequestInit => ({
  method: 'PUT',
  body: new Uint8Array(bytes),
  headers: { 'Content-Type': type, 'X-Amz-Content-Sha256': createHash('sha256').update(bytes).digest('hex') },
})

/** Opens a bucket for attachments. */
export function openBucket(bucket: Bucket): Storage {
  const request = openBucketRequest(bucket)
  return {
    save: async (key, bytes, type) => void (await requireOk(await request(key, putRequest(bytes, type)), 'PUT')),
    get: async (key) => {
      const response = await request(key, {})
      // Read whole, within the timeout, because the consumer may be slow.
      if (response.ok) return new Blob([await response.arrayBuffer()]).stream()
      if (response.status !== 404) await requireOk(response, 'GET')
      return undefined
    },
    remove: async (key) => void (await requireOk(await request(key, { method: 'DELETE' }), 'DELETE')),
  }
}

/** Returns the text of a response. Throws if the bucket refuses, with only its code: the rest may repeat a token. */
export async function requireOk(response: Response, method: string): Promise<string> {
  const text = await response.text()
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? 'no code'
  if (!response.ok) throw new Error(`Storage answered ${method} with ${response.status}: ${code}`)
  return text
}
