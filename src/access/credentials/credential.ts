import type { Role } from '../rights/areas.ts'

/** What a verified access token says (docs/spec/oauth.md#access-tokens). */
export type TokenClaims = {
  tenant: string
  user: string
  client: string
  /** The authorization it was issued under. */
  sid: string
  scopes: readonly string[]
  role: Role
  /** Milliseconds. */
  expiresAt: number
}

/** Why a credential admits nobody. */
export type CredentialFault = 'invalid_token' | 'expired'
