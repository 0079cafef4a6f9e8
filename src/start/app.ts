import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import type { RequestAuthenticator } from '../identity/credentials/authenticate.ts'
import type { Config } from '../platform/config/config.ts'
import { HttpRefusal, jsonAnswer, type HttpAnswer } from '../platform/errors/http_refusal.ts'
import { newPageRouter } from '../platform/http/page_request.ts'
import { handle } from '../mcp/endpoint/endpoint.ts'
import type { ToolServer } from '../mcp/protocol/types.ts'
import type { Caller } from '../identity/credentials/caller.ts'
import { consentRoutes } from '../identity/oauth/consent/routes.ts'
import type { AuthorizationServer } from '../identity/oauth/port.ts'
import { issuerPathOf, openWellKnown } from '../identity/oauth/well_known.ts'
import { Unavailable } from '../platform/errors/refusal.ts'
import { newId } from '../platform/validation/id.ts'
import { dropNulFromUrl } from '../platform/http/nul.ts'
import { VERSION } from '../platform/version.ts'
import type { Telemetry } from '../platform/telemetry/telemetry.ts'
import type { ToolLine } from '../platform/telemetry/tool_requests.ts'
import { CALENDAR_PATH, openCalendarFeed } from '../web/calendar/feed.ts'
import { pages } from '../web/pages.ts'
import type { Site } from '../web/site.ts'
import type { Webhooks } from '../webhooks/endpoints.ts'

type App = {
  authenticator: RequestAuthenticator
  tools: ToolServer<Caller>
  site: Site
  webhooks: Webhooks
  config: Pick<Config, 'baseUrl' | 'authUrl'>
  /** Undefined if the issuer is another server. */
  authorization: AuthorizationServer | undefined
  telemetry: Telemetry
  log: Logger
  /** Maximum number of concurrent tool requests. Further ones are refused immediately. */
  maxConcurrent: number
  /** Checks whether the service can take requests: the database answers, and no stop has begun. */
  isReady(): Promise<boolean>
}

const [TOOLS, HEALTH, LIVE, READY] = ['/api/mcp', '/health', '/health/live', '/health/ready'] as const

/** Handlers of webhooks, by path. */
const WEBHOOKS: Readonly<Record<string, keyof Webhooks>> = {
  '/api/webhooks/payments/platform': 'paymentsPlatform',
  '/api/webhooks/payments/connect': 'paymentsConnect',
  '/api/webhooks/sms/inbound-sms': 'inboundSms',
  '/api/webhooks/sms/sms-status': 'smsStatus',
  '/api/webhooks/email/inbound': 'inboundEmail',
  '/api/webhooks/email/email-events': 'emailEvents',
}

/** Paths outside the pages and the authorization server. */
export const PROGRAM_PATHS: readonly string[] = [TOOLS, HEALTH, LIVE, READY, ...Object.keys(WEBHOOKS)]

/** Returns the handler that routes every request. */
export function routes(app: App) {
  const { site, webhooks, config, authorization, telemetry, isReady } = app
  const consent = authorization === undefined ? newPageRouter() : consentRoutes({ ...site, authorization })
  const listener = getRequestListener(pages(site, consent).fetch, { overrideGlobalObjects: false })
  const handlePage = (req: IncomingMessage, res: ServerResponse): Promise<void> =>
    listener(Object.assign(req, { url: dropNulFromUrl(req.url ?? '/') }), res)

  const discovery = openWellKnown({ config, authorization })
  const issuerPath = issuerPathOf(config)
  const handleToolRequest = openToolRoute(app)
  const handleCalendarRequest = openCalendarRoute(app)

  return (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = pathOf(req.url)
    if (path === TOOLS) return telemetry.observeToolRequest(req, () => handleToolRequest(req, res))
    const webhook = WEBHOOKS[path]
    if (webhook !== undefined)
      return telemetry.observeDelivery(path.slice('/api/webhooks/'.length), res, webhooks[webhook](req, res))
    if (path === HEALTH) return isReady().then((ready) => sendHealth(res, ready, { version: VERSION }))
    if (path === LIVE) return sendHealth(res, true)
    if (path === READY) return isReady().then((ready) => sendHealth(res, ready))
    if (path.startsWith('/.well-known/'))
      return telemetry.observeOauthRequest(req, res, path, () => discovery(req, res, path))
    if (authorization !== undefined && issuerPath !== null && path.startsWith(`${issuerPath}/`)) {
      return telemetry.observeOauthRequest(req, res, path, () =>
        authorization.handle(req, res, (req.url ?? '').slice(issuerPath.length)),
      )
    }
    const calendar = CALENDAR_PATH.exec(path)
    return calendar === null ? handlePage(req, res) : handleCalendarRequest(req, res, calendar)
  }
}

/** Returns the handler of tool calls, at most `maxConcurrent` at a time. */
const openToolRoute = ({
  authenticator,
  tools,
  log,
  maxConcurrent,
}: Pick<App, 'authenticator' | 'tools' | 'log' | 'maxConcurrent'>) => {
  let concurrent = 0
  /** Answers a call and returns its log line, which never has arguments, tokens or results. */
  return async (req: IncomingMessage, res: ServerResponse): Promise<ToolLine> => {
    let caller: Pick<ToolLine, 'credential' | 'tenant'> = {}
    concurrent++
    try {
      if (concurrent > maxConcurrent) throw new Unavailable('too many requests at once')
      const session = await authenticator.admit(req)
      caller = { credential: session.credential, tenant: session.tenant }
      return { ...caller, ...(await handle(tools, session, req, res)) }
    } catch (error) {
      return { ...caller, ...sendError(res, log, error) }
    } finally {
      concurrent--
    }
  }
}

/** Returns the handler of calendar feeds. The key in the path isn't logged. */
const openCalendarRoute = ({ authenticator, site, telemetry, log, config }: App) => {
  const feed = openCalendarFeed({ authenticator, database: site.database, baseUrl: config.baseUrl })
  return async (req: IncomingMessage, res: ServerResponse, path: readonly string[]): Promise<void> => {
    const startedAt = performance.now()
    const { status } = await feed(req, path).then(
      (answer) => send(res, answer),
      (error: unknown) => sendError(res, log, error),
    )
    const line = { method: req.method ?? '', path: '/calendar/…', status, ms: performance.now() - startedAt }
    telemetry.recordPage(line, '/calendar/:key')
  }
}

/** Answers a refused request. A refusal because of load is logged only in the request's own line. */
function sendError(res: ServerResponse, log: Logger, error: unknown): ToolLine {
  if (error instanceof HttpRefusal) return { errorCode: null, ...error.logged, ...send(res, error.answer) }
  const reference = error instanceof Unavailable && error.isExpected ? undefined : newId()
  if (reference !== undefined) log.error({ reference, err: error }, 'fault')
  const [seconds, reason] =
    error instanceof Unavailable ? [error.seconds, `${error.message}; nothing was done`] : [5, 'something went wrong']
  const suffix = reference === undefined ? '' : ` (reference ${reference})`
  const description = `The service can't answer now: ${reason}; try again in ${seconds} s${suffix}`
  const answered = send(
    res,
    jsonAnswer(503, { error: 'unavailable', error_description: description }, { 'Retry-After': String(seconds) }),
  )
  return { ...answered, errorCode: 'unavailable', ...(reference !== undefined && { reference }) }
}

const pathOf = (url = '/'): string => {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

async function sendHealth(res: ServerResponse, ok: boolean, fields = {}): Promise<void> {
  const status = ok ? 'ok' : 'unavailable'
  send(res, jsonAnswer(ok ? 200 : 503, { status, ...fields }, { 'Cache-Control': 'no-store' }))
}

/** Sends an answer unless one has begun. Returns its status, 499 if the client has disconnected. */
function send(res: ServerResponse, { status, headers, body = '' }: HttpAnswer): { status: number; bytes: number } {
  if (res.headersSent || res.destroyed) return { status: res.destroyed ? 499 : res.statusCode, bytes: 0 }
  const bytes = Buffer.byteLength(body)
  res.writeHead(status, { 'Content-Length': bytes, ...headers }).end(body)
  return { status, bytes }
}
