import { sql, type Db } from '../../platform/db/tenant.ts'
import { listReceipts } from '../../records/invoices/index.ts'
import { readPhone } from '../../platform/validation/formats/phone.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { languageOf } from '../../platform/i18n/reader.ts'
import type { Senders } from '../outbox/senders/senders.ts'
import type { MessageChannel } from '../templates/kinds.ts'
import { queueDraft } from '../templates/queue_draft.ts'
import { listRecipients } from '../templates/recipients.ts'
import { refusals } from '../templates/refusals.ts'
import { lockSubjectRecord, type SubjectRecord } from '../templates/subject_record.ts'
import { findMessageTemplate } from '../templates/templates.ts'
import { writeToFirstAddress, type CustomerAddress } from './first_address.ts'

type AnnouncedPayment = { payment: string; invoice: string; amount_cents: number | undefined }

/** Sends the receipt of one payment by email, or else by text. Sends nothing if no address may be used. */
export async function sendAutomaticReceipt(db: Db, receipt: AnnouncedPayment, senders: Senders): Promise<void> {
  const { payment, invoice } = receipt
  const subject = await lockSubjectRecord(db, 'invoices', invoice)
  const reversal = await db.maybe(sql`select from payments where tenant_id = ${db.tenant} and takes_back = ${payment}`)
  if (reversal !== undefined || subject.is_archived || subject.status === 'void') return
  await writeToFirstAddress(db, subject, senders, (to) =>
    queueReceipt(db, subject, receipt, to, { baseUrl: senders.baseUrl, by: null }),
  )
}

type ReceiptRequest = {
  invoice: string
  /** Payment the receipt is for; the latest by default. */
  payment?: string
  channel: MessageChannel
  to: string
  by: string
  baseUrl: string
}

/**
 * Sends a payment's receipt to a chosen address, in place of the automatic one. Doesn't send it twice to the same
 * address.
 */
export async function sendReceipt(
  db: Db,
  { invoice, payment: chosen, channel, to, by, baseUrl }: ReceiptRequest,
): Promise<void> {
  const subject = await lockSubjectRecord(db, 'invoices', invoice)
  const valid = (await listReceipts(db, invoice)).filter(({ is_taken_back }) => !is_taken_back)
  const payment = chosen === undefined ? valid.at(-1) : valid.find(({ id }) => id === chosen)
  if (payment === undefined || subject.status === 'void')
    throw conflict(refusals.nothingPaid({ name: subject.number ?? '' }))
  if (subject.is_archived) throw conflict(refusals.archivedCustomer({ name: subject.customer_name }))
  await db.run(sql`delete from notice_tasks where tenant_id = ${db.tenant} and id = ${payment.id} and kind = 'receipt'`)
  const recipient = channel === 'sms' ? readPhone(to, subject.company.country, 'to').phone : to.toLowerCase()
  if (await wasReceiptSent(db, { payment: payment.id, invoice, to: recipient })) return
  const recipientRow = (await listRecipients(db, subject, channel)).find(({ address }) => address === recipient)
  const address = {
    channel,
    to: recipient,
    toName: recipientRow?.name ?? null,
    firstName: recipientRow?.firstName ?? subject.first_name,
  }
  await queueReceipt(db, subject, { payment: payment.id, invoice, amount_cents: payment.amount_cents }, address, {
    baseUrl,
    by,
  })
}

/** Checks whether this payment's receipt went to an address, attached to an email or as a text. */
const wasReceiptSent = async (
  db: Db,
  { payment, invoice, to }: { payment: string; invoice: string; to: string },
): Promise<boolean> =>
  (await db.maybe(sql`select from outbox o where o.tenant_id = ${db.tenant} and o.about_kind = 'invoices'
    and o.about_id = ${invoice} and o.cause = 'receipt' and o.recipient = ${to}
    and o.state not in ('failed', 'cancelled')
    and case when o.channel = 'email'
      then o.attachments @> ${JSON.stringify([{ document: 'receipts', id: payment }])}::jsonb
      else o.created_at >= (select at from payments where tenant_id = ${db.tenant} and id = ${payment}) end
    limit 1`)) !== undefined

/** Queues one receipt from the company's template, with the amount of its payment. */
async function queueReceipt(
  db: Db,
  subject: SubjectRecord,
  { payment, amount_cents }: AnnouncedPayment,
  to: CustomerAddress,
  { baseUrl, by }: { baseUrl: string; by: string | null },
): Promise<void> {
  const template = await findMessageTemplate(db, {
    kind: 'payment_receipt',
    channel: to.channel,
    language: languageOf(subject.language),
  })
  await queueDraft(
    db,
    { ...subject, paid_cents: amount_cents ?? subject.paid_cents },
    {
      ...to,
      kind: 'payment_receipt',
      subject: template.subject ?? '',
      body: template.body,
      hasPdf: true,
      attachment: { document: 'receipts', id: payment },
    },
    { baseUrl, cause: 'receipt', by },
  )
}
