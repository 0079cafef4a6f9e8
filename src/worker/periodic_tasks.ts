import { APPLY_PAYMENTS_TASK } from '../payments/events/effects.ts'
import type { PeriodicTask } from './periodic_task.ts'
import { PLANS_AT, recalculateReportDays, changePrices, endQuotes, growSeries, runPlans } from './tasks/nightly.ts'
import { applyPayments, routePayments } from './tasks/payments.ts'
import { daily, every, hourly, onDemand } from './schedule.ts'
import {
  expireProposals,
  sweepActivity,
  sweepAuthorizations,
  sweepCheckouts,
  sweepKeys,
  sweepPhones,
  sweepProtocol,
  sweepRemovals,
  sweepSignIns,
  sweepStatuses,
  sweepWindows,
} from './tasks/sweeps.ts'

/** Periodic tasks. Local times are in the tenant's time zone. */
export const PERIODIC_TASKS: readonly PeriodicTask[] = [
  { name: 'price_changes', of: 'tenant', next: daily('00:01'), run: changePrices },
  { name: 'quote_expiry', of: 'tenant', next: daily('00:05'), run: endQuotes },
  { name: 'series_growth', of: 'tenant', next: daily('02:00'), run: growSeries },
  { name: 'plan_runs', of: 'tenant', next: daily(PLANS_AT), run: runPlans },
  { name: 'key_sweep', of: 'tenant', next: daily('03:00'), run: sweepKeys },
  { name: 'removal_sweep', of: 'tenant', next: daily('03:05'), run: sweepRemovals },
  { name: 'authorization_sweep', of: 'tenant', next: daily('03:10'), run: sweepAuthorizations },
  { name: 'checkout_sweep', of: 'tenant', next: daily('03:15'), run: sweepCheckouts },
  { name: 'activity_sweep', of: 'tenant', next: daily('03:20'), run: sweepActivity },
  { name: 'proposal_expiry', of: 'tenant', next: daily('03:25'), run: expireProposals },
  { name: 'report_days', of: 'tenant', next: hourly, run: recalculateReportDays },
  { name: 'field_sweep', of: 'tenant', next: daily('03:30'), run: sweepPhones },
  { name: 'protocol_sweep', of: 'service', next: every({ hours: 1 }), run: sweepProtocol },
  { name: 'payment_routing', of: 'service', next: every({ seconds: 10 }), run: routePayments },
  { name: APPLY_PAYMENTS_TASK, of: 'tenant', next: onDemand, run: applyPayments },
  { name: 'sign_in_sweep', of: 'service', next: every({ hours: 1 }), run: sweepSignIns },
  { name: 'status_sweep', of: 'service', next: every({ hours: 6 }), run: sweepStatuses },
  { name: 'window_sweep', of: 'service', next: every({ hours: 6 }), run: sweepWindows },
]
