import { z } from 'zod'
import { refusals as moneyRefusals } from '../../../money/refusals.ts'
import { sql } from '../../../platform/db/tenant.ts'
import { invalidField } from '../../../platform/errors/refusal.ts'
import { ruleText } from '../../../platform/errors/rule_text.ts'
import { choice, id } from '../../../platform/validation/fields.ts'
import { text } from '../../../platform/validation/text/text.ts'
import { defineKind, type EventContext } from '../kind.ts'
import { refusals } from '../refusals.ts'

const ABOVE_ZERO = ruleText(moneyRefusals.aboveZero())

/** Checks an amount of money that was taken. */
const cents = () =>
  z.number({ error: ABOVE_ZERO }).refine((amount) => Number.isSafeInteger(amount) && amount > 0, ABOVE_ZERO)

/** Money that was taken on site for an invoice of the visit's customer, on the day on which it was taken. */
export const payment = defineKind(
  { invoice_id: id(), amount_cents: cents(), method: choice('cash', 'check'), reference: text(100) },
  async (context, { invoice_id, amount_cents, method, reference }, job) => {
    await requireOfCustomer(context, invoice_id, job.id)
    await context.call('invoices_record_payment', {
      id: invoice_id,
      amount_cents,
      method,
      paid_on: context.at.toZonedDateTimeISO(context.caller.tenant.timezone).toPlainDate().toString(),
      ...(reference == null ? {} : { reference }),
    })
  },
)

async function requireOfCustomer({ db }: EventContext, invoice: string, job: string): Promise<void> {
  const row =
    await db.maybe(sql`select from invoices i join jobs j on j.tenant_id = i.tenant_id and j.customer_id = i.customer_id
    where i.tenant_id = ${db.tenant} and i.id = ${invoice} and j.id = ${job}`)
  if (row === undefined) throw invalidField('invoice_id', refusals.invoiceOfOtherCustomer({ invoice }))
}
