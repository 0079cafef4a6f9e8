import type { Db } from '../../platform/db/tenant.ts'
import { ifRefused } from '../../platform/errors/refusal.ts'
import { languageOf, withReader } from '../../platform/i18n/reader.ts'
import { say } from '../../platform/i18n/say.ts'
import { warningForPeople } from '../../platform/i18n/refusal_for_people.ts'
import type { Warning } from '../../platform/errors/refusal_text.ts'
import { moment } from '../../records/format/formats.ts'
import { findObjection } from '../outbox/consent.ts'
import { queueMessage } from '../outbox/queue.ts'
import { canSend, type Senders } from '../outbox/senders/senders.ts'
import { CHANNELS, type MessageChannel } from '../templates/kinds.ts'
import { queueDraft } from '../templates/queue_draft.ts'
import { listRecipients } from '../templates/recipients.ts'
import { findSubjectRecord, type SubjectRecord } from '../templates/subject_record.ts'
import { findMessageTemplate } from '../templates/templates.ts'
import { mailOffice } from './notices.ts'

const MAX_TRIED = 5

/** Sends the customer a confirmation of a visit by email, or else by text. Sends nothing if no address may be used. */
export async function confirmVisit(db: Db, job: string, senders: Senders): Promise<MessageChannel | undefined> {
  const record = await findSubjectRecord(db, 'jobs', job)
  for (const channel of CHANNELS) {
    if (!(await canSend(db, senders, channel))) continue
    for (const { address, name, firstName } of (await listRecipients(db, record, channel)).slice(0, MAX_TRIED)) {
      if ((await findObjection(db, { channel, to: address, by: null })) !== undefined) continue
      const language = languageOf(record.language)
      const { subject, body } = await findMessageTemplate(db, { kind: 'visit_booked', channel, language })
      const to = { channel, to: address, toName: name, firstName }
      const letter = { ...to, kind: 'visit_booked', subject: subject ?? '', body, hasPdf: false } as const
      if (await isQueued(queueDraft(db, record, letter, { baseUrl: senders.baseUrl, cause: 'sent', by: null })))
        return channel
    }
  }
  return undefined
}

/** Change to a visit made online, for a notice to the office. */
type BookingNotice = {
  event: 'booked' | 'waiting' | 'moved' | 'cancelled'
  job: { id: string; title: string; scheduled_start: string | null; timezone: string }
  name: string
  /** Earlier time of the visit. */
  before?: string | null
  reason?: string | null
  /** Existing customers who may be the same person. */
  alike?: readonly Warning[]
}

/** Emails owners and office about a visit booked, moved or canceled online. */
export async function notifyOfBooking(db: Db, notice: BookingNotice, senders: Senders): Promise<void> {
  if (senders.email === null) return
  const url = `${senders.baseUrl}/${db.tenant}/jobs/${notice.job.id}`
  await mailOffice(db, ['Jobs & scheduling'], { kind: 'jobs', id: notice.job.id }, () => letterOf(notice, url))
}

function letterOf({ event, job, name, before, reason, alike = [] }: BookingNotice, url: string) {
  const at = job.scheduled_start === null ? '' : moment(new Date(job.scheduled_start).toISOString(), job.timezone)
  const subject = {
    booked: say`${name} booked online: ${job.title}`,
    waiting: say`${name} asks for a visit: ${job.title}`,
    moved: say`${name} moved a visit: ${job.title}`,
    cancelled: say`${name} canceled a visit: ${job.title}`,
  }[event]
  const lines = [
    event === 'cancelled' ? say`The visit was planned for ${at}.` : say`The visit is on ${at}.`,
    ...(before == null ? [] : [say`Before, it was on ${moment(new Date(before).toISOString(), job.timezone)}.`]),
    ...(reason == null ? [] : [say`Reason: ${reason}`]),
    ...(event === 'waiting' ? [say`The time is held. Approve or decline it on the job’s page.`] : []),
    ...alike.map(warningForPeople),
    say`Open the job: ${url}`,
  ]
  return { subject: subject.slice(0, 250), body: lines.join('\n\n') }
}

/**
 * Sends the code that confirms an address. Sends nothing to an opted-out or unreachable address, and reports nothing:
 * the page answers everyone alike.
 */
export async function sendCode(
  db: Db,
  { channel, to, code, company }: { channel: MessageChannel; to: string; code: string; company: string },
): Promise<void> {
  const disclaimer = say`If you didn’t book a visit, ignore this message.`
  const body = `${say`Your code for ${company} is ${code}. It works for 30 minutes.`} ${disclaimer}`
  const subject = say`Your booking code: ${code}`
  await isQueued(
    queueMessage(db, {
      channel,
      to,
      ...(channel === 'email' ? { subject: subject.slice(0, 250) } : {}),
      body,
      about: null,
      customerId: null,
      cause: 'notice',
      by: null,
    }),
  )
}

/**
 * Notifies the customer that their booking awaits the office, or was declined. The message is about the customer, since
 * nothing is sent about a canceled job.
 */
export async function answerBooking(
  db: Db,
  job: string,
  answer: { status: 'waiting' | 'declined'; reason: string | null },
  senders: Senders,
): Promise<void> {
  const record = await findSubjectRecord(db, 'jobs', job)
  const reader = { language: languageOf(record.language), country: record.company.country }
  const { subject, body } = withReader(reader, () => toAnswer(record, answer))
  for (const channel of CHANNELS) {
    const [recipient] = (await canSend(db, senders, channel)) ? await listRecipients(db, record, channel) : []
    if (recipient === undefined) continue
    const isSent = await isQueued(
      queueMessage(db, {
        channel,
        to: recipient.address,
        toName: recipient.name,
        ...(channel === 'email' ? { subject } : {}),
        body,
        about: { kind: 'customers', id: record.customer_id },
        customerId: record.customer_id,
        cause: 'sent',
        by: null,
      }),
    )
    if (isSent) return
  }
}

function toAnswer(
  { starts_at, company }: SubjectRecord,
  { status, reason }: { status: 'waiting' | 'declined'; reason: string | null },
): { subject: string; body: string } {
  const at = starts_at === null ? '' : moment(new Date(starts_at).toISOString(), company.timezone)
  const sentence =
    status === 'waiting'
      ? say`${company.name} got your request for ${at}. The visit isn’t confirmed yet: you’ll hear from us soon.`
      : say`${company.name} can’t come on ${at}. Please choose another time or contact us.`
  return {
    subject: say`Your visit with ${company.name}`.slice(0, 250),
    body: reason === null ? sentence : `${sentence}\n\n${reason}`,
  }
}

/** Waits for a message to be queued; returns false if its recipient can't be written to. */
const isQueued = (queued: Promise<unknown>): Promise<boolean> => queued.then(() => true).catch(ifRefused(false))
