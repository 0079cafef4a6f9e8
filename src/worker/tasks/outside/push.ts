import type { Network } from '../../../identity/public_request.ts'
import {
  PUSH_TASK,
  requestPushes,
  selectDueCompanies,
  sendPush,
  settlePush,
  takeDuePushes,
} from '../../../messaging/push/deliver.ts'
import type { Vapid } from '../../../messaging/push/vapid.ts'
import type { PeriodicTask, ServiceRun, TenantRun } from '../../periodic_task.ts'
import { every, onDemand } from '../../schedule.ts'

type PushAccess = { network: Network; vapid: Vapid }

/** Number of pushes sent at the same time. */
const MAX_CONCURRENT = 10

/** Returns the tasks of push notifications: one finds companies with due pushes, one sends them. */
export const pushNotificationTasks = (access: PushAccess): PeriodicTask[] => [
  { name: 'push_routing', of: 'service', lane: 'push', next: every({ seconds: 2 }), run: requestDuePushes },
  { name: PUSH_TASK, of: 'tenant', lane: 'push', next: onDemand, run: (run) => sendDue(run, access) },
]

async function requestDuePushes({ now, query, send }: ServiceRun): Promise<void> {
  const [due] = await query([selectDueCompanies(now)])
  if (due.rows.length > 0) await send(due.rows.map(({ tenant_id }) => requestPushes(tenant_id)))
}

/** Sends outside a transaction. A push left unsettled by a crash is sent again and replaces the first one. */
async function sendDue({ now, tenant, write, conclude }: TenantRun, access: PushAccess): Promise<void> {
  const due = await write((db) => takeDuePushes(db, now))
  for (let from = 0; from < due.length; from += MAX_CONCURRENT) {
    const batch = due.slice(from, from + MAX_CONCURRENT)
    const outcomes = await Promise.all(
      batch.map(async (push) => ({ push, outcome: await sendPush(access, tenant.id, push, now) })),
    )
    await conclude(async (db) => {
      for (const { push, outcome } of outcomes) await settlePush(db, push, outcome, now)
    })
  }
}
