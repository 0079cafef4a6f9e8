import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../platform/config/config.ts'
import { CORS_HEADERS, sendJson, sendPreflight } from './http.ts'
import { resourceMetadata } from './metadata.ts'
import type { AuthorizationServer } from './port.ts'

type WellKnownOptions = { config: Pick<Config, 'baseUrl' | 'authUrl'>; authorization: AuthorizationServer | undefined }

/**
 * Handles everything under /.well-known/ on the service's host: the resource's metadata, and the issuer's at its RFC
 * 8414 3.1 location.
 */
export function openWellKnown({
  config,
  authorization,
}: WellKnownOptions): (req: IncomingMessage, res: ServerResponse, path: string) => Promise<void> {
  const resource = resourceMetadata(config.baseUrl, config.authUrl)
  const { issuerPaths, resourcePaths } = wellKnownPaths(config)

  return async (req, res, path) => {
    if (authorization !== undefined && issuerPaths.includes(path))
      return authorization.handle(req, res, '/.well-known/oauth-authorization-server')
    if (!resourcePaths.includes(path))
      return sendJson(
        res,
        404,
        { error: 'not_found', error_description: 'There is nothing at this address' },
        CORS_HEADERS,
      )
    if (req.method === 'OPTIONS') return sendPreflight(res, 'GET, HEAD')
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return sendJson(
        res,
        405,
        { error: 'invalid_request', error_description: 'Use GET' },
        { ...CORS_HEADERS, Allow: 'GET, HEAD' },
      )
    sendJson(res, 200, resource, { ...CORS_HEADERS, 'Cache-Control': 'public, max-age=300' })
  }
}

/** Returns the paths under /.well-known/ on the service's host. */
export function wellKnownPaths({ authUrl }: Pick<Config, 'authUrl'>): {
  issuerPaths: string[]
  resourcePaths: string[]
} {
  const issuerPath = new URL(authUrl).pathname.replace(/\/$/, '')
  return {
    issuerPaths: ['oauth-authorization-server', 'openid-configuration'].map(
      (name) => `/.well-known/${name}${issuerPath}`,
    ),
    resourcePaths: ['', '/api/mcp'].map((path) => `/.well-known/oauth-protected-resource${path}`),
  }
}

/** Returns the issuer's path below the service's URL, or null if the issuer is elsewhere. */
export const issuerPathOf = ({ baseUrl, authUrl }: WellKnownOptions['config']): string | null =>
  authUrl.startsWith(`${baseUrl}/`) ? authUrl.slice(baseUrl.length) : null
