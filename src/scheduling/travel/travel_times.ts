import { sql, type Db } from '../../platform/db/tenant.ts'
import type { Coordinates } from '../places/coordinates.ts'
import { estimateMinutes } from './estimate.ts'
import type { DrivingMatrix } from './router.ts'

/** A drive; `isEstimate` where no routing server gave it. */
export type Drive = { minutes: number; isEstimate: boolean }

/** Answers how long drives take: always, and without waiting for a server. */
export type TravelTimes = { between(from: Coordinates, to: Coordinates): Drive }

/** The two ends of a drive. */
export type DrivePair = readonly [from: Coordinates, to: Coordinates]

/** Maximum pairs that a company keeps; the oldest go. */
const MAX_PAIRS = 20_000
/** Days after which a pair is asked for again. */
const MAX_AGE_DAYS = 90

/** Cells of the two ends of a drive. */
type Ends = { from_latitude: number; from_longitude: number; to_latitude: number; to_longitude: number }
type Pair = Ends & { minutes: number }

/** Returns the driving times between places: those that a routing server gave, else estimates. */
export async function travelTimesOf(db: Db, places: readonly Coordinates[]): Promise<TravelTimes> {
  if (places.length < 2) return ESTIMATES
  const cells = JSON.stringify([...new Map(places.map((place) => [cellNumber(place), cellOf(place)])).values()])
  const rows = await db.all<Pair>(sql`
    with cells as (select * from jsonb_to_recordset(${cells}::jsonb) as c (latitude integer, longitude integer))
    select ${pairColumns}
    from cells a cross join cells b join travel_times t on t.tenant_id = ${db.tenant}
      and t.from_latitude = a.latitude and t.from_longitude = a.longitude
      and t.to_latitude = b.latitude and t.to_longitude = b.longitude
    where ${isFresh}`)
  return timesFrom(rows)
}

/** Returns the times of all drives from and to a place, which lies among very many. */
export async function travelTimesAround(db: Db, place: Coordinates): Promise<TravelTimes> {
  const { latitude, longitude } = cellOf(place)
  const rows = await db.all<Pair>(sql`
    select ${pairColumns} from travel_times t
    where t.tenant_id = ${db.tenant} and t.from_latitude = ${latitude} and t.from_longitude = ${longitude}
      and ${isFresh}
    union all
    select ${pairColumns} from travel_times t
    where t.tenant_id = ${db.tenant} and t.to_latitude = ${latitude} and t.to_longitude = ${longitude}
      and ${isFresh}`)
  return timesFrom(rows)
}

/** Returns times that know some drives more. */
export async function travelTimesAlong(
  db: Db,
  drives: readonly DrivePair[],
  others: TravelTimes,
): Promise<TravelTimes> {
  if (drives.length === 0) return others
  const ends = new Map(drives.map(([from, to]) => [keyOf(from, to), endsOf(from, to)]))
  const rows = await db.all<Pair>(sql`
    select ${pairColumns}
    from jsonb_to_recordset(${JSON.stringify([...ends.values()])}::jsonb) as d
        (from_latitude integer, from_longitude integer, to_latitude integer, to_longitude integer)
      join travel_times t on t.tenant_id = ${db.tenant}
        and t.from_latitude = d.from_latitude and t.from_longitude = d.from_longitude
        and t.to_latitude = d.to_latitude and t.to_longitude = d.to_longitude
    where ${isFresh}`)
  return timesFrom(rows, others)
}

const pairColumns = sql`t.from_latitude, t.from_longitude, t.to_latitude, t.to_longitude, t.minutes`
const isFresh = sql`t.at > now() - make_interval(days => ${MAX_AGE_DAYS})`

/** Checks whether a routing server gave drives to a company. If not, all its drives are estimates. */
export const hasRoutedDrives = async (db: Db): Promise<boolean> =>
  (await db.maybe(sql`select 1 from travel_times where tenant_id = ${db.tenant} limit 1`)) !== undefined

/** Times where no routing server was asked. */
export const ESTIMATES: TravelTimes = {
  between: (from, to) => ({ minutes: estimateMinutes(from, to), isEstimate: true }),
}

/** Returns the times of some drives, and of all others as they were known. */
function timesFrom(rows: readonly Pair[], others = ESTIMATES): TravelTimes {
  if (rows.length === 0) return others
  const drives = new Map<number, Map<number, number>>()
  for (const row of rows) {
    const from = numberOf(row.from_latitude, row.from_longitude)
    const minutesTo = drives.get(from) ?? new Map<number, number>()
    drives.set(from, minutesTo.set(numberOf(row.to_latitude, row.to_longitude), row.minutes))
  }
  return {
    between: (from, to) => {
      const minutes = drives.get(cellNumber(from))?.get(cellNumber(to))
      return minutes === undefined ? others.between(from, to) : { minutes, isEstimate: false }
    },
  }
}

/** Checks whether a routing server should be asked for the drives between places. */
export async function areDrivesMissing(db: Db, places: readonly Coordinates[]): Promise<boolean> {
  const travel = await travelTimesOf(db, places)
  return places.some((from) => places.some((to) => !isSameCell(from, to) && travel.between(from, to).isEstimate))
}

/** Saves what a routing server gave, and forgets what is above the limit. */
export async function saveDrives(db: Db, places: readonly Coordinates[], matrix: DrivingMatrix): Promise<void> {
  const pairs = new Map<string, Pair>()
  for (const [i, from] of places.entries())
    for (const [j, to] of places.entries()) {
      const minutes = matrix[i]?.[j] ?? null
      if (minutes === null || isSameCell(from, to)) continue
      pairs.set(keyOf(from, to), { ...endsOf(from, to), minutes })
    }
  await db.run(sql`insert into travel_times as t
      (tenant_id, from_latitude, from_longitude, to_latitude, to_longitude, minutes)
    select ${db.tenant}, from_latitude, from_longitude, to_latitude, to_longitude, minutes
    from jsonb_to_recordset(${JSON.stringify([...pairs.values()])}::jsonb) as r
      (from_latitude integer, from_longitude integer, to_latitude integer, to_longitude integer, minutes integer)
    on conflict (tenant_id, from_latitude, from_longitude, to_latitude, to_longitude)
      do update set minutes = excluded.minutes, at = excluded.at`)
  await db.run(sql`delete from travel_times where tenant_id = ${db.tenant} and at < coalesce(
    (select at from travel_times where tenant_id = ${db.tenant} order by at desc offset ${MAX_PAIRS - 1} limit 1),
    '-infinity')`)
}

/** Returns a place rounded to about 100 m, in thousandths of a degree. */
const cellOf = ({ latitude, longitude }: Coordinates): Coordinates => ({
  latitude: Math.round(latitude * 1000),
  longitude: Math.round(longitude * 1000),
})

/** Returns a cell as one number. */
const numberOf = (latitude: number, longitude: number): number => latitude * 1_000_000 + longitude

function cellNumber(place: Coordinates): number {
  const { latitude, longitude } = cellOf(place)
  return numberOf(latitude, longitude)
}

const keyOf = (from: Coordinates, to: Coordinates): string => `${cellNumber(from)} ${cellNumber(to)}`

function endsOf(from: Coordinates, to: Coordinates): Ends {
  const [a, b] = [cellOf(from), cellOf(to)]
  return { from_latitude: a.latitude, from_longitude: a.longitude, to_latitude: b.latitude, to_longitude: b.longitude }
}

const isSameCell = (from: Coordinates, to: Coordinates): boolean => cellNumber(from) === cellNumber(to)
