import { sql, type Db } from '../../../platform/db/tenant.ts'
import type { Discount } from '../../../money/document.ts'
import { conflict, invalidField } from '../../../platform/errors/refusal.ts'
import { money } from '../../format/formats.ts'
import type { Quote } from '../fields.ts'
import { refusals } from './refusals.ts'

/** Deposit of a quote: a percentage of its total, or cents. */
export type Deposit = Discount

/** A quote's deposit, its amount at the current total, and its invoice once the quote was accepted. */
export type DepositState = {
  deposit: Deposit
  amount_cents: number
  invoice: { id: string; display_number: string; status: string; total_cents: number } | null
}

/** Returns the deposit of a quote, with its latest invoice. */
export const findDeposit = (db: Db, quote: string): Promise<DepositState | undefined> =>
  db.maybe<DepositState>(sql`select q.deposit, deposit_of(q.deposit, q.total_cents) as amount_cents,
      (select json_build_object('id', d.id, 'display_number', d.display_number, 'status', d.status, 'total_cents',
        d.total_cents)
        from invoices d
        where d.tenant_id = ${db.tenant} and d.deposit_of = q.id and d.stage is null
        order by d.status = 'void', d.number desc limit 1) as invoice
    from quotes q where q.tenant_id = ${db.tenant} and q.id = ${quote} and q.deposit is not null`)

/** Returns the deposit of a quote for another total; null for none. */
export const depositAmount = async (db: Db, quote: string, total_cents: number): Promise<number | null> =>
  (
    await db.one<{ cents: number | null }>(sql`select deposit_of(deposit, ${total_cents}::bigint) as cents
      from quotes where tenant_id = ${db.tenant} and id = ${quote}`)
  ).cents

/** Sets or removes the deposit of a locked draft (docs/spec/money.md#deposits). Returns the earlier one. */
export async function setDeposit(
  db: Db,
  user: string | null,
  before: Quote,
  deposit: Deposit | null,
): Promise<unknown> {
  const { id, status, display_number, total_cents, currency } = before
  if (status !== 'draft') throw conflict(refusals.notDraft({ number: display_number, status }))
  if (deposit?.type === 'amount' && Number(deposit.value) > total_cents)
    throw invalidField('deposit.value', refusals.aboveTotal({ total: money(total_cents, currency) }))
  const [{ deposit: earlier }] = await Promise.all([
    db.one<{ deposit: Deposit | null }>(sql`select deposit from quotes where tenant_id = ${db.tenant} and id = ${id}`),
    db.run(sql`update quotes
      set deposit = ${deposit === null ? null : JSON.stringify(deposit)}, updated_by = ${user},
        updated_at = later_than(updated_at)
      where tenant_id = ${db.tenant} and id = ${id}`),
  ])
  return earlier
}
