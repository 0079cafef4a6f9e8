import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Area, GrantLevel, Level, Role } from '../permissions/areas.ts'
import type { Scope } from '../permissions/scopes.ts'

/**
 * Interface of an authorization server. The service owns users, the consent screen and the grant record; the server
 * behind this port owns the protocol.
 */
export type AuthorizationServer = {
  /** Handles a request below the issuer's URL; `path` is the rest, with the query. */
  handle(req: IncomingMessage, res: ServerResponse, path: string): Promise<void>
  /**
   * Returns the authorization request of a consent URL (`authorization_id`), or null if there is none, it has ended, or
   * another browser started it. `browserCookie` is the value of the cookie named `browserCookieName`.
   */
  load(authorizationId: string, browserCookie: string | undefined): Promise<Interaction | null>
  /** Name of the cookie that binds an authorization request to the browser that started it. */
  readonly browserCookieName: string
  /** Returns what this user can grant in each of their companies: their ceiling within the client's allow list. */
  offers(interaction: Interaction, user: string): Promise<Offer[]>
  /**
   * Returns the redirect URL if this user approved the client before and needn't be asked again, else null. `isBound`
   * is as in a `Consent`.
   */
  renew(interaction: Interaction, user: string, options?: Pick<Consent, 'isBound'>): Promise<string | null>
  /**
   * Saves the grant and returns the one-time redirect URL for the same browser. Drops what exceeds the member's ceiling
   * or the allow list. Throws `not_found` if the request has ended or the user isn't a member of the tenant, and
   * `conflict` if the company's app policy forbids the grant.
   */
  approve(interaction: Interaction, consent: Consent): Promise<string>
  /**
   * Saves the same as a request for an owner to approve or decline. Throws `conflict` if there is nothing to request.
   */
  requestApproval(interaction: Interaction, consent: Consent): Promise<void>
  /** Returns the one-time URL that returns `access_denied` to the client. */
  deny(interaction: Interaction): Promise<string>
  /**
   * Aligns every authorization of a client and a user with the grant record: its tenant, its scopes, or none at all.
   */
  grantChanged(client: string, user: string): Promise<void>
  /** Returns the current access token claims of the pair, or null without a valid grant. */
  claims(client: string, user: string): Promise<Claims | null>
}

/** Pending authorization request, loaded by the browser that started it. */
export type Interaction = {
  readonly id: string
  readonly client: {
    readonly id: string
    /** Client's own name, unverified unless an administrator created the client. */
    readonly name: string
    /** How the client is known; `document`: by the metadata document at its ID, an https URL. */
    readonly kind: 'registered' | 'document' | 'confidential'
    /** Expanded scopes; null without an allow list. */
    readonly allowed: ReadonlySet<Scope> | null
    /** Only company it can be approved for; null: any. */
    readonly company: string | null
  }
  /** Where the user is redirected: a host, or the scheme of an app (`com.example.app`). */
  readonly redirect: { readonly host: string; readonly kind: 'web' | 'loopback' | 'app' }
  /** Names in the `scope` parameter, which don't affect what is offered. */
  readonly requestedScopes: readonly string[]
  /** True if the client sent prompt=consent. The screen is shown even after an earlier approval. */
  readonly mustPrompt: boolean
}

/** Company and its areas in screen order, each with the maximum level that may be granted. */
export type Offer = {
  readonly tenant: { readonly id: string; readonly name: string }
  readonly role: Role
  readonly areas: readonly { readonly area: Area; readonly maxLevel: Level }[]
}

export type Consent = {
  user: string
  tenant: string
  areas: Readonly<Partial<Record<Area, GrantLevel>>>
  /** True if a company's own provider identified the user. The client gets no ID token about them. */
  isBound?: boolean
}

/** Grant claims of an access token (docs/spec/oauth.md#access-tokens). */
type Claims = { tenant_id: string; scopes: string[]; role: Role }
