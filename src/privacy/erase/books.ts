import { ENTERED_TENANT, sql, type Sql } from '../../platform/db/tenant.ts'
import { erased } from '../../records/declare/erased.ts'
import { UUID_PATTERN, whereIdIn, type RetentionRule } from './retention_rule.ts'
import type { ErasureSubject } from './subject.ts'

/** Rules for bookkeeping tables. Numbers, dates, amounts, taxes, and lines of issued or accepted documents stay. */
export const BOOKKEEPING_RULES: readonly RetentionRule[] = [
  {
    table: 'payments',
    rows: ({ subject }) => whereIdIn('invoice_id', subject.invoices),
    replacements: () => ({ reference: erased.nothing, note: erased.nothing }),
    retainedColumns: ['kind', 'method', 'source', 'charge'],
  },
  {
    table: 'payment_disputes',
    rows: ({ subject }) => whereIdIn('invoice_id', subject.invoices),
    replacements: () => ({ reason: erased.nothing }),
    retainedColumns: ['dispute', 'outcome'],
  },
  {
    // It can't be charged any more. The worker tells the provider, using the ids that stay.
    table: 'payment_methods',
    rows: ({ subject }) => whereIdIn('customer_id', subject.customers),
    replacements: () => ({
      state: sql`case when state in ('active', 'removed') then 'removed' else 'failed' end`,
      removed_at: sql`case when state in ('active', 'removed') then coalesce(removed_at, moment_of(tenant_id)) end`,
      removed_by: sql`case when state in ('active', 'removed') then coalesce(removed_by, 'office') end`,
      brand: erased.nothing,
      last_four: erased.nothing,
      expires_on: erased.nothing,
      consent: erased.text,
      address: erased.text,
      user_agent: erased.nothing,
    }),
    retainedColumns: ['account_id', 'session', 'provider_customer', 'method', 'kind'],
  },
  {
    table: 'saved_charges',
    rows: ({ subject: of }) => whereIdIn('invoice_id', of.invoices),
    replacements: () => ({ message: erased.nothing }),
    retainedColumns: ['cause', 'currency', 'state', 'intent', 'code'],
  },
  {
    table: 'autopay',
    rows: ({ subject: of }) => whereIdIn('customer_id', of.customers),
    replacements: () => ({
      consent: erased.text,
      address: erased.text,
      user_agent: erased.nothing,
      stopped_at: sql`coalesce(stopped_at, moment_of(tenant_id))`,
      stopped_by: sql`coalesce(stopped_by, 'office')`,
    }),
    retainedColumns: [],
  },
  {
    // The accounting program keeps the data it received. Erasing it there is up to the company.
    table: 'books_records',
    rows: ({ subject: of }) =>
      sql`record = any(${[...of.customers, ...of.invoices]}::uuid[]) or record in (select p.id from payments p
        where p.tenant_id = ${ENTERED_TENANT} and p.invoice_id = any(${of.invoices}::uuid[]))`,
    replacements: () => ({ detail: erased.nothing }),
    retainedColumns: ['program', 'organization', 'kind', 'state', 'remote', 'customer', 'number', 'sent', 'reason'],
  },
  { table: 'invoice_deliveries', rows: ({ subject: of }) => whereIdIn('invoice_id', of.invoices), isDeleted: true },
  {
    table: 'payment_events',
    isServices: true,
    rows: ({ subject: of, tenant }) =>
      sql`tenant_id = ${tenant} and state in ('stored', 'applied', 'discarded') and ${whereMentions(of)}`,
    replacements: () => ({ raw: erased.nothing }),
    retainedColumns: ['digest', 'event_id', 'endpoint', 'type', 'account_id', 'state', 'reason'],
  },
]

/** Selects payment events whose raw bytes contain an id or address of the customer's. */
export const whereMentions = (subject: ErasureSubject): Sql => sql`raw is not null and (
  exists (select 1 from regexp_matches(encode(raw, 'escape'), ${UUID_PATTERN}, 'g') found
    where found[1] = any(${[...subject.invoices, ...subject.customers, ...subject.quotes]}::text[]))
  or exists (select 1 from regexp_matches(encode(raw, 'escape'), ${PROVIDER_ID_PATTERN}, 'g') found
    where found[1] = any(${subject.providerIds}::text[]))
  or exists (select 1 from unnest(${subject.addresses}::text[]) address
    where position(convert_to(address, 'UTF8') in raw) > 0))`

/** Pattern of the payment provider's object ids, such as `ch_1Nq`. */
const PROVIDER_ID_PATTERN = '[a-z]{2,12}_[A-Za-z0-9_-]+'
