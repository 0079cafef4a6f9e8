import type { Role } from '../permissions/areas.ts'

/** Holds what a verified access token says (docs/spec/oauth.md#access-tokens). */
export type TokenClaims = {
  tenant: string
  user: string
  client: string
  /** Names the authorization it was issued under. */
  sid: string
  scopes: readonly string[]
  role: Role
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** Why a credential is refused. */
export type CredentialFault = 'invalid_token' | 'expired'
