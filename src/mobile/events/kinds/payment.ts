import { z } from 'zod'
import { refusals as moneyRefusals } from '../../../money/refusals.ts'
import { ruleText } from '../../../platform/errors/rule_text.ts'
import { choice } from '../../../platform/validation/fields.ts'
import { text } from '../../../platform/validation/text/text.ts'
import { defineKind } from '../kind.ts'
import { findEventInvoice, invoiceFields } from './invoice_of_act.ts'

const ABOVE_ZERO = ruleText(moneyRefusals.aboveZero())

/** Checks an amount of money that was taken. */
const cents = () =>
  z.number({ error: ABOVE_ZERO }).refine((amount) => Number.isSafeInteger(amount) && amount > 0, ABOVE_ZERO)

/** Money that was taken on site for an invoice of the visit's customer, on the day on which it was taken. */
export const payment = defineKind(
  { ...invoiceFields, amount_cents: cents(), method: choice('cash', 'check'), reference: text(100) },
  async (context, { amount_cents, method, reference, ...act }, job) => {
    const id = await findEventInvoice(context.db, act, job.id)
    await context.call('invoices_record_payment', {
      id,
      amount_cents,
      method,
      paid_on: context.at.toZonedDateTimeISO(context.caller.tenant.timezone).toPlainDate().toString(),
      ...(reference == null ? {} : { reference }),
    })
  },
)
