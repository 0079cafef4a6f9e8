import { isOfficeWith } from '../../identity/permissions/rights.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { conflict, Refusal } from '../../platform/errors/refusal.ts'
import type { RefusalDetail, Warning } from '../../platform/errors/refusal_text.ts'
import { newId } from '../../platform/validation/id.ts'
import { money } from '../../records/format/formats.ts'
import { findInvoice, type Invoice } from '../../records/invoices/index.ts'
import { refusals, warnings } from '../refusals.ts'
import { prepareCharge, type ChargeRequest, type ChargeRefusal } from './charge.ts'
import { methodText } from './method_text.ts'
import { findPaymentSettings } from './payment_settings.ts'
import { SAVED_PAYMENTS_TASK, findSavedMethod } from './saved_method.ts'

/**
 * Prepares a charge that a connection proposed, in the transaction of its approval. The worker makes it, as it does a
 * charge whose process died. Without approval it is a dry run that the caller rolls back. Returns the method.
 */
export async function prepareProposedCharge(
  db: Db,
  request: Omit<ChargeRequest, 'id'>,
  isApproved: boolean,
): Promise<{ method: string; warning: Warning }> {
  if (isApproved && (request.user === null || !(await isOfficeWith(db, request.user, 'write:invoices'))))
    throw new Refusal('insufficient_scope', [{ path: '', rule: refusals.officeCharges() }])
  const refusal = await prepareCharge(db, { id: newId(), ...request })
  const invoice = await findInvoice(db, request.invoice, request.today)
  const [{ max_charge_cents }, method] = await Promise.all([
    findPaymentSettings(db),
    findSavedMethod(db, invoice.customer_id),
    db.run(sql`select ask_chore(${db.tenant}, ${SAVED_PAYMENTS_TASK})`),
  ])
  if (refusal !== undefined || method === undefined)
    throw chargeRefusal(refusal ?? 'no_method', invoice, max_charge_cents)
  return {
    method: method.id,
    warning: warnings.charges({ method: { forAgent: 'it', forPeople: () => methodText(method) } }),
  }
}

/** Returns the refusal of a charge, for agents and for people. */
export const chargeRefusal = (reason: ChargeRefusal, invoice: Invoice, maxCents: number): Refusal =>
  conflict(
    RULES[reason]({
      number: invoice.display_number,
      balance: money(invoice.balance_due_cents, invoice.currency),
      max: money(maxCents, invoice.currency),
    }),
  )

const RULES: Readonly<Record<ChargeRefusal, (values: Record<string, string>) => RefusalDetail>> = {
  settled: refusals.nothingOwed,
  under_way: refusals.paymentUnderWay,
  above_balance: refusals.aboveBalance,
  above_limit: refusals.aboveLimit,
  no_method: refusals.nothingOnFile,
  unavailable: refusals.noCharges,
}
