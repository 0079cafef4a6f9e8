import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Logger } from 'pino'
import { ownKeys } from '../../credentials/tokens/jwks.ts'
import type { SigningKey } from '../../credentials/tokens/signing_keys.ts'
import { tokenVerifier, type VerifyToken } from '../../credentials/tokens/tokens.ts'
import { pageHeaders } from '../../../platform/http/headers.ts'
import { newId } from '../../../platform/validation/id.ts'
import { endAuthorization } from './authorization.ts'
import { restoreState } from './authorize_query.ts'
import type { EndpointOptions } from '../options.ts'
import { faultPage } from '../consent/error_pages.ts'
import { staleClientMessage, type ShowFault } from '../consent/fault_page.ts'
import { REFRESH_IDLE, MAX_AUTHORIZATION_AGE } from '../lifetimes.ts'
import type { FaultBody } from './provider.ts'
import { extendRefreshToken } from './records.ts'
import { requestContext } from './request_context.ts'

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/**
 * Opens the library for the current keys, and again when they change, which is rare and fast. It is loaded on the first
 * request, because it is a tenth of the program.
 */
export function openProtocol(
  input: EndpointOptions,
): (keys: readonly SigningKey[], signer: SigningKey) => Promise<Handler> {
  let latest: { keyIds: string; handler: Handler } | undefined
  return async (keys, signer) => {
    const keyIds = [signer, ...keys].map(({ kid }) => kid).join(' ')
    if (latest?.keyIds === keyIds) return latest.handler
    const handler = await handlerOf(input, keys, signer)
    latest = { keyIds, handler }
    return handler
  }
}

async function handlerOf(
  { config, findClient, keyring, log, showFault = faultPage }: EndpointOptions,
  keys: readonly SigningKey[],
  signer: SigningKey,
): Promise<Handler> {
  const { makeProvider } = await import('./provider.ts')
  const provider = makeProvider({
    issuer: config.authUrl,
    resource: `${config.baseUrl}/api/mcp`,
    consentUrl: `${config.baseUrl}/oauth/consent`,
    keys,
    signer,
    findClient: (id) =>
      findClient(id, {
        stale: requestContext().stale,
        sender: requestContext().sender,
        send: requestContext().transaction.read,
      }),
    showFault: faultRenderer(showFault),
  })
  provider.proxy = true
  provider.silent = true
  provider.on('server_error', (_ctx: unknown, error: unknown) => log.error({ reference: newId(), err: error }, 'fault'))
  provider.use(commitOrRollBack(log, faultRenderer(showFault)))
  provider.use(
    adjustResponses(
      tokenVerifier({ issuer: config.authUrl, audience: `${config.baseUrl}/api/mcp`, keys: ownKeys(keyring) }),
    ),
  )
  return provider.callback()
}

/** Shows an error that can't be returned to a client to the user at the browser. */
const faultRenderer =
  (show: ShowFault) =>
  async (ctx: KoaContextWithOIDC, { error, error_description: detail = error }: FaultBody): Promise<void> => {
    const isStaleClient = error === 'invalid_client'
    const description = isStaleClient ? staleClientMessage : detail
    if (ctx.accepts('json', 'html') === 'json') return void (ctx.body = { error, error_description: description })
    ctx.set(pageHeaders())
    ctx.body = show({ status: ctx.status, error, description, isStaleClient })
  }

/** Errors whose changes are committed: the end of an authorization on code or token reuse, or its report. */
const COMMITTED_ERRORS: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_token'])

/**
 * Commits a request's changes before the response; rolls them back after a refusal or a fault, so that a retry works.
 */
const commitOrRollBack =
  (log: Logger, show: ReturnType<typeof faultRenderer>) =>
  async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const { transaction } = requestContext()
    try {
      await next()
      await transaction.end(ctx.status < 400 || COMMITTED_ERRORS.has(errorIn(ctx.body)))
    } catch (error) {
      await transaction.end(false)
      log.error({ reference: newId(), err: error }, 'fault')
      ctx.remove('Location')
      ctx.status = 503
      await show(ctx, {
        error: 'temporarily_unavailable',
        error_description: 'The service could not complete this; reload to try again',
      })
    }
    if (ctx.status < 500) return
    ctx.remove('Set-Cookie')
    ctx.set('Retry-After', '2')
  }

/** Adjusts the library's responses to docs/spec/oauth.md#tokens. */
const adjustResponses =
  (verify: VerifyToken) =>
  async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next()
    keepOwnCookies(ctx)
    const location = ctx.res.getHeader('location')
    if (typeof location === 'string') {
      ctx.set('Location', restoreState(location))
      ctx.body = ''
    }
    if (ctx.oidc?.route === 'token' && ctx.status === 200) await adjustTokenResponse(ctx)
    if (ctx.oidc?.route === 'revocation' && ctx.status === 400) await revokeAccessToken(ctx, verify)
  }

/** Returns the error of a response (RFC 6749 5.2), or an empty string. */
const errorIn = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string' ? body.error : ''

/** Ends the authorization of an access token, since the library can't revoke a JWT (RFC 7009 2.1). */
async function revokeAccessToken(ctx: KoaContextWithOIDC, verify: VerifyToken): Promise<void> {
  const { client, params } = ctx.oidc
  if (errorIn(ctx.body) !== 'unsupported_token_type' || client === undefined) return
  const claims = await verify(String(params?.['token']))
  if (typeof claims === 'object' && claims.client === client.clientId)
    await endAuthorization(requestContext().transaction.send, claims.sid)
  ctx.status = 200
  ctx.body = ''
}

async function adjustTokenResponse(ctx: KoaContextWithOIDC): Promise<void> {
  const { transaction, authorization } = requestContext()
  if (authorization === undefined) throw new Error('A token was issued without an authorization')
  ctx.body = {
    ...Object(ctx.body),
    token_type: 'bearer',
    scope: [...authorization.oidcScope.split(' '), ...authorization.scopes].join(' ').trim(),
  }
  const { RefreshToken: token, RotatedRefreshToken: rotated } = ctx.oidc.entities
  const { grant_type, refresh_token } = ctx.oidc.params ?? {}
  if (grant_type !== 'refresh_token' || rotated !== undefined || token === undefined) return
  const end = Math.min(Date.now() / 1000 + REFRESH_IDLE, Number(token.iiat) + MAX_AUTHORIZATION_AGE)
  await extendRefreshToken(transaction.send, String(refresh_token), new Date(end * 1000))
}

/** Drops the library's cookies: its session isn't stored, and the consent page uses our browser cookie. */
function keepOwnCookies(ctx: KoaContextWithOIDC): void {
  const cookies = [ctx.res.getHeader('set-cookie') ?? []]
    .flat()
    .map(String)
    .filter((cookie) => !/^_(session|interaction)(\.sig)?=/.test(cookie))
  if (cookies.length === 0) ctx.remove('Set-Cookie')
  else ctx.set('Set-Cookie', cookies)
}
