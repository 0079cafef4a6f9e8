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

/** Reason why a reminder was left out. */
export type ReminderSkipReason = 'excluded' | 'opted_out' | 'no_address' | 'no_sender' | 'refused'

/** Whom a reminder reaches and how, or why it reaches nobody. */
export type ReminderReach =
  | { channel: MessageChannel; recipient: Recipient }
  | { left_out: ReminderSkipReason; reason: string | null }

/** Sends a reminder, or leaves it out for a reason, and logs which; once a record, occasion and step. */
export async function sendReminder(
  db: Db,
  setting: ReminderSetting,
  due: DueReminder,
  { clock, senders }: { clock: ReminderClock; senders: Senders },
): Promise<void> {
  const matter = await lockSubjectRecord(db, REMINDERS[setting.kind], due.id)
  if (!(await isStillDue(db, setting, due, clock))) return
  const reached = await findReminderReach(db, matter, setting.channel, senders, null)
  const kind = kindForStep(setting, due.step)
  const done = 'left_out' in reached ? reached : await queueReminder(db, matter, kind, reached, senders, null)
  await db.run(sql`insert into reminders (tenant_id, id, kind, record_id, occasion, step, message_id, left_out, reason)
    values (${db.tenant}, ${newId()}, ${setting.kind}, ${due.id}, ${due.occasion}, ${due.step},
      ${'id' in done ? done.id : null}, ${'id' in done ? null : done.left_out}, ${'id' in done ? null : done.reason})`)
}

/**
 * Finds whom to write to and how: by the channel that is tried first, or by the other where it has no address or
 * sender.
 */
export async function findReminderReach(
  db: Db,
  matter: SubjectRecord,
  first: MessageChannel,
  senders: Senders,
  by: string | null,
): Promise<ReminderReach> {
  if (await isExcluded(db, matter.customer_id)) return { left_out: 'excluded', reason: null }
  const ways = await availableChannels(db, first, senders)
  if (ways.length === 0) return { left_out: 'no_sender', reason: null }
  for (const channel of ways) {
    const recipients = (await listRecipients(db, matter, channel)).slice(0, MAX_TRIED)
    let reason: string | null = null
    for (const recipient of recipients) {
      const objection = await findObjection(db, { channel, to: recipient.address, by })
      if (objection === undefined) return { channel, recipient }
      reason ??= objection.words
    }
    if (recipients.length > 0) return { left_out: 'opted_out', reason }
  }
  return { left_out: 'no_address', reason: null }
}

async function availableChannels(db: Db, first: MessageChannel, senders: Senders): Promise<MessageChannel[]> {
  const ways = [first, ...CHANNELS.filter((channel) => channel !== first)]
  const open = await Promise.all(ways.map((channel) => canSend(db, senders, channel)))
  return ways.filter((_, i) => open[i])
}

const MAX_TRIED = 10

/** Queues a reminder in the company's words; `by` is the user who sends it, null for one that goes by itself. */
export async function queueReminder(
  db: Db,
  matter: SubjectRecord,
  kind: MessageKind,
  { channel, recipient }: Extract<ReminderReach, { channel: MessageChannel }>,
  { baseUrl }: Senders,
  by: string | null,
): Promise<{ id: string } | Extract<ReminderReach, { left_out: ReminderSkipReason }>> {
  const words = await findMessageTemplate(db, { kind, channel, language: languageOf(matter.language) })
  const letter = {
    kind,
    channel,
    to: recipient.address,
    toName: recipient.name,
    firstName: recipient.firstName,
    subject: words.subject ?? '',
    body: words.body,
    hasPdf: matter.topic === 'invoices' || matter.topic === 'quotes',
  }
  try {
    return await queueDraft(db, matter, letter, { baseUrl, cause: 'reminder', by })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { left_out: 'refused', reason: refusalForPeople(error).slice(0, 500) }
  }
}
