import { conflict, type Refusal } from '../../platform/errors/refusal.ts'
import type { MessageKind } from './kinds.ts'
import type { SubjectRecord } from './subject_record.ts'
import { refusals } from './refusals.ts'

/** Refuses to send a message about a record whose state rules it out (docs/spec/sending.md#what-can-be-sent). */
export function requireSendable(record: SubjectRecord): void {
  const objection = objectionTo(record)
  if (objection !== undefined) throw objection
}

/** Refuses to send a record that changed since its sender saw it. */
export function requireUnchanged({ updated_at }: SubjectRecord, seen: string): void {
  if (Date.parse(updated_at) !== Date.parse(seen)) throw conflict(refusals.changed())
}

function objectionTo({
  topic,
  number,
  status,
  is_archived,
  starts_at,
  customer_name,
}: SubjectRecord): Refusal | undefined {
  const name = number ?? ''
  if (is_archived) return conflict(refusals.archivedCustomer({ name: customer_name }))
  if (status === 'void') return conflict(refusals.voided({ name }))
  if (status === 'cancelled') return conflict(refusals.canceled({ name }))
  if (status === 'archived') return conflict(refusals.archived({ name }))
  if (status === 'declined') return conflict(refusals.declined({ name }))
  if (topic === 'quotes' && status === 'expired') return conflict(refusals.expired({ name }))
  if (topic === 'jobs' && starts_at === null) return conflict(refusals.unscheduled({ name }))
  if (topic === 'jobs' && status === 'done') return conflict(refusals.done({ name }))
  return undefined
}

/** Returns the default message kind for a record's state. */
export function defaultKind({ topic, status, day, company }: SubjectRecord): MessageKind {
  if (topic === 'quotes') return 'quote_sent'
  if (topic === 'jobs') return 'visit_booked'
  if (topic === 'plans') return 'plan_ending'
  if (status === 'paid') return 'payment_receipt'
  const isOverdue = day !== null && day < Temporal.Now.plainDateISO(company.timezone).toString()
  return isOverdue && status !== 'draft' ? 'invoice_overdue' : 'invoice_sent'
}
