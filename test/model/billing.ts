import type { Result } from '../harness/harness.ts'
import { discountOf, linesOf, pricedNow } from './lines.ts'
import type { Line } from './money.ts'
import { locationsOf } from './people.ts'
import {
  all,
  broken,
  engage,
  isBlank,
  lacksRate,
  live,
  made,
  patched,
  strays,
  text,
  type Actor,
  type Customer,
  type Invoice,
  type Job,
  type Priced,
  type Quote,
  type Rate,
  type Rec,
  type Rule,
  type Rules,
  type World,
} from './world.ts'

const TERMS = 14

const daysOn = (date: string, days: number): string => Temporal.PlainDate.from(date).add({ days }).toString()

/** Returns the primary billing location, else the primary service one. */
const billedAt = (world: World, customer: Customer): string | null =>
  [...locationsOf(world, customer.id, 'billing'), ...locationsOf(world, customer.id, 'service')].find(
    ({ is_primary }) => is_primary,
  )?.id ?? null

type Source = {
  lines: Line[]
  discount: Priced['discount']
  chosen: Priced['chosen']
  location_id: string | null
  job?: Job
  quote?: Quote
}

/** Returns the source of an invoice's lines. A quote brings everything that was agreed. */
function sourceOf(world: World, actor: Actor, given: Result, customer: Customer): Source | undefined {
  const [job, quote] = [
    live(world, actor, 'job', given['from_job_id']),
    live(world, actor, 'quote', given['from_quote_id']),
  ]
  const usual = {
    discount: discountOf(given, null),
    chosen: given['tax_rate_id'],
    location_id: patched(given, 'location_id', billedAt(world, customer)),
  }
  if (job !== undefined) return { ...usual, lines: job.lines, job }
  if (quote !== undefined) {
    const isThere = quote.location_id === null || live(world, actor, 'location', quote.location_id) !== undefined
    return {
      lines: quote.lines,
      discount: quote.discount,
      chosen: quote.chosen,
      location_id: isThere ? quote.location_id : usual.location_id,
      quote,
    }
  }
  const lines = linesOf(world, actor, given['line_items'])
  return lines && { ...usual, lines }
}

const invoicesCreate: Rule = (world, actor, given) => {
  const customer = live(world, actor, 'customer', given['customer_id'])
  const issue_date: string = given['issue_date'] ?? world.today
  const due_date: string = given['due_date'] ?? daysOn(issue_date, customer?.terms ?? TERMS)
  const sources = ['line_items', 'from_job_id', 'from_quote_id'].filter((field) => field in given)
  const isWrong = [
    sources.length > 1,
    due_date < issue_date,
    lacksRate(world, actor, given['tax_rate_id']),
    strays(world, actor, 'location', given['location_id'], customer?.id),
    strays(world, actor, 'quote', given['quote_id'], customer?.id),
    strays(world, actor, 'job', given['from_job_id'], customer?.id),
    strays(world, actor, 'quote', given['from_quote_id'], customer?.id),
    ...(given['job_ids'] ?? []).map((id: string) => strays(world, actor, 'job', id, customer?.id)),
  ].includes(true)
  if (isWrong || customer === undefined)
    return broken([isWrong, 'invalid_input'], [customer === undefined, 'not_found'])
  const source = sourceOf(world, actor, given, customer)
  const now = source && pricedNow(world, customer, source)
  if (source === undefined || now === undefined) return ['invalid_input']
  return (answer) => {
    const quote = source.quote ?? live(world, actor, 'quote', given['quote_id'])
    const { lines, discount, chosen, location_id } = source
    const invoice = made<Invoice>(
      world,
      {
        kind: 'invoice',
        customer_id: customer.id,
        number: world.nextInvoice++,
        status: 'draft',
        subject: text(given['subject']),
        issue_date,
        due_date,
        quote_id: quote?.id ?? null,
        job_ids: [...new Set([...(given['job_ids'] ?? []), ...(source.job === undefined ? [] : [source.job.id])])],
        lines,
        discount,
        chosen,
        location_id,
        ...now,
        paid: 0,
        sent_at: null,
        voided_at: null,
      },
      answer,
    )
    engage(customer)
    if (quote !== undefined) quote.converted_invoice_id = invoice.id
    return {
      shows: invoice,
      touched: [invoice, customer, ...(quote === undefined ? [] : [quote]), ...jobsOf(world, invoice)],
    }
  }
}

const jobsOf = (world: World, { job_ids }: Invoice): Rec[] => job_ids.map((id) => world.records.get(id)!)

const isContent = (field: string): boolean => !['id', 'status'].includes(field)

const invoicesUpdate: Rule = (world, actor, given) => {
  const invoice = live(world, actor, 'invoice', given['id'])
  if (invoice === undefined) return ['not_found']
  const customer = world.records.get(invoice.customer_id) as Customer
  const isEdit = Object.keys(given).some(isContent)
  const issue_date = patched(given, 'issue_date', invoice.issue_date)
  const due_date = patched(given, 'due_date', invoice.due_date)
  const change = repriced(world, actor, given, invoice, customer)
  const codes = broken(
    [given['status'] === 'void' || change === undefined || due_date < issue_date, 'invalid_input'],
    [invoice.status === 'void' || (isEdit && invoice.status !== 'draft'), 'conflict'],
  )
  if (codes.length > 0) return codes
  return () => {
    const status = patched(given, 'status', invoice.status)
    if (isEdit)
      Object.assign(invoice, change, {
        issue_date,
        due_date,
        subject: 'subject' in given ? text(given['subject']) : invoice.subject,
      })
    if (status === 'sent') invoice.sent_at ??= {}
    if (status !== invoice.status || isEdit) invoice.paid = status === 'paid' ? invoice.totals.total_cents : 0
    invoice.status = status
    return { shows: invoice, touched: [invoice, customer] }
  }
}

/** Returns a draft's price after a patch; undefined when the patch breaks a rule. */
function repriced(
  world: World,
  actor: Actor,
  given: Result,
  present: Priced,
  customer: Customer,
): Partial<Priced> | undefined {
  const lines = 'line_items' in given ? linesOf(world, actor, given['line_items']) : present.lines
  const isStray =
    given['location_id'] !== present.location_id && strays(world, actor, 'location', given['location_id'], customer.id)
  if (
    lines === undefined ||
    isStray ||
    (given['tax_rate_id'] !== present.rate && lacksRate(world, actor, given['tax_rate_id']))
  )
    return undefined
  const asked = {
    lines,
    discount: discountOf(given, present.discount),
    chosen: patched(given, 'tax_rate_id', present.chosen),
    location_id: patched(given, 'location_id', present.location_id),
  }
  const now = pricedNow(world, customer, asked, present)
  return now && { ...asked, ...now }
}

const invoicesVoid: Rule = (world, actor, given) => {
  const invoice = live(world, actor, 'invoice', given['id'])
  if (invoice === undefined) return ['not_found']
  return () => {
    if (invoice.status !== 'void') Object.assign(invoice, { status: 'void', voided_at: {} })
    return { shows: invoice, touched: [invoice, world.records.get(invoice.customer_id)!] }
  }
}

const quotesCreate: Rule = (world, actor, given) => {
  const customer = live(world, actor, 'customer', given['customer_id'])
  const valid_until: string = given['valid_until'] ?? daysOn(world.today, 30)
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
    location_id: patched(given, 'location_id', billedAt(world, customer)),
  }
  const now = pricedNow(world, customer, asked)
  if (now === undefined) return ['invalid_input']
  return (answer) => {
    const quote = made<Quote>(
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
  const to: string = patched(given, 'status', quote.status)
  const isEdit = Object.keys(given).some((field) => !ANYTIME.includes(field))
  const isSaved = quote.status === 'draft' && Object.keys(given).some(isContent)
  const change = repriced(world, actor, given, quote, customer)
  const valid_until = patched(given, 'valid_until', quote.valid_until)
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
      title: text(patched(given, 'title', quote.title)),
      message: 'message' in given ? text(given['message']) : quote.message,
      valid_until,
    })
    if (to !== quote.status) {
      if (to === 'draft') Object.assign(quote, { accepted_at: null, declined_at: null, decline_reason: null })
      if (to === 'accepted') quote.accepted_at = {}
      if (to === 'declined') quote.declined_at = {}
      if (to === 'accepted') engage(customer)
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

/** Makes this rate the default, in place of the old one. */
function defaulted(world: World, rate: Rate): Rate[] {
  const old = all(world, 'rate').filter((other) => other.is_default && other !== rate)
  for (const other of old) other.is_default = false
  rate.is_default = true
  return old
}

const ratesCreate: Rule = (world, _actor, given) => {
  if (isBlank(given, 'name')) return ['invalid_input']
  return (answer) => {
    const rate = made<Rate>(
      world,
      {
        kind: 'rate',
        name: text(given['name']) ?? 'Sales tax',
        percent: String(given['rate_percentage']),
        is_default: false,
      },
      answer,
    )
    return { shows: rate, touched: given['is_default'] === true ? [rate, ...defaulted(world, rate)] : [rate] }
  }
}

const ratesUpdate: Rule = (world, actor, given) => {
  const rate = live(world, actor, 'rate', given['id'])
  if (rate === undefined) return ['not_found']
  if (isBlank(given, 'name') || ('rate_percentage' in given && String(given['rate_percentage']) !== rate.percent))
    return ['invalid_input']
  return () => {
    rate.name = text(patched(given, 'name', rate.name))!
    const old = given['is_default'] === true ? defaulted(world, rate) : []
    if (given['is_default'] === false) rate.is_default = false
    return { shows: rate, touched: [rate, ...old] }
  }
}

const ratesArchive: Rule = (world, actor, given) => {
  const rate = live(world, actor, 'rate', given['id'])
  if (rate === undefined) return ['not_found']
  return () => {
    const was_default = rate.is_default
    Object.assign(rate, { live: false, is_default: false })
    return { says: { id: rate.id, was_default }, touched: [rate] }
  }
}

export const billing: Rules = {
  invoices_create: { scope: 'write:invoices', person: true, rule: invoicesCreate },
  invoices_update: { scope: 'write:invoices', person: true, rule: invoicesUpdate },
  invoices_void: { scope: 'write:invoices', rule: invoicesVoid },
  quotes_create: { scope: 'write:quotes', person: true, rule: quotesCreate },
  quotes_update: { scope: 'write:quotes', person: true, rule: quotesUpdate },
  quotes_archive: { scope: 'write:quotes', person: true, rule: quotesArchive },
  tax_rates_create: { scope: 'write:tax_rates', rule: ratesCreate },
  tax_rates_update: { scope: 'write:tax_rates', rule: ratesUpdate },
  tax_rates_archive: { scope: 'write:tax_rates', rule: ratesArchive },
}
