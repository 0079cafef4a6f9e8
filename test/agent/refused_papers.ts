import { day, visit, type Refused, type Scene } from './scene.ts'

/** Invoices, quotes, plans. */
export const refusedOfPapers = (scene: Scene): Refused[] => [...invoices(scene), ...quotes(scene), ...plans(scene)]

function invoices({ of, over, other }: Scene): Refused[] {
  const base = { customer_id: of.customer }
  const create = { tool: 'invoices_create' }
  return [
    { tool: 'invoices_list', given: { number: 'INV-1001' }, field: 'number', rule: 'must be a whole number from 1', got: 'got "INV-1001"' },
    { tool: 'invoices_get', given: { id: of.quote }, code: 'not_found', field: 'invoice', rule: 'not found', way: 'invoices_list' },
    {
      ...create, given: { ...base, from_job_id: of.job, from_quote_id: of.quote },
      field: 'from_job_id and from_quote_id', rule: 'can\'t go together', way: 'send one of them',
    },
    {
      ...create, given: { ...base, from_job_id: of.job, line_items: [visit] },
      field: 'line_items', rule: 'can\'t go with from_job_id', way: 'which copies the job\'s',
    },
    {
      ...create, given: { ...base, from_quote_id: of.quote, line_items: [visit] },
      field: 'line_items', rule: 'can\'t go with from_quote_id', way: 'which copies the quote\'s',
    },
    {
      ...create, given: { ...base, from_quote_id: of.quote, quote_id: over.declined },
      field: 'quote_id', rule: 'can\'t differ from from_quote_id',
    },
    {
      ...create, given: { ...base, from_job_id: other.job },
      field: 'from_job_id', rule: 'is not a job of this customer', way: 'jobs_list',
    },
    {
      ...create, given: { ...base, from_quote_id: other.quote },
      field: 'from_quote_id', rule: 'is not a live quote of this customer', way: 'quotes_list',
    },
    {
      ...create, given: { ...base, job_ids: [of.job, other.job] },
      field: 'job_ids[1]', rule: 'is not a job of this customer', way: 'jobs_list',
    },
    {
      ...create, given: { ...base, from_job_id: 'J-1001' },
      field: 'from_job_id', rule: 'must be a UUID', got: 'got "J-1001"', way: 'jobs_list',
    },
    { ...create, given: { ...base, tax_rate_id: over.rate }, field: 'tax_rate_id', rule: 'is not a live tax rate', way: 'tax_rates_list' },
    {
      ...create, given: { ...base, issue_date: day(1), due_date: day(0) },
      field: 'due_date', rule: `must be on or after issue_date ${day(1)}`, got: `got ${day(0)}`, way: 'null takes the usual terms',
    },
    {
      ...create, given: { ...base, due_date: '31.12.2027' },
      field: 'due_date', rule: 'must be a date, year-month-day, such as 2027-03-31', got: 'got "31.12.2027"',
    },
    {
      ...create, given: { ...base, line_items: [visit], discount: { type: 'amount', value: 101 } },
      field: 'discount', rule: 'must take off at most 100 cents', got: 'got 101',
    },
    {
      ...create, given: { ...base, discount: { type: 'percentage', value: 10 } },
      field: 'discount.type', rule: 'must be one of percent, amount', got: 'got "percentage"',
    },
    { ...create, given: { ...base, discount: 10 }, field: 'discount', rule: 'must be an object', got: 'got 10' },
    {
      tool: 'invoices_update', given: { id: of.invoice, status: 'void' },
      field: 'status', rule: 'is set to void by', way: 'invoices_void',
    },
    {
      tool: 'invoices_update', given: { id: of.invoice, customer_id: other.customer },
      field: 'customer_id', rule: 'cannot be changed', got: `got ${other.customer}`, way: 'leave it out',
    },
    {
      tool: 'invoices_update', given: { id: over.sent, due_date: day(60) },
      code: 'conflict', field: 'due_date', rule: 'can be changed in draft only', got: 'is sent',
      way: 'set status to draft first, in a call of its own',
    },
    {
      tool: 'invoices_update', given: { id: over.sent, status: 'draft', subject: 'x' },
      code: 'conflict', field: 'subject', rule: 'can be changed in draft only', got: 'is sent', way: 'in a call of its own',
    },
    {
      tool: 'invoices_update', given: { id: over.invoice, status: 'draft' },
      code: 'conflict', field: 'INV-', rule: 'which is final', got: 'is void', way: 'invoices_create',
    },
    { tool: 'invoices_void', given: { id: of.quote }, code: 'not_found', field: 'invoice', rule: 'not found', way: 'invoices_list' },
  ]
}

function quotes({ of, over, other }: Scene): Refused[] {
  const base = { customer_id: of.customer, title: 'Roof' }
  const update = { tool: 'quotes_update' }
  const conflict = { ...update, code: 'conflict' } as const
  return [
    {
      tool: 'quotes_list', given: { status: ['open'] },
      field: 'status[0]', rule: 'must be one of draft, sent, accepted, declined, expired, archived', got: 'got "open"',
    },
    { tool: 'quotes_get', given: { id: of.invoice }, code: 'not_found', field: 'quote', rule: 'not found', way: 'quotes_list' },
    {
      tool: 'quotes_create', given: { ...base, valid_until: day(-1) },
      field: 'valid_until', rule: `must be today, ${day(0)}, or later`, got: `got ${day(-1)}`,
    },
    { tool: 'quotes_create', given: { ...base, title: '' }, field: 'title', rule: 'must not be empty', got: 'got ""' },
    {
      ...conflict, given: { id: over.accepted, status: 'sent' },
      field: 'Q-', rule: 'can\'t become sent', got: 'is accepted', way: 'from here it can become declined',
    },
    {
      ...conflict, given: { id: over.declined, status: 'sent' },
      field: 'Q-', rule: 'can\'t become sent', got: 'is declined', way: 'from here it can become draft',
    },
    {
      ...conflict, given: { id: over.declined, title: 'x' },
      field: 'title', rule: 'can be changed in draft only', got: 'is declined', way: 'revise it by status draft first, in a call of its own',
    },
    {
      ...conflict, given: { id: over.accepted, title: 'x' },
      field: 'title', rule: 'can be changed in draft only', got: 'is accepted', way: 'quotes_create',
    },
    {
      ...conflict, given: { id: over.expired, status: 'sent', valid_until: day(-1) },
      field: 'Q-', rule: `was valid until ${day(-1)}`, way: `send valid_until of today, ${day(0)}, or later`,
    },
    { ...update, given: { id: of.quote, status: 'archived' }, field: 'status', rule: 'is set to archived by', way: 'quotes_archive' },
    {
      ...update, given: { id: of.quote, decline_reason: 'x' },
      field: 'decline_reason', rule: 'goes with status declined', way: 'send both, or leave it out',
    },
    {
      ...update, given: { id: of.quote, customer_id: other.customer },
      field: 'customer_id', rule: 'cannot be changed', got: `got ${other.customer}`, way: 'leave it out',
    },
    {
      ...update, given: { id: of.quote, title: 'x' },
      by: 'office', field: 'quote Q-', rule: 'only the owner', got: 'Test owner', way: 'make one of your own with quotes_create',
    },
    {
      tool: 'quotes_archive', given: { id: of.quote },
      by: 'office', field: 'quote Q-', rule: 'only the owner', got: 'Test owner', way: 'quotes_create',
    },
  ]
}

function plans({ of, over, other }: Scene): Refused[] {
  const base = { customer_id: of.customer, name: 'Care', cadence: 'weekly', line_items: [visit] }
  return [
    {
      tool: 'plans_list', given: { status: ['on_hold'] },
      field: 'status[0]', rule: 'must be one of active, paused, cancelled, expired', got: 'got "on_hold"',
    },
    { tool: 'plans_get', given: { id: of.invoice }, code: 'not_found', field: 'plan', rule: 'not found', way: 'plans_list' },
    { tool: 'plans_create', given: { ...base, line_items: [] }, field: 'line_items', rule: 'must have at least 1', got: 'got 0 items' },
    {
      tool: 'plans_create', given: { ...base, cadence: 'yearly' },
      field: 'cadence', rule: 'must be one of weekly, biweekly, monthly, bimonthly, quarterly, semiannual, annual', got: 'got "yearly"',
    },
    {
      tool: 'plans_create', given: { ...base, start_date: '2001-01-01' },
      field: 'start_date', rule: 'must be from', got: 'got 2001-01-01',
    },
    {
      tool: 'plans_create', given: { ...base, start_date: day(2), end_date: day(1) },
      field: 'end_date', rule: `must be on or after start_date ${day(2)}`, got: `got ${day(1)}`,
    },
    {
      tool: 'plans_update', given: { id: of.plan, status: 'cancelled' },
      field: 'status', rule: 'is set to cancelled by', way: 'plans_cancel',
    },
    {
      tool: 'plans_update', given: { id: of.plan, customer_id: other.customer },
      field: 'customer_id', rule: 'cannot be changed', got: `got ${other.customer}`, way: 'leave it out',
    },
    {
      tool: 'plans_update', given: { id: over.plan, status: 'active' },
      code: 'conflict', field: 'plan \'Care\'', rule: 'cannot be reactivated', got: 'is cancelled', way: 'plans_create',
    },
    {
      tool: 'plans_cancel', given: { id: over.plan },
      code: 'conflict', field: 'plan \'Care\'', rule: 'cannot be reactivated', got: 'is cancelled', way: 'plans_create',
    },
  ]
}
