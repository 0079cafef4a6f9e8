/** Minutes for which events are counted. */
const WINDOW_MINUTES = 15

/** Counts events of the last 15 minutes by name, minute by minute. Names come from the source, so they are few. */
export function openRecentCounter(now: () => number = Date.now) {
  const byMinute = new Map<number, Map<string, number>>()
  const minuteNow = (): number => Math.floor(now() / 60_000)

  function removeOld(minute: number): void {
    for (const old of byMinute.keys()) if (old <= minute - WINDOW_MINUTES) byMinute.delete(old)
  }

  return {
    record(name: string): void {
      const minute = minuteNow()
      const counts = byMinute.get(minute) ?? new Map<string, number>()
      if (counts.size === 0) {
        byMinute.set(minute, counts)
        removeOld(minute)
      }
      counts.set(name, (counts.get(name) ?? 0) + 1)
    },
    read(): Record<string, number> {
      removeOld(minuteNow())
      const sums: Record<string, number> = {}
      for (const counts of byMinute.values()) for (const [name, count] of counts) sums[name] = (sums[name] ?? 0) + count
      return sums
    },
  }
}
