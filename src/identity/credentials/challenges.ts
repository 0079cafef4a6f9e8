import { HttpRefusal, jsonAnswer } from '../../platform/errors/http_refusal.ts'
import { DEFAULT_CEILINGS, scopesUnder } from '../permissions/areas.ts'

/** Scopes that an owner can give to an app. */
const OFFERED_SCOPES = [...scopesUnder({ ...DEFAULT_CEILINGS.owner, Messages: 'none' })]

/** Returns a refusal that is sent before any tool runs (docs/spec/interface.md#http-errors). */
const refusal = (
  status: number,
  error: string,
  description: string,
  headers: Record<string, string> = {},
): HttpRefusal =>
  new HttpRefusal(jsonAnswer(status, { error, error_description: description }, headers), { errorCode: error })

/** Returns the authentication errors. Every 401 points to the discovery document (RFC 9728 5.1, RFC 6750 3). */
export function bearerChallenges(baseUrl: string) {
  const bearer = `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource"`
  const challenge = (error: string, description: string) => ({
    'WWW-Authenticate': `${bearer}, error="${error}", error_description="${description}"`,
  })
  return {
    noToken: () =>
      refusal(401, 'invalid_token', 'Send an API key or an access token as Authorization: Bearer <key or token>', {
        'WWW-Authenticate': bearer,
      }),
    invalidToken: (reason: string) => refusal(401, 'invalid_token', reason, challenge('invalid_token', reason)),
    tokenExpired: (reason: string) => refusal(401, 'expired', reason, challenge('invalid_token', reason)),
    noScope: () => {
      const reason = 'This credential gives no access right now; ask an owner of the company for permissions'
      return refusal(403, 'insufficient_scope', reason, {
        'WWW-Authenticate': `${bearer}, error="insufficient_scope", scope="${OFFERED_SCOPES.join(' ')}"`,
      })
    },
    wrongTenant: () =>
      refusal(403, 'wrong_tenant', 'X-Tenant-Id names a tenant that the credential does not belong to'),
    wrongOrigin: () => refusal(403, 'wrong_origin', 'This service does not accept the Host or Origin of this request'),
    keysUnavailable: () =>
      refusal(503, 'unavailable', 'The keys that verify access tokens cannot be read right now; try again', {
        'Retry-After': '5',
      }),
    rateLimited: (seconds: number) =>
      refusal(429, 'rate_limited', `Too many requests; try again in ${seconds} s`, { 'Retry-After': String(seconds) }),
  }
}
