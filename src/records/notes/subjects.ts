import type { Scope } from '../../identity/permissions/scopes.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import type { EntityNameWith } from '../../tools/declare/results.ts'
import type { SubjectType } from './fields.ts'

type Kind = {
  /** Scope required to see records of this kind. */
  scope: Scope
  /** Entity, as written in paths. */
  entity: EntityNameWith<'get'>
  /** Table of the records, and the SQL expression for the name that people use. */
  table: Sql
  name: Sql
}

const CONTACT_NAME = sql`coalesce(nullif(concat_ws(' ', first_name, last_name), ''), email, phone, 'A contact')`

/** Properties of each type of record that notes can be on. */
export const KINDS: Readonly<Record<SubjectType, Kind>> = {
  customer: { scope: 'read:customers', entity: 'customers', table: sql`customers`, name: sql`display_name` },
  contact: { scope: 'read:customers', entity: 'contacts', table: sql`contacts`, name: CONTACT_NAME },
  location: {
    scope: 'read:customers',
    entity: 'locations',
    table: sql`locations`,
    name: sql`coalesce(name, address_line1)`,
  },
  job: { scope: 'read:jobs', entity: 'jobs', table: sql`jobs`, name: sql`display_number || ' ' || title` },
  job_series: { scope: 'read:job_series', entity: 'job_series', table: sql`job_series`, name: sql`title` },
  invoice: { scope: 'read:invoices', entity: 'invoices', table: sql`invoices`, name: sql`display_number` },
  quote: { scope: 'read:quotes', entity: 'quotes', table: sql`quotes`, name: sql`display_number || ' ' || title` },
  plan: { scope: 'read:plans', entity: 'plans', table: sql`plans`, name: sql`name` },
  catalog_item: { scope: 'read:catalog_items', entity: 'catalog_items', table: sql`catalog_items`, name: sql`name` },
}

export type NoteSubject = { subject_type: SubjectType; subject_id: string }

/** Returns the names of subjects by id, for the types that `may` allows. */
export async function namesOf(
  db: Db,
  subjects: readonly NoteSubject[],
  may: (scope: Scope) => boolean,
): Promise<Map<string, string>> {
  const rows = await Promise.all(
    [...Map.groupBy(subjects, ({ subject_type }) => subject_type)]
      .filter(([type]) => may(KINDS[type].scope))
      .map(([type, group]) =>
        db.all<{ id: string; name: string }>(sql`select id, ${KINDS[type].name} as name from ${KINDS[type].table}
      where tenant_id = ${db.tenant} and id = any(${group.map(({ subject_id }) => subject_id)}::uuid[])`),
      ),
  )
  return new Map(rows.flat().map(({ id, name }) => [id, name]))
}
