import type { Client } from 'pg'
import type { Config } from '../../platform/config/config.ts'
import { FETCH_TASK } from '../../files/attachment.ts'
import { CHECKOUT_END_TASK } from '../../payments/checkout.ts'
import { formatCount, readProviderUse, webhookFindings } from './doctor_webhooks.ts'
import type { Finding } from '../finding.ts'

/** Days after which a failed outbox message is no longer reported. */
const FAILED_DAYS = 7

/** Failures of a periodic task in a row, about four hours, from which it is wrong. */
const MAX_FAILURES = 10

const MAX_NAMED = 10

/** Finds webhooks without a secret and periodic tasks that are late, and counts what waits to be sent, applied or looked at. */
export async function workFindings(
  client: Client,
  config: Pick<Config, 'smsAccount' | 'payments' | 'webhooks'>,
): Promise<Finding[]> {
  return [
    ...webhookFindings(config, await readProviderUse(client)),
    await tasksFinding(client, config),
    await outboxFinding(client),
    await accountMailFinding(client),
    ...(await reviewFindings(client)),
  ]
}

type LateTask = { task: string; companies: number; hours: number; failures: number; reference: string | null }

async function tasksFinding(
  client: Client,
  { smsAccount, payments }: Pick<Config, 'smsAccount' | 'payments'>,
): Promise<Finding> {
  const check = 'periodic tasks'
  const notConfigured = [
    ...(smsAccount === null ? [FETCH_TASK] : []),
    ...(payments === null ? [CHECKOUT_END_TASK] : []),
  ]
  const { rows } = await client.query<LateTask>(
    `select chore as task, count(*)::int as companies, max(attempts)::int as failures, max(last_error::text) as reference,
      floor(extract(epoch from now() - min(ready_at)) / 3600)::int as hours
    from chore_leases l
    where (ready_at < now() - interval '1 day' or (attempts >= $2 and last_error is not null)) and chore <> all($1)
      and not exists (select 1 from frozen_companies f where f.tenant_id = l.tenant_id)
    group by chore order by min(ready_at), chore`,
    [notConfigured, MAX_FAILURES],
  )
  if (rows.length === 0) return { check, ok: true, says: 'on time' }
  const [late, failing] = [rows.filter(({ hours }) => hours >= 24), rows.filter(({ hours }) => hours < 24)]
  const lateSays = formatNames(late, ({ task, hours }) => `${task} (${formatDays(hours)})`)
  const failingSays = formatNames(
    failing,
    ({ task, failures, reference }) => `${task} (${failures} times, ${reference})`,
  )
  return {
    check,
    ok: false,
    says: [late.length > 0 && `late: ${lateSays}`, failing.length > 0 && `failing: ${failingSays}`]
      .filter(Boolean)
      .join('; '),
    mend:
      late.length > 0
        ? "Start the service, or look for 'chore failed' and 'worker fault' in its log."
        : "Look for the reference in the service's log.",
  }
}

const formatDays = (hours: number): string => (hours < 48 ? '1 day' : `${Math.floor(hours / 24)} days`)

const formatNames = <T>(all: readonly T[], toText: (one: T) => string): string =>
  all.slice(0, MAX_NAMED).map(toText).join(', ') + (all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : '')

type MailCounts = { waiting: number; overdue: number; failed: number; uncertain: number; held: number }

/** Counts company by company, because their policy also applies to the schema's owner. */
async function outboxFinding(client: Client): Promise<Finding> {
  const { rows: tenants } = await client.query<{ id: string }>(
    'select id from tenants where not exists (select 1 from frozen_companies where tenant_id = id)',
  )
  const sum: MailCounts = { waiting: 0, overdue: 0, failed: 0, uncertain: 0, held: 0 }
  for (const { id } of tenants) {
    await client.query(`select set_config('app.tenant_id', $1, false)`, [id])
    const { rows } = await client.query<MailCounts>(
      `select count(*) filter (where state in ('queued', 'attempting'))::int as waiting,
        count(*) filter (where state in ('queued', 'attempting') and next_at < now() - interval '1 hour')::int as overdue,
        count(*) filter (where state = 'failed')::int as failed, count(*) filter (where state = 'uncertain')::int as uncertain,
        count(*) filter (where state = 'held')::int as held
      from outbox where tenant_id = $1 and (state in ('queued', 'attempting', 'held') or
        (state in ('failed', 'uncertain') and created_at > now() - $2 * interval '1 day'))`,
      [id, FAILED_DAYS],
    )
    for (const state of Object.keys(sum) as (keyof MailCounts)[]) sum[state] += rows[0]![state]
  }
  await client.query(`select set_config('app.tenant_id', '', false)`)
  return mailFinding('outbox', sum, 'Companies see the reason of each under Outbox.')
}

async function accountMailFinding(client: Client): Promise<Finding> {
  const { rows } = await client.query<MailCounts>(
    `select count(*) filter (where state in ('queued', 'attempting'))::int as waiting,
      count(*) filter (where state in ('queued', 'attempting') and next_at < now() - interval '1 hour')::int as overdue,
      count(*) filter (where state = 'failed')::int as failed, count(*) filter (where state = 'uncertain')::int as uncertain,
      count(*) filter (where state = 'kept')::int as held
    from account_mails where state in ('queued', 'attempting') or created_at > now() - $1 * interval '1 day'`,
    [FAILED_DAYS],
  )
  return mailFinding('account mail', rows[0]!, 'Check the mail server, then run: callout mail list')
}

function mailFinding(check: string, { waiting, overdue, failed, uncertain, held }: MailCounts, mend: string): Finding {
  const parts = [
    waiting > 0 && `${waiting} waiting${overdue > 0 ? ` (${overdue} for over an hour)` : ''}`,
    failed > 0 && `${failed} failed in ${FAILED_DAYS} days`,
    uncertain > 0 && `${uncertain} uncertain`,
    held > 0 && `${held} kept and not sent`,
  ].filter((part) => part !== false)
  const says = parts.join(', ') || 'nothing waits, nothing failed'
  return overdue + failed + uncertain > 0 ? { check, ok: true, warning: true, says, mend } : { check, ok: true, says }
}

type ReviewCounts = { messages: number; pending: number; parked: number }

async function reviewFindings(client: Client): Promise<Finding[]> {
  const { rows } = await client.query<ReviewCounts>(`select
    (select count(*)::int from quarantined_messages where state = 'open') as messages,
    (select count(*)::int from payment_events where state in ('pending', 'routed')) as pending,
    (select count(*)::int from payment_events
      where state = 'review' or (state = 'unrouted' and names_invoice is distinct from false)) as parked`)
  const { messages, pending, parked } = rows[0]!
  const mend = 'Companies and operators settle them under Quarantine (callout operator add).'
  const toBeSettled = (check: string, count: number, says: string): Finding =>
    count === 0 ? { check, ok: true, says } : { check, ok: true, warning: true, says, mend }
  return [
    toBeSettled(
      'quarantine',
      messages,
      messages === 0 ? 'empty' : `${formatCount(messages, 'message waits', 'messages wait')} for a decision`,
    ),
    toBeSettled(
      'webhook events',
      parked,
      parked + pending === 0
        ? 'none waiting'
        : `${formatCount(parked, 'waits', 'wait')} for a decision, ${pending} to be booked`,
    ),
  ]
}
