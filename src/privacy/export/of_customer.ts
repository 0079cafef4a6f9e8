import type { Sql } from '../../platform/db/database.ts'
import { ENTERED_TENANT, sql } from '../../platform/db/tenant.ts'
import { RECORD_ROWS_OF_CUSTOMER } from '../record_walk.ts'
import { whereIdIn } from '../erase/retention_rule.ts'
import { subjectRecordIds, type ErasureSubject } from '../erase/subject.ts'

/** Conditions for one customer's rows, by file. A file not listed here holds no customer data. */
export const ROWS_OF_CUSTOMER: Readonly<Record<string, (subject: ErasureSubject) => Sql>> = {
  customer_tags: (subject) => whereIdIn('customer_id', subject.customers),
  ...RECORD_ROWS_OF_CUSTOMER,
  equipment: (subject) => whereIdIn('location_id', subject.locations),
  job_media: (subject) => whereIdIn('job_id', subject.jobs),
  job_checklists: (subject) => whereIdIn('job_id', subject.jobs),
  job_checklist_items: (subject) => whereIdIn('job_id', subject.jobs),
  time_entries: (subject) => whereIdIn('job_id', subject.jobs),
  time_corrections: (subject) =>
    sql`entry_id in (select e.id from time_entries e
      where e.tenant_id = ${ENTERED_TENANT} and ${whereIdIn('e.job_id', subject.jobs)})`,
  job_signatures: (subject) => whereIdIn('job_id', subject.jobs),
  plan_runs: (subject) => whereIdIn('plan_id', subject.plans),
  acceptances: (subject) => whereIdIn('quote_id', subject.quotes),
  invoice_jobs: (subject) => whereIdIn('invoice_id', subject.invoices),
  deposit_deductions: (subject) => whereIdIn('invoice_id', subject.invoices),
  payments: (subject) => whereIdIn('invoice_id', subject.invoices),
  payment_disputes: (subject) => whereIdIn('invoice_id', subject.invoices),
  tips: (subject) => whereIdIn('invoice_id', subject.invoices),
  payment_methods: (subject) => whereIdIn('customer_id', subject.customers),
  saved_charges: (subject) => whereIdIn('invoice_id', subject.invoices),
  autopay: (subject) => whereIdIn('customer_id', subject.customers),
  autopay_runs: (subject) => whereIdIn('invoice_id', subject.invoices),
  books_records: (subject) => whereIdIn('record', [...subject.customers, ...subject.invoices]),
  pending_payments: (subject) => whereIdIn('invoice_id', subject.invoices),
  messages: (subject) => whereIdIn('id', subject.messages),
  attachments: (subject) => whereIdIn('communication_id', subject.messages),
  outbox: (subject) => whereIdIn('id', subject.messages),
  suppressions: (subject) => sql`address = any(${subject.addresses}::text[])`,
  location_positions: (subject) => whereIdIn('location_id', subject.locations),
  customer_links: (subject) => whereIdIn('id', subject.links),
  customer_link_views: (subject) => whereIdIn('link_id', subject.links),
  reminders: (subject) =>
    sql`${whereIdIn('record_id', subjectRecordIds(subject))} or ${whereIdIn('message_id', subject.messages)}`,
  statement_sendings: (subject) => whereIdIn('customer_id', subject.customers),
  reminder_exclusions: (subject) => whereIdIn('customer_id', subject.customers),
  audit: (subject) => whereIdIn('record_id', subjectRecordIds(subject)),
}
