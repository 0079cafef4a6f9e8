import { sql, type Db } from '../../platform/db/tenant.ts'
import { languageOf } from '../../platform/i18n/reader.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { findObjection } from '../outbox/consent.ts'
import { canSend, type Senders } from '../outbox/senders/senders.ts'
import { CHANNELS, type MessageKind } from '../templates/kinds.ts'
import { queueDraft } from '../templates/queue_draft.ts'
import { listRecipients } from '../templates/recipients.ts'
import { lockSubjectRecord, type SubjectRecord } from '../templates/subject_record.ts'
import { findMessageTemplate } from '../templates/templates.ts'

const MAX_TRIED = 5

/**
 * Sends the receipt of one payment by mail, or by text where there is no address; nothing where nobody may be written
 * to.
 */
export async function sendReceipt(
  db: Db,
  payment: string,
  invoice: string,
  cents: number | undefined,
  senders: Senders,
): Promise<void> {
  const matter = await lockSubjectRecord(db, 'invoices', invoice)
  const isTakenBack = await db.maybe(
    sql`select from payments where tenant_id = ${db.tenant} and takes_back = ${payment}`,
  )
  if (isTakenBack !== undefined || matter.is_archived || matter.status === 'void') return
  await writeToCustomer(db, { ...matter, paid_cents: cents ?? matter.paid_cents }, 'payment_receipt', senders)
}

/** Notifies a customer of an automatic payment, and notes that they were told: nothing is charged before. */
export async function sendAutopayLetter(
  db: Db,
  kind: 'autopay_coming' | 'autopay_failed',
  invoice: string,
  day: string | undefined,
  senders: Senders,
): Promise<void> {
  const matter = await lockSubjectRecord(db, 'invoices', invoice)
  if (matter.is_archived || matter.status === 'void' || matter.balance_cents <= 0) return
  const isTold = await writeToCustomer(db, { ...matter, day: day ?? matter.day }, kind, senders)
  if (isTold && kind === 'autopay_coming')
    await db.run(sql`update autopay_runs set told_at = moment()
      where tenant_id = ${db.tenant} and invoice_id = ${invoice} and told_at is null`)
}

/** Writes to the first of a customer's addresses that may be written to. Returns whether there was one. */
async function writeToCustomer(
  db: Db,
  matter: SubjectRecord,
  kind: Extract<MessageKind, 'payment_receipt' | `autopay_${string}`>,
  senders: Senders,
): Promise<boolean> {
  for (const channel of CHANNELS) {
    if (!(await canSend(db, senders, channel))) continue
    for (const { address, name, firstName } of (await listRecipients(db, matter, channel)).slice(0, MAX_TRIED)) {
      if ((await findObjection(db, { channel, to: address, by: null })) !== undefined) continue
      const words = await findMessageTemplate(db, { kind, channel, language: languageOf(matter.language) })
      const letter = { channel, to: address, toName: name, firstName, body: words.body, hasPdf: true } as const
      const cause = kind === 'payment_receipt' ? 'receipt' : 'autopay'
      try {
        await queueDraft(
          db,
          matter,
          { ...letter, kind, subject: words.subject ?? '' },
          { baseUrl: senders.baseUrl, cause, by: null },
        )
        return true
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return false
      }
    }
  }
  return false
}
