import { isIP } from 'node:net'
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls'
import type { Config } from '../../platform/config/config.ts'
import { phrase, phraseCount, type Phrase } from '../../platform/i18n/phrase.ts'
import { warningFinding, wrongFinding, type Finding } from '../finding.ts'

const CHECK = 'base URL'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

const MAX_WAIT_MS = 5_000

/** Days before its expiry from which a certificate is reported. Renewal programs renew 30 days before. */
const MIN_CERTIFICATE_DAYS = 14

const DAY_MS = 86_400_000

/** Reports whether the public base URL leads to this service. */
export async function baseUrlFinding(
  { baseUrl, host, port, production }: Pick<Config, 'baseUrl' | 'host' | 'port' | 'production'>,
  now = Date.now(),
): Promise<Finding> {
  const url = new URL(baseUrl)
  const isLoopback = LOOPBACK.has(url.hostname)
  if (production && isLoopback)
    return wrongAddress(
      phrase`${baseUrl} can only be reached from this machine`,
      phrase`Set BASE_URL to the address that people and clients use.`,
    )
  if (!isLoopback && url.protocol === 'http:')
    return wrongAddress(
      phrase`${baseUrl} is not encrypted, so passwords and keys can be intercepted`,
      phrase`Put an HTTPS proxy in front and set BASE_URL to its https address.`,
    )
  if (isLoopback && Number(url.port || (url.protocol === 'https:' ? 443 : 80)) !== port)
    return wrongAddress(
      phrase`BASE_URL is ${baseUrl}, but the service listens on port ${port}`,
      phrase`Set PORT and BASE_URL to the same port.`,
    )
  try {
    const daysLeft = url.protocol === 'https:' ? certificateDays(await readCertificate(url), url, now) : null
    if (typeof daysLeft === 'object' && daysLeft !== null) return daysLeft
    const { status } = await fetch(`${baseUrl}/health/live`, {
      signal: AbortSignal.timeout(MAX_WAIT_MS),
      redirect: 'manual',
    })
    if (status !== 200)
      return wrongAddress(
        phrase`${baseUrl}/health/live returned ${status}, so it is not this service`,
        phrase`Check what is listening there and where the proxy forwards requests, or correct PORT and BASE_URL.`,
      )
    return reachableFinding(baseUrl, daysLeft)
  } catch (error) {
    return await unreachableFinding(error, url, { host, port })
  }
}

const wrongAddress = (message: Phrase, fix: Phrase): Finding => wrongFinding(CHECK, message, fix)

function reachableFinding(baseUrl: string, daysLeft: number | null): Finding {
  if (daysLeft === null) return { check: CHECK, ok: true, says: phrase`${baseUrl} responds` }
  const message = phrase`${baseUrl} responds; its certificate expires in ${phraseCount(daysLeft, '1 day', '{0} days')}`
  if (daysLeft > MIN_CERTIFICATE_DAYS) return { check: CHECK, ok: true, says: message }
  return warningFinding(CHECK, message, phrase`Renew it, and find out why it was not renewed automatically.`)
}

type ServedCertificate = { certificate: PeerCertificate; trustError: string | undefined }

/** Reads the certificate of an address, even an invalid one. */
function readCertificate({ hostname, port }: URL): Promise<ServedCertificate> {
  const name = withoutBrackets(hostname)
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: name,
      port: Number(port || 443),
      rejectUnauthorized: false,
      ...(isIP(name) === 0 ? { servername: name } : {}),
    })
    socket.setTimeout(MAX_WAIT_MS, () => socket.destroy(new Error(`no response within ${MAX_WAIT_MS / 1_000} s`)))
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      // Node returns OpenSSL's error code, although the type is Error.
      const trustError = socket.authorized ? undefined : String(socket.authorizationError)
      resolve({ certificate: socket.getPeerCertificate(), trustError })
      socket.destroy()
    })
  })
}

/** Returns the days a certificate has left, or a finding if clients would reject it. */
function certificateDays({ certificate, trustError }: ServedCertificate, url: URL, now: number): number | Finding {
  const [start, end] = [Date.parse(certificate.valid_from), Date.parse(certificate.valid_to)]
  const certificateText = phrase`the certificate of ${url.origin}`
  if (end <= now)
    return wrongAddress(phrase`${certificateText} expired on ${dateOf(end)}`, phrase`Renew it, then reload the proxy.`)
  if (start > now)
    return wrongAddress(
      phrase`${certificateText} is not valid until ${dateOf(start)}`,
      phrase`Fix this machine's clock, or get a new certificate.`,
    )
  if (checkServerIdentity(withoutBrackets(url.hostname), certificate) !== undefined)
    return wrongAddress(
      phrase`${certificateText} is for ${certificate.subjectaltname ?? 'no name'}, not for ${url.hostname}`,
      phrase`Get a certificate for ${url.hostname}, or set BASE_URL to a name it covers.`,
    )
  if (trustError !== undefined)
    return wrongAddress(
      phrase`${certificateText} is not trusted (${trustError})`,
      phrase`Install the full certificate chain. For your own certificate authority, set NODE_EXTRA_CA_CERTS.`,
    )
  return Math.floor((end - now) / DAY_MS)
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Explains why nothing answered. A refused loopback address is fine if the service isn't running. */
async function unreachableFinding(fault: unknown, url: URL, at: Pick<Config, 'host' | 'port'>): Promise<Finding> {
  const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return wrongAddress(
      phrase`DNS can't resolve ${url.hostname} (${code})`,
      phrase`Add a DNS record for it that points to this machine or its proxy, or correct BASE_URL.`,
    )
  const here = `http://${isUnspecified(at.host) ? '127.0.0.1' : isIP(at.host) === 6 ? `[${at.host}]` : at.host}:${at.port}`
  const runsHere = await isLive(here)
  if (code === 'ECONNREFUSED' && LOOPBACK.has(url.hostname) && !runsHere)
    return { check: CHECK, ok: true, says: phrase`${url.origin} (the service is not running)` }
  const reason = code ?? (cause instanceof Error ? cause.message : String(cause))
  return wrongAddress(
    runsHere
      ? phrase`${url.origin} does not respond (${reason}), but the service responds here at ${here}`
      : phrase`${url.origin} does not respond (${reason})`,
    runsHere
      ? phrase`Check the proxy, the firewall and BASE_URL.`
      : phrase`Start the service. If it runs on another machine, check the proxy, the firewall and BASE_URL.`,
  )
}

async function isLive(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/health/live`, { signal: AbortSignal.timeout(MAX_WAIT_MS) })).ok
  } catch {
    return false
  }
}

const isUnspecified = (host: string): boolean => ['0.0.0.0', '::', 'localhost'].includes(host)
