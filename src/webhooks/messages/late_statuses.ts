import type { Intake } from '../body/intake.ts'
import { applyStatus, type StatusChange } from '../../messaging/outbox/delivery_status.ts'

/** Stores a status. The webhook is acknowledged even if that fails. */
export type StoreStatus = (channel: 'sms' | 'email', id: unknown, change: StatusChange) => Promise<void>

type LateStatus = { store: () => Promise<void>; until: number }

/** Maximum number of statuses in memory. Beyond it, the oldest is dropped. */
const MAX_QUEUED = 5_000
const PAUSE_MS = 5_000
const MAX_RETRY_MS = 5 * 60_000

/**
 * Stores statuses. Keeps one in memory if the database fails, and retries it for five minutes
 * (docs/spec/webhooks.md#late-statuses). Reports late and lost statuses.
 */
export function openStatuses(
  intake: Intake,
  report: (error: unknown, state: 'late' | 'lost') => void,
  { max = MAX_QUEUED } = {},
): StoreStatus {
  const queue: LateStatus[] = []
  let isWaiting = false

  function enqueue(one: LateStatus, error: unknown): void {
    if (Date.now() >= one.until) return report(error, 'lost')
    queue.push(one)
    if (queue.length > max) {
      queue.shift()
      report(error, 'lost')
    }
    scheduleRetry()
  }

  function scheduleRetry(): void {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => void retry(), PAUSE_MS).unref()
  }

  /** Retries the late statuses until one fails again and goes to the end of the queue. */
  async function retry(): Promise<void> {
    isWaiting = false
    for (let one: LateStatus | undefined; (one = queue.shift()) !== undefined;) {
      try {
        await one.store()
      } catch (error) {
        return enqueue(one, error)
      }
    }
  }

  return async (channel, id, change) => {
    const store = (): Promise<void> => applyStatus(intake, channel, id, change)
    await store().catch((error: unknown) => {
      report(error, 'late')
      enqueue({ store, until: Date.now() + MAX_RETRY_MS }, error)
    })
  }
}
