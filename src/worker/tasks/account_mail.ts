import { plainLook } from '../../messaging/outbox/senders/mail_html.ts'
import { writeAccountEmail, type AccountEmail } from '../../identity/people/recovery/account_letters.ts'
import {
  beginMailAttempt,
  dropMail,
  isPastMaxAge,
  markInterruptedMails,
  nextDueMail,
  settleMail,
  rescheduleMail,
  type AccountMail,
  type AccountMailing,
} from '../../identity/security/notices/account_mail.ts'
import { retryDelay } from '../../messaging/outbox/attempt.ts'
import type { Handover } from '../../messaging/outbox/senders/sender.ts'
import type { Senders } from '../../messaging/outbox/senders/senders.ts'
import type { PeriodicTask, ServiceRun } from '../periodic_task.ts'
import { every } from '../schedule.ts'

/** Settings of account mail, which uses the mail server of companies' mail and the installation's own address. */
type AccountMailSettings = { email: Senders['email']; baseUrl: string; mailing: AccountMailing }

/** Maximum number of mails per turn. */
const MAX_MAILS = 25
const ATTEMPT_TIMEOUT_MS = 60_000

/** Returns the task that sends account mail to people, at most once each (docs/spec/accounts.md#account-mail). */
export const accountMailTask = ({ email, baseUrl }: Senders, mailing: AccountMailing): PeriodicTask => ({
  name: 'account_mail',
  of: 'service',
  next: every({ seconds: 3 }),
  lane: 'account_mail',
  run: (run) => handOverDue(run, { email, baseUrl, mailing }),
})

async function handOverDue(run: ServiceRun, settings: AccountMailSettings): Promise<void> {
  const [triedIds, errors]: [string[], unknown[]] = [[], []]
  await run.query([markInterruptedMails()])
  while (triedIds.length < MAX_MAILS) {
    const [due] = await run.query([nextDueMail(run.now, triedIds)])
    const mail = due!.rows[0] as AccountMail | undefined
    if (mail === undefined) break
    triedIds.push(mail.id)
    await handOver(run, settings, mail).catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} account mails were not handed over`)
}

/** Sends one mail: composes it, records the start and its link's hash, sends outside a transaction, records the end. */
async function handOver(run: ServiceRun, settings: AccountMailSettings, mail: AccountMail): Promise<void> {
  if (isPastMaxAge(mail, run.now)) return void (await run.query([settleMail(mail, 'failed', 'gave up')]))
  const letter = await writeAccountEmail(run.query, mail, settings.baseUrl)
  if (letter === null) return void (await run.query([dropMail(mail)]))
  if (settings.email === null) return settleUnsent(run, settings.mailing, mail)
  const [attempt] = await run.query([beginMailAttempt(mail), ...letter.prepare])
  if (attempt!.count === 0) return
  const handover = await settings.email.send(
    mailOf(mail, letter, settings.email.from),
    AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
  )
  const wasSent = handover.end === 'handed_over' || handover.end === 'unknown'
  await run.conclude([settlementOf(mail, handover, run.now), ...(wasSent ? [] : letter.undo)])
}

/** Keeps a mail for developers. In production, fails it, so that its notice stays on the page. */
async function settleUnsent(run: ServiceRun, mailing: AccountMailing, mail: AccountMail): Promise<void> {
  await run.query([settleMail(mail, mailing === 'kept' ? 'kept' : 'failed', 'no mail server (SMTP_URL)')])
  if (mailing === 'kept')
    run.logInfo({ mail: mail.id, kind: mail.kind }, 'mail would have been sent; callout mail show prints it')
}

const mailOf = (
  mail: AccountMail,
  { subject, text, action }: AccountEmail,
  from: NonNullable<Senders['email']>['from'],
) => ({
  messageId: `<${mail.id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
  from,
  replyTo: null,
  to: { name: null, address: mail.address },
  subject,
  text,
  inReplyTo: null,
  references: [],
  look: { ...plainLook(from.name ?? from.address, mail.language), action },
  unsubscribe: null,
  isAutomatic: true,
  files: [],
})

function settlementOf(mail: AccountMail, { end, reply }: Handover, now: Temporal.Instant) {
  if (end === 'handed_over') return settleMail(mail, 'handed_over', reply)
  if (end === 'refused') return settleMail(mail, 'failed', reply)
  if (end === 'unknown') return settleMail(mail, 'uncertain', reply)
  const next = now.add({ seconds: retryDelay(mail.attempts + 1) })
  return isPastMaxAge(mail, next) ? settleMail(mail, 'failed', reply) : rescheduleMail(mail, next, reply)
}
