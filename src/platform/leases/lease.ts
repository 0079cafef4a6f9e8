import { empty } from '../db/database.ts'
import { either, insertSelected, sql, type Database, type Sql } from '../db/tenant.ts'
import { utc } from '../validation/formats/instants.ts'

/** Lease of one task of one tenant. A later lease has a higher fencing token and ends this one. */
export type Lease = { tenant_id: string; chore: string; fence: number; attempts: number }

/**
 * Duration of a lease that isn't renewed. Leases of a process that stopped responding end sooner (`releaseLeasesOf`).
 */
export const LEASE = { seconds: 120 } as const

/** Tenant id for tasks of the service as a whole. */
export const SERVICE = '00000000-0000-0000-0000-000000000000'

const MIN_RETRY_SECONDS = 30
const MAX_RETRY_SECONDS = 3600

/** Leases the task that has been ready longest, skipping frozen companies; without one, returns when the next is. */
export async function claimLease(
  database: Database,
  names: readonly string[],
  now: Temporal.Instant,
  holder: string | null = null,
): Promise<{ lease?: Lease; nextAt?: string | null }> {
  const ready = (lock: Sql): Sql<Lease> => sql<Lease>`with ready as materialized (
        select tenant_id, chore from chore_leases where ready_at <= ${utc(now)} and chore = any(${[...names]})
          and not exists (select 1 from frozen_companies f where f.tenant_id = chore_leases.tenant_id)
        order by ready_at limit 1${lock})
      update chore_leases l
      set due_at = null, locked_until = ${utc(now.add(LEASE))}, fence = fence + 1, attempts = attempts + 1,
        holder = ${holder}
      from ready where l.tenant_id = ready.tenant_id and l.chore = ready.chore and l.ready_at <= ${utc(now)}
      returning l.tenant_id, l.chore, l.fence, l.attempts`
  const [claimed, upcoming] = await database.send([
    // A cluster can't lock rows on several machines: the slower of two processes finds the lease taken.
    either(ready(sql` for update skip locked`), () => ready(empty)),
    sql<{
      ready_at: string
    }>`select ready_at from chore_leases where ready_at > ${utc(now)} and chore = any(${[...names]})
      order by ready_at limit 1`,
  ])
  const [lease] = claimed.rows
  return lease === undefined ? { nextAt: upcoming.rows[0]?.ready_at ?? null } : { lease }
}

/** Keeps the lease for the rest of a transaction, which fails if it was lost (`isLost`). */
export const holdLease = ({ tenant_id, chore, fence }: Lease): Sql =>
  sql`select hold_lease(${tenant_id}, ${chore}, ${fence})`

export const isLost = (error: unknown): boolean => (error as { code?: string } | null)?.code === 'CA002'

export const renewLease = (lease: Lease, now: Temporal.Instant): Sql =>
  sql`update chore_leases set locked_until = ${utc(now.add(LEASE))} where ${whereLease(lease)}`

/** Ends the lease as done. The task is due again at `next`, or at once if it was requested meanwhile. */
export const completeLease = (lease: Lease, next: Temporal.Instant | null): Sql =>
  sql`update chore_leases
    set due_at = least(due_at, ${next && utc(next)}), locked_until = null, holder = null, attempts = 0,
      last_error = null
    where ${whereLease(lease)}`

/** Ends the lease as failed. The task is retried with exponential backoff, at the latest at its next regular time. */
export const failLease = (lease: Lease, reference: string, now: Temporal.Instant, next: Temporal.Instant | null): Sql =>
  sql`update chore_leases
    set locked_until = least(${utc(now.add({ seconds: retryDelaySeconds(lease.attempts) }))}::timestamptz,
      ${next && utc(next)}),
    holder = null, last_error = ${reference} where ${whereLease(lease)}`

/** Releases the lease without a result, so that the next process takes it at once. */
export const releaseLease = (lease: Lease, now: Temporal.Instant): Sql =>
  sql`update chore_leases
    set locked_until = null, holder = null, due_at = coalesce(due_at, ${utc(now)}), attempts = attempts - 1
    where ${whereLease(lease)}`

/** Releases the leases of dead processes, so that the next process takes them at once. */
export const releaseLeasesOf = (holders: readonly string[], now: Temporal.Instant): Sql =>
  sql`update chore_leases set locked_until = ${utc(now)}, holder = null where holder = any(${[...holders]}::uuid[])`

/** Removes the task for good, because the tenant is gone. */
export const dropLease = (lease: Lease): Sql => sql`delete from chore_leases where ${whereLease(lease)}`

/** Enrolls missing tasks: those of the service, and those of one tenant or of every enrolled tenant. */
export const enrollTasks = (
  serviceTasks: readonly string[],
  tenantTasks: readonly string[],
  now: Temporal.Instant,
  tenant: string | null = null,
): Sql =>
  insertSelected(sql`
  insert into chore_leases (tenant_id, chore, due_at)
  select ${SERVICE}::uuid, unnest(${[...serviceTasks]}::text[]), ${utc(now)}::timestamptz
  union all
  select e.tenant_id, c.chore, ${utc(now)}::timestamptz
  from chore_leases e cross join unnest(${[...tenantTasks]}::text[]) c (chore)
  where e.chore = ${ENROLLMENT} and (${tenant}::uuid is null or e.tenant_id = ${tenant})
    and not exists (select 1 from chore_leases l where l.tenant_id = e.tenant_id and l.chore = c.chore)
  on conflict do nothing`)

/** Task that a new tenant starts with. */
export const ENROLLMENT = 'enrolment'

const whereLease = ({ tenant_id, chore, fence }: Lease): Sql =>
  sql`tenant_id = ${tenant_id} and chore = ${chore} and fence = ${fence}`

const retryDelaySeconds = (attempts: number): number =>
  Math.min(MAX_RETRY_SECONDS, MIN_RETRY_SECONDS * 2 ** Math.min(attempts - 1, 20))
