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
type ErasureTerms = { by: Actor; keepUntil: string | null; at?: string }

/** Number of records that an erasure affects, by kind. */
export type ErasureCounts = Record<string, number>

/**
 * Erases a customer permanently, in one transaction: text goes; numbers, dates and amounts stay
 * (docs/spec/erasure.md#a-customer). Throws `conflict` while a send, import or payment is pending. Returns the counts.
 */
export async function eraseCustomer(
  db: Db,
  id: string,
  { by, keepUntil, at }: ErasureTerms,
): Promise<{ counts: ErasureCounts }> {
  const of = await findErasureSubject(db, id, { hold: true })
  await requireSettled(db, of)
  const counts = countCustomerRecords(of)
  const erasing: ErasureContext = { of, by: by?.user ?? null, tenant: db.tenant, keepsNames: keepUntil !== null }
  await keepOptOuts(db, of)
  await removeFiles(db, of)
  for (const rule of RETENTION_RULES) await applyRule(db, rule, erasing)
  // A backup from before a merge has each of them as a separate customer.
  for (const subject of of.customers)
    await recordErasure(db, {
      kind: 'customer',
      subject,
      by: erasing.by,
      keepUntil,
      at,
      counts: subject === id ? counts : {},
    })
  await db.run(auditChange(db.tenant, by, 'customers.erase', id, changesOf(counts)))
  return { counts }
}

/** Counts a customer's records, for the person who decides on the erasure. */
export const countCustomerRecords = (of: ErasureSubject): ErasureCounts => ({
  contacts: of.contacts.length,
  locations: of.locations.length,
  notes: of.notes.length,
  messages: of.messages.length,
  jobs: of.jobs.length,
  job_series: of.series.length,
  quotes: of.quotes.length,
  plans: of.plans.length,
  invoices: of.invoices.length,
  links: of.links.length,
})

const changesOf = (counts: ErasureCounts): Record<string, readonly [number, number]> =>
  Object.fromEntries(Object.entries(counts).map(([what, count]) => [what, [count, 0]]))

/** Requires that no send, import or payment event is pending. Each ends in minutes or waits for a person. */
async function requireSettled(db: Db, of: ErasureSubject): Promise<void> {
  const [sending, importing, waiting] = await Promise.all([
    db.maybe(
      sql`select id from outbox
        where tenant_id = ${db.tenant} and id = any(${of.messages}::uuid[]) and state = 'attempting' limit 1`,
    ),
    db.maybe(
      sql`select id from imports where tenant_id = ${db.tenant} and state in ('checking', 'running', 'taking_back')
        and beat_at > moment() - interval '1 minute' limit 1`,
    ),
    db.maybe(
      sql`select id from payment_events
        where tenant_id = ${db.tenant} and state not in ('stored', 'applied', 'discarded') and ${whereMentions(of)}
          limit 1`,
    ),
  ])
  if (sending !== undefined) throw conflict(refusals.sending())
  if (importing !== undefined) throw conflict(refusals.importing())
  if (waiting !== undefined) throw conflict(refusals.undecidedPayment())
}

/** Schedules the removal of the files of their messages and jobs from storage. */
async function removeFiles(db: Db, of: ErasureSubject): Promise<void> {
  const theirs: Sql = sql`
    select storage_key from attachments
    where tenant_id = ${db.tenant} and communication_id = any(${of.messages}::uuid[]) and storage_key is not null
    union select storage_key from job_media where tenant_id = ${db.tenant} and job_id = any(${of.jobs}::uuid[])`
  await db.run(
    insertSelected(sql`insert into file_removals (tenant_id, storage_key, due_at)
    select ${db.tenant}, storage_key, moment() from (${theirs}) files
    on conflict (tenant_id, storage_key) do update set due_at = excluded.due_at`),
  )
  await db.run(sql`select ask_chore(${db.tenant}, ${FILE_REMOVAL_TASK})`)
}
