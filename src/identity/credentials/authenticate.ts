import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Database } from '../../platform/db/tenant.ts'
import { findCaller, findTokenCaller, type Caller } from './caller.ts'
import type { CredentialFault, TokenClaims } from './credential.ts'
import { openConfirmations, type Confirm } from './confirm.ts'
import { KeysUnavailable } from './tokens/jwks.ts'
import { isKey } from './keys.ts'
import type { LastUsed } from './last_used.ts'
import { originChecker } from '../origins.ts'
import { retryStale } from '../permissions/rights.ts'
import type { RateLimiter } from './rate_limits.ts'
import { isToken, type VerifyToken } from './tokens/tokens.ts'
import { bearerChallenges } from './challenges.ts'
import { HttpRefusal } from '../../platform/errors/http_refusal.ts'

type RequestAuthenticatorSettings = { baseUrl: string; allowedOrigins: readonly string[] }

/** Request that was admitted. */
type AdmittedRequest = {
  readonly credential: string
  readonly tenant: string
  /** Runs work inside the tenant, and retries it with fresh rights if they changed meanwhile. */
  run<T>(work: (caller: Caller) => Promise<T>): Promise<T>
  /** Confirms that the credential is still valid, for answers that read no tenant row. */
  confirmAccess(): Promise<void>
  /** Counts further messages of the request against the rate limits. */
  countMessages(messages: number): Promise<void>
}

export type RequestAuthenticator = {
  /** Admits a request by its Authorization header, or by an API key from elsewhere. */
  admit(request: IncomingMessage, key?: string): Promise<AdmittedRequest>
  /** Throws `StaleAccess` if rights have changed since they were read, so that no refusal relies on stale rights. */
  confirm: Confirm
}

/** Credential as sent, and its SHA-256, which is the cache key of its caller. */
type PresentedCredential = { token: string; hash: string }

const MAX_CACHED = 10_000

/**
 * Opens the authenticator of the tool endpoint. It checks Host and Origin, credential, rate limit and effective access,
 * in that order.
 */
export function openRequestAuthenticator(
  database: Database,
  limiter: RateLimiter,
  settings: RequestAuthenticatorSettings,
  verify: VerifyToken,
  lastUsed: Pick<LastUsed, 'note'>,
): RequestAuthenticator {
  const isAllowedOrigin = originChecker(settings)
  const refuse = bearerChallenges(settings.baseUrl)
  const confirm = openConfirmations(database)
  const callers = openCallers(database, verify, refuse)

  async function requireRate(caller: Caller): Promise<void> {
    const wait = await limiter.admit(caller.credential.id, caller.tenant.id)
    if (wait > 0) throw withCaller(caller, refuse.rateLimited(wait))
  }

  async function requireSomeScope(caller: Caller): Promise<void> {
    if (caller.scopes.size > 0) return
    await confirm(caller)
    throw withCaller(caller, refuse.noScope())
  }

  return {
    confirm,
    async admit(request, key) {
      if (!isAllowedOrigin(request)) throw refuse.wrongOrigin()
      const presented = key === undefined ? readCredential(request, refuse) : readKey(key, refuse)
      let caller = await callers.find(presented)
      await requireRate(caller)
      lastUsed.note(caller)

      const run = <T>(work: (caller: Caller) => Promise<T>): Promise<T> =>
        retryStale(
          () => requireSomeScope(caller).then(() => work(caller)),
          async () => void (caller = await callers.read(presented)),
        )
      const confirmAccess = (): Promise<void> => run(confirm)
      const countMessages = async (messages: number): Promise<void> => {
        for (let i = 0; i < messages; i++) await requireRate(caller)
      }
      const isWrongTenant = isForOtherTenant(request, caller)
      if (isWrongTenant || caller.scopes.size === 0) await confirmAccess()
      if (isWrongTenant) throw withCaller(caller, refuse.wrongTenant())
      return { credential: caller.credential.id, tenant: caller.tenant.id, run, confirmAccess, countMessages }
    },
  }
}

type Challenges = ReturnType<typeof bearerChallenges>

/** Returns the callers of credentials, recent ones from the cache. */
function openCallers(database: Database, verify: VerifyToken, refuse: Challenges) {
  const callers = new Map<string, Caller>()
  const verified = new Map<string, TokenClaims>()

  /** Checks a token's signature once. The live state of its authorization is read each time. */
  async function findByToken({ hash, token }: PresentedCredential): Promise<Caller | CredentialFault> {
    const claims =
      verified.get(hash) ??
      (await verify(token).catch((error: unknown) => {
        throw error instanceof KeysUnavailable ? refuse.keysUnavailable() : error
      }))
    if (typeof claims === 'string') return claims
    keepInCache(verified, hash, claims)
    return findTokenCaller(database, claims)
  }

  async function read(presented: PresentedCredential): Promise<Caller> {
    const { hash, token } = presented
    if (!/^[\x21-\x7e]+$/.test(token) || !(isKey(token) || isToken(token)))
      throw refuse.invalidToken('The Authorization header must be Bearer and an API key or an access token')
    callers.delete(hash)
    const caller = isKey(token) ? await findCaller(database, Buffer.from(hash, 'base64')) : await findByToken(presented)
    if (typeof caller === 'string') throw refusalOf(refuse, caller, isKey(token))
    keepInCache(callers, hash, caller)
    return caller
  }

  return {
    /** Returns the caller of a credential, from the cache if it is there. */
    async find(presented: PresentedCredential): Promise<Caller> {
      const cached = callers.get(presented.hash)
      return cached !== undefined && cached.credential.expiresAt > Date.now() ? cached : read(presented)
    },
    /** Reads the caller of a credential again. */
    read,
  }
}

function refusalOf(refuse: Challenges, fault: CredentialFault, isApiKey: boolean): Error {
  if (fault === 'expired')
    return refuse.tokenExpired(
      isApiKey ? 'The API key has expired; ask for a new one' : 'The access token has expired; use the refresh token',
    )
  return refuse.invalidToken(
    isApiKey
      ? 'The API key is unknown or was revoked'
      : 'The access token is not valid, or its session has ended; authorize again',
  )
}

/** Returns a request's credential. Its format is checked when the caller is read. */
function readCredential({ headers: { authorization } }: IncomingMessage, refuse: Challenges): PresentedCredential {
  if (authorization === undefined) throw refuse.noToken()
  const token = /^bearer /i.test(authorization) ? authorization.slice('bearer '.length).trimStart() : ''
  return { token, hash: hash('sha256', token, 'base64') }
}

function readKey(token: string, refuse: Challenges): PresentedCredential {
  if (!isKey(token)) throw refusalOf(refuse, 'invalid_token', true)
  return { token, hash: hash('sha256', token, 'base64') }
}

const withCaller = ({ credential, tenant }: Caller, refusal: HttpRefusal): HttpRefusal =>
  new HttpRefusal(refusal.answer, { ...refusal.logged, credential: credential.id, tenant: tenant.id })

/** Checks whether X-Tenant-Id names a different tenant than the credential's. */
function isForOtherTenant({ headers }: IncomingMessage, { tenant }: Caller): boolean {
  const requested = headers['x-tenant-id']
  return requested !== undefined && String(requested).toLowerCase() !== tenant.id
}

function keepInCache<T>(cache: Map<string, T>, hash: string, value: T): void {
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(hash, value)
}
