import type { Sql } from '../../platform/db/database.ts'
import { ENTERED, sql } from '../../platform/db/tenant.ts'
import { among } from '../erase/holding.ts'
import { recordsOf, type ErasureSubject } from '../erase/subject.ts'

/** Selects what is one customer's, by the file that it is in; a file that isn't here holds nothing of a customer. */
export const ROWS_OF_CUSTOMER: Readonly<Record<string, (of: ErasureSubject) => Sql>> = {
  customers: (of) => among('id', of.customers),
  contacts: (of) => among('id', of.contacts),
  locations: (of) => among('id', of.locations),
  customer_tags: (of) => among('customer_id', of.customers),
  tags: (of) =>
    sql`id in (select tag_id from customer_tags g where g.tenant_id = ${ENTERED} and ${among('customer_id', of.customers)})`,
  notes: (of) => among('id', of.notes),
  jobs: (of) => among('id', of.jobs),
  job_media: (of) => among('job_id', of.jobs),
  job_checklists: (of) => among('job_id', of.jobs),
  job_checklist_items: (of) => among('job_id', of.jobs),
  time_entries: (of) => among('job_id', of.jobs),
  time_corrections: (of) =>
    sql`entry_id in (select e.id from time_entries e where e.tenant_id = ${ENTERED} and ${among('e.job_id', of.jobs)})`,
  job_signatures: (of) => among('job_id', of.jobs),
  job_series: (of) => among('id', of.series),
  plans: (of) => among('id', of.plans),
  plan_runs: (of) => among('plan_id', of.plans),
  quotes: (of) => among('id', of.quotes),
  acceptances: (of) => among('quote_id', of.quotes),
  invoices: (of) => among('id', of.invoices),
  invoice_jobs: (of) => among('invoice_id', of.invoices),
  deposit_deductions: (of) => among('invoice_id', of.invoices),
  payments: (of) => among('invoice_id', of.invoices),
  payment_disputes: (of) => among('invoice_id', of.invoices),
  messages: (of) => among('id', of.messages),
  attachments: (of) => among('communication_id', of.messages),
  outbox: (of) => among('id', of.messages),
  suppressions: (of) => sql`address = any(${of.addresses}::text[])`,
  customer_links: (of) => among('id', of.links),
  customer_link_views: (of) => among('link_id', of.links),
  reminders: (of) => sql`${among('record_id', recordsOf(of))} or ${among('message_id', of.messages)}`,
  reminder_exclusions: (of) => among('customer_id', of.customers),
  audit: (of) => among('record_id', recordsOf(of)),
}
