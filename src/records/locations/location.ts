import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments, valuesOf } from '../../platform/db/rows.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { invalidField, fieldName } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { promotionWrites, type WrittenRecord } from '../../tools/call/outcome.ts'
import { changeColumns, whereListed, type ChangeFilter } from '../../tools/call/by_change.ts'
import { NOT_A_RATE, liveRates, requireLiveRate } from '../tax_rates/index.ts'
import {
  LOCATION,
  type Location,
  type LocationDraft,
  type LocationInput,
  type LocationRow,
  type LocationType,
} from './fields.ts'
import { refusals } from './refusals.ts'

/** Lists live locations of a customer, primary first, then service before billing, then oldest first. */
export const locationsOf = (db: Db, customer: string): Promise<Location[]> =>
  db.all<Location>(sql`select ${LOCATION.columns()} from locations
    where tenant_id = ${db.tenant} and customer_id = ${customer} and archived_at is null
    order by is_primary desc, type desc, created_at, id`)

type Listing = ChangeFilter & { customer_id: string; type?: LocationType | undefined; page: number; limit: number }

/** Lists locations without access notes, one row more than the page holds. */
export const listLocations = (db: Db, { page, limit, ...listing }: Listing): Promise<LocationRow[]> =>
  db.all(sql`select ${LOCATION.listColumns('l')}
    ${changeColumns(listing, CHANGED_AT, sql`l.archived_at is not null or c.archived_at is not null`)} ${fromClause(db, listing)}
    order by ${
      listing.updated_since === undefined
        ? sql`l.is_primary desc, l.type desc, l.created_at, l.id`
        : sql`${CHANGED_AT}, l.id`
    }
    limit ${limit + 1} offset ${(page - 1) * limit}`)

export const countLocations = async (db: Db, listing: Listing): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count ${fromClause(db, listing)}`)).count

const fromClause = (
  db: Db,
  { customer_id, type, ...byChange }: Pick<Listing, 'customer_id' | 'type' | keyof ChangeFilter>,
): Sql => sql`
  from locations l join customers c on c.tenant_id = l.tenant_id and c.id = l.customer_id
  where l.tenant_id = ${db.tenant}
    and l.customer_id = ${customer_id} ${whereListed(byChange, sql`l.archived_at is null`)}
  ${type === undefined ? sql`` : sql`and l.type = ${type}`}
  ${byChange.updated_since === undefined ? sql`` : sql`and ${CHANGED_AT} >= ${byChange.updated_since} and ${CHANGED_AT} < settled()`}`

/** Time of the location's last change, or of its customer's archiving if later. */
const CHANGED_AT = sql`greatest(l.updated_at, c.archived_at)`

/** Returns a live location of a live customer. */
export const findLocation = (db: Db, id: string): Promise<Location> =>
  db.present<Location>(
    sql`select ${LOCATION.columns()} from locations
    where tenant_id = ${db.tenant} and id = ${id} and archived_at is null and exists (
      select 1 from customers c
      where c.tenant_id = ${db.tenant} and c.id = locations.customer_id and c.archived_at is null)`,
    'location',
  )

/**
 * Returns the location for a document: the named live one of the live customer, else the primary one of the first of
 * `types` that has one.
 */
export async function locationFor(
  db: Db,
  customer: string,
  requestedId: string | null | undefined,
  types: readonly LocationType[],
): Promise<string | null> {
  if (requestedId === null) return null
  const idRow = await db.maybe<{ id: string }>(locationQuery(db, customer, requestedId, types))
  if (idRow === undefined && requestedId !== undefined) throw invalidField('location_id', refusals.notOfCustomer())
  return idRow?.id ?? null
}

/** Returns the query for that location's id, to read more of the location in the same round trip. */
export const locationQuery = (
  db: Db,
  customer: string,
  requestedId: string | undefined,
  types: readonly LocationType[],
): Sql => sql`select l.id from locations l join customers c on c.tenant_id = l.tenant_id and c.id = l.customer_id
    where l.tenant_id = ${db.tenant} and l.customer_id = ${customer} and l.archived_at is null and c.archived_at is null
      and ${
        requestedId === undefined
          ? sql`l.is_primary and l.type = any(${[...types]}) order by array_position(${[...types]}::text[], l.type)`
          : sql`l.id = ${requestedId}`
      } limit 1`

/**
 * Adds locations to a locked customer. The customer's first of each type becomes primary in any case; a later one
 * marked primary replaces it.
 */
export async function addLocations(
  db: Db,
  { user }: Caller,
  customer: string,
  locations: readonly LocationInput[],
  pathOf: (index: number) => string = () => '',
): Promise<{ added: Location[]; also: WrittenRecord[] }> {
  if (locations.length === 0) return { added: [], also: [] }
  const [currentPrimaries] = await Promise.all([
    db.all<{ type: LocationType }>(sql`select type from locations
      where tenant_id = ${db.tenant} and customer_id = ${customer} and is_primary and archived_at is null`),
    requireLiveRates(db, locations, pathOf),
  ])
  const primaries = new Set<number>()
  const also: WrittenRecord[] = []
  for (const type of new Set(locations.map((location) => location.type))) {
    const lastPrimary = locations.findLastIndex((location) => location.type === type && location.is_primary)
    const isFirst = !currentPrimaries.some((location) => location.type === type)
    if (lastPrimary >= 0 && !isFirst) also.push(...(await demotePrimary(db, customer, type)))
    if (lastPrimary >= 0 || isFirst)
      primaries.add(lastPrimary >= 0 ? lastPrimary : locations.findIndex((location) => location.type === type))
  }
  const added = await db.all<Location>(
    sql`insert into locations ${valuesOf(
      locations.map((location, i) => ({
        tenant_id: db.tenant,
        id: newId(),
        customer_id: customer,
        ...LOCATION.toColumns({ ...location, is_primary: primaries.has(i) }),
        created_by: user,
        updated_by: user,
      })),
    )} returning ${LOCATION.columns()}`,
  )
  return { added, also }
}

/** Changes a location of a locked customer. With another type, it is primary only as the first of that type. */
export async function changeLocation(
  db: Db,
  { user }: Caller,
  before: Location,
  location: LocationInput,
): Promise<{ after: Location; also: WrittenRecord[] }> {
  const hasNewType = before.type !== location.type
  if (location.tax_rate_id !== before.tax_rate_id) await requireLiveRate(db, location.tax_rate_id)
  if (before.is_primary && !location.is_primary && !hasNewType) {
    throw invalidField('is_primary', refusals.primaryRequired())
  }
  const wasPrimary = hasNewType ? false : before.is_primary
  const isPrimary = hasNewType ? await isFirstOf(db, before.customer_id, location.type) : location.is_primary
  const also = isPrimary && !wasPrimary ? await demotePrimary(db, before.customer_id, location.type) : []
  const after = await db.one<Location>(sql`update locations
    set ${assignments({ ...LOCATION.toColumns({ ...location, is_primary: isPrimary }), updated_by: user })},
      updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${before.id} returning ${LOCATION.columns()}`)
  const promoted =
    hasNewType && before.is_primary ? await promoteOldest(db, before.customer_id, before.type) : undefined
  return { after, also: [...also, ...promotionWrites(promoted?.id ?? null)] }
}

/** Archives a location of a locked customer; the oldest remaining one of its type replaces a primary one. */
export async function archiveLocation(
  db: Db,
  { user }: Caller,
  location: Location,
): Promise<{ id: string; archived_at: string; new_primary_id: string | null }> {
  const archived = await db.one<{ id: string; archived_at: string }>(sql`
    update locations
      set archived_at = moment(), is_primary = false, updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and id = ${location.id} returning id, archived_at`)
  const promoted = location.is_primary ? await promoteOldest(db, location.customer_id, location.type) : undefined
  return { ...archived, new_primary_id: promoted?.id ?? null }
}

/**
 * Moves the locations of a customer, including archived ones, to another; both rows are locked. The target keeps its
 * primary location of each type.
 */
export const moveLocations = (db: Db, user: string | null, customer: string, into: string): Promise<{ id: string }[]> =>
  db.all(sql`update locations set customer_id = ${into}, updated_at = later_than(updated_at), updated_by = ${user},
      is_primary = is_primary and not exists (select 1 from locations l
        where l.tenant_id = ${db.tenant} and l.customer_id = ${into} and l.type = locations.type and l.is_primary
          and l.archived_at is null)
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
  const invalidIndex = locations.findIndex(({ tax_rate_id }) => tax_rate_id !== null && !live.has(tax_rate_id))
  if (invalidIndex >= 0) throw invalidField(`${pathOf(invalidIndex)}tax_rate_id`, NOT_A_RATE)
}

const isFirstOf = async (db: Db, customer: string, type: LocationType): Promise<boolean> =>
  (await db.maybe(sql`select id from locations
    where tenant_id = ${db.tenant} and customer_id = ${customer} and type = ${type} and archived_at is null
      limit 1`)) === undefined

/** Makes the primary location an ordinary one. Returns its audit entry, if there was one. */
const demotePrimary = async (db: Db, customer: string, type: LocationType): Promise<WrittenRecord[]> =>
  (
    await db.all<{ id: string }>(sql`update locations set is_primary = false, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and customer_id = ${customer} and type = ${type} and is_primary
      and archived_at is null
    returning id`)
  ).map(({ id }) => ({ record: id, changes: { is_primary: [true, false] } }))

const promoteOldest = (db: Db, customer: string, type: LocationType): Promise<{ id: string } | undefined> =>
  db.maybe<{ id: string }>(sql`update locations set is_primary = true, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = (
      select id from locations
      where tenant_id = ${db.tenant} and customer_id = ${customer} and type = ${type} and archived_at is null
      order by created_at, id limit 1)
    returning id`)

/** Returns a location completed with defaults. `path` is the prefix of field paths in refusals. */
export function completeLocation(draft: LocationDraft, country: string, path = ''): LocationInput {
  const [latitude, longitude] = [draft.latitude ?? null, draft.longitude ?? null]
  if ((latitude === null) !== (longitude === null))
    throw invalidField(`${path}latitude`, refusals.halfPosition({ longitude: fieldName(`${path}longitude`) }))
  return LOCATION.complete(draft, { country })
}
