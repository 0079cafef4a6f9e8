import type { Result } from '../../harness/harness.ts'
import { discountOf, linesOf, pricedNow } from '../lines.ts'
import type { Line } from '../money.ts'
import {
  broken,
  activateLead,
  lacksRate,
  live,
  addRecord,
  patchField,
  strays,
  text,
  type Actor,
  type Customer,
  type Invoice,
  type Job,
  type Priced,
  type Quote,
  type Rec,
  type Rule,
  type Rules,
  type World,
} from '../world.ts'
import { addDays, billingLocationOf, isContent, reprice } from './documents.ts'

const TERMS = 14

type Source = {
  lines: Line[]
  discount: Priced['discount']
  chosen: Priced['chosen']
  location_id: string | null
  job?: Job
  quote?: Quote
}

/** Returns the source of an invoice's lines. A quote contributes all its agreed terms. */
function sourceOf(world: World, actor: Actor, given: Result, customer: Customer): Source | undefined {
  const [job, quote] = [
    live(world, actor, 'job', given['from_job_id']),
    live(world, actor, 'quote', given['from_quote_id']),
  ]
  const usual = {
    discount: discountOf(given, null),
    chosen: given['tax_rate_id'],
    location_id: patchField(given, 'location_id', billingLocationOf(world, customer)),
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
  const due_date: string = given['due_date'] ?? addDays(issue_date, customer?.terms ?? TERMS)
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
    const invoice = addRecord<Invoice>(
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
    activateLead(customer)
    if (quote !== undefined) quote.converted_invoice_id = invoice.id
    return {
      shows: invoice,
      touched: [invoice, customer, ...(quote === undefined ? [] : [quote]), ...jobsOf(world, invoice)],
    }
  }
}

const jobsOf = (world: World, { job_ids }: Invoice): Rec[] => job_ids.map((id) => world.records.get(id)!)

const invoicesUpdate: Rule = (world, actor, given) => {
  const invoice = live(world, actor, 'invoice', given['id'])
  if (invoice === undefined) return ['not_found']
  const customer = world.records.get(invoice.customer_id) as Customer
  const isEdit = Object.keys(given).some(isContent)
  const issue_date = patchField(given, 'issue_date', invoice.issue_date)
  const due_date = patchField(given, 'due_date', invoice.due_date)
  const change = reprice(world, actor, given, invoice, customer)
  const codes = broken(
    [given['status'] === 'void' || change === undefined || due_date < issue_date, 'invalid_input'],
    [invoice.status === 'void' || (isEdit && invoice.status !== 'draft'), 'conflict'],
  )
  if (codes.length > 0) return codes
  return () => {
    const status = patchField(given, 'status', invoice.status)
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

const invoicesVoid: Rule = (world, actor, given) => {
  const invoice = live(world, actor, 'invoice', given['id'])
  if (invoice === undefined) return ['not_found']
  return () => {
    if (invoice.status !== 'void') Object.assign(invoice, { status: 'void', voided_at: {} })
    return { shows: invoice, touched: [invoice, world.records.get(invoice.customer_id)!] }
  }
}

export const invoices: Rules = {
  invoices_create: { scope: 'write:invoices', person: true, rule: invoicesCreate },
  invoices_update: { scope: 'write:invoices', person: true, rule: invoicesUpdate },
  invoices_void: { scope: 'write:invoices', rule: invoicesVoid },
}
