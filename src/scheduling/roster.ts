import { sql, type Db } from '../platform/db/tenant.ts'
import { DEFAULT_ARRIVAL_WINDOW, DEFAULT_TRAVEL } from './hours.ts'
import { DEFAULT_WEEK, spansOf, type WorkSpan, type WorkWeek } from './week.ts'

/** Working hours of everyone, over some days. */
export type Roster = {
  /** Minutes kept free before and after each visit. */
  travel_minutes: number
  /** Minutes of the company's arrival window, for visits without their own. */
  arrival_window_minutes: number
  /**
   * Returns the working hours of a member, or the company (null), on a day: the exception of the member, then the
   * company's, then the week (docs/spec/scheduling.md#working-hours).
   */
  spansOn(user: string | null, day: Temporal.PlainDate): readonly WorkSpan[]
  /** Returns the exception that gives a member, or the company (null), a day off: time off, or a holiday. */
  dayOff(user: string | null, day: Temporal.PlainDate): DayOff | undefined
}

type DayOff = { reason: 'time_off' | 'holiday'; note: string | null }

type StoredWeek = {
  user_id: string | null
  days: [number, number][][]
  travel_minutes: number | null
  arrival_window_minutes: number | null
}
type StoredDay = { user_id: string | null; day: string; hours: [number, number][]; note: string | null }

/** Reads everyone's working hours from a day to a day, in the round trip of its tick. */
export async function rosterOf(db: Db, from: Temporal.PlainDate, to: Temporal.PlainDate): Promise<Roster> {
  const [weeks, exceptions] = await Promise.all([
    db.all<StoredWeek>(
      sql`select user_id, days, travel_minutes, arrival_window_minutes from working_weeks
        where tenant_id = ${db.tenant}`,
    ),
    db.all<StoredDay>(
      sql`select user_id, day, hours, note from working_exceptions
        where tenant_id = ${db.tenant} and day between ${from.toString()} and ${to.toString()}`,
    ),
  ])
  const weekOf = new Map(weeks.map(({ user_id, days }): [string | null, WorkWeek] => [user_id, days.map(spansOf)]))
  const exceptionsByDay = new Map(
    exceptions.map(({ user_id, day, hours, note }) => [
      `${user_id ?? ''} ${day}`,
      { user_id, hours: spansOf(hours), note },
    ]),
  )
  const exceptionOn = (user: string | null, day: Temporal.PlainDate) =>
    exceptionsByDay.get(`${user ?? ''} ${day.toString()}`) ?? exceptionsByDay.get(` ${day.toString()}`)
  const company = weeks.find(({ user_id }) => user_id === null)
  return {
    travel_minutes: company?.travel_minutes ?? DEFAULT_TRAVEL,
    arrival_window_minutes: company?.arrival_window_minutes ?? DEFAULT_ARRIVAL_WINDOW,
    spansOn: (user, day) =>
      exceptionOn(user, day)?.hours ?? (weekOf.get(user) ?? weekOf.get(null) ?? DEFAULT_WEEK)[day.dayOfWeek - 1] ?? [],
    dayOff: (user, day) => {
      const exception = exceptionOn(user, day)
      return exception === undefined || exception.hours.length > 0
        ? undefined
        : { reason: exception.user_id === null ? 'holiday' : 'time_off', note: exception.note }
    },
  }
}
