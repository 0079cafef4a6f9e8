import {
  scheduleNextAttempt,
  startAttempt,
  endAttempt,
  markUnsent,
  markInterrupted,
  nextDueMessage,
  type DueMessage,
  type SenderIdentity,
} from '../../messaging/outbox/attempt.ts'
import { findMailLook } from '../../messaging/templates/look.ts'
import { senderIdentity, toMail, toSms } from '../../messaging/outbox/identity.ts'
import type { OutgoingAttachment } from '../../messaging/outbox/outgoing.ts'
import { SENDING_TASKS } from '../../messaging/outbox/queue.ts'
import type { MailLook } from '../../messaging/outbox/senders/mail_html.ts'
import type { Handover, MailFile } from '../../messaging/outbox/senders/sender.ts'
import type { Senders } from '../../messaging/outbox/senders/senders.ts'
import { Refusal, invalid } from '../../platform/errors/refusal.ts'
import type { Db } from '../../platform/db/tenant.ts'
import type { PeriodicTask, TenantRun } from '../periodic_task.ts'
import { onDemand } from '../schedule.ts'

/** Reads a document. The returned function renders the attachment after the transaction. */
export type ReadDocument = (db: Db, attachment: OutgoingAttachment) => Promise<() => Promise<MailFile>>

/** Milliseconds per attempt, and milliseconds and messages per turn of a company. */
export type SendingLimits = { attemptTimeoutMs?: number; maxRunMs?: number; maxMessages?: number }

/** Returns the tasks that send messages, one per channel, so that a slow provider of one doesn't block the other. */
export const sendingTasks = (
  senders: Senders,
  readDocument: ReadDocument = noDocuments,
  limits: SendingLimits = {},
): PeriodicTask[] =>
  (['email', 'sms'] as const).map((channel) => ({
    name: SENDING_TASKS[channel],
    of: 'tenant',
    next: onDemand,
    lane: channel,
    run: (run) =>
      sendDue(run, {
        channel,
        senders,
        readDocument,
        attemptTimeoutMs: 60_000,
        maxRunMs: 15_000,
        maxMessages: 25,
        ...limits,
      }),
  }))

type Sending = Required<SendingLimits> & { channel: 'email' | 'sms'; senders: Senders; readDocument: ReadDocument }

/** Sends the due messages of one turn. */
async function sendDue(run: TenantRun, sending: Sending): Promise<void> {
  const { channel, maxMessages, maxRunMs } = sending
  const startedAt = performance.now()
  const errors: unknown[] = []
  const triedIds: string[] = []
  await run.write((db) => markInterrupted(db, channel))
  while (triedIds.length < maxMessages && performance.now() - startedAt < maxRunMs) {
    const message = await run.write((db) => nextDueMessage(db, channel, run.now, triedIds))
    if (message === undefined) break
    triedIds.push(message.id)
    await send(run, sending, message).catch((error: unknown) => errors.push(error))
  }
  const endedAt = run.now.add({ milliseconds: Math.ceil(performance.now() - startedAt) })
  await run.write((db) => scheduleNextAttempt(db, channel, SENDING_TASKS[channel], endedAt))
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} messages were not sent: ${String(errors[0])}`)
}

/** Makes one attempt: everything that can fail first, its start, the network outside any transaction, its end. */
async function send(run: TenantRun, sending: Sending, message: DueMessage): Promise<void> {
  const identity = senderIdentity(message, sending.senders)
  if (identity === undefined) return run.write((db) => markUnsent(db, message, { state: 'held', reason: 'no_sender' }))
  const files = await documentsOf(run, sending, message)
  if (files === undefined) return
  const look = message.channel === 'email' ? await run.write((db) => findMailLook(db, message.id)) : undefined
  const isStarted = await run.write((db) => startAttempt(db, message, identity, run.now, run.tenant.timezone))
  if (!isStarted) return
  const handover = await handOver(run, sending, message, identity, files, look)
  await run.conclude((db) => endAttempt(db, message, handover, run.now))
}

/** Returns the attached documents; undefined if one can't be made, which ends the message. */
async function documentsOf(
  run: TenantRun,
  { readDocument }: Sending,
  message: DueMessage,
): Promise<MailFile[] | undefined> {
  try {
    const read = await run.write((db) => Promise.all(message.attachments.map((one) => readDocument(db, one))))
    return await Promise.all(read.map((render) => render()))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await run.write((db) => markUnsent(db, message, { state: 'failed', reason: 'unreadable', message: error.message }))
    return undefined
  }
}

async function handOver(
  run: TenantRun,
  { senders, attemptTimeoutMs }: Sending,
  message: DueMessage,
  identity: SenderIdentity,
  files: readonly MailFile[],
  look: MailLook | undefined,
): Promise<Handover> {
  const signal = AbortSignal.timeout(attemptTimeoutMs)
  return message.channel === 'email'
    ? senders.email!.send(toMail(run.tenant.id, message, identity, senders, files, look!), signal)
    : senders.sms!.send(toSms(run.tenant.id, message, identity, senders), signal)
}

const noDocuments: ReadDocument = () => Promise.reject(invalid("documents can't be attached"))
