import { day, type Refused, type Scene } from '../scene.ts'

export function listQuoteRefusals({ of, over, other }: Scene): Refused[] {
  const base = { customer_id: of.customer, title: 'Roof' }
  const update = { tool: 'quotes_update' }
  const conflict = { ...update, code: 'conflict' } as const
  return [
    {
      tool: 'quotes_list',
      given: { status: ['open'] },
      field: 'status[0]',
      rule: 'must be one of draft, sent, accepted, declined, expired, archived',
      got: 'got "open"',
    },
    {
      tool: 'quotes_get',
      given: { id: of.invoice },
      code: 'not_found',
      field: 'quote',
      rule: 'not found',
      way: 'quotes_list',
    },
    {
      tool: 'quotes_create',
      given: { ...base, valid_until: day(-1) },
      field: 'valid_until',
      rule: `must be today, ${day(0)}, or later`,
      got: `got ${day(-1)}`,
    },
    { tool: 'quotes_create', given: { ...base, title: '' }, field: 'title', rule: 'must not be empty', got: 'got ""' },
    {
      ...conflict,
      given: { id: over.accepted, status: 'sent' },
      field: 'Q-',
      rule: "can't become sent",
      got: 'is accepted',
      way: 'from here it can become declined',
    },
    {
      ...conflict,
      given: { id: over.declined, status: 'sent' },
      field: 'Q-',
      rule: "can't become sent",
      got: 'is declined',
      way: 'from here it can become draft',
    },
    {
      ...conflict,
      given: { id: over.declined, title: 'x' },
      field: 'title',
      rule: 'can be changed only in draft',
      got: 'is declined',
      way: 'set status to draft first, in a separate call',
    },
    {
      ...conflict,
      given: { id: over.accepted, title: 'x' },
      field: 'title',
      rule: 'can be changed only in draft',
      got: 'is accepted',
      way: 'quotes_create',
    },
    {
      ...conflict,
      given: { id: over.expired, status: 'sent', valid_until: day(-1) },
      field: 'Q-',
      rule: `was valid until ${day(-1)}`,
      way: `also send valid_until, today (${day(0)}) or later`,
    },
    {
      ...update,
      given: { id: of.quote, status: 'archived' },
      field: 'status',
      rule: 'is set to archived with',
      way: 'quotes_archive',
    },
    {
      ...update,
      given: { id: of.quote, decline_reason: 'x' },
      field: 'decline_reason',
      rule: 'requires status declined',
      way: 'send both, or leave it out',
    },
    {
      ...update,
      given: { id: of.quote, customer_id: other.customer },
      field: 'customer_id',
      rule: 'cannot be changed',
      got: `got ${other.customer}`,
      way: 'leave it out',
    },
    {
      ...update,
      given: { id: of.quote, title: 'x' },
      by: 'office',
      field: 'quote Q-',
      rule: 'only the owner',
      got: 'Test owner',
      way: 'create your own with quotes_create',
    },
    {
      tool: 'quotes_archive',
      given: { id: of.quote },
      by: 'office',
      field: 'quote Q-',
      rule: 'only the owner',
      got: 'Test owner',
      way: 'quotes_create',
    },
  ]
}
