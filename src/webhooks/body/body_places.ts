/** Large body being read, its signature not verified yet. */
type Reading = { sender: string; since: number; bytes: number; giveWay(): void }

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
const MAX_HELD = 4
const MAX_VERIFIED_SENDERS = 1_000

/** Minimum average speed after `afterMs`. A slower body gives way to another that needs its place. */
const SLOW = { bytesASecond: 250_000, afterMs: 5_000 }

type Pool = { readonly readings: Set<Reading>; bytes: number; readonly limits: PoolLimits }

/** State of the large bodies of one process. */
type Places = {
  readonly now: () => number
  readonly pools: { readonly unverified: Pool; readonly verified: Pool }
  readonly bySender: Map<string, Reading>
  readonly verifiedSenders: Set<string>
  held: number
}

export type BodyPlaces = ReturnType<typeof openBodyPlaces>

/**
 * Counts the large bodies of one process: those being received, by sender, and those in memory. Each sender can send
 * one at a time (docs/spec/webhooks.md#large-bodies).
 */
export function openBodyPlaces({ now = () => performance.now(), limits = LIMITS } = {}) {
  const pools = { unverified: newPool(limits.unverified), verified: newPool(limits.verified) }
  const verifiedSenders = new Set<string>()
  const places: Places = { now, pools, bySender: new Map(), verifiedSenders, held: 0 }
  return {
    /** Begins a reading. Returns undefined if there is no room. */
    beginReading: (sender: string, giveWay: () => void) => beginReading(places, sender, giveWay),
    /** Checks whether there is room now for a large body of a sender. */
    hasPlace: (sender: string): boolean => places.held < MAX_HELD && obstacleOf(places, sender) !== 'full',
    /** Records that a signature of the sender was valid. */
    noteVerified: (sender: string): void => {
      verifiedSenders.delete(sender)
      verifiedSenders.add(sender)
      const oldest = verifiedSenders.values().next().value
      if (oldest !== undefined && verifiedSenders.size > MAX_VERIFIED_SENDERS) verifiedSenders.delete(oldest)
    },
    /** Reserves memory for a verified body. Returns false if there is no room. */
    hold: (): boolean => {
      if (places.held >= MAX_HELD) return false
      places.held++
      return true
    },
    release: (): void => void places.held--,
    /** Returns the current counts. */
    counts: () => ({
      held: places.held,
      unverified: pools.unverified.readings.size,
      verified: pools.verified.readings.size,
      bytes: pools.unverified.bytes + pools.verified.bytes,
    }),
  }
}

const newPool = (limits: PoolLimits): Pool => ({ readings: new Set(), bytes: 0, limits })

const poolOf = ({ pools, verifiedSenders }: Places, sender: string): Pool =>
  verifiedSenders.has(sender) ? pools.verified : pools.unverified

function isSlow({ now }: Places, { since, bytes }: Reading): boolean {
  const ms = now() - since
  return ms >= SLOW.afterMs && bytes < (SLOW.bytesASecond * ms) / 1_000
}

const slowestIn = (places: Places, { readings }: Pool, reader?: Reading): Reading | undefined =>
  [...readings]
    .filter((one) => one !== reader && isSlow(places, one))
    .sort((a, b) => a.bytes / (places.now() - a.since) - b.bytes / (places.now() - b.since))[0]

/**
 * Returns the reading that must end to make room for a sender, `full` if there is no room even then, or undefined if
 * there already is.
 */
function obstacleOf(places: Places, sender: string): Reading | 'full' | undefined {
  const own = places.bySender.get(sender)
  if (own !== undefined) return isSlow(places, own) ? own : 'full'
  const pool = poolOf(places, sender)
  return pool.readings.size < pool.limits.readings ? undefined : (slowestIn(places, pool) ?? 'full')
}

function beginReading(
  places: Places,
  sender: string,
  giveWay: () => void,
): { add(bytes: number): boolean; end(): void } | undefined {
  const obstacle = obstacleOf(places, sender)
  if (obstacle === 'full') return undefined
  obstacle?.giveWay()
  const pool = poolOf(places, sender)
  const end = (): void => {
    if (!pool.readings.delete(reading)) return
    pool.bytes -= reading.bytes
    if (places.bySender.get(sender) === reading) places.bySender.delete(sender)
  }
  const reading: Reading = {
    sender,
    since: places.now(),
    bytes: 0,
    giveWay: () => {
      end()
      giveWay()
    },
  }
  pool.readings.add(reading)
  places.bySender.set(sender, reading)
  return {
    /** Reserves bytes on disk. Returns false if there is no room. */
    add: (bytes) => {
      while (pool.bytes + bytes > pool.limits.bytes) {
        const slowest = slowestIn(places, pool, reading)
        if (slowest === undefined) return false
        slowest.giveWay()
      }
      reading.bytes += bytes
      pool.bytes += bytes
      return true
    },
    end,
  }
}
