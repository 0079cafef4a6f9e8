import { sql, type Db } from '../../platform/db/tenant.ts'
import { saidTo } from '../../platform/i18n/reader.ts'
import { exampleMatter, inLanguage } from './examples.ts'
import { fillingsOf } from './fillings.ts'
import { KINDS, type Topic } from './kinds.ts'
import { findMatter, type Matter } from './matter.ts'
import type { Fillings } from './placeholders.ts'
import type { TemplateKey } from './templates.ts'

/** Holds what a message reads like: with the newest record of its kind, named by `of`, else with an example. */
export type Preview = { fillings: Fillings; of: string | null }

export async function previewOf(
  db: Db,
  { kind, language }: Pick<TemplateKey, 'kind' | 'language'>,
  baseUrl: string,
  currency: string,
): Promise<Preview> {
  const found = await newest(db, KINDS[kind])
  const company = await db.one<Matter['company']>(
    sql`select name, timezone, country from tenants where id = ${db.tenant}`,
  )
  const matter =
    found ?? saidTo({ language, country: company.country }, () => exampleMatter(kind, { ...company, currency }))
  return {
    fillings: fillingsOf(inLanguage(matter, language), { link: `${baseUrl}/c/…`, minutes: 30 }),
    of: found === undefined ? null : [found.number ?? found.work, found.customer_name].join(', '),
  }
}

/** Returns the newest record that such a message could be about. */
async function newest(db: Db, topic: Topic): Promise<Matter | undefined> {
  const found = await db.maybe<{ id: string }>(NEWEST[topic](db))
  return found === undefined ? undefined : findMatter(db, topic, found.id)
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
