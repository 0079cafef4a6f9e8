import { empty, join, raw, type Sql } from '../../platform/db/database.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import type { ErasureSubject } from './subject.ts'

/** An erasure: of whom, by whom, and whether issued invoices keep the name and address. */
export type ErasureContext = { of: ErasureSubject; by: string | null; tenant: string; keepsNames: boolean }

/**
 * What becomes of a table's rows of one customer. Columns of text that are named neither under `becomes` nor under
 * `keeps` fail a test, so that nobody forgets one.
 */
export type RetentionRule = {
  table: string
  /** Selects the rows; the tenant is compared besides, but in a table that is the whole service's. */
  rows: (erasing: ErasureContext) => Sql
  isServices?: true
} & (
  | { goes: true }
  | {
      becomes: (erasing: ErasureContext) => Readonly<Record<string, Sql>>
      /** The columns of text that stay, since they say nothing of a person. */
      keeps: readonly string[]
    }
)

/** Applies a rule; returns how many rows it touched. */
export function applyRule(db: Db, rule: RetentionRule, erasing: ErasureContext): Promise<number> {
  const where = sql`${rule.isServices ? empty : sql`tenant_id = ${db.tenant} and`} (${rule.rows(erasing)})`
  if ('goes' in rule) return db.run(sql`delete from ${raw(rule.table)} where ${where}`)
  const sets = Object.entries(rule.becomes(erasing)).map(([column, value]) => sql`${raw(column)} = ${value}`)
  return db.run(sql`update ${raw(rule.table)} set ${join(sets)} where ${where}`)
}

/** Returns the condition that a column holds one of some ids. */
export const whereIdIn = (column: string, ids: readonly string[]): Sql => sql`${raw(column)} = any(${[...ids]}::uuid[])`

/** Marks a record as changed, so that those who list by change hear of it. */
export const changeStamps = ({ by }: ErasureContext): Readonly<Record<string, Sql>> => ({
  updated_at: sql`later_than(updated_at)`,
  updated_by: sql`${by}::uuid`,
})

/** Returns the names of the fields of an audit row, without what they were and became. */
export const NAMES_OF_CHANGED = sql`(
  select coalesce(jsonb_object_agg(field, '[null, null]'::jsonb), '{}'::jsonb) from jsonb_object_keys(changed) field)`

/** Matches any id of ours in a text. */
export const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
