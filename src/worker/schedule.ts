import { instantAt } from '../platform/validation/formats/instants.ts'

/**
 * Returns the time a task is next due after a moment, in the tenant's time zone (UTC for the service); null if it runs
 * only on demand.
 */
export type TaskSchedule = (after: Temporal.Instant, zone: string) => Temporal.Instant | null

/**
 * Schedules a daily run at a local time. A time skipped by a clock change moves forward by the gap. A repeated time
 * runs at its first occurrence.
 */
export const daily =
  (time: string): TaskSchedule =>
  (after, zone) => {
    const today = after.toZonedDateTimeISO(zone).toPlainDate()
    const candidates = [today, today.add({ days: 1 })].map((day) => atTime(day, time, zone))
    return candidates.find((instant) => Temporal.Instant.compare(instant, after) > 0)!
  }

/** Schedules a run on Mondays at a local time, with the same rule. */
export const weekly =
  (time: string): TaskSchedule =>
  (after, zone) => {
    const today = after.toZonedDateTimeISO(zone).toPlainDate()
    const monday = today.subtract({ days: today.dayOfWeek - 1 })
    const thisWeek = atTime(monday, time, zone)
    return Temporal.Instant.compare(thisWeek, after) > 0 ? thisWeek : atTime(monday.add({ weeks: 1 }), time, zone)
  }

/** Schedules a run at every full hour of the tenant's time zone. */
export const hourly: TaskSchedule = (after, zone) =>
  after.toZonedDateTimeISO(zone).round({ smallestUnit: 'hour', roundingMode: 'floor' }).add({ hours: 1 }).toInstant()

/** Schedules a run at a fixed interval after the previous run. */
export const every =
  (interval: { hours?: number; minutes?: number; seconds?: number }): TaskSchedule =>
  (after) =>
    after.add(interval)

/** Schedules no run: the task runs only on `select ask_chore(tenant, name)`. */
export const onDemand: TaskSchedule = () => null

/** Returns the last local day on which a time of day has passed. Before that time, it is yesterday. */
export function lastDayAt(time: string, now: Temporal.Instant, zone: string): Temporal.PlainDate {
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  return Temporal.Instant.compare(atTime(today, time, zone), now) <= 0 ? today : today.subtract({ days: 1 })
}

const atTime = (day: Temporal.PlainDate, time: string, zone: string): Temporal.Instant =>
  instantAt(day.toPlainDateTime(Temporal.PlainTime.from(time)), zone)
