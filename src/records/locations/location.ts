import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments, valuesOf } from '../../platform/db/rows.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { invalidField, fieldName } from '../../platform/errors/refusal.ts'
import { choice, country, degrees, flag, id, optional } from '../../platform/validation/fields.ts'
import { newId } from '../../platform/validation/id.ts'
import { longText, nonEmptyText, text } from '../../platform/validation/text/text.ts'
import { promotionWrites, type WrittenRecord } from '../../tools/call/outcome.ts'
import { changeColumns, whereListed, type ByChange } from '../../tools/call/by_change.ts'
import { NOT_A_RATE, liveRates, requireLiveRate } from '../tax_rates/index.ts'
import { refusals } from './refusals.ts'

export type LocationType = 'service' | 'billing'
export type Location = {
  id: string
  customer_id: string
  type: LocationType
  name: string | null
  address_line1: string
  address_line2: string | null
  city: string | null
  region: string | null
  postal_code: string | null
  country: string
  formatted_address: string
  latitude: number | null
  longitude: number | null
  access_notes: string | null
  tax_rate_id: string | null
  is_primary: boolean
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
  archived_at: string | null
}

/** Fields of a location that a caller can set. */
export type LocationInput = Pick<
  Location,
  | 'type'
  | 'name'
  | 'address_line1'
  | 'address_line2'
  | 'city'
  | 'region'
  | 'postal_code'
  | 'country'
  | 'latitude'
  | 'longitude'
  | 'access_notes'
  | 'tax_rate_id'
  | 'is_primary'
>

/** Location, as submitted. */
export type LocationDraft = { address_line1: string } & {
  [Name in keyof LocationInput]?: LocationInput[Name] | undefined
}

/** Declares what callers type, here and inside a new customer. */
export const locationInputs = {
  type: choice('service', 'billing').optional().describe('Default service'),
  name: text(100).describe('e.g. Lake house'),
  address_line1: nonEmptyText(200).describe('Street and number'),
  address_line2: text(100).describe('Unit'),
  city: text(100).describe('City'),
  region: text(100).describe('State'),
  postal_code: text(20).describe('Postal code'),
  country: country().optional().describe('ISO code, e.g. US'),
  latitude: optional(degrees(90)).describe('Degrees'),
  longitude: optional(degrees(180)).describe('Degrees'),
  access_notes: longText(2000).describe('e.g. gate code'),
  tax_rate_id: optional(id()).describe('Rate of this place'),
  is_primary: flag().optional().describe('Main of its type'),
}

const columns = sql`id, customer_id, type, name, address_line1, address_line2, city, region, postal_code, country, formatted_address,
  latitude::float8 as latitude, longitude::float8 as longitude, access_notes, tax_rate_id, is_primary,
  created_at, updated_at, created_by, updated_by, archived_at`

/** Lists live locations of a customer, primary first, then service before billing, then oldest first. */
export const locationsOf = (db: Db, customer: string): Promise<Location[]> =>
  db.all<Location>(sql`select ${columns} from locations
    where tenant_id = ${db.tenant} and customer_id = ${customer} and archived_at is null order by is_primary desc, type desc, created_at, id`)

type Listing = ByChange & { customer_id: string; type?: LocationType | undefined; page: number; limit: number }

/** Lists locations, one row more than the page holds; access notes are not for lists. */
export const listLocations = (
  db: Db,
  { page, limit, ...listing }: Listing,
): Promise<Omit<Location, 'access_notes'>[]> =>
  db.all(sql`select l.id, l.customer_id, l.type, l.name, l.address_line1, l.address_line2, l.city, l.region, l.postal_code, l.country, l.formatted_address,
      l.latitude::float8 as latitude, l.longitude::float8 as longitude, l.tax_rate_id, l.is_primary, l.created_at, l.updated_at
      ${changeColumns(listing, AT, sql`l.archived_at is not null or c.archived_at is not null`)} ${matching(db, listing)}
    order by ${listing.updated_since === undefined ? sql`l.is_primary desc, l.type desc, l.created_at, l.id` : sql`${AT}, l.id`} limit ${limit + 1} offset ${(page - 1) * limit}`)

export const countLocations = async (db: Db, listing: Listing): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count ${matching(db, listing)}`)).count

const matching = (
  db: Db,
  { customer_id, type, ...byChange }: Pick<Listing, 'customer_id' | 'type' | keyof ByChange>,
): Sql => sql`
  from locations l join customers c on c.tenant_id = l.tenant_id and c.id = l.customer_id
  where l.tenant_id = ${db.tenant} and l.customer_id = ${customer_id} ${whereListed(byChange, sql`l.archived_at is null`)}
  ${type === undefined ? sql`` : sql`and l.type = ${type}`}
  ${byChange.updated_since === undefined ? sql`` : sql`and ${AT} >= ${byChange.updated_since} and ${AT} < settled()`}`

/** Time of the last change, or of the archiving of its customer. */
const AT = sql`greatest(l.updated_at, c.archived_at)`

/** Returns a live location of a live customer. */
export const findLocation = (db: Db, id: string): Promise<Location> =>
  db.present<Location>(
    sql`select ${columns} from locations
    where tenant_id = ${db.tenant} and id = ${id} and archived_at is null and exists (
      select 1 from customers c where c.tenant_id = ${db.tenant} and c.id = locations.customer_id and c.archived_at is null)`,
    'location',
  )

/**
 * Returns the location of a document: the live one of the live customer that is named, else the primary one of the
 * first of `types` that has one.
 */
export async function locationFor(
  db: Db,
  customer: string,
  named: string | null | undefined,
  types: readonly LocationType[],
): Promise<string | null> {
  if (named === null) return null
  const found = await db.maybe<{ id: string }>(locationQuery(db, customer, named, types))
  if (found === undefined && named !== undefined) throw invalidField('location_id', refusals.notOfCustomer())
  return found?.id ?? null
}

/** Returns the query of that location's id, for what reads more of it in the same round trip. */
export const locationQuery = (
  db: Db,
  customer: string,
  named: string | undefined,
  types: readonly LocationType[],
): Sql => sql`select l.id from locations l join customers c on c.tenant_id = l.tenant_id and c.id = l.customer_id
    where l.tenant_id = ${db.tenant} and l.customer_id = ${customer} and l.archived_at is null and c.archived_at is null and ${
      named === undefined
        ? sql`l.is_primary and l.type = any(${[...types]}) order by array_position(${[...types]}::text[], l.type)`
        : sql`l.id = ${named}`
    } limit 1`

/**
 * Adds locations to a customer whose row is locked: the first of each type becomes primary whatever it says, and a
 * later one that says so replaces it.
 */
export async function addLocations(
  db: Db,
  { user }: Caller,
  customer: string,
  locations: readonly LocationInput[],
  pathOf: (index: number) => string = () => '',
): Promise<{ made: Location[]; also: WrittenRecord[] }> {
  if (locations.length === 0) return { made: [], also: [] }
  const [held] = await Promise.all([
    db.all<{ type: LocationType }>(sql`select type from locations
      where tenant_id = ${db.tenant} and customer_id = ${customer} and is_primary and archived_at is null`),
    requireLiveRates(db, locations, pathOf),
  ])
  const primaries = new Set<number>()
  const also: WrittenRecord[] = []
  for (const type of new Set(locations.map((location) => location.type))) {
    const asked = locations.findLastIndex((location) => location.type === type && location.is_primary)
    const isFirst = !held.some((location) => location.type === type)
    if (asked >= 0 && !isFirst) also.push(...(await demotePrimary(db, customer, type)))
    if (asked >= 0 || isFirst)
      primaries.add(asked >= 0 ? asked : locations.findIndex((location) => location.type === type))
  }
  const made = await db.all<Location>(
    sql`insert into locations ${valuesOf(
      locations.map((location, i) => ({
        tenant_id: db.tenant,
        id: newId(),
        customer_id: customer,
        ...toColumns({ ...location, is_primary: primaries.has(i) }),
        created_by: user,
        updated_by: user,
      })),
    )} returning ${columns}`,
  )
  return { made, also }
}

/** Changes a location of a customer whose row is locked. With another type, it is primary only as the first of that type. */
export async function changeLocation(
  db: Db,
  { user }: Caller,
  before: Location,
  location: LocationInput,
): Promise<{ after: Location; also: WrittenRecord[] }> {
  const moved = before.type !== location.type
  if (location.tax_rate_id !== before.tax_rate_id) await requireLiveRate(db, location.tax_rate_id)
  if (before.is_primary && !location.is_primary && !moved) {
    throw invalidField('is_primary', refusals.primaryRequired())
  }
  const wasPrimary = moved ? false : before.is_primary
  const isPrimary = moved ? await isFirstOf(db, before.customer_id, location.type) : location.is_primary
  const also = isPrimary && !wasPrimary ? await demotePrimary(db, before.customer_id, location.type) : []
  const after = await db.one<Location>(sql`update locations
    set ${assignments({ ...toColumns({ ...location, is_primary: isPrimary }), updated_by: user })}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${before.id} returning ${columns}`)
  const next = moved && before.is_primary ? await promoteOldest(db, before.customer_id, before.type) : undefined
  return { after, also: [...also, ...promotionWrites(next?.id ?? null)] }
}

/** Archives a location of a customer whose row is locked; the oldest of its type that is left replaces a primary one. */
export async function archiveLocation(
  db: Db,
  { user }: Caller,
  location: Location,
): Promise<{ id: string; archived_at: string; new_primary_id: string | null }> {
  const archived = await db.one<{ id: string; archived_at: string }>(sql`
    update locations set archived_at = moment(), is_primary = false, updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and id = ${location.id} returning id, archived_at`)
  const promoted = location.is_primary ? await promoteOldest(db, location.customer_id, location.type) : undefined
  return { ...archived, new_primary_id: promoted?.id ?? null }
}

/**
 * Moves the locations of a customer, archived ones too, to another; both rows are locked. A primary location stays the
 * only one of its type.
 */
export const moveLocations = (db: Db, user: string | null, customer: string, into: string): Promise<{ id: string }[]> =>
  db.all(sql`update locations set customer_id = ${into}, updated_at = later_than(updated_at), updated_by = ${user},
      is_primary = is_primary and not exists (select 1 from locations l
        where l.tenant_id = ${db.tenant} and l.customer_id = ${into} and l.type = locations.type and l.is_primary and l.archived_at is null)
    where tenant_id = ${db.tenant} and customer_id = ${customer} returning id`)

async function requireLiveRates(
  db: Db,
  locations: readonly LocationInput[],
  pathOf: (index: number) => string,
): Promise<void> {
  const live = await liveRates(
    db,
    locations.flatMap(({ tax_rate_id }) => tax_rate_id ?? []),
  )
  const wrong = locations.findIndex(({ tax_rate_id }) => tax_rate_id !== null && !live.has(tax_rate_id))
  if (wrong >= 0) throw invalidField(`${pathOf(wrong)}tax_rate_id`, NOT_A_RATE)
}

const isFirstOf = async (db: Db, customer: string, type: LocationType): Promise<boolean> =>
  (await db.maybe(sql`select id from locations
    where tenant_id = ${db.tenant} and customer_id = ${customer} and type = ${type} and archived_at is null limit 1`)) ===
  undefined

/** Makes the primary location an ordinary one; returns the audit's entry of it, if there was one. */
const demotePrimary = async (db: Db, customer: string, type: LocationType): Promise<WrittenRecord[]> =>
  (
    await db.all<{ id: string }>(sql`update locations set is_primary = false, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and customer_id = ${customer} and type = ${type} and is_primary and archived_at is null returning id`)
  ).map(({ id }) => ({ record: id, changes: { is_primary: [true, false] } }))

const promoteOldest = (db: Db, customer: string, type: LocationType): Promise<{ id: string } | undefined> =>
  db.maybe<{ id: string }>(sql`update locations set is_primary = true, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = (
      select id from locations where tenant_id = ${db.tenant} and customer_id = ${customer} and type = ${type} and archived_at is null
      order by created_at, id limit 1)
    returning id`)

/** Returns a typed location with what it leaves out filled in; `path` names it in a refusal. */
export function completeLocation(typed: LocationDraft, country: string, path = ''): LocationInput {
  const [latitude, longitude] = [typed.latitude ?? null, typed.longitude ?? null]
  if ((latitude === null) !== (longitude === null))
    throw invalidField(`${path}latitude`, refusals.halfPosition({ longitude: fieldName(`${path}longitude`) }))
  return {
    type: typed.type ?? 'service',
    name: typed.name ?? null,
    address_line1: typed.address_line1,
    address_line2: typed.address_line2 ?? null,
    city: typed.city ?? null,
    region: typed.region ?? null,
    postal_code: typed.postal_code ?? null,
    country: typed.country ?? country,
    latitude,
    longitude,
    access_notes: typed.access_notes ?? null,
    tax_rate_id: typed.tax_rate_id ?? null,
    is_primary: typed.is_primary ?? false,
  }
}

/** Returns one line: street, unit, city, region with postal code, country. */
const formatAddress = (location: LocationInput): string =>
  [
    location.address_line1,
    location.address_line2,
    location.city,
    [location.region, location.postal_code].filter(Boolean).join(' '),
    location.country,
  ]
    .filter(Boolean)
    .join(', ')

const toColumns = (location: LocationInput) => ({
  type: location.type,
  name: location.name,
  address_line1: location.address_line1,
  address_line2: location.address_line2,
  city: location.city,
  region: location.region,
  postal_code: location.postal_code,
  country: location.country,
  formatted_address: formatAddress(location),
  latitude: location.latitude,
  longitude: location.longitude,
  access_notes: location.access_notes,
  tax_rate_id: location.tax_rate_id,
  is_primary: location.is_primary,
})
