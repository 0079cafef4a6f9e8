import { sql, type Db } from '../../platform/db/tenant.ts'
import { languageOf } from '../../platform/i18n/reader.ts'
import type { Senders } from '../outbox/senders/senders.ts'
import { queueDraft } from '../templates/queue_draft.ts'
import { lockSubjectRecord } from '../templates/subject_record.ts'
import { findMessageTemplate } from '../templates/templates.ts'
import { writeToFirstAddress } from './first_address.ts'

/** Writes to a customer about an automatic payment and records the notice, without which nothing is charged. */
export async function sendAutopayLetter(
  db: Db,
  kind: 'autopay_coming' | 'autopay_failed',
  invoice: string,
  day: string | undefined,
  senders: Senders,
): Promise<void> {
  const record = await lockSubjectRecord(db, 'invoices', invoice)
  if (record.is_archived || record.status === 'void' || record.balance_cents <= 0) return
  const subject = { ...record, day: day ?? record.day }
  const wasQueued = await writeToFirstAddress(db, subject, senders, async (to) => {
    const language = languageOf(subject.language)
    const template = await findMessageTemplate(db, { kind, channel: to.channel, language })
    const draft = { ...to, kind, subject: template.subject ?? '', body: template.body, hasPdf: true }
    await queueDraft(db, subject, draft, { baseUrl: senders.baseUrl, cause: 'autopay', by: null })
  })
  if (wasQueued && kind === 'autopay_coming')
    await db.run(sql`update autopay_runs set told_at = moment()
      where tenant_id = ${db.tenant} and invoice_id = ${invoice} and told_at is null`)
}
