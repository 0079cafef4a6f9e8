import { Unavailable } from '../../errors/refusal.ts'

/** Request for a connection: its quota, and its constraints within that quota. */
export type ConnectionRequest = {
  /** Tenant's id, or the name of a part of the service. */
  of: string
  writes: boolean
  /** Counter that it will lock. Per quota, only one request for the same counter has a connection. */
  counter?: string | undefined
}

/** Calls a function after `ms` milliseconds, unless the returned function is called first. */
export type StartTimer = (ms: number, call: () => void) => () => void

/** Quota for authentication. In a pool of more than three, one connection is always reserved for it. */
export const SERVICE = 'service'

type Waiter = { request: ConnectionRequest; resolve: () => void; reject: (error: unknown) => void; settle: () => void }
type Quota = { name: string; used: number; writing: number; counters: Set<string>; waiting: Waiter[]; joined: number }

const MAX_QUOTAS = 1_000

/**
 * Returns the limits of a pool of `max` connections: for all but the service, per quota, for writes, for writes per
 * quota, and for waiting requests.
 */
export function quotasOf(max: number) {
  const part = (share: number): number => Math.min(max, Math.max(2, Math.floor(max * share)))
  return {
    max,
    others: max > 3 ? max - 1 : max,
    each: part(0.6),
    writing: part(0.7),
    writingEach: part(0.4),
    waitingEach: 20 * max,
    waiting: 60 * max,
  }
}

/** State of a pool: its limits, its taken connections by kind, and its waiters. */
type Pool = {
  readonly limits: ReturnType<typeof quotasOf>
  readonly quotas: Map<string, Quota>
  /** Quotas with waiters, in the order of their turns. */
  readonly turns: Quota[]
  used: number
  others: number
  writing: number
  waiting: number
}

/**
 * Assigns the pool's connections: first come, first served within a quota, round robin across quotas, each within its
 * limits. No request waits while a connection is free for it, so one that is served at once never overtakes another.
 */
export function openConnectionQuota(max: number, after: StartTimer = startTimer) {
  const limits = quotasOf(max)
  const pool: Pool = { limits, quotas: new Map(), turns: [], used: 0, others: 0, writing: 0, waiting: 0 }
  return {
    /** Returns undefined if a connection is free, else a promise that settles within `ms`. */
    acquire(request: ConnectionRequest, ms: number, signal?: AbortSignal): Promise<void> | undefined {
      signal?.throwIfAborted()
      const quota = getQuota(pool, request.of)
      if (hasCapacity(pool, quota) && fits(pool, quota, request)) {
        count(pool, quota, request, 1)
        return undefined
      }
      requireWaitingCapacity(pool, quota)
      return wait(pool, quota, request, { after, ms, signal })
    },
    /** Counts a request that shares the wait of another, within the same limits, until the result is called. */
    join(of = SERVICE): () => void {
      const quota = getQuota(pool, of)
      requireWaitingCapacity(pool, quota)
      quota.joined++
      pool.waiting++
      return () => {
        quota.joined--
        pool.waiting--
      }
    },
    release(request: ConnectionRequest): void {
      count(pool, getQuota(pool, request.of), request, -1)
      if (pool.waiting > 0) serve(pool)
    },
    waiting: (): number => pool.waiting,
  }
}

function requireWaitingCapacity({ limits, waiting }: Pool, quota: Quota): void {
  if (quota.waiting.length + quota.joined >= limits.waitingEach || waiting >= limits.waiting)
    throw new Unavailable('too many requests at once')
}

const hasCapacity = ({ limits, used, others }: Pool, quota: Quota): boolean =>
  used < limits.max && quota.used < limits.each && (quota.name === SERVICE || others < limits.others)

const fits = ({ limits, writing }: Pool, quota: Quota, { writes, counter }: ConnectionRequest): boolean =>
  (!writes || (writing < limits.writing && quota.writing < limits.writingEach)) &&
  (counter === undefined || !quota.counters.has(counter))

function getQuota({ quotas }: Pool, name: string): Quota {
  const existing = quotas.get(name)
  if (existing !== undefined) return existing
  if (quotas.size >= MAX_QUOTAS) for (const quota of quotas.values()) if (isIdle(quota)) quotas.delete(quota.name)
  const quota: Quota = { name, used: 0, writing: 0, counters: new Set(), waiting: [], joined: 0 }
  quotas.set(name, quota)
  return quota
}

/** Adds 1 to the counts for a connection taken, or -1 for one given back. */
function count(pool: Pool, quota: Quota, { writes, counter }: ConnectionRequest, by: 1 | -1): void {
  pool.used += by
  quota.used += by
  if (quota.name !== SERVICE) pool.others += by
  if (writes) {
    pool.writing += by
    quota.writing += by
  }
  if (counter !== undefined) quota.counters[by === 1 ? 'add' : 'delete'](counter)
}

function serve(pool: Pool): void {
  const { turns, limits } = pool
  for (let i = 0; pool.used < limits.max;) {
    const quota = turns[i]
    if (quota === undefined) return
    const next = hasCapacity(pool, quota) ? quota.waiting.find(({ request }) => fits(pool, quota, request)) : undefined
    if (next === undefined) {
      i++
      continue
    }
    remove(pool, quota, next)
    if (quota.waiting.length > 0) turns.push(...turns.splice(i, 1))
    count(pool, quota, next.request, 1)
    next.resolve()
  }
}

function remove(pool: Pool, quota: Quota, waiter: Waiter): void {
  quota.waiting.splice(quota.waiting.indexOf(waiter), 1)
  if (quota.waiting.length === 0) pool.turns.splice(pool.turns.indexOf(quota), 1)
  pool.waiting--
  waiter.settle()
}

function wait(
  pool: Pool,
  quota: Quota,
  request: ConnectionRequest,
  { after, ms, signal }: { after: StartTimer; ms: number; signal: AbortSignal | undefined },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const abandon = (error: unknown): void => {
    remove(pool, quota, waiter)
    reject(error)
  }
  const onAbort = (): void => abandon(signal?.reason)
  const stopTimer = after(ms, () => abandon(new Unavailable('no connection to the database became free in time')))
  const settle = (): void => {
    stopTimer()
    signal?.removeEventListener('abort', onAbort)
  }
  const waiter: Waiter = { request, resolve, reject, settle }
  signal?.addEventListener('abort', onAbort, { once: true })
  if (quota.waiting.push(waiter) === 1) pool.turns.push(quota)
  pool.waiting++
  return promise
}

const isIdle = ({ used, waiting }: Quota): boolean => used === 0 && waiting.length === 0

const startTimer: StartTimer = (ms, call) => {
  const timer = setTimeout(call, ms)
  return () => clearTimeout(timer)
}
