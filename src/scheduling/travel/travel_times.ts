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

/** Maximum drives that are read at once; what is above takes an estimate. */
const MAX_READ = 20_000
/** Maximum pairs that a company keeps; the oldest go. */
const MAX_PAIRS = 20_000
/** Days after which a pair is asked for again. */
const MAX_AGE_DAYS = 90

type Pair = {
  from_latitude: number
  from_longitude: number
  to_latitude: number
  to_longitude: number
  minutes: number
}

/** Returns the driving times between places: those that a routing server gave, else estimates. */
export async function travelTimesOf(db: Db, places: readonly Coordinates[]): Promise<TravelTimes> {
  return timesFrom(await readPairs(db, places))
}

/** Returns the times of these drives alone, for a place that lies among very many. */
export async function travelTimesAlong(db: Db, drives: readonly DrivePair[]): Promise<TravelTimes> {
  const cells = new Map<string, readonly number[]>()
  for (const [from, to] of drives) {
    if (cells.size === MAX_READ) break
    const [a, b] = [cellOf(from), cellOf(to)]
    cells.set(keyOf(from, to), [a.latitude, a.longitude, b.latitude, b.longitude])
  }
  if (cells.size === 0) return timesFrom(new Map())
  const column = (i: number): number[] => [...cells.values()].map((cell) => cell[i] ?? 0)
  const rows = await db.all<Pair>(sql`
    select t.from_latitude, t.from_longitude, t.to_latitude, t.to_longitude, t.minutes
    from unnest(${column(0)}::integer[], ${column(1)}::integer[], ${column(2)}::integer[], ${column(3)}::integer[])
        as d (from_latitude, from_longitude, to_latitude, to_longitude)
      join travel_times t on t.tenant_id = ${db.tenant}
        and t.from_latitude = d.from_latitude and t.from_longitude = d.from_longitude
        and t.to_latitude = d.to_latitude and t.to_longitude = d.to_longitude
    where t.at > now() - make_interval(days => ${MAX_AGE_DAYS})`)
  return timesFrom(toPairs(rows))
}

/** Checks whether a routing server gave drives to a company. If not, all its drives are estimates. */
export const hasRoutedDrives = async (db: Db): Promise<boolean> =>
  (await db.maybe(sql`select 1 from travel_times where tenant_id = ${db.tenant} limit 1`)) !== undefined

const timesFrom = (pairs: ReadonlyMap<string, number>): TravelTimes => ({
  between: (from, to) => {
    const minutes = pairs.size === 0 ? undefined : pairs.get(keyOf(from, to))
    if (minutes !== undefined) return { minutes, isEstimate: false }
    return { minutes: estimateMinutes(from, to), isEstimate: true }
  },
})

/** Times where no routing server was asked. */
export const ESTIMATES: TravelTimes = timesFrom(new Map())

/** Checks whether a routing server should be asked for the drives between places. */
export async function areDrivesMissing(db: Db, places: readonly Coordinates[]): Promise<boolean> {
  const pairs = await readPairs(db, places)
  return places.some((from) => places.some((to) => !isSameCell(from, to) && !pairs.has(keyOf(from, to))))
}

/** Saves what a routing server gave, and forgets what is above the limit. */
export async function saveDrives(db: Db, places: readonly Coordinates[], matrix: DrivingMatrix): Promise<void> {
  const pairs = new Map<string, Pair>()
  for (const [i, from] of places.entries())
    for (const [j, to] of places.entries()) {
      const minutes = matrix[i]?.[j] ?? null
      if (minutes === null || isSameCell(from, to)) continue
      const [a, b] = [cellOf(from), cellOf(to)]
      pairs.set(keyOf(from, to), {
        from_latitude: a.latitude,
        from_longitude: a.longitude,
        to_latitude: b.latitude,
        to_longitude: b.longitude,
        minutes,
      })
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

async function readPairs(db: Db, places: readonly Coordinates[]): Promise<Map<string, number>> {
  if (places.length < 2) return new Map()
  const cells = JSON.stringify([...new Map(places.map((place) => [textOf(place), cellOf(place)])).values()])
  const rows = await db.all<Pair>(sql`
    with cells as (select * from jsonb_to_recordset(${cells}::jsonb) as c (latitude integer, longitude integer))
    select t.from_latitude, t.from_longitude, t.to_latitude, t.to_longitude, t.minutes
    from cells a cross join cells b join travel_times t on t.tenant_id = ${db.tenant}
      and t.from_latitude = a.latitude and t.from_longitude = a.longitude
      and t.to_latitude = b.latitude and t.to_longitude = b.longitude
    where t.at > now() - make_interval(days => ${MAX_AGE_DAYS})`)
  return toPairs(rows)
}

const toPairs = (rows: readonly Pair[]): Map<string, number> =>
  new Map(
    rows.map((row) => [
      `${row.from_latitude},${row.from_longitude} ${row.to_latitude},${row.to_longitude}`,
      row.minutes,
    ]),
  )

/** Returns a place rounded to about 100 m, in thousandths of a degree. */
const cellOf = ({ latitude, longitude }: Coordinates): Coordinates => ({
  latitude: Math.round(latitude * 1000),
  longitude: Math.round(longitude * 1000),
})

const textOf = (place: Coordinates): string => {
  const { latitude, longitude } = cellOf(place)
  return `${latitude},${longitude}`
}

const keyOf = (from: Coordinates, to: Coordinates): string => `${textOf(from)} ${textOf(to)}`

const isSameCell = (from: Coordinates, to: Coordinates): boolean => textOf(from) === textOf(to)
