import { sql, type Db } from '../../platform/db/tenant.ts'
import { languageOf } from '../../platform/i18n/reader.ts'
import { findObjection } from '../outbox/consent.ts'
import { canSend, type Senders } from '../outbox/senders/senders.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { CHANNELS, type MessageChannel, type MessageKind } from '../templates/kinds.ts'
import { lockSubjectRecord, type SubjectRecord } from '../templates/subject_record.ts'
import { queueDraft } from '../templates/queue_draft.ts'
import { listRecipients, type Recipient } from '../templates/recipients.ts'
import { findMessageTemplate } from '../templates/templates.ts'
import { isStillDue, type DueReminder, type ReminderClock } from './due.ts'
import { isExcluded } from './exclusions.ts'
import { REMINDERS, kindForStep, type ReminderSetting } from './settings.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'

/** Reason a reminder was skipped. */
export type ReminderSkipReason = 'excluded' | 'opted_out' | 'no_address' | 'no_sender' | 'refused'

/** Recipient and channel of a reminder, or the reason there is none. */
export type ReminderRoute =
  | { channel: MessageChannel; recipient: Recipient }
  | { left_out: ReminderSkipReason; reason: string | null }

/** Sends or skips a reminder, and logs which; once per record, occasion and step. */
export async function sendReminder(
  db: Db,
  setting: ReminderSetting,
  due: DueReminder,
  { clock, senders }: { clock: ReminderClock; senders: Senders },
): Promise<void> {
  const record = await lockSubjectRecord(db, REMINDERS[setting.kind], due.id)
  if (!(await isStillDue(db, setting, due, clock))) return
  const route = await findReminderRoute(db, record, setting.channel, senders, null)
  const kind = kindForStep(setting, due.step)
  const result = 'left_out' in route ? route : await queueReminder(db, record, kind, route, senders, null)
  await db.run(sql`insert into reminders (tenant_id, id, kind, record_id, occasion, step, message_id, left_out, reason)
    values (${db.tenant}, ${newId()}, ${setting.kind}, ${due.id}, ${due.occasion}, ${due.step},
      ${'id' in result ? result.id : null}, ${'id' in result ? null : result.left_out}, ${'id' in result ? null : result.reason})`)
}

/**
 * Finds the recipient and channel of a reminder: the preferred channel, or the other one if that has no address or
 * sender.
 */
export async function findReminderRoute(
  db: Db,
  record: SubjectRecord,
  preferred: MessageChannel,
  senders: Senders,
  by: string | null,
): Promise<ReminderRoute> {
  if (await isExcluded(db, record.customer_id)) return { left_out: 'excluded', reason: null }
  const channels = await availableChannels(db, preferred, senders)
  if (channels.length === 0) return { left_out: 'no_sender', reason: null }
  for (const channel of channels) {
    const recipients = (await listRecipients(db, record, channel)).slice(0, MAX_TRIED)
    let reason: string | null = null
    for (const recipient of recipients) {
      const objection = await findObjection(db, { channel, to: recipient.address, by })
      if (objection === undefined) return { channel, recipient }
      reason ??= objection.message
    }
    if (recipients.length > 0) return { left_out: 'opted_out', reason }
  }
  return { left_out: 'no_address', reason: null }
}

async function availableChannels(db: Db, preferred: MessageChannel, senders: Senders): Promise<MessageChannel[]> {
  const channels = [preferred, ...CHANNELS.filter((channel) => channel !== preferred)]
  const usable = await Promise.all(channels.map((channel) => canSend(db, senders, channel)))
  return channels.filter((_, i) => usable[i])
}

const MAX_TRIED = 10

/** Queues a reminder from the company's template; `by` is the user who sends it, null if automatic. */
export async function queueReminder(
  db: Db,
  record: SubjectRecord,
  kind: MessageKind,
  { channel, recipient }: Extract<ReminderRoute, { channel: MessageChannel }>,
  { baseUrl }: Senders,
  by: string | null,
): Promise<{ id: string } | Extract<ReminderRoute, { left_out: ReminderSkipReason }>> {
  const template = await findMessageTemplate(db, { kind, channel, language: languageOf(record.language) })
  const letter = {
    kind,
    channel,
    to: recipient.address,
    toName: recipient.name,
    firstName: recipient.firstName,
    subject: template.subject ?? '',
    body: template.body,
    hasPdf: record.topic === 'invoices' || record.topic === 'quotes',
  }
  try {
    return await queueDraft(db, record, letter, { baseUrl, cause: 'reminder', by })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { left_out: 'refused', reason: refusalForPeople(error).slice(0, 500) }
  }
}
