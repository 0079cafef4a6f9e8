import type { Logger } from 'pino'
import { findTenantIfAny } from '../identity/companies/tenants.ts'
import type { Tenant } from '../identity/credentials/caller.ts'
import { writeTenant, type Database, type Db } from '../platform/db/tenant.ts'
import { newId } from '../platform/validation/id.ts'
import { FIRST_ID, type PeriodicTask, type TaskPage, type ServiceRun, type TenantRun } from './periodic_task.ts'
import {
  LEASE,
  completeLease,
  dropLease,
  failLease,
  holdLease,
  isLost,
  releaseLease,
  renewLease,
  type Lease,
} from '../platform/leases/lease.ts'

export type WorkerContext = {
  database: Database
  log: Logger
  clock: () => Temporal.Instant
  /** Id of this process. The others free its leases once it has ended. */
  holder?: string
  /** Signal aborted when the service stops. */
  stopping: AbortSignal
  /** Called with the outcome of each run. */
  onRunEnd?: ((task: string, outcome: RunOutcome) => void) | undefined
}

type RunOutcome = 'done' | 'failed' | 'given_back' | 'taken_over'

/** Thrown when the service stops: running work finishes, and no new work starts. */
class ServiceStopping extends Error {}

/** Runs a claimed task and records the outcome on its lease. */
export async function runTask(context: WorkerContext, task: PeriodicTask, lease: Lease): Promise<void> {
  const { database, log, clock, onRunEnd } = context
  const startedAt = performance.now()
  const next = (zone: string): Temporal.Instant | null => task.next(clock(), zone)
  let zone = 'UTC'
  try {
    if (task.of === 'service') await task.run(serviceRun(context, lease))
    else {
      const tenant = await findTenantIfAny(database, lease.tenant_id)
      if (tenant === undefined) return void (await database.send([dropLease(lease)]))
      zone = tenant.timezone
      await runForTenant(context, task.run, lease, tenant)
    }
    await database.send([completeLease(lease, next(zone))])
    onRunEnd?.(task.name, 'done')
    log.debug({ task: task.name, tenant: lease.tenant_id, ms: Math.round(performance.now() - startedAt) }, 'task done')
  } catch (error) {
    const outcome = isLost(error) ? 'taken_over' : error instanceof ServiceStopping ? 'given_back' : 'failed'
    onRunEnd?.(task.name, outcome)
    if (outcome === 'taken_over') return log.warn({ task: task.name, tenant: lease.tenant_id }, 'task taken over')
    if (outcome === 'given_back') return void (await database.send([releaseLease(lease, clock())]))
    const reference = report(context, lease, error)
    await database.send([failLease(lease, reference, clock(), next(zone))])
  }
}

async function runForTenant(
  context: WorkerContext,
  run: (run: TenantRun) => Promise<unknown>,
  lease: Lease,
  tenant: Tenant,
): Promise<void> {
  const errors: unknown[] = []
  const checkLease = openLeaseCheck(context, lease)

  async function write<T>(work: (db: Db) => Promise<T>): Promise<T> {
    await checkLease()
    return writeTenant(context.database, { tenant: tenant.id }, (db) => runWithLease(db, lease, work))
  }

  const conclude = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    writeTenant(context.database, { tenant: tenant.id }, work)

  async function each<Item extends { id: string }>(
    page: TaskPage<Item>,
    work: (db: Db, item: Item) => Promise<unknown>,
  ): Promise<void> {
    for (
      let after = FIRST_ID, items: readonly Item[];
      (items = await write((db) => page(db, after))).length > 0;
      after = items.at(-1)!.id
    ) {
      for (const item of items) {
        await write((db) => work(db, item)).catch((error: unknown) => {
          if (isLost(error) || error instanceof ServiceStopping) throw error
          errors.push(error)
          report(context, lease, error, item.id)
        })
      }
    }
  }

  await run({ now: context.clock(), tenant, write, conclude, each })
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} records failed`)
}

/**
 * Checks the lease in the same round trip as the work's first queries. If the lease is lost, the transaction fails once
 * the work has settled.
 */
async function runWithLease<T>(db: Db, lease: Lease, work: (db: Db) => Promise<T>): Promise<T> {
  const [checked, worked] = await Promise.allSettled([db.run(holdLease(lease)), work(db)])
  if (checked.status === 'rejected') throw checked.reason
  if (worked.status === 'rejected') throw worked.reason
  return worked.value
}

const serviceRun = (context: WorkerContext, lease: Lease): ServiceRun => {
  const checkLease = openLeaseCheck(context, lease)
  const query: ServiceRun['query'] = async (statements) => {
    await checkLease()
    const [, ...answers] = await context.database.send([holdLease(lease), ...statements])
    return answers
  }
  return {
    now: context.clock(),
    send: async (statements) => (await query(statements)).map(({ count }) => count),
    query,
    conclude: (statements) => context.database.send(statements),
    logInfo: (about, message) => context.log.info({ task: lease.chore, ...about }, message),
  }
}

/** Returns a check for each step. It throws once the service stops, and renews a lease after a third of its term. */
function openLeaseCheck({ database, clock, stopping }: WorkerContext, lease: Lease): () => Promise<void> {
  let renewedAt = performance.now()
  return async () => {
    if (stopping.aborted) throw new ServiceStopping()
    if (performance.now() - renewedAt < (LEASE.seconds * 1000) / 3) return
    renewedAt = performance.now()
    await database.send([renewLease(lease, clock())])
  }
}

function report(
  { log }: WorkerContext,
  { tenant_id, chore: task, attempts }: Lease,
  error: unknown,
  record?: string,
): string {
  const reference = newId()
  log.error({ reference, task, tenant: tenant_id, record, attempts, err: error }, 'task failed')
  return reference
}
