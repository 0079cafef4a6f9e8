import { onlyRow, sql, type Database, type Sql } from '../../platform/db/tenant.ts'

/** Requests per minute; 0 turns a limit off. */
type RateLimits = { credential: number; tenant: number }

type Lease = { minute: number; remaining: number; extension: Promise<void> | undefined; isExhausted: boolean }

/**
 * Maximum requests that one process leases from a shared window at once, at most a tenth of the window. Unused ones
 * lapse at the end of the minute. During a lease round trip the subject's requests wait.
 */
const MAX_LEASE = 1_000
const MAX_SUBJECTS = 10_000

/**
 * Admits requests by a fixed window of one clock minute per subject, shared by every process on one database. A process
 * leases requests from the window's row and admits that many by itself, so a request needs no round trip of its own and
 * the limit is never exceeded.
 */
export class RateLimiter {
  readonly #database: Database
  readonly #limits: RateLimits
  readonly #now: () => number
  readonly #leases = new Map<string, Lease>()

  constructor(database: Database, limits: RateLimits, now: () => number = Date.now) {
    this.#database = database
    this.#limits = limits
    this.#now = now
  }

  /** Returns the seconds to wait, or 0 if the request is admitted. */
  async admit(credential: string, tenant: string): Promise<number> {
    return (await this.#take(credential, this.#limits.credential)) || this.#take(tenant, this.#limits.tenant)
  }

  async #take(subject: string, limit: number): Promise<number> {
    if (limit === 0) return 0
    for (;;) {
      const minute = Math.floor(this.#now() / 60_000)
      const lease = this.#leaseOf(subject, minute)
      if (lease.remaining > 0) {
        lease.remaining--
        return 0
      }
      if (lease.isExhausted) return Math.max(1, Math.ceil((minute + 1) * 60 - this.#now() / 1000))
      lease.extension ??= this.#extend(subject, lease, limit).finally(() => (lease.extension = undefined))
      await lease.extension
    }
  }

  #leaseOf(subject: string, minute: number): Lease {
    const existing = this.#leases.get(subject)
    if (existing?.minute === minute) return existing
    const lease: Lease = { minute, remaining: 0, extension: undefined, isExhausted: false }
    if (this.#leases.size >= MAX_SUBJECTS) this.#leases.clear()
    this.#leases.set(subject, lease)
    return lease
  }

  async #extend(subject: string, lease: Lease, limit: number): Promise<void> {
    const leaseSize = Math.max(1, Math.min(MAX_LEASE, Math.floor(limit / 10)))
    const [answer] = await this.#database.send([
      sql<{ granted: number }>`
      insert into rate_windows as w (subject, minute, given, granted)
      values (${subject}, ${lease.minute}, least(${leaseSize}::int, ${limit}::int), least(${leaseSize}::int,
        ${limit}::int))
      on conflict (subject) do update set
        minute = greatest(w.minute, excluded.minute),
        given = case when w.minute < excluded.minute then excluded.given
          else greatest(w.given, least(w.given + ${leaseSize}::int, ${limit}::int)) end,
        granted = case when w.minute < excluded.minute then excluded.granted
          else greatest(0, least(${leaseSize}::int, ${limit}::int - w.given)) end
      returning granted`,
    ])
    const { granted } = onlyRow(answer)
    lease.remaining += granted
    lease.isExhausted = granted === 0
  }
}

/** Removes the windows before a minute, in minutes since 1970. */
export const sweepRateWindows = (minute: number): Sql => sql`delete from rate_windows where minute < ${minute}`
