import { discountOf, linesOf, pricedNow } from '../lines.ts'
import {
  broken,
  activateLead,
  isBlank,
  lacksRate,
  live,
  addRecord,
  patchField,
  strays,
  text,
  type Customer,
  type Quote,
  type Rule,
  type Rules,
} from '../world.ts'
import { addDays, billingLocationOf, isContent, reprice } from './documents.ts'

const quotesCreate: Rule = (world, actor, given) => {
  const customer = live(world, actor, 'customer', given['customer_id'])
  const valid_until: string = given['valid_until'] ?? addDays(world.today, 30)
  const lines = linesOf(world, actor, given['line_items'])
  const isWrong =
    text(given['title']) === null ||
    lines === undefined ||
    valid_until < world.today ||
    lacksRate(world, actor, given['tax_rate_id']) ||
    strays(world, actor, 'location', given['location_id'], customer?.id)
  if (isWrong || customer === undefined)
    return broken([isWrong, 'invalid_input'], [customer === undefined, 'not_found'])
  const asked = {
    lines,
    discount: discountOf(given, null),
    chosen: given['tax_rate_id'],
    location_id: patchField(given, 'location_id', billingLocationOf(world, customer)),
  }
  const now = pricedNow(world, customer, asked)
  if (now === undefined) return ['invalid_input']
  return (answer) => {
    const quote = addRecord<Quote>(
      world,
      {
        kind: 'quote',
        customer_id: customer.id,
        owner: actor.id!,
        title: text(given['title'])!,
        status: 'draft',
        message: text(given['message']),
        valid_until,
        ...asked,
        ...now,
        accepted_at: null,
        declined_at: null,
        decline_reason: null,
        converted_job_id: null,
        converted_invoice_id: null,
      },
      answer,
    )
    return { shows: quote, touched: [quote] }
  }
}

const MOVES: Record<string, string[]> = {
  draft: ['sent', 'accepted', 'declined'],
  sent: ['draft', 'accepted', 'declined', 'expired'],
  accepted: ['declined'],
  declined: ['draft'],
  expired: ['draft', 'sent'],
}
const ANYTIME = ['id', 'status', 'decline_reason', 'valid_until', 'message', 'fields']

const quotesUpdate: Rule = (world, actor, given) => {
  const quote = live(world, actor, 'quote', given['id'])
  if (quote === undefined) return ['not_found']
  if (quote.owner !== actor.id) return ['invalid_input']
  const customer = world.records.get(quote.customer_id) as Customer
  const to: string = patchField(given, 'status', quote.status)
  const isEdit = Object.keys(given).some((field) => !ANYTIME.includes(field))
  const isSaved = quote.status === 'draft' && Object.keys(given).some(isContent)
  const change = reprice(world, actor, given, quote, customer)
  const valid_until = patchField(given, 'valid_until', quote.valid_until)
  const codes = broken(
    [
      to === 'archived' ||
        change === undefined ||
        isBlank(given, 'title') ||
        (text(given['decline_reason']) !== null && to !== 'declined'),
      'invalid_input',
    ],
    [to !== quote.status && !MOVES[quote.status]!.includes(to), 'conflict'],
    [quote.status === 'expired' && to === 'sent' && valid_until < world.today, 'conflict'],
    [isEdit && quote.status !== 'draft', 'conflict'],
  )
  if (codes.length > 0) return codes
  return () => {
    if (isSaved) Object.assign(quote, change)
    Object.assign(quote, {
      title: text(patchField(given, 'title', quote.title)),
      message: 'message' in given ? text(given['message']) : quote.message,
      valid_until,
    })
    if (to !== quote.status) {
      if (to === 'draft') Object.assign(quote, { accepted_at: null, declined_at: null, decline_reason: null })
      if (to === 'accepted') quote.accepted_at = {}
      if (to === 'declined') quote.declined_at = {}
      if (to === 'accepted') activateLead(customer)
      quote.status = to
    }
    if ('decline_reason' in given) quote.decline_reason = text(given['decline_reason'])
    return { shows: quote, touched: [quote, customer] }
  }
}

const quotesArchive: Rule = (world, actor, given) => {
  const quote = live(world, actor, 'quote', given['id'])
  if (quote === undefined) return ['not_found']
  if (quote.owner !== actor.id) return ['invalid_input']
  return () => {
    Object.assign(quote, { live: false, status: 'archived' })
    return { says: { id: quote.id, status: 'archived' }, touched: [quote] }
  }
}

export const quotes: Rules = {
  quotes_create: { scope: 'write:quotes', person: true, rule: quotesCreate },
  quotes_update: { scope: 'write:quotes', person: true, rule: quotesUpdate },
  quotes_archive: { scope: 'write:quotes', person: true, rule: quotesArchive },
}
