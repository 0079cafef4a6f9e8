import type { AccountMailing } from '../../../identity/security/notices/account_mail.ts'
import { openWatch, type WatchedConfig } from '../../../health/watch.ts'
import type { PeriodicTask } from '../../periodic_task.ts'
import { every } from '../../schedule.ts'

/** Returns the task that checks the installation every minute, in a lane of its own so that it sees late lanes. */
export function healthCheckTask(config: WatchedConfig, mailing: AccountMailing): PeriodicTask {
  const watch = openWatch(config, mailing)
  return {
    name: 'health_checks',
    of: 'service',
    next: every({ minutes: 1 }),
    lane: 'health',
    run: ({ now, query }) => watch({ now, send: query }),
  }
}
