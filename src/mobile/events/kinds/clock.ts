import { invalidField } from '../../../platform/errors/refusal.ts'
import { refusals } from '../refusals.ts'

/** Maximum days that an event can wait on a phone. The ids of applied events are kept longer. */
const MAX_WAIT_DAYS = 30

/**
 * Returns when something was done by our clock, from the clock of a device that was right or not: the time it has gone
 * on since then is what counts. It is never in the future.
 */
export function toServerTime(at: string, sentAt: string, now: Temporal.Instant): Temporal.Instant {
  const since = Temporal.Instant.from(sentAt).since(Temporal.Instant.from(at))
  const done = now.subtract(since)
  return Temporal.Instant.compare(done, now) > 0 ? now : done
}

/** Refuses what has waited so long that it can no longer be told from a wrong clock. */
export function requireRecent(done: Temporal.Instant, now: Temporal.Instant): void {
  if (Temporal.Instant.compare(done, now.subtract({ hours: 24 * MAX_WAIT_DAYS })) < 0)
    throw invalidField('at', refusals.tooOld({ max: MAX_WAIT_DAYS, at: done.toString({ smallestUnit: 'second' }) }))
}
