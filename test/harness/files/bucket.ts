import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export const KEYS = { accessKeyId: 'AKIDTEST', secretAccessKey: 'secret/of+the/bucket' }
export const REGION = 'eu-test-1'

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()

/**
 * Starts an object store that rejects requests without a valid Signature Version 4. The check follows the
 * specification.
 */
export async function startBucket() {
  const objects = new Map<string, { type: string; bytes: Buffer }>()
  const requests: string[] = []
  let broken = false
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const body = Buffer.concat(chunks)
        const path = req.url!
        const found = objects.get(path)
        requests.push(`${req.method} ${path}`)
        if (broken) return void res.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
        if (!isSigned(req, body))
          return void res.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
        if (req.method === 'PUT') objects.set(path, { type: req.headers['content-type'] ?? '', bytes: body })
        if (req.method === 'DELETE') objects.delete(path)
        if (req.method !== 'GET') return void res.writeHead(req.method === 'PUT' ? 200 : 204).end()
        if (found === undefined) return void res.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
        res.writeHead(200, { 'Content-Type': found.type }).end(found.bytes)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    objects,
    requests,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setBroken: (is: boolean): void => void (broken = is),
    stop: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/

/** Checks whether a request to S3 has a valid Signature Version 4 in its Authorization header. */
function isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const [, id, day, region, names, signature] = AUTHORIZATION.exec(headers.authorization ?? '') ?? []
  const at = String(headers['x-amz-date'])
  const payloadHash = String(headers['x-amz-content-sha256'])
  if (id !== KEYS.accessKeyId || region !== REGION || !at.startsWith(day!) || !names!.split(';').includes('host'))
    return false
  if (method === 'PUT' && payloadHash !== sha256(body)) return false
  const canonical = [
    method,
    url,
    '',
    ...names!.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    payloadHash,
  ].join('\n')
  const key = [day!, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${KEYS.secretAccessKey}`)
  const text = ['AWS4-HMAC-SHA256', at, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n')
  return hmac(key, text).toString('hex') === signature
}
