import { auditChange } from '../identity/audit.ts'
import { requireActiveMember, requireOffice } from '../identity/permissions/rights.ts'
import { ENTERED_TENANT, sql, type Db, type Sql } from '../platform/db/tenant.ts'
import { conflict, invalidField } from '../platform/errors/refusal.ts'
import { newId } from '../platform/validation/id.ts'
import { refusals } from './refusals.ts'
import { parseDay } from '../platform/validation/formats/days.ts'
import { DEFAULT_WEEK, clockText, spansOf, toPairs, type WorkSpan, type WorkWeek } from './week.ts'

export const DEFAULT_TRAVEL = 15
const MAX_TRAVEL = 240
/** Default minutes of a company's arrival window; a company can set 0 to promise the exact start. */
export const DEFAULT_ARRIVAL_WINDOW = 120
const [MIN_ARRIVAL_WINDOW, MAX_ARRIVAL_WINDOW] = [30, 480]
/** Maximum days that one form takes off, and days off of a company or member. */
const MAX_DAYS = 92
const MAX_EXCEPTIONS = 1000

/** Day off, or day with other hours than the week's. */
type WorkingException = { id: string; day: string; hours: readonly WorkSpan[]; note: string | null }

/** Working hours of a company or a member; `week` is null for a member who has the company's. */
type WorkingHours = VisitMinutes & { week: WorkWeek | null; exceptions: WorkingException[] }

/** Minutes that a company keeps free around each visit, and minutes of its arrival window. */
type VisitMinutes = { travel_minutes: number; arrival_window_minutes: number }

type StoredWeek = { days: [number, number][][] } & { [Name in keyof VisitMinutes]: number | null }
type StoredException = Omit<WorkingException, 'hours'> & { hours: [number, number][] }

/** Returns the hours of a member, or the company's (`user` null), with the exceptions from a day on. */
export async function hoursOf(db: Db, user: string | null, from: string): Promise<WorkingHours> {
  const [week, exceptions] = await Promise.all([
    db.maybe<StoredWeek>(
      sql`select days, travel_minutes, arrival_window_minutes from working_weeks
        where tenant_id = ${db.tenant} and user_id is not distinct from ${user}`,
    ),
    db.all<StoredException>(
      sql`select id, day, hours, note from working_exceptions
      where tenant_id = ${db.tenant} and user_id is not distinct from ${user} and day >= ${from} order by day
      limit ${MAX_EXCEPTIONS}`,
    ),
  ])
  return {
    week: week === undefined ? (user === null ? DEFAULT_WEEK : null) : week.days.map(spansOf),
    travel_minutes: week?.travel_minutes ?? DEFAULT_TRAVEL,
    arrival_window_minutes: week?.arrival_window_minutes ?? DEFAULT_ARRIVAL_WINDOW,
    exceptions: exceptions.map(({ hours, ...rest }) => ({ ...rest, hours: spansOf(hours) })),
  }
}

type Actor = { user: string }

/** Audit action for a change of a member's hours; `days_off.enter` can be undone (docs/spec/undo.md). */
type HoursAction = 'members.set' | 'days_off.enter'

/** Saves the company's week, its travel minutes and its arrival window, for owners and the office. */
export async function saveCompanyWeek(
  db: Db,
  week: WorkWeek,
  { travel_minutes: travel, arrival_window_minutes }: CompanyMinutes,
  by: Actor,
): Promise<void> {
  if (!isWithin(travel, 0, MAX_TRAVEL)) throw invalidField('travel_minutes', refusals.travel({ max: MAX_TRAVEL }))
  await requireOffice(db, by)
  const before = await hoursOf(db, null, LAST_DAY)
  const window = arrival_window_minutes ?? before.arrival_window_minutes
  if (window !== 0 && !isWithin(window, MIN_ARRIVAL_WINDOW, MAX_ARRIVAL_WINDOW))
    throw invalidField(
      'arrival_window_minutes',
      refusals.arrivalWindow({ min: MIN_ARRIVAL_WINDOW, max: MAX_ARRIVAL_WINDOW }),
    )
  await db.run(sql`insert into working_weeks (tenant_id, id, days, travel_minutes, arrival_window_minutes)
    values (${db.tenant}, ${newId()}, ${JSON.stringify(week.map(toPairs))}, ${travel}, ${window})
    on conflict (tenant_id, user_id) do update set days = excluded.days, travel_minutes = excluded.travel_minutes,
      arrival_window_minutes = excluded.arrival_window_minutes`)
  await audit(db, null, by, {
    ...changeEntry('working_hours', weekText(before.week), weekText(week)),
    ...changeEntry('travel_minutes', before.travel_minutes, travel),
    ...changeEntry('arrival_window_minutes', before.arrival_window_minutes, window),
  })
}

/** Minutes to save. Without a window, the company's stays. */
type CompanyMinutes = { travel_minutes: number; arrival_window_minutes?: number | undefined }

const isWithin = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max

/** Returns the minutes of the arrival window promised to a customer: the visit's `visitWindow`, else the company's. */
export const arrivalWindowOf = (visitWindow: Sql): Sql => sql`coalesce(nullif(${visitWindow}, 0),
  (select w.arrival_window_minutes from working_weeks w where w.tenant_id = ${ENTERED_TENANT} and w.user_id is null),
  ${DEFAULT_ARRIVAL_WINDOW}::integer)`

/** Returns the same for a visit that was already read. */
export const findArrivalWindow = async (db: Db, visitWindow: number): Promise<number> =>
  (await db.one<{ minutes: number }>(sql`select ${arrivalWindowOf(sql`${visitWindow}::integer`)} as minutes`)).minutes

/** Saves a member's own week, or removes it (null), for owners and the office. */
export async function saveMemberWeek(db: Db, user: string, week: WorkWeek | null, by: Actor): Promise<void> {
  await requireOffice(db, by)
  await requireActiveMember(db, user)
  const before = await hoursOf(db, user, LAST_DAY)
  await db.run(
    week === null
      ? sql`delete from working_weeks where tenant_id = ${db.tenant} and user_id = ${user}`
      : sql`insert into working_weeks (tenant_id, id, user_id, days)
        values (${db.tenant}, ${newId()}, ${user}, ${JSON.stringify(week.map(toPairs))})
        on conflict (tenant_id, user_id) do update set days = excluded.days`,
  )
  await audit(db, user, by, changeEntry('working_hours', weekText(before.week), weekText(week)))
}

type DaysOff = { from: string; to: string; hours: readonly WorkSpan[]; note: string | null }

/**
 * Takes days off, or gives them other hours, for the company (`user` null) or a member. Replaces existing exceptions on
 * those days.
 */
export async function addExceptions(
  db: Db,
  user: string | null,
  { from, to, hours, note }: DaysOff,
  by: Actor,
  action: HoursAction = 'members.set',
): Promise<void> {
  const days = daysBetween(from, to)
  await requireOffice(db, by)
  if (user !== null) await requireActiveMember(db, user)
  const { count } = await db.one<{ count: number }>(
    sql`select count(*) as count from working_exceptions
      where tenant_id = ${db.tenant} and user_id is not distinct from ${user}`,
  )
  if (count + days.length > MAX_EXCEPTIONS) throw conflict(refusals.tooManyDays({ max: String(MAX_EXCEPTIONS) }))
  for (const day of days)
    await db.run(sql`insert into working_exceptions (tenant_id, id, user_id, day, hours, note)
      values (${db.tenant}, ${newId()}, ${user}, ${day}, ${JSON.stringify(toPairs(hours))}, ${note})
      on conflict (tenant_id, user_id, day) do update set hours = excluded.hours, note = excluded.note`)
  const entry = changeEntry(`working_on ${from}${to === from ? '' : ` to ${to}`}`, null, spansText(hours))
  await audit(db, user, by, entry, action)
}

/** Removes a day off, so that the week applies again. */
export async function removeException(db: Db, user: string | null, id: string, by: Actor): Promise<{ day: string }> {
  await requireOffice(db, by)
  const { day, hours } = await db.present<StoredException>(
    sql`delete from working_exceptions
      where tenant_id = ${db.tenant} and user_id is not distinct from ${user} and id = ${id} returning day, hours`,
    'day',
  )
  await audit(db, user, by, changeEntry(`working_on ${day}`, spansText(spansOf(hours)), null))
  return { day }
}

/** Day after every possible day. */
const LAST_DAY = '9999-12-31'

async function audit(
  db: Db,
  user: string | null,
  by: Actor,
  changes: Parameters<typeof auditChange>[4],
  action: HoursAction = 'members.set',
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await db.run(
    user === null
      ? auditChange(db.tenant, by, 'companies.set', db.tenant, changes)
      : auditChange(db.tenant, by, action, user, changes),
  )
}

function daysBetween(from: string, to: string): string[] {
  const [first, last] = [requireDay(from, 'from'), requireDay(to, 'to')]
  const count = first.until(last).days + 1
  if (count < 1) throw invalidField('to', refusals.lastDayEarly({ from }))
  if (count > MAX_DAYS) throw invalidField('to', refusals.lastDayLate({ max: MAX_DAYS }))
  return Array.from({ length: count }, (_, days) => first.add({ days }).toString())
}

function requireDay(text: string, field: string): Temporal.PlainDate {
  const day = parseDay(text)
  if (day === undefined) throw invalidField(field, refusals.day({ given: text.slice(0, 20) }))
  return day
}

const changeEntry = (name: string, before: unknown, after: unknown): Record<string, readonly [unknown, unknown]> =>
  before === after ? {} : { [name]: [before, after] }

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const spansText = (spans: readonly WorkSpan[]): string =>
  spans.length === 0 ? 'off' : spans.map(({ from, to }) => `${clockText(from)}-${clockText(to)}`).join(', ')

const weekText = (week: WorkWeek | null): string | null =>
  week === null ? null : week.map((spans, i) => `${DAYS[i]} ${spansText(spans)}`).join('; ')
