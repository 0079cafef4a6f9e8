import { sql } from '../../platform/db/tenant.ts'
import { erased } from '../../records/declare/erased.ts'
import { whereIdIn, type RetentionRule } from './retention_rule.ts'

/** Rules for a customer's records. Rows stay, without text, for lists by `updated_since` and for the books. */
export const CUSTOMER_RULES: readonly RetentionRule[] = [
  {
    table: 'job_titles',
    rows: ({ subject }) => whereIdIn('job_id', subject.jobs),
    replacements: () => ({ title: erased.folded }),
    retainedColumns: [],
  },
  {
    table: 'job_checklist_items',
    rows: ({ subject }) => whereIdIn('job_id', subject.jobs),
    replacements: () => ({
      value: sql`case when kind = 'text' and value is not null then to_jsonb(${erased.text}::text) else value end`,
    }),
    retainedColumns: ['text', 'kind'],
  },
  {
    table: 'time_corrections',
    rows: ({ subject, tenant }) =>
      sql`entry_id in (select id from time_entries
        where tenant_id = ${tenant} and ${whereIdIn('job_id', subject.jobs)})`,
    replacements: () => ({ reason: erased.text }),
    retainedColumns: [],
  },
  { table: 'equipment', rows: ({ subject }) => whereIdIn('location_id', subject.locations), isDeleted: true },
  { table: 'customer_tags', rows: ({ subject }) => whereIdIn('customer_id', subject.customers), isDeleted: true },
  { table: 'reminder_exclusions', rows: ({ subject }) => whereIdIn('customer_id', subject.customers), isDeleted: true },
]
