import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments, values } from '../../platform/db/rows.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { fold, likeLiteral } from '../../platform/validation/text/fold.ts'
import { newId } from '../../platform/validation/id.ts'
import { changeColumns, whereListed, type ChangeFilter } from '../../tools/call/by_change.ts'
import { VEHICLE, type Vehicle, type VehicleInput, type VehicleRow } from './fields.ts'
import './refusals.ts'

type Listing = ChangeFilter & { query?: string | null | undefined; page: number; limit: number }

/** One row more than the page holds. */
export const listVehicles = (db: Db, { page, limit, ...listing }: Listing): Promise<VehicleRow[]> =>
  db.all<VehicleRow>(sql`select ${VEHICLE.listColumns()} ${changeColumns(listing, sql`updated_at`, sql`archived_at is not null`)} ${fromClause(db, listing)}
    order by ${listing.updated_since === undefined ? sql`name_folded, id` : sql`updated_at, id`} limit ${limit + 1} offset ${(page - 1) * limit}`)

export const countVehicles = async (db: Db, listing: Listing): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count ${fromClause(db, listing)}`)).count

const fromClause = (db: Db, { query, ...changes }: Omit<Listing, 'page' | 'limit'>): Sql => sql`from vehicles
  where tenant_id = ${db.tenant} ${whereListed(changes, sql`archived_at is null`)}
  ${query == null ? sql`` : sql`and name_folded like ${`${likeLiteral(fold(query))}%`}`}
  ${changes.updated_since === undefined ? sql`` : sql`and updated_at >= ${changes.updated_since} and updated_at < settled()`}`

/** A vehicle that is not archived. */
export const findVehicle = (db: Db, id: string): Promise<Vehicle> =>
  db.present<Vehicle>(
    sql`select ${VEHICLE.columns()} from vehicles where tenant_id = ${db.tenant} and id = ${id} and archived_at is null`,
    'vehicle',
  )

/** The same, which no other call changes until this one ends. */
export const lockVehicle = (db: Db, id: string): Promise<Vehicle> =>
  db.present<Vehicle>(
    sql`select ${VEHICLE.columns()} from vehicles
    where tenant_id = ${db.tenant} and id = ${id} and archived_at is null for update`,
    'vehicle',
  )

export const addVehicle = (db: Db, { user }: Caller, vehicle: VehicleInput): Promise<Vehicle> =>
  db.one<Vehicle>(
    sql`insert into vehicles ${values({
      tenant_id: db.tenant,
      id: newId(),
      ...VEHICLE.toColumns(vehicle),
      created_by: user,
      updated_by: user,
    })} returning ${VEHICLE.columns()}`,
  )

/** Changes a locked vehicle. */
export const changeVehicle = (db: Db, { user }: Caller, id: string, vehicle: VehicleInput): Promise<Vehicle> =>
  db.one<Vehicle>(sql`update vehicles set ${assignments({ ...VEHICLE.toColumns(vehicle), updated_by: user })}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id} returning ${VEHICLE.columns()}`)

/** Hides a locked vehicle. */
export const archiveVehicle = (db: Db, { user }: Caller, id: string): Promise<{ id: string; archived_at: string }> =>
  db.one(sql`update vehicles set archived_at = moment(), updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and id = ${id} returning id, archived_at`)
