import type { Company, Result } from '../../harness/harness.ts'

/** Time zone of the test companies. */
export const ZONE = 'America/New_York'

export const today = Temporal.Now.plainDateISO(ZONE)

/** Returns the date that many days from today. */
export const inDays = (days: number): string => today.add({ days }).toString()

/** Returns a local time on that date. */
export const at = (days: number, time = '09:00'): string => `${inDays(days)}T${time}`

/** Returns the instant of a local time. */
export const instant = (wall: string, zone = ZONE): string =>
  Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).toInstant().toString({ smallestUnit: 'millisecond' })

/** Arguments of a weekly series from tomorrow at nine. */
export const mowingSeries = (customer: Result, input: object = {}): object => ({
  customer_id: customer.id,
  title: 'Mowing',
  rrule: 'FREQ=WEEKLY',
  dtstart: at(1),
  ...input,
})

/** Returns the jobs of a series, earliest first. */
export const jobsOfSeries = async (company: Company, series: Result, input: object = {}): Promise<Result[]> =>
  (await company.call('jobs_list', { seriesId: series.id, sort: 'scheduled_asc', limit: 100, ...input })).rows
