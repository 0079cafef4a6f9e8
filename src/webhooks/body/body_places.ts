/** Reading of one large body whose signature isn't checked yet. */
type Reading = { sender: string; since: number; bytes: number; giveWay(): void }

/** Maximum number of large bodies being read at once, and of their bytes on disk; for each of the two kinds of sender. */
type PoolLimits = { readings: number; bytes: number }

const MB = 2 ** 20

/** Separate limits for unverified senders and for senders with a valid earlier signature. */
const LIMITS: Readonly<Record<'unverified' | 'verified', PoolLimits>> = {
  unverified: { readings: 64, bytes: 512 * MB },
  verified: { readings: 16, bytes: 640 * MB },
}

/** Maximum number of verified bodies that are whole in memory at once. */
const MAX_HELD = 4
const MAX_VERIFIED_SENDERS = 1_000

/** A body slower than this on average, once it had so many seconds, gives way to another that needs its place. */
const SLOW = { bytesASecond: 250_000, afterMs: 5_000 }

type Pool = { readings: Set<Reading>; bytes: number; limits: PoolLimits }

export type BodyPlaces = ReturnType<typeof openBodyPlaces>

/**
 * Counts the large bodies of one process: those being received, by sender, and those in memory. A sender can send one
 * at a time (docs/spec/webhooks.md#large-bodies).
 */
export function openBodyPlaces({ now = () => performance.now(), limits = LIMITS } = {}) {
  const verified = openVerifiedSenders()
  const readings = openReadings(now, limits, verified.has)
  let held = 0
  return {
    beginReading: readings.begin,
    /** Checks whether there is room now for a large body of a sender. */
    hasPlace: (sender: string): boolean => held < MAX_HELD && readings.hasPlace(sender),
    /** Remembers that a signature of the sender was good. */
    noteVerified: verified.note,
    /** Counts a verified body that is kept in memory. Returns false if there is no room. */
    hold: (): boolean => {
      if (held >= MAX_HELD) return false
      held++
      return true
    },
    release: (): void => void held--,
    /** Returns the numbers of the moment. */
    counts: () => ({ held, ...readings.counts() }),
  }
}

/** Remembers the senders whose signature was good last. */
function openVerifiedSenders() {
  const senders = new Set<string>()
  return {
    has: (sender: string): boolean => senders.has(sender),
    note: (sender: string): void => {
      senders.delete(sender)
      senders.add(sender)
      if (senders.size > MAX_VERIFIED_SENDERS) senders.delete(senders.values().next().value!)
    },
  }
}

/** Counts the bodies being received, in two pools: of senders with a valid earlier signature, and of all others. */
function openReadings(now: () => number, limits: typeof LIMITS, isVerified: (sender: string) => boolean) {
  const newPool = (limits: PoolLimits): Pool => ({ readings: new Set(), bytes: 0, limits })
  const pools = { unverified: newPool(limits.unverified), verified: newPool(limits.verified) }
  const bySender = new Map<string, Reading>()

  /**
   * Returns the reading that must end to make room for a sender, `full` if there is no room even then, or undefined if
   * there is room.
   */
  function obstacleOf(sender: string): Reading | 'full' | undefined {
    const own = bySender.get(sender)
    if (own !== undefined) return isSlow(own, now()) ? own : 'full'
    const pool = pools[isVerified(sender) ? 'verified' : 'unverified']
    return pool.readings.size < pool.limits.readings ? undefined : (slowestIn(pool, now()) ?? 'full')
  }

  return {
    /** Begins a reading. Returns undefined if there is no room. */
    begin(sender: string, giveWay: () => void): { add(bytes: number): boolean; end(): void } | undefined {
      const obstacle = obstacleOf(sender)
      if (obstacle === 'full') return undefined
      obstacle?.giveWay()
      const pool = pools[isVerified(sender) ? 'verified' : 'unverified']
      const end = (): void => {
        if (!pool.readings.delete(reading)) return
        pool.bytes -= reading.bytes
        if (bySender.get(sender) === reading) bySender.delete(sender)
      }
      const endAndGiveWay = (): void => {
        end()
        giveWay()
      }
      const reading: Reading = { sender, since: now(), bytes: 0, giveWay: endAndGiveWay }
      pool.readings.add(reading)
      bySender.set(sender, reading)
      return { add: (bytes) => addBytes(pool, reading, bytes, now()), end }
    },
    hasPlace: (sender: string): boolean => obstacleOf(sender) !== 'full',
    counts: () => ({
      unverified: pools.unverified.readings.size,
      verified: pools.verified.readings.size,
      bytes: pools.unverified.bytes + pools.verified.bytes,
    }),
  }
}

/** Counts bytes that go to the disk; slow readings of others give way. Returns false if there is no room. */
function addBytes(pool: Pool, reading: Reading, bytes: number, at: number): boolean {
  while (pool.bytes + bytes > pool.limits.bytes) {
    const slowest = slowestIn(pool, at, reading)
    if (slowest === undefined) return false
    slowest.giveWay()
  }
  reading.bytes += bytes
  pool.bytes += bytes
  return true
}

function isSlow({ since, bytes }: Reading, at: number): boolean {
  const ms = at - since
  return ms >= SLOW.afterMs && bytes < (SLOW.bytesASecond * ms) / 1_000
}

const slowestIn = ({ readings }: Pool, at: number, reader?: Reading): Reading | undefined =>
  [...readings]
    .filter((one) => one !== reader && isSlow(one, at))
    .sort((a, b) => a.bytes / (at - a.since) - b.bytes / (at - b.since))[0]
