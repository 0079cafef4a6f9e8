import { plainLook } from '../../messaging/outbox/senders/mail_html.ts'
import { accountLetter, type AccountLetter } from '../../identity/people/recovery/account_letters.ts'
import {
  beginMailAttempt,
  dropMail,
  isPastPatience,
  markInterruptedMails,
  nextDueMail,
  settleMail,
  tryMailAgain,
  type AccountMail,
  type AccountMailing,
} from '../../identity/security/notices/account_mail.ts'
import { retryDelay } from '../../messaging/outbox/attempt.ts'
import type { Handover } from '../../messaging/outbox/senders/sender.ts'
import type { Senders } from '../../messaging/outbox/senders/senders.ts'
import type { PeriodicTask, ServiceRun } from '../periodic_task.ts'
import { every } from '../schedule.ts'

/** Settings of account mail, which uses the mail server of companies' mail and the installation's own address. */
type Post = { email: Senders['email']; baseUrl: string; mailing: AccountMailing }

/** Maximum number of mails per turn. */
const TURN = 25
const ATTEMPT_MS = 60_000

/** Returns the task that sends account mail to people, at most once each (docs/spec/accounts.md#account-mail). */
export const accountMail = ({ email, baseUrl }: Senders, mailing: AccountMailing): PeriodicTask => ({
  name: 'account_mail',
  of: 'service',
  next: every({ seconds: 3 }),
  lane: 'account_mail',
  run: (run) => handOverDue(run, { email, baseUrl, mailing }),
})

async function handOverDue(run: ServiceRun, post: Post): Promise<void> {
  const [tried, failed]: [string[], unknown[]] = [[], []]
  await run.ask([markInterruptedMails()])
  while (tried.length < TURN) {
    const [due] = await run.ask([nextDueMail(run.now, tried)])
    const mail = due!.rows[0] as AccountMail | undefined
    if (mail === undefined) break
    tried.push(mail.id)
    await handOver(run, post, mail).catch((error: unknown) => failed.push(error))
  }
  if (failed.length > 0) throw new AggregateError(failed, `${failed.length} mails to people were not handed over`)
}

/** Sends one mail: composes it, records the start and its link's hash, sends outside a transaction, records the end. */
async function handOver(run: ServiceRun, post: Post, mail: AccountMail): Promise<void> {
  if (isPastPatience(mail, run.now)) return void (await run.ask([settleMail(mail, 'failed', 'gave up')]))
  const letter = await accountLetter(run.ask, mail, post.baseUrl)
  if (letter === null) return void (await run.ask([dropMail(mail)]))
  if (post.email === null) return keep(run, post.mailing, mail)
  const [begun] = await run.ask([beginMailAttempt(mail), ...letter.before])
  if (begun!.count === 0) return
  const handover = await post.email.send(mailOf(mail, letter, post.email.from), AbortSignal.timeout(ATTEMPT_MS))
  const wasSent = handover.end === 'handed_over' || handover.end === 'unknown'
  await run.conclude([endOf(mail, handover, run.now), ...(wasSent ? [] : letter.undone)])
}

/** Keeps a mail for developers. In production, fails it, so that its notice stays on the page. */
async function keep(run: ServiceRun, mailing: AccountMailing, mail: AccountMail): Promise<void> {
  await run.ask([settleMail(mail, mailing === 'kept' ? 'kept' : 'failed', 'no mail server (SMTP_URL)')])
  if (mailing === 'kept')
    run.remark({ mail: mail.id, kind: mail.kind }, 'mail would have been sent; callout mail show prints it')
}

const mailOf = (
  mail: AccountMail,
  { subject, text, action }: AccountLetter,
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

function endOf(mail: AccountMail, { end, reply }: Handover, now: Temporal.Instant) {
  if (end === 'handed_over') return settleMail(mail, 'handed_over', reply)
  if (end === 'refused') return settleMail(mail, 'failed', reply)
  if (end === 'unknown') return settleMail(mail, 'uncertain', reply)
  const next = now.add({ seconds: retryDelay(mail.attempts + 1) })
  return isPastPatience(mail, next) ? settleMail(mail, 'failed', reply) : tryMailAgain(mail, next, reply)
}
