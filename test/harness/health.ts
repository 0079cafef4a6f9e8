import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { addOperator } from '../../src/identity/people/operators.ts'
import { findUser } from '../../src/identity/people/users.ts'
import { SERVICE } from '../../src/platform/leases/lease.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import type { PeriodicTask } from '../../src/worker/periodic_task.ts'
import { createCompany, freePort, newBrowser } from './web_client.ts'
import { startMonitoredService } from './monitored_service.ts'

/** Check in the JSON health answer. */
export type CheckAnswer = {
  check: string
  status: string
  ok: boolean
  says: string
  mend?: string
  since: string | null
}
export type HealthAnswer = { status: string; version: string; checked_at: string | null; checks: CheckAnswer[] }

export type Watched = Awaited<ReturnType<typeof startHealth>>

/** Maximum wait for a worker turn, in milliseconds, with time for a busy machine. */
const MAX_TURN_MS = 60_000

/** Starts the service with its worker at its public address, and an operator in a browser. */
export async function startHealth(env: Record<string, string> = {}, chores: readonly PeriodicTask[] = []) {
  const port = String(await freePort())
  const service = await startMonitoredService(
    { PORT: port, BASE_URL: `http://localhost:${port}`, ...env },
    { chores, level: 'silent' },
  )
  const company = await createCompany(service, 'Alder Plumbing')
  await addOperator(service.database, await findUser(service.database, company.owner.email))
  const operator = newBrowser(service)

  /** Reads the JSON health answer. */
  async function answer(): Promise<{ status: number; body: HealthAnswer }> {
    const response = await fetch(`http://${service.config.host}:${service.metricsPort}/health`)
    const body: HealthAnswer = JSON.parse(await response.text())
    return { status: response.status, body }
  }

  async function lease(): Promise<{ fence: number; isUnderWay: boolean }> {
    const [answer] = await service.database.send([
      sql<{ fence: number; isUnderWay: boolean }>`select fence::int as fence, locked_until is not null as "isUnderWay"
        from chore_leases where tenant_id = ${SERVICE} and chore = 'health_checks'`,
    ])
    return answer.rows[0] ?? { fence: 0, isUnderWay: false }
  }

  /** Triggers the worker's next health checks. Returns their answer. */
  async function nextTurn(): Promise<HealthAnswer> {
    const { fence } = await lease()
    await service.database.send([sql`select ask_chore(${SERVICE}, 'health_checks')`])
    for (const end = performance.now() + MAX_TURN_MS; performance.now() < end; await sleep(50)) {
      const now = await lease()
      if (now.fence > fence && !now.isUnderWay) return (await answer()).body
    }
    throw new Error('No turn within a minute')
  }

  /** Waits until a process reports failed webhooks with its next heartbeat. */
  async function untilReported(): Promise<void> {
    const said = sql`select from worker_processes where state -> 'failed_webhooks' <> '{}'`
    while ((await service.database.send([said]))[0].count === 0) await sleep(50)
  }

  /** Runs statements as the owner of the schema, who has more rights than the service. */
  async function asOwner(text: string): Promise<void> {
    const client = new Client(service.owner)
    await client.connect()
    await client.query(text)
    await client.end()
  }

  return { ...service, company, operator, answer, nextTurn, untilReported, asOwner }
}

/** Returns a check of an answer by name. */
export function checkIn({ checks }: HealthAnswer, name: string): CheckAnswer {
  const check = checks.find((one) => one.check === name)
  if (check === undefined) throw new Error(`No check ${name}: ${checks.map((one) => one.check).join(', ')}`)
  return check
}
