import { errors, jwtVerify, type JWTHeaderParameters, type JWTPayload } from 'jose'
import { isId } from '../../../platform/validation/id.ts'
import { toRole } from '../../permissions/areas.ts'
import type { CredentialFault, TokenClaims } from '../credential.ts'
import { KeysUnavailable, type TokenKeys } from './jwks.ts'

/** Returns the claims of an access token, or the reason it is refused. Throws `KeysUnavailable`. */
export type VerifyToken = (token: string) => Promise<TokenClaims | CredentialFault>

/** Checks whether a bearer token looks like a signed JWT (RFC 7515 3.1). */
export const isToken = (token: string): boolean =>
  token.length <= MAX_LENGTH && /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(token)

const MAX_LENGTH = 8_192

/** Verifies access tokens of one issuer for one audience (RFC 9068 4): only ES256, with the key of its `kid`. */
export function tokenVerifier({
  issuer,
  audience,
  keys,
}: {
  issuer: string
  audience: string
  keys: TokenKeys
}): VerifyToken {
  const keyOf = async ({ kid }: JWTHeaderParameters) => {
    const key = kid === undefined ? undefined : await keys(kid)
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        issuer,
        audience,
        algorithms: ['ES256'],
        typ: 'at+jwt',
        requiredClaims: ['exp'],
      })
      return claimsOf(payload) ?? 'invalid_token'
    } catch (error) {
      if (error instanceof errors.JWTExpired) return 'expired'
      if (error instanceof errors.JOSEError) return 'invalid_token'
      if (error instanceof KeysUnavailable) throw error
      return 'invalid_token'
    }
  }
}

function claimsOf({ sub, exp, tenant_id, client_id, sid, scopes, role }: JWTPayload): TokenClaims | undefined {
  if (!isText(tenant_id) || !isId(tenant_id) || !isText(sub) || !isId(sub) || !isText(client_id)) return undefined
  if (!isText(sid) || !isId(sid) || !Array.isArray(scopes) || !scopes.every(isText)) return undefined
  return { tenant: tenant_id, user: sub, client: client_id, sid, scopes, role: toRole(role), expiresAt: exp! * 1000 }
}

const isText = (value: unknown): value is string => typeof value === 'string'
