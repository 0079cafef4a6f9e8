import type { IncomingMessage } from 'node:http'
import { StaleAccess } from '../db/tenant.ts'
import type { Database } from '../db/tenant.ts'
import { findCaller } from './caller.ts'
import type { Caller } from './caller.ts'
import { confirmations } from './confirm.ts'
import type { Confirm } from './confirm.ts'
import { hashOf, isKey } from './keys.ts'
import { ourHosts } from './origins.ts'
import type { RateLimiter } from './rate_limits.ts'
import { challenges } from './turned_away.ts'

export type DoorSettings = { baseUrl: string; allowedOrigins: readonly string[] }

/** An admitted request. */
export type Session = {
  readonly credential: string
  readonly tenant: string
  /** Runs work that enters the tenant, again with fresh rights when they changed meanwhile. */
  as<T>(work: (caller: Caller) => Promise<T>): Promise<T>
  /** Confirms that the credential still admits, for answers that need no tenant row. */
  live(): Promise<void>
  /** Counts further messages of the request against the rate limits. */
  spend(messages: number): Promise<void>
}

export type Door = {
  admit(request: IncomingMessage): Promise<Session>
  /** For a refusal that was made from rights read earlier: throws `StaleAccess` when they have changed. */
  confirm: Confirm
}

const MOST_CACHED = 10_000
const MOST_TRIES = 3

/** The door of the tool endpoint: Host and Origin, credential, rate limit, effective access, in that order. */
export function openDoor(database: Database, limiter: RateLimiter, settings: DoorSettings): Door {
  const isOurs = ourHosts(settings)
  const refuse = challenges(settings.baseUrl)
  const confirm = confirmations(database)
  const callers = new Map<string, Caller>()

  async function callerOf(hash: string): Promise<Caller> {
    const cached = callers.get(hash)
    return cached !== undefined && cached.credential.expiresAt > Date.now() ? cached : read(hash)
  }

  async function read(hash: string): Promise<Caller> {
    callers.delete(hash)
    const found = await findCaller(database, Buffer.from(hash, 'base64'))
    if (found === 'expired') throw refuse.expired('The API key has expired; ask for a new one')
    if (found === 'invalid_token') throw refuse.invalidToken('The API key is unknown or was revoked')
    if (callers.size >= MOST_CACHED) callers.clear()
    callers.set(hash, found)
    return found
  }

  function tokenOf({ headers }: IncomingMessage): string {
    if (headers.authorization === undefined) throw refuse.noToken()
    const token = /^Bearer +([\x21-\x7e]+) *$/i.exec(headers.authorization)?.[1]
    if (token === undefined || !isKey(token)) throw refuse.invalidToken('The Authorization header must be Bearer and an API key')
    return token
  }

  async function requireRoom({ credential, tenant }: Caller): Promise<void> {
    const wait = await limiter.admit(credential.id, tenant.id)
    if (wait > 0) throw refuse.rateLimited(wait)
  }

  function requireTenant({ headers }: IncomingMessage, caller: Caller): void {
    const asked = headers['x-tenant-id']
    if (asked !== undefined && asked !== caller.tenant.id) throw refuse.wrongTenant()
  }

  async function requireSomeScope(caller: Caller): Promise<void> {
    if (caller.scopes.size > 0) return
    await confirm(caller)
    throw refuse.noScope()
  }

  return {
    confirm,
    async admit(request) {
      if (!isOurs(request)) throw refuse.wrongOrigin()
      const hash = hashOf(tokenOf(request)).toString('base64')
      let caller = await callerOf(hash)
      await requireRoom(caller)
      requireTenant(request, caller)

      async function as<T>(work: (caller: Caller) => Promise<T>): Promise<T> {
        for (let tries = 1; ; tries++) {
          try {
            await requireSomeScope(caller)
            return await work(caller)
          } catch (error) {
            if (!(error instanceof StaleAccess) || tries === MOST_TRIES) throw error
            caller = await read(hash)
          }
        }
      }
      const live = (): Promise<void> => as(confirm)
      const spend = async (messages: number): Promise<void> => {
        for (let i = 0; i < messages; i++) await requireRoom(caller)
      }
      if (caller.scopes.size === 0) await live()
      return { credential: caller.credential.id, tenant: caller.tenant.id, as, live, spend }
    },
  }
}
