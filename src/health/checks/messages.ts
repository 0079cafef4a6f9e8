import { onlyRow, sql, type Database } from '../../platform/db/tenant.ts'
import { phrase, phraseCount, type Phrase } from '../../platform/i18n/phrase.ts'
import { FAILED_DAYS, type MessageCounts } from '../companies.ts'
import { warningFinding, type Finding } from '../finding.ts'

/** Reports companies' messages that are overdue, failed or uncertain. */
export const outboxFinding = (counts: MessageCounts): Finding =>
  mailFinding('outbox', counts, phrase`Companies see the reason for each in their outbox.`)

/** Reports the same about the installation's own account mail. */
export async function accountMailFinding(send: Database['send']): Promise<Finding> {
  const [answer] = await send([
    sql<Counts>`select count(*) filter (where state in ('queued', 'attempting'))::int as waiting,
      count(*) filter (where state in ('queued', 'attempting') and next_at < now() - interval '1 hour')::int as overdue,
      count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state = 'uncertain')::int as uncertain, count(*) filter (where state = 'kept')::int as held
    from account_mails
    where state in ('queued', 'attempting') or created_at > now() - make_interval(days => ${FAILED_DAYS})`,
  ])
  return mailFinding('account mail', onlyRow(answer), phrase`Check the mail server, then run: callout mail list`)
}

type Counts = Pick<MessageCounts, 'waiting' | 'overdue' | 'failed' | 'uncertain' | 'held'>

function mailFinding(check: string, { waiting, overdue, failed, uncertain, held }: Counts, fix: Phrase): Finding {
  const parts = [
    waiting > 0 &&
      (overdue > 0 ? phrase`${waiting} waiting (${overdue} for over an hour)` : phrase`${waiting} waiting`),
    failed > 0 && phrase`${failed} failed in the last ${FAILED_DAYS} days`,
    uncertain > 0 && phrase`${uncertain} uncertain`,
    held > 0 && phrase`${held} kept and not sent`,
  ].filter((part) => part !== false)
  const message = joinPhrases(parts) ?? phrase`nothing waiting, nothing failed`
  return overdue + failed + uncertain > 0 ? warningFinding(check, message, fix) : { check, ok: true, says: message }
}

/** Joins phrases with commas; undefined for an empty list. */
export const joinPhrases = (phrases: readonly Phrase[]): Phrase | undefined =>
  phrases.reduce<Phrase | undefined>((list, one) => (list ? phrase`${list}, ${one}` : one), undefined)

/** Messages and payment events that await a person's decision, and events that await booking. */
type ReviewCounts = { messages: number; pending: number; parked: number }

/** Reports everything that awaits a person's decision. */
export const reviewFindings = ({ messages, pending, parked }: ReviewCounts): Finding[] => [
  reviewFinding(
    'quarantine',
    messages,
    messages === 0
      ? phrase`empty`
      : phraseCount(messages, '{0} message needs a decision', '{0} messages need a decision'),
  ),
  reviewFinding(
    'webhook events',
    parked,
    parked + pending === 0
      ? phrase`none waiting`
      : phrase`${phraseCount(parked, '{0} needs', '{0} need')} a decision, ${pending} waiting to be recorded`,
  ),
]

const reviewFinding = (check: string, count: number, message: Phrase): Finding =>
  count === 0
    ? { check, ok: true, says: message }
    : warningFinding(
        check,
        message,
        phrase`Companies and operators (callout operator add) resolve them under Quarantine.`,
      )

export async function readReviewCounts(send: Database['send']): Promise<ReviewCounts> {
  const [answer] = await send([
    sql<ReviewCounts>`select
      (select count(*)::int from quarantined_messages where state = 'open') as messages,
      (select count(*)::int from payment_events where state in ('pending', 'routed')) as pending,
      (select count(*)::int from payment_events
        where state = 'review' or (state = 'unrouted' and names_invoice is distinct from false)) as parked`,
  ])
  return onlyRow(answer)
}
