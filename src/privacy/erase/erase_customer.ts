import { auditChange, type Actor } from '../../identity/audit.ts'
import { FILE_REMOVAL_TASK } from '../../files/file_removals.ts'
import { insertSelected, sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { whereMentions } from './books.ts'
import { applyRule, type ErasureContext } from './retention_rule.ts'
import { RETENTION_RULES } from './retention_rules.ts'
import { keepOptOuts } from './opt_outs.ts'
import { findErasureSubject, type ErasureSubject } from './subject.ts'
import { recordErasure } from '../tombstones.ts'
import { refusals } from './refusals.ts'

/**
 * Options of an erasure: `keepUntil` is the last day on which issued invoices still name the customer, `at` the time of
 * the original erasure.
 */
type ErasureOptions = { by: Actor; keepUntil: string | null; at?: string }

/** Number of records that an erasure affects, by kind. */
export type ErasureCounts = Record<string, number>

/**
 * Erases a customer permanently, in one transaction: text goes; numbers, dates and amounts stay
 * (docs/spec/erasure.md#a-customer). Throws `conflict` while a send, import or payment is pending. Returns the counts.
 */
export async function eraseCustomer(
  db: Db,
  id: string,
  { by, keepUntil, at }: ErasureOptions,
): Promise<{ counts: ErasureCounts }> {
  const subject = await findErasureSubject(db, id, { hold: true })
  await requireSettled(db, subject)
  const counts = countCustomerRecords(subject)
  const context: ErasureContext = { subject, by: by?.user ?? null, tenant: db.tenant, keepsNames: keepUntil !== null }
  await keepOptOuts(db, subject)
  await removeFiles(db, subject)
  for (const rule of RETENTION_RULES) await applyRule(db, rule, context)
  // A backup from before a merge has each of them as a separate customer.
  for (const customerId of subject.customers)
    await recordErasure(db, {
      kind: 'customer',
      subject: customerId,
      by: context.by,
      keepUntil,
      at,
      counts: customerId === id ? counts : {},
    })
  await db.run(auditChange(db.tenant, by, 'customers.erase', id, changesOf(counts)))
  return { counts }
}

/** Counts a customer's records, for the person who decides on the erasure. */
export const countCustomerRecords = (subject: ErasureSubject): ErasureCounts => ({
  contacts: subject.contacts.length,
  locations: subject.locations.length,
  notes: subject.notes.length,
  messages: subject.messages.length,
  jobs: subject.jobs.length,
  job_series: subject.series.length,
  quotes: subject.quotes.length,
  plans: subject.plans.length,
  invoices: subject.invoices.length,
  links: subject.links.length,
})

const changesOf = (counts: ErasureCounts): Record<string, readonly [number, number]> =>
  Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, [count, 0]]))

/** Requires that no send, import or payment event is pending. Each ends in minutes or waits for a person. */
async function requireSettled(db: Db, subject: ErasureSubject): Promise<void> {
  const [sending, importing, waiting] = await Promise.all([
    db.maybe(
      sql`select id from outbox
        where tenant_id = ${db.tenant} and id = any(${subject.messages}::uuid[]) and state = 'attempting' limit 1`,
    ),
    db.maybe(
      sql`select id from imports where tenant_id = ${db.tenant} and state in ('checking', 'running', 'taking_back')
        and beat_at > moment() - interval '1 minute' limit 1`,
    ),
    db.maybe(
      sql`select id from payment_events
        where tenant_id = ${db.tenant} and state not in ('stored', 'applied', 'discarded') and ${whereMentions(subject)}
          limit 1`,
    ),
  ])
  if (sending !== undefined) throw conflict(refusals.sending())
  if (importing !== undefined) throw conflict(refusals.importing())
  if (waiting !== undefined) throw conflict(refusals.undecidedPayment())
}

/** Schedules the removal of the files of their messages and jobs from storage. */
async function removeFiles(db: Db, subject: ErasureSubject): Promise<void> {
  const files: Sql = sql`
    select storage_key from attachments
    where tenant_id = ${db.tenant} and communication_id = any(${subject.messages}::uuid[]) and storage_key is not null
    union select storage_key from job_media where tenant_id = ${db.tenant} and job_id = any(${subject.jobs}::uuid[])`
  await db.run(
    insertSelected(sql`insert into file_removals (tenant_id, storage_key, due_at)
    select ${db.tenant}, storage_key, moment() from (${files}) files
    on conflict (tenant_id, storage_key) do update set due_at = excluded.due_at`),
  )
  await db.run(sql`select ask_chore(${db.tenant}, ${FILE_REMOVAL_TASK})`)
}
