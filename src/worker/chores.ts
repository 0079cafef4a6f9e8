import type { Chore } from './chore.ts'
import { PLANS_AT, endQuotes, growSeries, runPlans } from './nightly.ts'
import { daily, every } from './schedule.ts'
import { sweepKeys, sweepWindows } from './sweeps.ts'

/** Everything that is done without being called for; local times are the tenant's. */
export const CHORES: readonly Chore[] = [
  { name: 'quote_expiry', of: 'tenant', next: daily('00:05'), run: endQuotes },
  { name: 'series_growth', of: 'tenant', next: daily('02:00'), run: growSeries },
  { name: 'plan_runs', of: 'tenant', next: daily(PLANS_AT), run: runPlans },
  { name: 'key_sweep', of: 'tenant', next: daily('03:00'), run: sweepKeys },
  { name: 'window_sweep', of: 'service', next: every({ hours: 6 }), run: sweepWindows },
]
