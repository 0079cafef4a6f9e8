import type { Client } from 'pg'

/** Time at which every task starts: a Tuesday morning for the demo company, five days before its clocks change. */
export const EXAM_START = '2027-03-09T16:30:00Z'

const RealDate = Date
const realInstant = Temporal.Now.instant

/**
 * Clock that sets this process and the database of an exam back to the start of a task. It runs on from there, because
 * leases, expiry dates and the order of rows need time to pass.
 */
export class ExamClock {
  #offsetMs = 0

  /** Replaces the clock of this process until `restore`. */
  install(): void {
    const offset = (): number => this.#offsetMs
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, args, newTarget) =>
        Reflect.construct(target, args.length === 0 ? [RealDate.now() + offset()] : args, newTarget),
      apply: () => new RealDate(RealDate.now() + offset()).toString(),
      get: (target, key, receiver) =>
        key === 'now' ? () => RealDate.now() + offset() : Reflect.get(target, key, receiver),
    })
    const instant = (): Temporal.Instant => realInstant().add({ milliseconds: offset() })
    Object.assign(Temporal.Now, {
      instant,
      ['zonedDateTimeISO']: (zone: string = Temporal.Now.timeZoneId()) => instant().toZonedDateTimeISO(zone),
      plainDateISO: (zone: string = Temporal.Now.timeZoneId()) => instant().toZonedDateTimeISO(zone).toPlainDate(),
      plainTimeISO: (zone: string = Temporal.Now.timeZoneId()) => instant().toZonedDateTimeISO(zone).toPlainTime(),
      plainDateTimeISO: (zone: string = Temporal.Now.timeZoneId()) =>
        instant().toZonedDateTimeISO(zone).toPlainDateTime(),
    })
  }

  restore(): void {
    globalThis.Date = RealDate
    Object.assign(Temporal.Now, REAL_NOW)
  }

  /** Makes later connections to a database find this clock before the server's. */
  async prepare(owner: Client): Promise<void> {
    await owner.query(`alter database ${owner.database} set search_path = public, pg_catalog`)
    await this.begin(owner)
  }

  /** Starts a task: sets the clock to its start, in this process and in the database. */
  async begin(owner: Client): Promise<void> {
    this.#offsetMs = Temporal.Instant.from(EXAM_START).epochMilliseconds - RealDate.now()
    await owner.query(databaseClock(this.#offsetMs))
  }
}

const REAL_NOW = Object.fromEntries(
  ['instant', 'zonedDateTimeISO', 'plainDateISO', 'plainTimeISO', 'plainDateTimeISO'].map((name) => [
    name,
    Reflect.get(Temporal.Now, name),
  ]),
)

/** Returns the statements that shift every clock read by the schema and the service's queries. */
const databaseClock = (offsetMs: number): string => {
  const shiftClock = (clock: string): string => `pg_catalog.${clock}() + interval '${offsetMs} milliseconds'`
  const truncated = `date_trunc('milliseconds', ${shiftClock('clock_timestamp')})`
  return `
    create or replace function public.now() returns timestamptz language sql stable return ${shiftClock('now')};
    create or replace function public.moment() returns timestamptz language sql volatile return ${truncated};
    create or replace function public.moment_of(tenant uuid) returns timestamptz language sql volatile return ${truncated}`
}
