import { invalidField } from '../../../platform/errors/refusal.ts'
import { refusals } from '../refusals.ts'

/** Maximum days an event can wait on a phone. Ids of applied events are kept longer. */
const MAX_WAIT_DAYS = 30

/**
 * Returns the time of an event by our clock, even if the device's clock is wrong: only the time elapsed between event
 * and sending counts. It is never in the future.
 */
export function toServerTime(at: string, sentAt: string, now: Temporal.Instant): Temporal.Instant {
  const elapsed = Temporal.Instant.from(sentAt).since(Temporal.Instant.from(at))
  const eventTime = now.subtract(elapsed)
  return Temporal.Instant.compare(eventTime, now) > 0 ? now : eventTime
}

/** Refuses an event that waited so long that a wrong clock can't be ruled out. */
export function requireRecent(eventTime: Temporal.Instant, now: Temporal.Instant): void {
  if (Temporal.Instant.compare(eventTime, now.subtract({ hours: 24 * MAX_WAIT_DAYS })) < 0)
    throw invalidField(
      'at',
      refusals.tooOld({ max: MAX_WAIT_DAYS, at: eventTime.toString({ smallestUnit: 'second' }) }),
    )
}
