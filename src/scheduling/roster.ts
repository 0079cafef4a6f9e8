import { sql, type Db } from '../platform/db/tenant.ts'
import { DEFAULT_TRAVEL } from './hours.ts'
import { DEFAULT_WEEK, spansOf, type WorkSpan, type WorkWeek } from './week.ts'

/** Times at which each member works, over some days. */
export type Roster = {
  /** Time kept free before and after each visit. */
  travel_minutes: number
  /**
   * Returns when a member, or the company (null), works on a day: its exception, then the company's, then the week
   * (docs/spec/scheduling.md#working-hours).
   */
  spansOn(user: string | null, day: Temporal.PlainDate): readonly WorkSpan[]
  /** Returns the exception that makes a day off for a member, or the company (null): their time off, or a holiday. */
  dayOff(user: string | null, day: Temporal.PlainDate): DayOff | undefined
}

type DayOff = { reason: 'time_off' | 'holiday'; note: string | null }

type StoredWeek = { user_id: string | null; days: [number, number][][]; travel_minutes: number | null }
type StoredDay = { user_id: string | null; day: string; hours: [number, number][]; note: string | null }

/** Reads when everybody works from a day to a day, in the round trip of its tick. */
export async function rosterOf(db: Db, from: Temporal.PlainDate, to: Temporal.PlainDate): Promise<Roster> {
  const [weeks, exceptions] = await Promise.all([
    db.all<StoredWeek>(sql`select user_id, days, travel_minutes from working_weeks where tenant_id = ${db.tenant}`),
    db.all<StoredDay>(
      sql`select user_id, day, hours, note from working_exceptions
        where tenant_id = ${db.tenant} and day between ${from.toString()} and ${to.toString()}`,
    ),
  ])
  const weekOf = new Map(weeks.map(({ user_id, days }): [string | null, WorkWeek] => [user_id, days.map(spansOf)]))
  const exceptional = new Map(
    exceptions.map(({ user_id, day, hours, note }) => [
      `${user_id ?? ''} ${day}`,
      { user_id, hours: spansOf(hours), note },
    ]),
  )
  const exceptionOn = (user: string | null, day: Temporal.PlainDate) =>
    exceptional.get(`${user ?? ''} ${day.toString()}`) ?? exceptional.get(` ${day.toString()}`)
  return {
    travel_minutes: weeks.find(({ user_id }) => user_id === null)?.travel_minutes ?? DEFAULT_TRAVEL,
    spansOn: (user, day) =>
      exceptionOn(user, day)?.hours ?? (weekOf.get(user) ?? weekOf.get(null) ?? DEFAULT_WEEK)[day.dayOfWeek - 1] ?? [],
    dayOff: (user, day) => {
      const found = exceptionOn(user, day)
      return found === undefined || found.hours.length > 0
        ? undefined
        : { reason: found.user_id === null ? 'holiday' : 'time_off', note: found.note }
    },
  }
}
