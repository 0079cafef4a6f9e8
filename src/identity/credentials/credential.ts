import type { Role } from '../permissions/areas.ts'

/** Claims of a verified access token (docs/spec/oauth.md#access-tokens). */
export type TokenClaims = {
  tenant: string
  user: string
  client: string
  /** ID of the authorization it was issued under. */
  sid: string
  scopes: readonly string[]
  role: Role
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** Reason a credential is refused. */
export type CredentialFault = 'invalid_token' | 'expired'
