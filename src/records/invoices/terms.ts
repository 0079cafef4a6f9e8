import { invalidField, fieldName } from '../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/** Returns the due date of an invoice: the given one, else by the payment terms in days after issue. */
export function dueDate(issued: string, dueOn: string | null | undefined, days: number): string {
  const due = dueOn ?? Temporal.PlainDate.from(issued).add({ days }).toString()
  if (due < issued)
    throw invalidField('due_date', refusals.dueBeforeIssue({ issue_date: fieldName('issue_date'), issued, due }))
  return due
}
