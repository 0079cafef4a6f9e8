import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import type { Door } from './access/door.ts'
import { TurnedAway } from './access/turned_away.ts'
import type { Config } from './config.ts'
import { newPages } from './html/visit.ts'
import { handle } from './mcp/endpoint.ts'
import type { ToolServer } from './mcp/types.ts'
import type { Caller } from './access/caller.ts'
import { consentRoutes } from './oauth/consent.ts'
import type { AuthorizationServer } from './oauth/port.ts'
import { issuerPathOf, wellKnown } from './oauth/well_known.ts'
import { newId } from './shape/id.ts'
import { pages } from './web/pages.ts'
import type { Site } from './web/site.ts'
import type { Webhooks } from './webhooks/endpoints.ts'

export type App = {
  door: Door
  tools: ToolServer<Caller>
  site: Site
  webhooks: Webhooks
  config: Pick<Config, 'baseUrl' | 'authUrl'>
  /** Left out when the issuer is elsewhere. */
  authorization: AuthorizationServer | undefined
  log: Logger
  /** Whether requests may be sent here: database, schema, not stopping. */
  isReady(): Promise<boolean>
}

/** Every address of the service. */
export function routes({ door, tools, site, webhooks, config, authorization, log, isReady }: App) {
  const consent = authorization === undefined ? newPages() : consentRoutes({ ...site, authorization })
  const page = getRequestListener(pages(site, consent).fetch, { overrideGlobalObjects: false })

  const discovery = wellKnown({ config, authorization })
  const issuerPath = issuerPathOf(config)

  return (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = pathOf(req.url)
    switch (path) {
      case '/api/mcp': return toolEndpoint(req, res)
      case '/api/webhooks/payments/platform': return webhooks.paymentsPlatform(req, res)
      case '/api/webhooks/payments/connect': return webhooks.paymentsConnect(req, res)
      case '/api/webhooks/sms/inbound-sms': return webhooks.inboundSms(req, res)
      case '/api/webhooks/sms/sms-status': return webhooks.smsStatus(req, res)
      case '/api/webhooks/email/inbound': return webhooks.inboundEmail(req, res)
      case '/api/webhooks/email/email-events': return webhooks.emailEvents(req, res)
      case '/health/live': return health(res, true)
      case '/health/ready': return isReady().then((ready) => health(res, ready))
    }
    if (path.startsWith('/.well-known/')) return discovery(req, res, path)
    if (authorization !== undefined && path.startsWith(`${issuerPath}/`)) return authorization.handle(req, res, req.url!.slice(issuerPath!.length))
    return page(req, res)
  }

  /** One log line a request: who, what, how it ended; never arguments, tokens or results. */
  async function toolEndpoint(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const begun = performance.now()
    let line: Record<string, unknown> = {}
    try {
      const session = await door.admit(req)
      line = { credential: session.credential, tenant: session.tenant }
      line = { ...line, ...await handle(tools, session, req, res) }
    } catch (error) {
      line = { ...line, ...turnAway(res, error) }
    }
    log.info({ ...line, ms: Math.round((performance.now() - begun) * 100) / 100 }, 'mcp')
  }

  function turnAway(res: ServerResponse, error: unknown): Record<string, unknown> {
    if (error instanceof TurnedAway) {
      json(res, error.status, error.body, error.headers)
      return { status: error.status, errorCode: error.body.error }
    }
    const reference = newId()
    log.error({ reference, err: error }, 'fault')
    json(res, 503, { error: 'unavailable', error_description: `The service can't answer now; try again (reference ${reference})` }, { 'Retry-After': '5' })
    return { status: 503, errorCode: 'unavailable', reference }
  }
}

const pathOf = (url = '/'): string => {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

const health = (res: ServerResponse, ok: boolean): Promise<void> =>
  Promise.resolve(json(res, ok ? 200 : 503, { status: ok ? 'ok' : 'unavailable' }, { 'Cache-Control': 'no-store' }))

function json(res: ServerResponse, status: number, body: object, headers: Readonly<Record<string, string>> = {}): void {
  if (res.headersSent || res.destroyed) return
  const text = JSON.stringify(body)
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), ...headers }).end(text)
}
