import { Unavailable } from '../../errors/refusal.ts'

/** Request for a connection: its quota, and what must not run at the same time within that quota. */
export type ConnectionRequest = {
  /** Tenant's id, or the name of a part of the service. */
  of: string
  writes: boolean
  /** Counter that it will lock. Per quota, only one request for the same counter has a connection. */
  counter?: string | undefined
}

/** Calls a function after so many milliseconds, unless the function it returns is called before. */
export type StartTimer = (ms: number, call: () => void) => () => void

/** Quota for finding out who sent a request. It always keeps a connection free. */
export const SERVICE = 'service'

type Waiter = { taking: ConnectionRequest; resolve: () => void; reject: (error: unknown) => void; settle: () => void }
type Party = { name: string; taken: number; writing: number; counters: Set<string>; waiting: Waiter[] }

const MAX_SHARES = 1_000

/**
 * Returns how many of so many connections may be taken: by all but the service, by one share, by writes, by one share's
 * writes; and how many may wait.
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

/**
 * Assigns the pool's connections: first come, first served within a quota, quotas in turn, each within its limits.
 * Nobody waits while a connection is free for them, so a request that finds one never overtakes another.
 */
export function openConnectionQuota(most: number, after: StartTimer = startTimer) {
  const room = quotasOf(most)
  const parties = new Map<string, Party>()
  /** Lists shares that wait; the one that was served last comes last. */
  const turns: Party[] = []
  let [taken, others, writing, waiting] = [0, 0, 0, 0]

  const hasRoom = (party: Party): boolean =>
    taken < most && party.taken < room.each && (party.name === SERVICE || others < room.others)
  const fits = (party: Party, { writes, counter }: ConnectionRequest): boolean =>
    (!writes || (writing < room.writing && party.writing < room.writingEach)) &&
    (counter === undefined || !party.counters.has(counter))

  function partyOf(name: string): Party {
    const known = parties.get(name)
    if (known !== undefined) return known
    if (parties.size >= MAX_SHARES) for (const party of parties.values()) if (isIdle(party)) parties.delete(party.name)
    const party: Party = { name, taken: 0, writing: 0, counters: new Set(), waiting: [] }
    parties.set(name, party)
    return party
  }

  /** Adds 1 to the counts for a connection taken, or -1 for one given back. */
  function count(party: Party, { writes, counter }: ConnectionRequest, by: 1 | -1): void {
    taken += by
    party.taken += by
    if (party.name !== SERVICE) others += by
    if (writes) {
      writing += by
      party.writing += by
    }
    if (counter !== undefined) party.counters[by === 1 ? 'add' : 'delete'](counter)
  }

  function serve(): void {
    for (let i = 0; i < turns.length && taken < most;) {
      const party = turns[i]!
      const next = hasRoom(party) ? party.waiting.find(({ taking }) => fits(party, taking)) : undefined
      if (next === undefined) {
        i++
        continue
      }
      remove(party, next)
      if (party.waiting.length > 0) turns.push(...turns.splice(i, 1))
      count(party, next.taking, 1)
      next.resolve()
    }
  }

  function remove(party: Party, waiter: Waiter): void {
    party.waiting.splice(party.waiting.indexOf(waiter), 1)
    if (party.waiting.length === 0) turns.splice(turns.indexOf(party), 1)
    waiting--
    waiter.settle()
  }

  function wait(party: Party, taking: ConnectionRequest, ms: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = (error: unknown): void => {
      remove(party, waiter)
      reject(error)
    }
    const onAbort = (): void => giveUp(signal!.reason)
    const forget = after(ms, () => giveUp(new Unavailable('no connection to the database became free in time')))
    const settle = (): void => {
      forget()
      signal?.removeEventListener('abort', onAbort)
    }
    const waiter: Waiter = { taking, resolve, reject, settle }
    signal?.addEventListener('abort', onAbort, { once: true })
    if (party.waiting.push(waiter) === 1) turns.push(party)
    waiting++
    return promise
  }

  return {
    /** Returns nothing when it has its connection at once, else what to wait for, at most `ms`. */
    take(taking: ConnectionRequest, ms: number, signal?: AbortSignal): Promise<void> | undefined {
      signal?.throwIfAborted()
      const party = partyOf(taking.of)
      if (hasRoom(party) && fits(party, taking)) {
        count(party, taking, 1)
        return undefined
      }
      if (party.waiting.length >= room.waitingEach || waiting >= room.waiting)
        throw new Unavailable('too much is asked at once')
      return wait(party, taking, ms, signal)
    },
    giveBack(taking: ConnectionRequest): void {
      count(partyOf(taking.of), taking, -1)
      if (waiting > 0) serve()
    },
    waiting: (): number => waiting,
  }
}

const isIdle = ({ taken, waiting }: Party): boolean => taken === 0 && waiting.length === 0

const startTimer: StartTimer = (ms, call) => {
  const timer = setTimeout(call, ms)
  return () => clearTimeout(timer)
}
