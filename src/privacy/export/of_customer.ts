import type { Sql } from '../../platform/db/database.ts'
import { ENTERED, sql } from '../../platform/db/tenant.ts'
import { RECORD_ROWS_OF_CUSTOMER } from '../record_walk.ts'
import { whereIdIn } from '../erase/retention_rule.ts'
import { subjectRecordIds, type ErasureSubject } from '../erase/subject.ts'

/** Conditions for one customer's rows, by file. A file not listed here holds no customer data. */
export const ROWS_OF_CUSTOMER: Readonly<Record<string, (of: ErasureSubject) => Sql>> = {
  customer_tags: (of) => whereIdIn('customer_id', of.customers),
  ...RECORD_ROWS_OF_CUSTOMER,
  equipment: (of) => whereIdIn('location_id', of.locations),
  job_media: (of) => whereIdIn('job_id', of.jobs),
  job_checklists: (of) => whereIdIn('job_id', of.jobs),
  job_checklist_items: (of) => whereIdIn('job_id', of.jobs),
  time_entries: (of) => whereIdIn('job_id', of.jobs),
  time_corrections: (of) =>
    sql`entry_id in (select e.id from time_entries e
      where e.tenant_id = ${ENTERED} and ${whereIdIn('e.job_id', of.jobs)})`,
  job_signatures: (of) => whereIdIn('job_id', of.jobs),
  plan_runs: (of) => whereIdIn('plan_id', of.plans),
  acceptances: (of) => whereIdIn('quote_id', of.quotes),
  invoice_jobs: (of) => whereIdIn('invoice_id', of.invoices),
  deposit_deductions: (of) => whereIdIn('invoice_id', of.invoices),
  payments: (of) => whereIdIn('invoice_id', of.invoices),
  payment_disputes: (of) => whereIdIn('invoice_id', of.invoices),
  tips: (of) => whereIdIn('invoice_id', of.invoices),
  payment_methods: (of) => whereIdIn('customer_id', of.customers),
  saved_charges: (of) => whereIdIn('invoice_id', of.invoices),
  autopay: (of) => whereIdIn('customer_id', of.customers),
  autopay_runs: (of) => whereIdIn('invoice_id', of.invoices),
  books_records: (of) => whereIdIn('record', [...of.customers, ...of.invoices]),
  pending_payments: (of) => whereIdIn('invoice_id', of.invoices),
  messages: (of) => whereIdIn('id', of.messages),
  attachments: (of) => whereIdIn('communication_id', of.messages),
  outbox: (of) => whereIdIn('id', of.messages),
  suppressions: (of) => sql`address = any(${of.addresses}::text[])`,
  location_positions: (of) => whereIdIn('location_id', of.locations),
  customer_links: (of) => whereIdIn('id', of.links),
  customer_link_views: (of) => whereIdIn('link_id', of.links),
  reminders: (of) => sql`${whereIdIn('record_id', subjectRecordIds(of))} or ${whereIdIn('message_id', of.messages)}`,
  statement_sendings: (of) => whereIdIn('customer_id', of.customers),
  reminder_exclusions: (of) => whereIdIn('customer_id', of.customers),
  audit: (of) => whereIdIn('record_id', subjectRecordIds(of)),
}
