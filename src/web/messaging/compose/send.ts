import { canSend } from '../../../messaging/outbox/senders/senders.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { phone } from '../../../records/format/formats.ts'
import { say } from '../../../platform/i18n/say.ts'
import {
  findSubjectRecord,
  lockSubjectRecord,
  type SubjectRecord,
} from '../../../messaging/templates/subject_record.ts'
import { claimDelayNotice } from '../../../messaging/reminders/late.ts'
import { queueDraft, type MessageDraft } from '../../../messaging/templates/queue_draft.ts'
import { requireUnchanged, requireSendable } from '../../../messaging/templates/sendable.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import type { Site } from '../../site.ts'
import { runOnce } from './run_once.ts'
import { requireOwnQuote, type MessageTarget, type MessageTopic } from './opening.ts'

type SendRequest = {
  about: MessageTarget
  letter: MessageDraft
  /** Idempotency key of the form. */
  key: string
  /** Last change of the record that the sender saw. */
  seen: string
}

/**
 * Sends a message. The status change of a draft, the link and the message are one transaction. The idempotency key
 * prevents a second message. Returns the text of the confirmation.
 */
export async function send(
  site: Site,
  context: MemberContext,
  { about: { topic, id }, letter, key, seen }: SendRequest,
): Promise<string> {
  const matter = await context.write((db) => {
    requireRights(context, topic)
    return runOnce(db, { caller: context.caller, act: `${topic}.send`, id, key }, async () => {
      const before = await lockSubjectRecord(db, topic, id)
      requireOwnQuote(context, before)
      requireSendable(before)
      requireUnchanged(before, seen)
      if (before.status === 'draft') await context.within(db, `${topic}_update`, { id, status: 'sent' })
      await queueDraft(db, await findSubjectRecord(db, topic, id), letter, {
        baseUrl: site.baseUrl,
        cause: 'sent',
        by: context.user.id,
      })
      if (letter.kind === 'running_late') await claimDelayNotice(db, id, todayIn(context.company.timezone).toString())
    }).then(() => findSubjectRecord(db, topic, id))
  })
  return sentenceOf(site, context, matter, letter)
}

/** Answers 404 to members who may not change the record or see its customer's addresses. */
export function requireRights(context: MemberContext, topic: MessageTopic): void {
  if (!context.may(`write:${topic}`) || !context.may('read:customers')) throw notFoundRefusal()
}

/** Returns the confirmation: the message is on its way, or waits for a sender. */
async function sentenceOf(
  site: Site,
  context: MemberContext,
  { number }: SubjectRecord,
  { channel, to }: MessageDraft,
): Promise<string> {
  const where = channel === 'sms' ? phone(to) : to
  return (await context.read((db) => canSend(db, site.senders, channel)))
    ? say`${number ?? ''} is on its way to ${where}.`
    : say`The message about ${number ?? ''} waits in the Outbox until a sender is set up.`
}
