import { day, visit, type Refused, type Scene } from '../scene.ts'

export function listPlanRefusals({ of, over, other }: Scene): Refused[] {
  const base = { customer_id: of.customer, name: 'Care', cadence: 'weekly', line_items: [visit] }
  return [
    {
      tool: 'plans_list',
      given: { status: ['on_hold'] },
      field: 'status[0]',
      rule: 'must be one of active, paused, cancelled, expired',
      got: 'got "on_hold"',
    },
    {
      tool: 'plans_get',
      given: { id: of.invoice },
      code: 'not_found',
      field: 'plan',
      rule: 'not found',
      way: 'plans_list',
    },
    {
      tool: 'plans_create',
      given: { ...base, line_items: [] },
      field: 'line_items',
      rule: 'must have at least 1',
      got: 'got 0 items',
    },
    {
      tool: 'plans_create',
      given: { ...base, cadence: 'yearly' },
      field: 'cadence',
      rule: 'must be one of weekly, biweekly, monthly, bimonthly, quarterly, semiannual, annual',
      got: 'got "yearly"',
    },
    {
      tool: 'plans_create',
      given: { ...base, start_date: '2001-01-01' },
      field: 'start_date',
      rule: 'must be from',
      got: 'got 2001-01-01',
    },
    {
      tool: 'plans_create',
      given: { ...base, start_date: day(2), end_date: day(1) },
      field: 'end_date',
      rule: `must be on or after start_date ${day(2)}`,
      got: `got ${day(1)}`,
    },
    {
      tool: 'plans_update',
      given: { id: of.plan, status: 'cancelled' },
      field: 'status',
      rule: 'is set to cancelled with',
      way: 'plans_cancel',
    },
    {
      tool: 'plans_update',
      given: { id: of.plan, customer_id: other.customer },
      field: 'customer_id',
      rule: 'cannot be changed',
      got: `got ${other.customer}`,
      way: 'leave it out',
    },
    {
      tool: 'plans_update',
      given: { id: over.plan, status: 'active' },
      code: 'conflict',
      field: 'plan «Care»',
      rule: 'cannot be reactivated',
      got: 'is cancelled',
      way: 'plans_create',
    },
    {
      tool: 'plans_cancel',
      given: { id: over.plan },
      code: 'conflict',
      field: 'plan «Care»',
      rule: 'cannot be reactivated',
      got: 'is cancelled',
      way: 'plans_create',
    },
  ]
}
