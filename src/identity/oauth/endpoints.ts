import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '../../platform/http/body.ts'
import { takeAttempt } from '../sign_in/attempts.ts'
import { RateLimiter } from '../credentials/rate_limits.ts'
import { signerOf } from '../credentials/tokens/signing_keys.ts'
import { openTransaction } from '../../platform/db/transaction.ts'
import { newId } from '../../platform/validation/id.ts'
import { toLibraryQuery } from './library/authorize_query.ts'
import { requestEndedPage } from './consent/error_pages.ts'
import { CORS_HEADERS, sendJson, sendPreflight } from './http.ts'
import { spendResumeToken } from './interactions.ts'
import { keySet, serverMetadata } from './metadata.ts'
import { openProtocol } from './library/protocol.ts'
import { MAX_REGISTRATION_BYTES, refuseRegistration, handleRegistration } from './clients/registration.ts'
import { subjectOf } from './library/subject.ts'
import type { EndpointOptions } from './options.ts'
import { requestContexts, type RequestContext } from './library/request_context.ts'

/** Dependencies of the endpoints. */
type Endpoints = EndpointOptions & {
  metadata: ReturnType<typeof serverMetadata>
  authorizeLimiter: RateLimiter
  tokenLimiter: RateLimiter
  protocol: ReturnType<typeof openProtocol>
}

/** Request to an endpoint, and its sender. */
type EndpointRequest = {
  endpoint: Endpoint
  req: IncomingMessage
  res: ServerResponse
  sender: string
  path: string
  query: string
}

/** Handles every endpoint of the authorization server. */
export function openEndpoints(
  options: EndpointOptions,
): (req: IncomingMessage, res: ServerResponse, path: string) => Promise<void> {
  const { config, database, log, limits, senderOf } = options
  const endpoints: Endpoints = {
    ...options,
    metadata: serverMetadata(config.authUrl),
    authorizeLimiter: new RateLimiter(database, { credential: limits.authorize, tenant: 0 }),
    tokenLimiter: new RateLimiter(database, { credential: limits.tokens, tenant: 0 }),
    protocol: openProtocol(options),
  }
  return async (req, res, target) => {
    const [path, query] = split(target)
    try {
      const endpoint = endpointOf(path)
      if (endpoint === undefined)
        return sendJson(res, 404, { error: 'not_found', error_description: 'There is nothing at this address' })
      const allowed: readonly string[] = ENDPOINTS[endpoint]
      if (req.method === 'OPTIONS') return sendPreflight(res, allowed.join(', '))
      if (!allowed.includes(req.method ?? ''))
        return sendJson(
          res,
          405,
          { error: 'invalid_request', error_description: `Use ${allowed.join(' or ')}` },
          { Allow: allowed.join(', ') },
        )
      await answer(endpoints, { req, res, sender: senderOf(req), endpoint, path, query })
    } catch (error) {
      const reference = newId()
      log.error({ reference, err: error, path: maskRequestId(path) }, 'fault')
      if (res.headersSent) return void res.destroy()
      sendJson(
        res,
        503,
        { error: 'temporarily_unavailable', error_description: `Try again (reference ${reference})` },
        { 'Retry-After': '5', 'Cache-Control': 'no-store' },
      )
    }
  }
}

async function answer(endpoints: Endpoints, request: EndpointRequest): Promise<void> {
  const { metadata, keyring } = endpoints
  const { res } = request
  switch (request.endpoint) {
    case '/.well-known/oauth-authorization-server':
    case '/.well-known/openid-configuration':
      return sendJson(res, 200, metadata, { ...CORS_HEADERS, 'Cache-Control': 'public, max-age=300' })
    case '/.well-known/jwks.json':
      return sendJson(res, 200, keySet(await keyring.keys()), {
        ...CORS_HEADERS,
        'Cache-Control': 'public, max-age=300',
      })
    case '/oauth/register':
      return answerRegistration(endpoints, request)
    case '/oauth/authorize':
      return authorize(endpoints, request)
    case '/oauth/token':
    case '/oauth/revoke':
      return token(endpoints, request)
    case '/oauth/authorize/:id':
      return resume(endpoints, request)
  }
}

async function answerRegistration(
  { database, limits }: Endpoints,
  { req, res, sender }: EndpointRequest,
): Promise<void> {
  const wait = await takeAttempt(database, [{ subject: `client registration ${sender}`, max: limits.registrations }])
  if (wait > 0) return sendRateLimited(res, wait)
  const requestBody = await readBody(req, { maxBytes: MAX_REGISTRATION_BYTES })
  if (requestBody === 'gone') return
  const isJson = /^application\/json\b/i.test(req.headers['content-type'] ?? '')
  const { status, body } =
    typeof requestBody === 'string'
      ? refuseRegistration('invalid_client_metadata', 'The body must be at most 16 kB', 413)
      : isJson
        ? await handleRegistration(database, requestBody.toString(), sender)
        : refuseRegistration('invalid_client_metadata', 'Content-Type must be application/json')
  sendJson(res, status, body, {
    ...CORS_HEADERS,
    'Cache-Control': 'no-store',
    ...(status === 413 ? { Connection: 'close' } : status === 503 ? { 'Retry-After': '3600' } : {}),
  })
}

/** Binds the request to its browser, then passes it to the library. */
async function authorize(endpoints: Endpoints, { req, res, sender, query }: EndpointRequest): Promise<void> {
  const { database, authorizeLimiter, cookie } = endpoints
  const wait = await authorizeLimiter.admit(subjectOf(`authorize ${sender}`), '')
  if (wait > 0) return sendRateLimited(res, wait)
  const cookieValue = cookie.read(req.headers.cookie)
  const newCookie = cookie.hashOf(cookieValue) === null ? cookie.make() : null
  if (newCookie !== null) res.appendHeader('Set-Cookie', newCookie.setCookie)
  const rewritten = toLibraryQuery(query)
  await forwardToLibrary(endpoints, req, res, `/oauth/authorize?${rewritten.query}`, {
    sender,
    stale: 'never',
    browser: cookie.hashOf(newCookie?.value ?? cookieValue),
    namesResource: rewritten.namesResource,
    transaction: openTransaction(database),
  })
}

/** Resumes a request once, only in the browser that started it, with the token that the decision returned. */
async function resume(endpoints: Endpoints, { req, res, sender, path, query }: EndpointRequest): Promise<void> {
  const { database, cookie } = endpoints
  const browser = cookie.hashOf(cookie.read(req.headers.cookie))
  const resumeToken = new URLSearchParams(query).get('resume')
  const id = path.slice('/oauth/authorize/'.length)
  const transaction = openTransaction(database)
  if (
    browser === null ||
    resumeToken === null ||
    !(await spendResumeToken(transaction.send, id, browser, resumeToken))
  ) {
    await transaction.end(false)
    return sendEnded(res)
  }
  const context: RequestContext = { sender, stale: 'first', browser, namesResource: false, transaction }
  await forwardToLibrary(endpoints, req, res, path, context)
}

/** Handles requests of programs. The response is never a page, whatever the Accept header says. */
async function token(endpoints: Endpoints, { req, res, sender, path }: EndpointRequest): Promise<void> {
  const { database, tokenLimiter } = endpoints
  const wait = await tokenLimiter.admit(subjectOf(`token ${sender}`), '')
  if (wait > 0) return sendRateLimited(res, wait)
  req.headers.accept = 'application/json'
  await forwardToLibrary(endpoints, req, res, path, {
    sender,
    stale: 'otherwise',
    browser: null,
    namesResource: false,
    transaction: openTransaction(database),
  })
}

/** Passes the request to the library. The library reads its own URL from the request, so it gets the configured one. */
async function forwardToLibrary(
  { config, keyring, protocol }: Endpoints,
  req: IncomingMessage,
  res: ServerResponse,
  url: string,
  context: RequestContext,
): Promise<void> {
  const issuer = new URL(config.authUrl)
  Object.assign(req, { url, originalUrl: issuer.pathname + url })
  req.headers = {
    ...dropForwarding(req.headers),
    host: issuer.host,
    'x-forwarded-host': issuer.host,
    'x-forwarded-proto': issuer.protocol.slice(0, -1),
  }
  const keys = await keyring.keys()
  const handle = await protocol(keys, signerOf(keys))
  await requestContexts.run(context, () => handle(req, res))
}

async function sendEnded(res: ServerResponse): Promise<void> {
  const page = requestEndedPage()
  res.writeHead(page.status, Object.fromEntries(page.headers)).end(await page.text())
}

const split = (target: string): [path: string, query: string] => {
  const at = target.indexOf('?')
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)]
}

/** Methods of every path below the issuer; `:id` is a pending request. */
export const ENDPOINTS = {
  '/.well-known/oauth-authorization-server': ['GET', 'HEAD'],
  '/.well-known/openid-configuration': ['GET', 'HEAD'],
  '/.well-known/jwks.json': ['GET', 'HEAD'],
  '/oauth/register': ['POST'],
  '/oauth/authorize': ['GET'],
  '/oauth/authorize/:id': ['GET'],
  '/oauth/token': ['POST'],
  '/oauth/revoke': ['POST'],
} as const satisfies Record<string, readonly string[]>

type Endpoint = keyof typeof ENDPOINTS

const endpointOf = (path: string): Endpoint | undefined =>
  Object.hasOwn(ENDPOINTS, path) && !path.includes(':')
    ? (path as Endpoint)
    : /^\/oauth\/authorize\/[\w-]{1,64}$/.test(path)
      ? '/oauth/authorize/:id'
      : undefined

/** Masks the request ID in a path. */
const maskRequestId = (path: string): string => path.replace(/^(\/oauth\/authorize)\/.*/, '$1/…')

const dropForwarding = (headers: IncomingMessage['headers']): IncomingMessage['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(forwarded|x-forwarded-.*|x-real-ip)$/.test(name)))

const sendRateLimited = (res: ServerResponse, wait: number): void =>
  sendJson(
    res,
    429,
    { error: 'rate_limited', error_description: `Too many requests; try again in ${wait} s` },
    { ...CORS_HEADERS, 'Retry-After': String(wait) },
  )
