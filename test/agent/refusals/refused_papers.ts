import { day, visit, type Refused, type Scene } from '../scene.ts'
import { listPlanRefusals } from './refused_plans.ts'
import { listQuoteRefusals } from './refused_quotes.ts'

/** Lists refusals for invoices, quotes and plans. */
export const listDocumentRefusals = (scene: Scene): Refused[] => [
  ...invoices(scene),
  ...listQuoteRefusals(scene),
  ...listPlanRefusals(scene),
]

function invoices({ of, over, other }: Scene): Refused[] {
  const base = { customer_id: of.customer }
  const create = { tool: 'invoices_create' }
  return [
    {
      tool: 'invoices_list',
      given: { number: 'the last' },
      field: 'number',
      rule: 'must be a whole number from 1',
      got: 'got "the last"',
    },
    {
      tool: 'invoices_get',
      given: { id: of.quote },
      code: 'not_found',
      field: 'invoice',
      rule: 'not found',
      way: 'invoices_list',
    },
    {
      ...create,
      given: { ...base, from_job_id: of.job, from_quote_id: of.quote },
      field: 'from_job_id and from_quote_id',
      rule: "can't be combined",
      way: 'send one of them',
    },
    {
      ...create,
      given: { ...base, from_job_id: of.job, line_items: [visit] },
      field: 'line_items',
      rule: "can't be combined with from_job_id",
      way: "which copies the job's",
    },
    {
      ...create,
      given: { ...base, from_quote_id: of.quote, line_items: [visit] },
      field: 'line_items',
      rule: "can't be combined with from_quote_id",
      way: "which copies the quote's",
    },
    {
      ...create,
      given: { ...base, from_quote_id: of.quote, quote_id: over.declined },
      field: 'quote_id',
      rule: 'must be the same as from_quote_id',
    },
    {
      ...create,
      given: { ...base, from_job_id: other.job },
      field: 'from_job_id',
      rule: 'is not a job of this customer',
      way: 'jobs_list',
    },
    {
      ...create,
      given: { ...base, from_quote_id: other.quote },
      field: 'from_quote_id',
      rule: 'is not a live quote of this customer',
      way: 'quotes_list',
    },
    {
      ...create,
      given: { ...base, job_ids: [of.job, other.job] },
      field: 'job_ids[1]',
      rule: 'is not a job of this customer',
      way: 'jobs_list',
    },
    {
      ...create,
      given: { ...base, from_job_id: 'the last' },
      field: 'from_job_id',
      rule: 'must be a UUID',
      got: 'got "the last"',
      way: 'jobs_list',
    },
    {
      ...create,
      given: { ...base, tax_rate_id: over.rate },
      field: 'tax_rate_id',
      rule: 'is not a live tax rate',
      way: 'tax_rates_list',
    },
    {
      ...create,
      given: { ...base, issue_date: day(1), due_date: day(0) },
      field: 'due_date',
      rule: `must be on or after issue_date ${day(1)}`,
      got: `got ${day(0)}`,
      way: 'send null for the default terms',
    },
    {
      ...create,
      given: { ...base, due_date: '31.12.2027' },
      field: 'due_date',
      rule: 'must be a date, year-month-day, such as 2027-03-31',
      got: 'got "31.12.2027"',
    },
    {
      ...create,
      given: { ...base, line_items: [visit], discount: { type: 'amount', value: 101 } },
      field: 'discount',
      rule: 'must take off at most 100 cents',
      got: 'got 101',
    },
    {
      ...create,
      given: { ...base, discount: { type: 'percentage', value: 10 } },
      field: 'discount.type',
      rule: 'must be one of percent, amount',
      got: 'got "percentage"',
    },
    { ...create, given: { ...base, discount: 10 }, field: 'discount', rule: 'must be an object', got: 'got 10' },
    {
      tool: 'invoices_update',
      given: { id: of.invoice, status: 'void' },
      field: 'status',
      rule: 'is set to void with',
      way: 'invoices_void',
    },
    {
      tool: 'invoices_update',
      given: { id: of.invoice, customer_id: other.customer },
      field: 'customer_id',
      rule: 'cannot be changed',
      got: `got ${other.customer}`,
      way: 'leave it out',
    },
    {
      tool: 'invoices_update',
      given: { id: over.sent, due_date: day(60) },
      code: 'conflict',
      field: 'due_date',
      rule: 'can be changed only in draft',
      got: 'is sent',
      way: 'set status to draft first, in a separate call',
    },
    {
      tool: 'invoices_update',
      given: { id: over.sent, status: 'draft', subject: 'x' },
      code: 'conflict',
      field: 'subject',
      rule: 'can be changed only in draft',
      got: 'is sent',
      way: 'in a separate call',
    },
    {
      tool: 'invoices_update',
      given: { id: over.invoice, status: 'draft' },
      code: 'conflict',
      field: 'INV-',
      rule: 'which is final',
      got: 'is void',
      way: 'invoices_create',
    },
    {
      tool: 'invoices_void',
      given: { id: of.quote },
      code: 'not_found',
      field: 'invoice',
      rule: 'not found',
      way: 'invoices_list',
    },
  ]
}
