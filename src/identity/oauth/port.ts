import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Area, GrantLevel, Level, Role } from '../permissions/areas.ts'
import type { Scope } from '../permissions/scopes.ts'

/**
 * Interface of an authorization server. The service owns people, the consent screen and the grant
 * record; the server behind this port owns the protocol.
 */
export type AuthorizationServer = {
  /** Answers a request below the issuer's address; `path` is what follows it, query included. */
  handle(req: IncomingMessage, res: ServerResponse, path: string): Promise<void>
  /**
   * Returns the authorization request of a consent address (`authorization_id`), or null when there is none, it has
   * ended, or another browser started it. `browserCookie` is the value of the cookie named `browserCookieName`.
   */
  load(authorizationId: string, browserCookie: string | undefined): Promise<Interaction | null>
  /** Name of the cookie that ties an authorization request to the browser that started it. */
  readonly browserCookieName: string
  /**
   * Returns what this person could give, for each company they belong to: their ceiling under the client's allow-list.
   */
  offers(interaction: Interaction, user: string): Promise<Offer[]>
  /**
   * Returns the address to redirect to when this person approved the client before and need not be asked again, else
   * null. `isBound` is as in a `Consent`.
   */
  renew(interaction: Interaction, user: string, how?: Pick<Consent, 'isBound'>): Promise<string | null>
  /**
   * Records the grant and returns the one-time address to redirect the same browser to. What is above the member's
   * ceiling or outside the allow-list is left out. Refuses with `not_found` when the request has ended meanwhile or the
   * user does not belong to the tenant, and with `conflict` when the company's policy on apps does not let it be given.
   */
  approve(interaction: Interaction, consent: Consent): Promise<string>
  /**
   * Keeps the same as a wish that an owner approves or declines. Refuses with `conflict` when there is nothing to ask.
   */
  ask(interaction: Interaction, consent: Consent): Promise<void>
  /** Returns the one-time address that takes `access_denied` back to the client. */
  deny(interaction: Interaction): Promise<string>
  /**
   * Makes every authorization of a client and a person follow the grant record: its tenant, its scopes, or none at all.
   */
  grantChanged(client: string, user: string): Promise<void>
  /** Returns what an access token of the two says now, or null without a grant in force. */
  claims(client: string, user: string): Promise<Claims | null>
}

/** Describes an authorization request under way, loaded by the browser that started it. */
export type Interaction = {
  readonly id: string
  readonly client: {
    readonly id: string
    /** The client's own name; unchecked unless an administrator made the client. */
    readonly name: string
    /** How the client is known; `document`: by a document at the https address that is its id. */
    readonly kind: 'registered' | 'document' | 'confidential'
    /** Expanded scopes; null without an allow-list. */
    readonly allowed: ReadonlySet<Scope> | null
    /** Names the one company it can be approved for; null: any. */
    readonly company: string | null
  }
  /** Where the person is sent next: a host, or the scheme of an app (`com.example.app`). */
  readonly redirect: { readonly host: string; readonly kind: 'web' | 'loopback' | 'app' }
  /** Lists the names of the `scope` parameter, which have no influence on what is offered. */
  readonly asked: readonly string[]
  /** True when the client sent prompt=consent: show the screen even when it was approved before. */
  readonly mustAsk: boolean
}

/**
 * Describes one company and the areas to draw for it, in the order of the screen, with the most that may be given of
 * each.
 */
export type Offer = {
  readonly tenant: { readonly id: string; readonly name: string }
  readonly role: Role
  readonly areas: readonly { readonly area: Area; readonly most: Level }[]
}

export type Consent = {
  user: string
  tenant: string
  areas: Readonly<Partial<Record<Area, GrantLevel>>>
  /** True when a company's own provider named the person: the client gets no ID token about them. */
  isBound?: boolean
}

/** Holds what an access token says of its grant (docs/spec/oauth.md#access-tokens). */
type Claims = { tenant_id: string; scopes: string[]; role: Role }
