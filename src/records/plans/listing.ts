import { sql, type Db } from '../../platform/db/tenant.ts'
import { MAX_COUNTED } from '../../tools/call/outcome.ts'
import { changeColumns, type ChangeFilter } from '../../tools/call/by_change.ts'
import type { Plan, PlanStatus } from './fields.ts'

type PlanFilters = ChangeFilter & {
  status?: readonly PlanStatus[] | undefined
  customer_id?: string | undefined
  page: number
  limit: number
}
type PlanRow = Pick<
  Plan,
  'id' | 'name' | 'status' | 'customer_id' | 'customer_name' | 'cadence' | 'next_run_date' | 'total_cents'
>

/** Returns plans, newest first, one row more than the page holds. */
export const listPlans = (db: Db, listing: PlanFilters): Promise<PlanRow[]> =>
  db.all<PlanRow>(sql`
    select p.id, p.name, p.status, p.customer_id, c.display_name as customer_name, p.cadence,
      p.next_run_date, p.total_cents ${changeColumns(listing, sql`p.updated_at`, sql`false`)}
    from plans p join customers c on c.tenant_id = p.tenant_id and c.id = p.customer_id
    where ${listConditions(db, listing)}
    order by ${listing.updated_since === undefined ? sql`p.created_at desc, p.id desc` : sql`p.updated_at, p.id`}
    limit ${listing.limit + 1} offset ${(listing.page - 1) * listing.limit}`)

export const countPlans = async (db: Db, listing: PlanFilters): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count
        from (select from plans p where ${listConditions(db, listing)} limit ${MAX_COUNTED + 1}) counted`,
    )
  ).count

const listConditions = (db: Db, { status, customer_id, updated_since }: PlanFilters) => sql`p.tenant_id = ${db.tenant}
  ${
    status === undefined
      ? sql``
      : status.length === 1
        ? sql`and p.status = ${status[0]}`
        : sql`and p.status = any(${[...status]})`
  }
  ${customer_id === undefined ? sql`` : sql`and p.customer_id = ${customer_id}`}
  ${updated_since === undefined ? sql`` : sql`and p.updated_at >= ${updated_since} and p.updated_at < settled()`}`
