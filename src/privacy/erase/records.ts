import { sql } from '../../platform/db/tenant.ts'
import {
  ERASED,
  SQL_NULL,
  NO_FIELDS,
  WORDLESS_LINES,
  whereIdIn,
  changeStamps,
  type RetentionRule,
} from './retention_rule.ts'

const TITLE = { title: sql`${ERASED}`, title_folded: sql`${ERASED.toLowerCase()}` }

/** The records of a customer: their rows stay for whoever lists by change and for the books, without a word of theirs. */
export const CUSTOMER_RULES: readonly RetentionRule[] = [
  {
    table: 'job_series',
    rows: ({ of }) => whereIdIn('id', of.series),
    becomes: (erasing) => ({
      ...TITLE,
      description: SQL_NULL,
      instructions: SQL_NULL,
      line_items: WORDLESS_LINES,
      status: sql`'ended'`,
      ended_at: sql`coalesce(ended_at, moment_of(tenant_id))`,
      ...changeStamps(erasing),
    }),
    keeps: ['priority', 'rrule', 'timezone'],
  },
  {
    table: 'jobs',
    rows: ({ of }) => whereIdIn('id', of.jobs),
    becomes: (erasing) => ({
      ...TITLE,
      location_address: SQL_NULL,
      description: SQL_NULL,
      instructions: SQL_NULL,
      line_items: WORDLESS_LINES,
      fields: NO_FIELDS,
      cancel_reason: SQL_NULL,
      cancelled_at: sql`case when status = 'done' then cancelled_at else coalesce(cancelled_at, moment_of(tenant_id)) end`,
      status: sql`case when status = 'done' then status else 'cancelled' end`,
      ...changeStamps(erasing),
    }),
    keeps: ['priority', 'timezone'],
  },
  {
    table: 'job_titles',
    rows: ({ of }) => whereIdIn('job_id', of.jobs),
    becomes: () => ({ title: sql`${ERASED.toLowerCase()}` }),
    keeps: [],
  },
  {
    table: 'job_checklist_items',
    rows: ({ of }) => whereIdIn('job_id', of.jobs),
    becomes: () => ({
      value: sql`case when kind = 'text' and value is not null then ${JSON.stringify(ERASED)}::jsonb else value end`,
    }),
    keeps: ['text', 'kind'],
  },
  {
    table: 'time_corrections',
    rows: ({ of, tenant }) =>
      sql`entry_id in (select id from time_entries where tenant_id = ${tenant} and ${whereIdIn('job_id', of.jobs)})`,
    becomes: () => ({ reason: sql`${ERASED}` }),
    keeps: [],
  },
  { table: 'customer_tags', rows: ({ of }) => whereIdIn('customer_id', of.customers), goes: true },
  { table: 'reminder_exclusions', rows: ({ of }) => whereIdIn('customer_id', of.customers), goes: true },
]
