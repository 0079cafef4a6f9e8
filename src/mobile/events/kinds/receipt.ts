import { z } from 'zod'
import { sendReceipt } from '../../../messaging/notices/receipts.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { choice } from '../../../platform/validation/fields.ts'
import { defineKind, phoneOwner } from '../kind.ts'
import { refusals } from '../refusals.ts'
import { findEventInvoice, invoiceFields } from './invoice_of_event.ts'

/** Sends the receipt of the latest payment to an address the customer names, by email or text. */
export const receipt = defineKind(
  { ...invoiceFields, channel: choice('email', 'sms'), to: z.string().trim().min(1).max(254) },
  async ({ db, caller, baseUrl, may }, { channel, to, ...event }, job) => {
    if (!may('write:invoices') || !may('read:customers'))
      throw new Refusal('insufficient_scope', [{ path: '', rule: refusals.receiptsNotAllowed() }])
    const invoice = await findEventInvoice(db, event, job.id)
    await sendReceipt(db, { invoice, channel, to, by: phoneOwner(caller).user, baseUrl })
  },
)
