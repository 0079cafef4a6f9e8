import assert from 'node:assert/strict'
import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { baseUrlFinding } from '../../../src/health/checks/base_url.ts'
import { sayFinding } from '../../../src/health/finding.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { certificate as otherCertificate, privateKey as otherKey } from '../../harness/identity/client_certificate.ts'
import {
  expiredCertificate,
  localhostCertificate,
  localhostKey,
} from '../../harness/identity/localhost_certificates.ts'

setDefaultCACertificates([...getCACertificates('default'), localhostCertificate, otherCertificate])

const find = async (env: Record<string, string>, now?: number) => sayFinding(await baseUrlFinding(readConfig(env), now))

type Answering = { cert?: string; key?: string; status?: number; host?: string; now?: string }

/** Returns the finding on a server's base URL. */
async function answering({ cert, key = localhostKey, status = 200, host = 'localhost', now }: Answering) {
  const answer: RequestListener = (_, res) => res.writeHead(status).end()
  return listening(cert === undefined ? createHttp(answer) : createHttps({ cert, key }, answer), (port) =>
    find(
      { PORT: port, BASE_URL: `${cert === undefined ? 'http' : 'https'}://${host}:${port}` },
      now === undefined ? undefined : Date.parse(now),
    ),
  )
}

async function listening<T>(server: Server, use: (port: string) => Promise<T>): Promise<T> {
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  try {
    return await use(String(address.port))
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

describe('doctor accepts the base URL', () => {
  it('if the service answers there', async () => {
    const { ok, warning, says } = await answering({})
    assert.deepEqual([ok, warning], [true, undefined])
    assert.match(says, /responds$/)
  })

  it("on this machine while the service isn't running", async () => {
    const port = await listening(createHttp(), async (free) => free)
    const { ok, says } = await find({ PORT: port })
    assert.deepEqual([ok, says], [true, `http://localhost:${port} (the service is not running)`])
  })

  it('with a certificate that is valid for more than 14 days', async () => {
    const { ok, warning, says } = await answering({ cert: localhostCertificate, now: '2125-12-17T00:00:00Z' })
    assert.deepEqual([ok, warning], [true, undefined])
    assert.match(says, /responds; its certificate expires in 15 days$/)
  })

  it('with a warning if the certificate expires within 14 days', async () => {
    const { ok, warning, says, mend } = await answering({ cert: localhostCertificate, now: '2125-12-18T00:00:00Z' })
    assert.deepEqual([ok, warning], [true, true])
    assert.match(says, /its certificate expires in 14 days$/)
    assert.match(mend!, /^Renew it/)
  })
})

describe('doctor rejects the base URL', () => {
  const isWrong = async (finding: ReturnType<typeof find>, says: RegExp) => {
    const found = await finding
    assert.equal(found.ok, false, found.says)
    assert.match(found.says, says)
    assert.ok(found.mend)
  }

  it("if it is local in production, isn't encrypted or names another port", async () => {
    await isWrong(find({ NODE_ENV: 'production' }), /can only be reached from this machine/)
    await isWrong(find({ BASE_URL: 'http://callout.test' }), /is not encrypted/)
    await isWrong(find({ PORT: '3000', BASE_URL: 'http://localhost:8080' }), /but the service listens on port 3000$/)
    await isWrong(find({ PORT: '3000', BASE_URL: 'https://localhost' }), /but the service listens on port/)
  })

  it('if something else answers', () => isWrong(answering({ status: 404 }), /returned 404, so it is not this service/))

  it('with an expired certificate', () =>
    isWrong(
      answering({ cert: expiredCertificate, now: '2026-04-01T00:00:00Z' }),
      /certificate of https:\/\/localhost:\d+ expired on 2026-04-01$/,
    ))

  it("with a certificate that isn't valid yet", () =>
    isWrong(answering({ cert: localhostCertificate, now: '2025-12-31T00:00:00Z' }), /is not valid until 2026-01-01$/))

  it('with a certificate for another name', () =>
    isWrong(
      answering({ cert: otherCertificate, key: otherKey }),
      /is for DNS:client\.test, DNS:other\.test, not for localhost$/,
    ))

  it('with a certificate for a name if the host is an IP address', () =>
    isWrong(
      answering({ cert: localhostCertificate, host: '127.0.0.1' }),
      /is for DNS:localhost, not for 127\.0\.0\.1$/,
    ))

  it('with an untrusted certificate', () =>
    isWrong(
      answering({ cert: expiredCertificate, now: '2026-03-31T23:59:59Z' }),
      /is not trusted \((DEPTH_ZERO_SELF_SIGNED_CERT|CERT_HAS_EXPIRED)\)$/,
    ))

  it('if its port is a blocked one', () => isWrong(find({ PORT: '1' }), /does not respond \(bad port\)$/))

  it("if DNS can't resolve its name", () =>
    isWrong(find({ BASE_URL: 'https://callout.invalid' }), /^DNS can't resolve callout\.invalid/))

  it('if nothing listens at a non-local address', () =>
    isWrong(find({ BASE_URL: 'https://127.0.0.2:1' }), /^https:\/\/127\.0\.0\.2:1 does not respond \(E[A-Z]+\)$/))

  it('if the service runs here, but not at that address', () =>
    listening(
      createHttp((_, res) => res.end()),
      (port) =>
        isWrong(
          find({ BASE_URL: 'https://127.0.0.2:1', PORT: port }),
          /does not respond \(E[A-Z]+\), but the service responds here at http:\/\/127\.0\.0\.1:\d+$/,
        ),
    ))

  it('on this machine if the listener speaks another protocol', () =>
    listening(
      createHttp((req) => req.socket.destroy()),
      (port) => isWrong(find({ PORT: port, BASE_URL: `https://localhost:${port}` }), /does not respond/),
    ))
})
