/** Large body being read, its signature not verified yet. */
type LargeBody = { sender: string; since: number; bytes: number; preempt(): void }

/**
 * Maximum number of large bodies being read at once, and of their bytes on disk; for each of the two kinds of sender.
 */
type PoolLimits = { readings: number; bytes: number }

const MB = 2 ** 20

/** Separate limits for unverified senders and for senders with a valid earlier signature. */
const LIMITS: Readonly<Record<'unverified' | 'verified', PoolLimits>> = {
  unverified: { readings: 64, bytes: 512 * MB },
  verified: { readings: 16, bytes: 640 * MB },
}

/** Maximum number of verified large bodies in memory at once. */
const MAX_IN_MEMORY = 4
const MAX_VERIFIED_SENDERS = 1_000

/** Minimum average speed after `afterMs`. A slower body gives way to another that needs its place. */
const SLOW = { bytesASecond: 250_000, afterMs: 5_000 }

type Pool = { readonly readings: Set<LargeBody>; bytes: number; readonly limits: PoolLimits }

/** State of the large bodies of one process. */
type SlotState = {
  readonly now: () => number
  readonly pools: { readonly unverified: Pool; readonly verified: Pool }
  readonly bySender: Map<string, LargeBody>
  readonly verifiedSenders: Set<string>
  inMemory: number
}

export type BodySlots = ReturnType<typeof openBodySlots>

/**
 * Counts the large bodies of one process: those being received, by sender, and those in memory. Each sender can send
 * one at a time (docs/spec/webhooks.md#large-bodies).
 */
export function openBodySlots({ now = () => performance.now(), limits = LIMITS } = {}) {
  const pools = { unverified: newPool(limits.unverified), verified: newPool(limits.verified) }
  const verifiedSenders = new Set<string>()
  const state: SlotState = { now, pools, bySender: new Map(), verifiedSenders, inMemory: 0 }
  return {
    /** Begins a reading. Returns undefined if there is no room. */
    beginReading: (sender: string, preempt: () => void) => beginReading(state, sender, preempt),
    /** Checks whether there is room now for a large body of a sender. */
    hasSlot: (sender: string): boolean => state.inMemory < MAX_IN_MEMORY && findObstacle(state, sender) !== 'full',
    /** Records that a signature of the sender was valid. */
    noteVerified: (sender: string): void => {
      verifiedSenders.delete(sender)
      verifiedSenders.add(sender)
      const oldest = verifiedSenders.values().next().value
      if (oldest !== undefined && verifiedSenders.size > MAX_VERIFIED_SENDERS) verifiedSenders.delete(oldest)
    },
    /** Reserves memory for a verified body. Returns false if there is no room. */
    reserveMemory: (): boolean => {
      if (state.inMemory >= MAX_IN_MEMORY) return false
      state.inMemory++
      return true
    },
    releaseMemory: (): void => void state.inMemory--,
    /** Returns the current counts. */
    counts: () => ({
      held: state.inMemory,
      unverified: pools.unverified.readings.size,
      verified: pools.verified.readings.size,
      bytes: pools.unverified.bytes + pools.verified.bytes,
    }),
  }
}

const newPool = (limits: PoolLimits): Pool => ({ readings: new Set(), bytes: 0, limits })

const poolOf = ({ pools, verifiedSenders }: SlotState, sender: string): Pool =>
  verifiedSenders.has(sender) ? pools.verified : pools.unverified

function isSlow({ now }: SlotState, { since, bytes }: LargeBody): boolean {
  const ms = now() - since
  return ms >= SLOW.afterMs && bytes < (SLOW.bytesASecond * ms) / 1_000
}

const slowestIn = (state: SlotState, { readings }: Pool, reader?: LargeBody): LargeBody | undefined =>
  [...readings]
    .filter((one) => one !== reader && isSlow(state, one))
    .sort((a, b) => a.bytes / (state.now() - a.since) - b.bytes / (state.now() - b.since))[0]

/**
 * Returns the reading that must end to make room for a sender, `full` if there is no room even then, or undefined if
 * there already is.
 */
function findObstacle(state: SlotState, sender: string): LargeBody | 'full' | undefined {
  const own = state.bySender.get(sender)
  if (own !== undefined) return isSlow(state, own) ? own : 'full'
  const pool = poolOf(state, sender)
  return pool.readings.size < pool.limits.readings ? undefined : (slowestIn(state, pool) ?? 'full')
}

function beginReading(
  state: SlotState,
  sender: string,
  preempt: () => void,
): { add(bytes: number): boolean; end(): void } | undefined {
  const obstacle = findObstacle(state, sender)
  if (obstacle === 'full') return undefined
  obstacle?.preempt()
  const pool = poolOf(state, sender)
  const end = (): void => {
    if (!pool.readings.delete(reading)) return
    pool.bytes -= reading.bytes
    if (state.bySender.get(sender) === reading) state.bySender.delete(sender)
  }
  const reading: LargeBody = {
    sender,
    since: state.now(),
    bytes: 0,
    preempt: () => {
      end()
      preempt()
    },
  }
  pool.readings.add(reading)
  state.bySender.set(sender, reading)
  return {
    /** Reserves bytes on disk. Returns false if there is no room. */
    add: (bytes) => {
      while (pool.bytes + bytes > pool.limits.bytes) {
        const slowest = slowestIn(state, pool, reading)
        if (slowest === undefined) return false
        slowest.preempt()
      }
      reading.bytes += bytes
      pool.bytes += bytes
      return true
    },
    end,
  }
}
