import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { Bucket, Storage } from './storage.ts'

const WITHIN_MS = 60_000

/** Opens a bucket of an S3-compatible service, its name in the path of the endpoint. */
export function openBucket({
  endpoint,
  bucket,
  prefix,
  region,
  accessKeyId,
  secretAccessKey,
  sessionToken,
}: Bucket): Storage {
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === null ? {} : { sessionToken }),
    service: 's3',
    region,
    retries: 2,
  })
  const addressOf = (key: string): string =>
    `${endpoint}/${[bucket, ...prefix.split('/'), ...key.split('/')]
      .filter((part) => part !== '')
      .map(encodeURIComponent)
      .join('/')}`
  const ask = (key: string, init: RequestInit): Promise<Response> =>
    client.fetch(addressOf(key), { ...init, redirect: 'error', signal: AbortSignal.timeout(WITHIN_MS) })
  return {
    save: async (key, bytes, type) => {
      const body = new Uint8Array(bytes)
      await requireOk(
        await ask(key, {
          method: 'PUT',
          body,
          headers: { 'Content-Type': type, 'X-Amz-Content-Sha256': createHash('sha256').update(bytes).digest('hex') },
        }),
        'PUT',
      )
    },
    get: async (key) => {
      const response = await ask(key, {})
      // It is read whole, within the time: whoever takes it from here may be slow.
      if (response.ok) return new Blob([await response.arrayBuffer()]).stream()
      if (response.status !== 404) await requireOk(response, 'GET')
      return undefined
    },
    remove: async (key) => requireOk(await ask(key, { method: 'DELETE' }), 'DELETE'),
  }
}

/** Throws when a bucket refuses, with its code for the log; the rest may repeat a token. */
async function requireOk(response: Response, method: string): Promise<void> {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(await response.text())?.[1] ?? 'no code'
  if (!response.ok) throw new Error(`Storage answered ${method} with ${response.status}: ${code}`)
}
