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
type Party = { name: string; taken: number; writing: number; counters: Set<string>; waiting: Waiter[]; joined: number }

const MAX_QUOTAS = 1_000

/**
 * Returns the limits of a pool of `most` connections: for all but the service, per quota, for writes, for writes per
 * quota, and for waiting requests.
 */
export function quotasOf(most: number) {
  const part = (share: number): number => Math.min(most, Math.max(2, Math.floor(most * share)))
  return {
    most,
    others: most > 3 ? most - 1 : most,
    each: part(0.6),
    writing: part(0.7),
    writingEach: part(0.4),
    waitingEach: 20 * most,
    waiting: 60 * most,
  }
}

/** State of a pool: its limits, its taken connections by kind, and its waiters. */
type Pool = {
  readonly limits: ReturnType<typeof quotasOf>
  readonly parties: Map<string, Party>
  /** Quotas with waiters, in the order of their turns. */
  readonly turns: Party[]
  taken: number
  others: number
  writing: number
  waiting: number
}

/**
 * Assigns the pool's connections: first come, first served within a quota, round robin across quotas, each within its
 * limits. No request waits while a connection is free for it, so one that is served at once never overtakes another.
 */
export function openConnectionQuota(most: number, after: StartTimer = startTimer) {
  const limits = quotasOf(most)
  const pool: Pool = { limits, parties: new Map(), turns: [], taken: 0, others: 0, writing: 0, waiting: 0 }
  return {
    /** Returns undefined if a connection is free, else a promise that settles within `ms`. */
    take(request: ConnectionRequest, ms: number, signal?: AbortSignal): Promise<void> | undefined {
      signal?.throwIfAborted()
      const party = partyOf(pool, request.of)
      if (hasRoom(pool, party) && fits(pool, party, request)) {
        count(pool, party, request, 1)
        return undefined
      }
      requireWaitingRoom(pool, party)
      return wait(pool, party, request, { after, ms, signal })
    },
    /** Counts a request that shares the wait of another, within the same limits, until the result is called. */
    join(of = SERVICE): () => void {
      const party = partyOf(pool, of)
      requireWaitingRoom(pool, party)
      party.joined++
      pool.waiting++
      return () => {
        party.joined--
        pool.waiting--
      }
    },
    giveBack(request: ConnectionRequest): void {
      count(pool, partyOf(pool, request.of), request, -1)
      if (pool.waiting > 0) serve(pool)
    },
    waiting: (): number => pool.waiting,
  }
}

function requireWaitingRoom({ limits, waiting }: Pool, party: Party): void {
  if (party.waiting.length + party.joined >= limits.waitingEach || waiting >= limits.waiting)
    throw new Unavailable('too much is asked at once')
}

const hasRoom = ({ limits, taken, others }: Pool, party: Party): boolean =>
  taken < limits.most && party.taken < limits.each && (party.name === SERVICE || others < limits.others)

const fits = ({ limits, writing }: Pool, party: Party, { writes, counter }: ConnectionRequest): boolean =>
  (!writes || (writing < limits.writing && party.writing < limits.writingEach)) &&
  (counter === undefined || !party.counters.has(counter))

function partyOf({ parties }: Pool, name: string): Party {
  const existing = parties.get(name)
  if (existing !== undefined) return existing
  if (parties.size >= MAX_QUOTAS) for (const party of parties.values()) if (isIdle(party)) parties.delete(party.name)
  const party: Party = { name, taken: 0, writing: 0, counters: new Set(), waiting: [], joined: 0 }
  parties.set(name, party)
  return party
}

/** Adds 1 to the counts for a connection taken, or -1 for one given back. */
function count(pool: Pool, party: Party, { writes, counter }: ConnectionRequest, by: 1 | -1): void {
  pool.taken += by
  party.taken += by
  if (party.name !== SERVICE) pool.others += by
  if (writes) {
    pool.writing += by
    party.writing += by
  }
  if (counter !== undefined) party.counters[by === 1 ? 'add' : 'delete'](counter)
}

function serve(pool: Pool): void {
  const { turns, limits } = pool
  for (let i = 0; pool.taken < limits.most;) {
    const party = turns[i]
    if (party === undefined) return
    const next = hasRoom(pool, party) ? party.waiting.find(({ request }) => fits(pool, party, request)) : undefined
    if (next === undefined) {
      i++
      continue
    }
    remove(pool, party, next)
    if (party.waiting.length > 0) turns.push(...turns.splice(i, 1))
    count(pool, party, next.request, 1)
    next.resolve()
  }
}

function remove(pool: Pool, party: Party, waiter: Waiter): void {
  party.waiting.splice(party.waiting.indexOf(waiter), 1)
  if (party.waiting.length === 0) pool.turns.splice(pool.turns.indexOf(party), 1)
  pool.waiting--
  waiter.settle()
}

function wait(
  pool: Pool,
  party: Party,
  request: ConnectionRequest,
  { after, ms, signal }: { after: StartTimer; ms: number; signal: AbortSignal | undefined },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const giveUp = (error: unknown): void => {
    remove(pool, party, waiter)
    reject(error)
  }
  const onAbort = (): void => giveUp(signal?.reason)
  const forget = after(ms, () => giveUp(new Unavailable('no connection to the database became free in time')))
  const settle = (): void => {
    forget()
    signal?.removeEventListener('abort', onAbort)
  }
  const waiter: Waiter = { request, resolve, reject, settle }
  signal?.addEventListener('abort', onAbort, { once: true })
  if (party.waiting.push(waiter) === 1) pool.turns.push(party)
  pool.waiting++
  return promise
}

const isIdle = ({ taken, waiting }: Party): boolean => taken === 0 && waiting.length === 0

const startTimer: StartTimer = (ms, call) => {
  const timer = setTimeout(call, ms)
  return () => clearTimeout(timer)
}
