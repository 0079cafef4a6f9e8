import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import type { Coordinates, Position } from './coordinates.ts'
import { zipCentroid } from './zip_centroids.ts'

/** Stored data about a location's position. */
export type PositionRow = {
  pin_latitude: number | null
  pin_longitude: number | null
  found_latitude: number | null
  found_longitude: number | null
  found_by: string | null
  postal_code: string | null
  country: string
}

/** Columns of a position, from a location `l` joined with its `location_positions p`. */
export const positionColumns = sql`l.latitude::float8 as pin_latitude, l.longitude::float8 as pin_longitude,
  p.latitude::float8 as found_latitude, p.longitude::float8 as found_longitude, p.source as found_by,
  l.postal_code, l.country`

/** Joins the position found for the current address of a location `l`. */
export const joinPosition = (db: Db): Sql => sql`left join location_positions p on p.tenant_id = ${db.tenant}
  and p.location_id = l.id and p.address_hash = md5(l.formatted_address)`

/** Returns the positions of locations, without unknown ones. */
export async function positionsOf(db: Db, locations: readonly string[]): Promise<Map<string, Position>> {
  if (locations.length === 0) return new Map()
  const rows = await db.all<PositionRow & { id: string }>(sql`select l.id, ${positionColumns}
    from locations l ${joinPosition(db)}
    where l.tenant_id = ${db.tenant} and l.id = any(${[...locations]}::uuid[])`)
  return new Map(
    rows.flatMap(({ id, ...row }): [string, Position][] => {
      const position = bestPosition(row)
      return position === undefined ? [] : [[id, position]]
    }),
  )
}

/** Location with its position, as a map names it. */
export type NamedPlace = { street: string; town: string | null; position: Position }

const MAX_RECENT = 300

/** Returns the positions of the most recently added locations, except one. */
export async function recentPlaces(db: Db, except: string): Promise<NamedPlace[]> {
  const rows = await db.all<PositionRow & { address_line1: string; city: string | null }>(sql`select l.address_line1,
      l.city, ${positionColumns}
    from locations l ${joinPosition(db)}
    where l.tenant_id = ${db.tenant} and l.archived_at is null and l.id <> ${except}
    order by l.id desc limit ${MAX_RECENT}`)
  return rows.flatMap(({ address_line1, city, ...row }) => {
    const position = bestPosition(row)
    return position === undefined ? [] : [{ street: address_line1, town: city, position }]
  })
}

/** Place to search around: a location, by its id or a query for it, or an address that isn't a location yet. */
export type SearchPlace = { location: string | Sql } | { address: { postal_code: string; country: string } }

/** Returns the position of a place; undefined if unknown. */
export async function positionAt(db: Db, place: SearchPlace | undefined): Promise<Position | undefined> {
  if (place === undefined) return undefined
  if ('address' in place) return zipPosition(place.address)
  const location = typeof place.location === 'string' ? sql`${place.location}::uuid` : place.location
  const row = await db.maybe<PositionRow>(sql`select ${positionColumns} from locations l ${joinPosition(db)}
    where l.tenant_id = ${db.tenant} and l.id = (${location})`)
  return row && bestPosition(row)
}

/** Returns the best known position: the pin, a geocoder's result, or the center of the ZIP code. */
export function bestPosition(row: PositionRow): Position | undefined {
  if (row.pin_latitude !== null && row.pin_longitude !== null)
    return { latitude: row.pin_latitude, longitude: row.pin_longitude, precision: 'pin', source: 'pin' }
  if (row.found_latitude !== null && row.found_longitude !== null && row.found_by !== null)
    return { latitude: row.found_latitude, longitude: row.found_longitude, precision: 'street', source: row.found_by }
  return zipPosition(row)
}

function zipPosition({ country, postal_code }: Pick<PositionRow, 'country' | 'postal_code'>): Position | undefined {
  const center = country === 'US' && postal_code !== null ? zipCentroid(postal_code) : undefined
  return center && { ...center, precision: 'zip', source: 'census_2021' }
}

type AddressToFind = { id: string; formatted_address: string; country: string }

/** Maximum attempts to look up an address; a server that always fails for it won't find it. */
const MAX_ATTEMPTS = 6

/** Returns locations without a pin whose current address was never looked up or is due for a retry, oldest first. */
export const addressesToFind = (db: Db, now: Temporal.Instant, limit: number): Promise<AddressToFind[]> =>
  db.all<AddressToFind>(sql`select l.id, l.formatted_address, l.country from locations l ${joinPosition(db)}
    where l.tenant_id = ${db.tenant} and l.archived_at is null and l.latitude is null
      and (p.location_id is null or p.next_at <= ${utc(now)})
    order by p.next_at nulls first, l.created_at, l.id limit ${limit}`)

type LookupResult = { source: string; address: string } & ({ found: Coordinates | null } | { failed: true })

/**
 * Saves the result of a lookup, or its failure and the time of the retry: after an hour, four, sixteen, … A location
 * that was removed or moved meanwhile stays as it is.
 */
export async function savePosition(
  db: Db,
  location: string,
  lookup: LookupResult,
  now: Temporal.Instant,
): Promise<void> {
  const coordinates = 'found' in lookup ? lookup.found : null
  const isFailure = 'failed' in lookup
  await db.run(sql`insert into location_positions as p
      (tenant_id, location_id, address_hash, latitude, longitude, source, next_at)
    select ${db.tenant}, l.id, md5(l.formatted_address),
      ${coordinates?.latitude ?? null}, ${coordinates?.longitude ?? null}, ${lookup.source},
      ${isFailure ? utc(now.add({ hours: 1 })) : null}
    from locations l
    where l.tenant_id = ${db.tenant} and l.id = ${location} and l.formatted_address = ${lookup.address}
    on conflict (tenant_id, location_id) do update set address_hash = excluded.address_hash,
      latitude = excluded.latitude, longitude = excluded.longitude, source = excluded.source, found_at = excluded.found_at,
      attempts = case when p.address_hash = excluded.address_hash then p.attempts + 1 else 1 end,
      next_at = case when ${isFailure} and (p.address_hash <> excluded.address_hash or p.attempts < ${MAX_ATTEMPTS})
        then ${utc(now)}::timestamptz + make_interval(hours => case when p.address_hash = excluded.address_hash
          then (4 ^ least(p.attempts, 6))::integer else 1 end) end`)
}
