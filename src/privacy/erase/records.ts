import { sql } from '../../platform/db/tenant.ts'
import {
  ERASED,
  ERASED_CUSTOMER,
  SQL_NULL,
  NO_FIELDS,
  whereIdIn,
  changeStamps,
  type RetentionRule,
} from './retention_rule.ts'

/** The records of a customer: their rows stay for whoever lists by change and for the books, without a word of theirs. */
export const CUSTOMER_RULES: readonly RetentionRule[] = [
  {
    table: 'notes',
    rows: ({ of }) => whereIdIn('id', of.notes),
    becomes: (erasing) => ({
      body: sql`${ERASED}`,
      words: sql`''::tsvector`,
      pinned: sql`false`,
      archived_at: sql`coalesce(archived_at, moment_of(tenant_id))`,
      ...changeStamps(erasing),
    }),
    keeps: ['subject_type'],
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
  {
    table: 'contacts',
    rows: ({ of }) => whereIdIn('id', of.contacts),
    becomes: (erasing) => ({
      first_name: sql`${ERASED}`,
      last_name: SQL_NULL,
      name_folded: sql`${ERASED.toLowerCase()}`,
      role_label: SQL_NULL,
      email: SQL_NULL,
      phone: SQL_NULL,
      phone_extension: SQL_NULL,
      notes: SQL_NULL,
      is_primary: sql`false`,
      archived_at: sql`coalesce(archived_at, moment_of(tenant_id))`,
      ...changeStamps(erasing),
    }),
    keeps: [],
  },
  { table: 'customer_tags', rows: ({ of }) => whereIdIn('customer_id', of.customers), goes: true },
  { table: 'reminder_exclusions', rows: ({ of }) => whereIdIn('customer_id', of.customers), goes: true },
  {
    table: 'customers',
    rows: ({ of }) => whereIdIn('id', of.customers),
    becomes: (erasing) => ({
      first_name: sql`case when customer_type = 'individual' then ${ERASED_CUSTOMER}::text end`,
      last_name: SQL_NULL,
      company_name: sql`case when customer_type = 'company' then ${ERASED_CUSTOMER}::text end`,
      display_name: sql`${ERASED_CUSTOMER}`,
      sort_name: sql`${ERASED_CUSTOMER.toLowerCase()}`,
      name_words: sql`${ERASED_CUSTOMER.toLowerCase()}`,
      status: sql`'inactive'`,
      lead_source: SQL_NULL,
      preferred_language: SQL_NULL,
      external_id: SQL_NULL,
      fields: NO_FIELDS,
      search_text: sql`''`,
      archived_at: sql`coalesce(archived_at, moment_of(tenant_id))`,
      ...changeStamps(erasing),
    }),
    keeps: ['customer_type'],
  },
]
