import { say } from '../../platform/i18n/say.ts'
import { conflict, type Refusal } from '../../platform/errors/refusal.ts'
import type { MessageKind } from './kinds.ts'
import type { SubjectRecord } from './subject_record.ts'

/** Refuses to write about a record whose state leaves nothing to say (docs/spec/sending.md#what-can-be-sent). */
export function requireSendable(matter: SubjectRecord): void {
  const objection = objectionTo(matter)
  if (objection !== undefined) throw objection
}

/** Refuses to send what changed since its sender saw it. */
export function requireUnchanged({ updated_at }: SubjectRecord, seen: string): void {
  if (Date.parse(updated_at) !== Date.parse(seen))
    throw conflict(say`It was changed after you opened this page. Look at it again, then send it.`)
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
  if (is_archived) return conflict(say`${customer_name} is archived and gets no more messages.`)
  if (status === 'void') return conflict(say`${name} was voided, so it can't be sent.`)
  if (status === 'cancelled') return conflict(say`${name} was canceled, so there is nothing to confirm.`)
  if (status === 'archived') return conflict(say`${name} is archived, so it can't be sent.`)
  if (status === 'declined') return conflict(say`${name} was declined. Put it back to draft to offer it again.`)
  if (topic === 'quotes' && status === 'expired')
    return conflict(say`${name} has expired. Say how long it stands now, then send it.`)
  if (topic === 'jobs' && starts_at === null) return conflict(say`${name} has no time yet. Schedule it first.`)
  if (topic === 'jobs' && status === 'done') return conflict(say`${name} is done, so there is no visit to confirm.`)
  return undefined
}

/** Returns what a record's message is usually about. */
export function defaultKind({ topic, status, day, company }: SubjectRecord): MessageKind {
  if (topic === 'quotes') return 'quote_sent'
  if (topic === 'jobs') return 'visit_booked'
  if (topic === 'plans') return 'plan_ending'
  if (status === 'paid') return 'payment_receipt'
  const isOverdue = day !== null && day < Temporal.Now.plainDateISO(company.timezone).toString()
  return isOverdue && status !== 'draft' ? 'invoice_overdue' : 'invoice_sent'
}
