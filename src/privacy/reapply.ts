import { sql, writeTenant, type Database, type Db } from '../platform/db/tenant.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { eraseCustomer } from './erase/erase_customer.ts'
import { eraseMember } from './erase/erase_member.ts'
import { recordErasure, type Tombstone } from './tombstones.ts'

/** Result of reapplying an erasure that a backup didn't have. */
export type ReapplyResult = Tombstone & { outcome: 'erased' | 'known' | 'absent' | 'refused'; why?: string }

/**
 * Reapplies the listed erasures after a restore, each in its own transaction (docs/spec/erasure.md#after-a-restore).
 * Skips erasures that the database already has, and those of companies it doesn't have. Reports refused ones.
 */
export async function reapplyTombstones(
  database: Database,
  tombstones: readonly Tombstone[],
): Promise<ReapplyResult[]> {
  const results: ReapplyResult[] = []
  for (const tombstone of tombstones)
    results.push({
      ...tombstone,
      ...(await writeTenant(database, { tenant: tombstone.tenant, options: { patient: true } }, (db) =>
        reapplyOne(db, tombstone),
      ).catch(toRefusedOutcome)),
    })
  return results
}

async function reapplyOne(
  db: Db,
  { tenant, kind, subject, at, keep_until }: Tombstone,
): Promise<Pick<ReapplyResult, 'outcome'>> {
  const [company, listed, existing] = await Promise.all([
    db.maybe(sql`select id from tenants where id = ${tenant}`),
    db.maybe(
      sql`select id from erasures
        where tenant_id = ${tenant} and kind = ${kind} and subject_id = ${subject} and at >= ${at}`,
    ),
    db.maybe(
      kind === 'customer'
        ? sql`select id from customers where tenant_id = ${tenant} and id = ${subject} and merged_into is null`
        : sql`select user_id from members where tenant_id = ${tenant} and user_id = ${subject}`,
    ),
  ])
  if (listed !== undefined) return { outcome: 'known' }
  if (company === undefined) return { outcome: 'absent' }
  if (existing === undefined) {
    await recordErasure(db, { kind, subject, by: null, keepUntil: keep_until, counts: {}, at })
    return { outcome: 'absent' }
  }
  if (kind === 'customer') await eraseCustomer(db, subject, { by: null, keepUntil: keep_until, at })
  else await eraseMember(db, subject, { by: null, at })
  return { outcome: 'erased' }
}

function toRefusedOutcome(error: unknown): Pick<ReapplyResult, 'outcome' | 'why'> {
  if (!(error instanceof Refusal)) throw error
  return { outcome: 'refused', why: error.message }
}
