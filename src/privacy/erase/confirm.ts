import { requireOwner } from '../../identity/permissions/rights.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { invalidField, quoteText } from '../../platform/errors/refusal.ts'
import { date } from '../../platform/validation/fields.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { eraseCustomer } from './erase_customer.ts'
import { eraseMember, findDepartedMember } from './erase_member.ts'
import { refusals } from './refusals.ts'
import { findErasureSubject } from './subject.ts'

/** Owner who erases, and the name typed to confirm the erasure. */
type Confirmation = { by: { user: string }; name: string }

/** Erases a customer for an owner who typed the customer's name. */
export async function eraseCustomerAsOwner(
  db: Db,
  id: string,
  { by, name: entered, keepUntil }: Confirmation & { keepUntil: string | null },
): Promise<void> {
  await requireOwner(db, by)
  const { name } = await findErasureSubject(db, id)
  requireSameName(entered, name)
  await eraseCustomer(db, id, { by, keepUntil })
}

/** Erases a member for an owner who typed the member's name. */
export async function eraseMemberAsOwner(db: Db, id: string, { by, name: entered }: Confirmation): Promise<void> {
  await requireOwner(db, by)
  const { name } = await findDepartedMember(db, id)
  requireSameName(entered, name)
  await eraseMember(db, id, { by: by.user })
}

function requireSameName(entered: string, name: string): void {
  if (fold(entered) !== fold(name)) throw invalidField('name', refusals.otherName({ name: quoteText(name) }))
}

/** Maximum years for which issued invoices may keep the name. */
const MAX_YEARS = 30

/** Parses the last day on which issued invoices keep the name: after today, within 30 years; null for an empty text. */
export function readKeepUntil(text: string, today: Temporal.PlainDate): string | null {
  if (text === '') return null
  if (!date().safeParse(text).success) throw invalidField('keep_until', refusals.noDay({ text: text.slice(0, 20) }))
  const day = Temporal.PlainDate.from(text)
  if (
    Temporal.PlainDate.compare(day, today) <= 0 ||
    Temporal.PlainDate.compare(day, today.add({ years: MAX_YEARS })) > 0
  )
    throw invalidField('keep_until', refusals.dayOutOfRange({ years: MAX_YEARS }))
  return day.toString()
}
