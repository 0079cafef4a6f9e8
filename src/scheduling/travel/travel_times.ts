import { sql, type Db } from '../../platform/db/tenant.ts'
import type { Coordinates } from '../places/coordinates.ts'
import { estimateMinutes } from './estimate.ts'
import type { DrivingMatrix } from './router.ts'

/** Drive between two places; `isEstimate` if it isn't from a routing server. */
export type Drive = { minutes: number; isEstimate: boolean }

/** Driving times, always available without waiting for a server. */
export type TravelTimes = { between(from: Coordinates, to: Coordinates): Drive }

/** Both ends of a drive. */
export type DrivePair = readonly [from: Coordinates, to: Coordinates]

/** Maximum pairs stored per company; the oldest are deleted. */
const MAX_PAIRS = 20_000
/** Days after which a pair is requested again. */
const MAX_AGE_DAYS = 90

/** Grid cells of both ends of a drive. */
type DriveCells = { from_latitude: number; from_longitude: number; to_latitude: number; to_longitude: number }
type Pair = DriveCells & { minutes: number }

/** Returns the driving times between places, from a routing server if available, else estimated. */
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

/** Returns the times of all drives from and to a place; for a place among very many. */
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

/** Returns driving times with the stored drives between some pairs added. */
export async function travelTimesAlong(
  db: Db,
  drives: readonly DrivePair[],
  others: TravelTimes,
): Promise<TravelTimes> {
  if (drives.length === 0) return others
  const cells = new Map(drives.map(([from, to]) => [keyOf(from, to), driveCellsOf(from, to)]))
  const rows = await db.all<Pair>(sql`
    select ${pairColumns}
    from jsonb_to_recordset(${JSON.stringify([...cells.values()])}::jsonb) as d
        (from_latitude integer, from_longitude integer, to_latitude integer, to_longitude integer)
      join travel_times t on t.tenant_id = ${db.tenant}
        and t.from_latitude = d.from_latitude and t.from_longitude = d.from_longitude
        and t.to_latitude = d.to_latitude and t.to_longitude = d.to_longitude
    where ${isFresh}`)
  return timesFrom(rows, others)
}

const pairColumns = sql`t.from_latitude, t.from_longitude, t.to_latitude, t.to_longitude, t.minutes`
const isFresh = sql`t.at > now() - make_interval(days => ${MAX_AGE_DAYS})`

/** Checks whether a company has drives from a routing server. If not, all its drives are estimates. */
export const hasRoutedDrives = async (db: Db): Promise<boolean> =>
  (await db.maybe(sql`select 1 from travel_times where tenant_id = ${db.tenant} limit 1`)) !== undefined

/** Driving times without a routing server. */
export const ESTIMATES: TravelTimes = {
  between: (from, to) => ({ minutes: estimateMinutes(from, to), isEstimate: true }),
}

/** Returns the driving times of stored drives, and those of `others` for the rest. */
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

/** Checks whether drives between places are missing and a routing server should be asked for them. */
export async function areDrivesMissing(db: Db, places: readonly Coordinates[]): Promise<boolean> {
  const travel = await travelTimesOf(db, places)
  return places.some((from) => places.some((to) => !isSameCell(from, to) && travel.between(from, to).isEstimate))
}

/** Saves drives from a routing server, and deletes the oldest ones above the limit. */
export async function saveDrives(db: Db, places: readonly Coordinates[], matrix: DrivingMatrix): Promise<void> {
  const pairs = new Map<string, Pair>()
  for (const [i, from] of places.entries())
    for (const [j, to] of places.entries()) {
      const minutes = matrix[i]?.[j] ?? null
      if (minutes === null || isSameCell(from, to)) continue
      pairs.set(keyOf(from, to), { ...driveCellsOf(from, to), minutes })
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

/** Returns the grid cell of a place, about 100 m wide, in thousandths of a degree. */
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

function driveCellsOf(from: Coordinates, to: Coordinates): DriveCells {
  const [a, b] = [cellOf(from), cellOf(to)]
  return { from_latitude: a.latitude, from_longitude: a.longitude, to_latitude: b.latitude, to_longitude: b.longitude }
}

const isSameCell = (from: Coordinates, to: Coordinates): boolean => cellNumber(from) === cellNumber(to)
