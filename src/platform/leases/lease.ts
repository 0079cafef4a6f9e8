import { empty } from '../db/database.ts'
import { either, insertSelected, sql, type Database, type Sql } from '../db/tenant.ts'
import { utc } from '../validation/formats/instants.ts'

/** Claim on one task of one tenant. A later claim has a higher fence and ends it. */
export type Lease = { tenant_id: string; chore: string; fence: number; attempts: number }

/**
 * Duration of a claim that isn't renewed. The claims of a process that stopped responding end sooner (`releaseHeldBy`).
 */
export const LEASE = { seconds: 120 } as const

/** Tenant id for tasks of the service as a whole. */
export const SERVICE = '00000000-0000-0000-0000-000000000000'

const FIRST_PAUSE_SECONDS = 30
const MAX_PAUSE_SECONDS = 3600

/**
 * Claims the chore that has been ready longest, of no frozen company; without one, says when the next becomes ready.
 */
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
  const [claimed, coming] = await database.send([
    // A cluster locks no rows of several machines: who comes second finds the lease taken.
    either(ready(sql` for update skip locked`), () => ready(empty)),
    sql<{
      ready_at: string
    }>`select ready_at from chore_leases where ready_at > ${utc(now)} and chore = any(${[...names]})
      order by ready_at limit 1`,
  ])
  const [lease] = claimed.rows
  return lease === undefined ? { nextAt: coming.rows[0]?.ready_at ?? null } : { lease }
}

/** Keeps the claim for the rest of a transaction, which fails if the claim was lost (`isLost`). */
export const holdLease = ({ tenant_id, chore, fence }: Lease): Sql =>
  sql`select hold_lease(${tenant_id}, ${chore}, ${fence})`

export const isLost = (error: unknown): boolean => (error as { code?: string } | null)?.code === 'CA002'

/** Extends the claim. */
export const renewLease = (lease: Lease, now: Temporal.Instant): Sql =>
  sql`update chore_leases set locked_until = ${utc(now.add(LEASE))} where ${whereHeld(lease)}`

/** Ends the claim as done: next due then, or at once when it was asked for meanwhile. */
export const completeLease = (lease: Lease, next: Temporal.Instant | null): Sql =>
  sql`update chore_leases
    set due_at = least(due_at, ${next && utc(next)}), locked_until = null, holder = null, attempts = 0,
      last_error = null
    where ${whereHeld(lease)}`

/**
 * Ends the claim as failed: tried again after a pause that doubles with every attempt, at its next regular time at the
 * latest.
 */
export const failLease = (lease: Lease, reference: string, now: Temporal.Instant, next: Temporal.Instant | null): Sql =>
  sql`update chore_leases
    set locked_until = least(${utc(now.add({ seconds: pauseAfter(lease.attempts) }))}::timestamptz,
      ${next && utc(next)}),
    holder = null, last_error = ${reference} where ${whereHeld(lease)}`

/** Releases the claim without a result, so that the next process takes it at once. */
export const releaseLease = (lease: Lease, now: Temporal.Instant): Sql =>
  sql`update chore_leases
    set locked_until = null, holder = null, due_at = coalesce(due_at, ${utc(now)}), attempts = attempts - 1
    where ${whereHeld(lease)}`

/** Frees what processes that are gone had under way, for the next process to take at once. */
export const releaseHeldBy = (holders: readonly string[], now: Temporal.Instant): Sql =>
  sql`update chore_leases set locked_until = ${utc(now)}, holder = null where holder = any(${[...holders]}::uuid[])`

/** Removes the chore for good, because the tenant is gone. */
export const dropLease = (lease: Lease): Sql => sql`delete from chore_leases where ${whereHeld(lease)}`

/** Enrolls the chores that are missing: of the service, and of one tenant or of all that were ever enrolled. */
export const enrollTasks = (
  ofService: readonly string[],
  ofTenant: readonly string[],
  now: Temporal.Instant,
  tenant: string | null = null,
): Sql =>
  insertSelected(sql`
  insert into chore_leases (tenant_id, chore, due_at)
  select ${SERVICE}::uuid, unnest(${[...ofService]}::text[]), ${utc(now)}::timestamptz
  union all
  select e.tenant_id, c.chore, ${utc(now)}::timestamptz
  from chore_leases e cross join unnest(${[...ofTenant]}::text[]) c (chore)
  where e.chore = ${ENROLLMENT} and (${tenant}::uuid is null or e.tenant_id = ${tenant})
    and not exists (select 1 from chore_leases l where l.tenant_id = e.tenant_id and l.chore = c.chore)
  on conflict do nothing`)

/** Task that a new tenant starts with. */
export const ENROLLMENT = 'enrolment'

const whereHeld = ({ tenant_id, chore, fence }: Lease): Sql =>
  sql`tenant_id = ${tenant_id} and chore = ${chore} and fence = ${fence}`

const pauseAfter = (attempts: number): number =>
  Math.min(MAX_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** Math.min(attempts - 1, 20))
