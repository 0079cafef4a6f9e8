import { sql } from '../../platform/db/tenant.ts'
import { erased } from '../../records/declare/erased.ts'
import { whereIdIn, type RetentionRule } from './retention_rule.ts'

/** Rules for a customer's records. Rows stay, without text, for lists by `updated_since` and for the books. */
export const CUSTOMER_RULES: readonly RetentionRule[] = [
  {
    table: 'job_titles',
    rows: ({ of }) => whereIdIn('job_id', of.jobs),
    becomes: () => ({ title: erased.folded }),
    keeps: [],
  },
  {
    table: 'job_checklist_items',
    rows: ({ of }) => whereIdIn('job_id', of.jobs),
    becomes: () => ({
      value: sql`case when kind = 'text' and value is not null then to_jsonb(${erased.text}::text) else value end`,
    }),
    keeps: ['text', 'kind'],
  },
  {
    table: 'time_corrections',
    rows: ({ of, tenant }) =>
      sql`entry_id in (select id from time_entries where tenant_id = ${tenant} and ${whereIdIn('job_id', of.jobs)})`,
    becomes: () => ({ reason: erased.text }),
    keeps: [],
  },
  { table: 'equipment', rows: ({ of }) => whereIdIn('location_id', of.locations), goes: true },
  { table: 'customer_tags', rows: ({ of }) => whereIdIn('customer_id', of.customers), goes: true },
  { table: 'reminder_exclusions', rows: ({ of }) => whereIdIn('customer_id', of.customers), goes: true },
]
