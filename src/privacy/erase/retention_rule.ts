import { empty, join, raw, type Sql } from '../../platform/db/database.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import type { ErasureSubject } from './subject.ts'

/** Scope of an erasure: the customer's records, the actor, and whether issued invoices keep the name and address. */
export type ErasureContext = { subject: ErasureSubject; by: string | null; tenant: string; keepsNames: boolean }

/**
 * Retention rule for a table's rows of one customer. A text column in neither `replacements` nor `retainedColumns`
 * fails a test, so that none is forgotten.
 */
export type RetentionRule = {
  table: string
  /** Selects the rows. The tenant is compared too, unless `isServices` marks a table without tenants. */
  rows: (context: ErasureContext) => Sql
  isServices?: true
} & (
  | { isDeleted: true }
  | {
      replacements: (context: ErasureContext) => Readonly<Record<string, Sql>>
      /** Text columns that stay, since they contain no personal data. */
      retainedColumns: readonly string[]
    }
)

/** Applies a rule. Returns the number of rows affected. */
export function applyRule(db: Db, rule: RetentionRule, context: ErasureContext): Promise<number> {
  const where = sql`${rule.isServices ? empty : sql`tenant_id = ${db.tenant} and`} (${rule.rows(context)})`
  if ('isDeleted' in rule) return db.run(sql`delete from ${raw(rule.table)} where ${where}`)
  const sets = Object.entries(rule.replacements(context)).map(([column, value]) => sql`${raw(column)} = ${value}`)
  return db.run(sql`update ${raw(rule.table)} set ${join(sets)} where ${where}`)
}

/** Returns a condition that a column holds one of the ids. */
export const whereIdIn = (column: string, ids: readonly string[]): Sql => sql`${raw(column)} = any(${[...ids]}::uuid[])`

/** Marks a record as changed, so that clients that list by `updated_since` notice it. */
export const changeStamps = ({ by }: ErasureContext): Readonly<Record<string, Sql>> => ({
  updated_at: sql`later_than(updated_at)`,
  updated_by: sql`${by}::uuid`,
})

/** Field names of an audit row, with the old and new values removed. */
export const NAMES_OF_CHANGED = sql`(
  select coalesce(jsonb_object_agg(field, '[null, null]'::jsonb), '{}'::jsonb) from jsonb_object_keys(changed) field)`

/** Pattern of any of our ids in a text. */
export const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
