import { sql, type Db } from '../../platform/db/tenant.ts'
import { withReader } from '../../platform/i18n/reader.ts'
import { exampleSubjectRecord, withLanguage } from './examples.ts'
import { placeholderValues } from './placeholder_values.ts'
import { KINDS, type Topic } from './kinds.ts'
import { findSubjectRecord, type SubjectRecord } from './subject_record.ts'
import type { PlaceholderValues } from './placeholders.ts'
import type { TemplateKey } from './templates.ts'

/**
 * Values for a preview: from the newest record of its kind, named by `recordName`, or from an example (`recordName` is
 * null).
 */
export type Preview = { values: PlaceholderValues; recordName: string | null }

export async function previewMessage(
  db: Db,
  { kind, language }: Pick<TemplateKey, 'kind' | 'language'>,
  baseUrl: string,
  currency: string,
): Promise<Preview> {
  const record = await findNewest(db, KINDS[kind])
  const company = await db.one<SubjectRecord['company']>(
    sql`select name, timezone, country from tenants where id = ${db.tenant}`,
  )
  const subject =
    record ??
    withReader({ language, country: company.country }, () => exampleSubjectRecord(kind, { ...company, currency }))
  return {
    values: placeholderValues(withLanguage(subject, language), { link: `${baseUrl}/c/…`, minutes: 30 }),
    recordName: record === undefined ? null : [record.number ?? record.work, record.customer_name].join(', '),
  }
}

/** Returns the newest record that a message of this kind could be about. */
async function findNewest(db: Db, topic: Topic): Promise<SubjectRecord | undefined> {
  if (topic === 'customers') return undefined
  const row = await db.maybe<{ id: string }>(NEWEST[topic](db))
  return row === undefined ? undefined : findSubjectRecord(db, topic, row.id)
}

const NEWEST = {
  invoices: (db: Db) =>
    sql`select id from invoices where tenant_id = ${db.tenant} and status <> 'void' order by id desc limit 1`,
  quotes: (db: Db) =>
    sql`select id from quotes where tenant_id = ${db.tenant} and status <> 'archived' order by id desc limit 1`,
  jobs: (
    db: Db,
  ) => sql`select id from jobs where tenant_id = ${db.tenant} and scheduled_start is not null and status <> 'cancelled'
    order by id desc limit 1`,
  plans: (db: Db) =>
    sql`select id from plans where tenant_id = ${db.tenant} and end_date is not null order by id desc limit 1`,
}
