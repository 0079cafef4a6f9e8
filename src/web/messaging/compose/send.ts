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
  target: MessageTarget
  draft: MessageDraft
  /** Idempotency key of the form. */
  key: string
  /** Last change of the record that the sender saw. */
  seenVersion: string
}

/**
 * Sends a message. The status change of a draft, the link and the message are one transaction. The idempotency key
 * prevents a second message. Returns the text of the confirmation.
 */
export async function sendMessage(
  site: Site,
  context: MemberContext,
  { target: { topic, id }, draft, key, seenVersion }: SendRequest,
): Promise<string> {
  const record = await context.write((db) => {
    requireRights(context, topic)
    return runOnce(db, { caller: context.caller, action: `${topic}.send`, id, key }, async () => {
      const before = await lockSubjectRecord(db, topic, id)
      requireOwnQuote(context, before)
      requireSendable(before)
      requireUnchanged(before, seenVersion)
      if (before.status === 'draft') await context.within(db, `${topic}_update`, { id, status: 'sent' })
      await queueDraft(db, await findSubjectRecord(db, topic, id), draft, {
        baseUrl: site.baseUrl,
        cause: 'sent',
        by: context.user.id,
      })
      if (draft.kind === 'running_late') await claimDelayNotice(db, id, todayIn(context.company.timezone).toString())
    }).then(() => findSubjectRecord(db, topic, id))
  })
  return confirmationText(site, context, record, draft)
}

/** Answers 404 to members who may not change the record or see its customer's addresses. */
export function requireRights(context: MemberContext, topic: MessageTopic): void {
  if (!context.may(`write:${topic}`) || !context.may('read:customers')) throw notFoundRefusal()
}

/** Returns the confirmation: the message is on its way, or waits for a sender. */
async function confirmationText(
  site: Site,
  context: MemberContext,
  { number }: SubjectRecord,
  { channel, to }: MessageDraft,
): Promise<string> {
  const destination = channel === 'sms' ? phone(to) : to
  return (await context.read((db) => canSend(db, site.senders, channel)))
    ? say`${number ?? ''} is on its way to ${destination}.`
    : say`The message about ${number ?? ''} waits in the Outbox until a sender is set up.`
}
