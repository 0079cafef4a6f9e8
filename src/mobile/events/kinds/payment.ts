import { z } from 'zod'
import { refusals as moneyRefusals } from '../../../money/refusals.ts'
import { ruleText } from '../../../platform/errors/rule_text.ts'
import { choice } from '../../../platform/validation/fields.ts'
import { text } from '../../../platform/validation/text/text.ts'
import { defineKind } from '../kind.ts'
import { findEventInvoice, invoiceFields } from './invoice_of_event.ts'

const ABOVE_ZERO = ruleText(moneyRefusals.aboveZero())

/** Returns a schema for a positive amount in cents. */
const cents = () =>
  z.number({ error: ABOVE_ZERO }).refine((amount) => Number.isSafeInteger(amount) && amount > 0, ABOVE_ZERO)

/** Records money taken on site for an invoice of the visit's customer, dated when it was taken. */
export const payment = defineKind(
  { ...invoiceFields, amount_cents: cents(), method: choice('cash', 'check'), reference: text(100) },
  async (context, { amount_cents, method, reference, ...event }, job) => {
    const id = await findEventInvoice(context.db, event, job.id)
    await context.call('invoices_record_payment', {
      id,
      amount_cents,
      method,
      paid_on: context.at.toZonedDateTimeISO(context.caller.tenant.timezone).toPlainDate().toString(),
      ...(reference == null ? {} : { reference }),
    })
  },
)
