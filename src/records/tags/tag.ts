import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments, values } from '../../platform/db/rows.ts'
import { insertSelected, sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { conflict, invalidField } from '../../platform/errors/refusal.ts'
import { fold, likeLiteral } from '../../platform/validation/text/fold.ts'
import { newId } from '../../platform/validation/id.ts'
import { changeColumns, selectWithDeleted, type ChangeFilter } from '../../tools/call/by_change.ts'
import { TAG, type Tag, type TagInput, type TagRow } from './fields.ts'
import { refusals } from './refusals.ts'

const MAX_TAGS = 500

type Listing = ChangeFilter & { query?: string | null | undefined; page: number; limit: number }

/** Lists tags, one row more than the page holds. */
export const listTags = (db: Db, { page, limit, ...listing }: Listing): Promise<TagRow[]> =>
  db.all<TagRow>(sql`select ${TAG.listColumns()} ${changeColumns(listing, sql`updated_at`, sql`is_deleted`)}
    ${fromClause(db, listing)}
    order by ${listing.updated_since === undefined ? sql`name_folded, id` : sql`updated_at, id`}
    limit ${limit + 1} offset ${(page - 1) * limit}`)

export const countTags = async (db: Db, listing: Listing): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count ${fromClause(db, listing)}`)).count

const fromClause = (
  db: Db,
  listing: Pick<Listing, 'query' | keyof ChangeFilter>,
): Sql => sql`from ${selectWithDeleted(db, 'tags', listing)} t
  where t.tenant_id = ${db.tenant}
    ${listing.query == null ? sql`` : sql`and t.name_folded like ${`${likeLiteral(fold(listing.query))}%`}`}
  ${
    listing.updated_since === undefined
      ? sql``
      : sql`and t.updated_at >= ${listing.updated_since} and t.updated_at < settled()`
  }`

export const findTag = (db: Db, id: string): Promise<Tag & { usage_count: number }> =>
  db.present(
    sql`select ${TAG.columns()}, (
      select count(*) from customer_tags a join customers c on c.tenant_id = a.tenant_id and c.id = a.customer_id
      where a.tenant_id = ${db.tenant} and a.tag_id = tags.id and c.archived_at is null) as usage_count
    from tags where tenant_id = ${db.tenant} and id = ${id}`,
    'tag',
  )

export const lockTag = (db: Db, id: string): Promise<Tag> =>
  db.present<Tag>(
    sql`select ${TAG.columns()} from tags where tenant_id = ${db.tenant} and id = ${id} for update`,
    'tag',
  )

/** Returns the tags of a customer, by name. */
export const tagsOf = (db: Db, customer: string): Promise<TagRow[]> =>
  db.all<TagRow>(sql`select t.id, t.name, t.color
    from customer_tags a join tags t on t.tenant_id = a.tenant_id and t.id = a.tag_id
    where a.tenant_id = ${db.tenant} and a.customer_id = ${customer} order by t.name_folded, t.id`)

export async function addTag(db: Db, { user }: Caller, tag: TagInput): Promise<Tag> {
  await requireBelowMaxTags(db)
  return db.one<Tag>(
    sql`insert into tags ${values({
      tenant_id: db.tenant,
      id: newId(),
      ...TAG.toColumns(tag),
      created_by: user,
      updated_by: user,
    })} returning ${TAG.columns()}`,
  )
}

export const changeTag = (db: Db, { user }: Caller, id: string, tag: TagInput): Promise<Tag> =>
  db.one<Tag>(sql`update tags
    set ${assignments({ ...TAG.toColumns(tag), updated_by: user })}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id} returning ${TAG.columns()}`)

/** Removes a tag and its assignments. Returns the number of assignments. */
export async function removeTag(db: Db, id: string): Promise<number> {
  const assignments = await db.run(sql`delete from customer_tags where tenant_id = ${db.tenant} and tag_id = ${id}`)
  await db.run(sql`delete from tags where tenant_id = ${db.tenant} and id = ${id}`)
  return assignments
}

/** Adds tags to a new customer. */
export async function tagCustomer(db: Db, customer: string, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return
  await requireTags(db, tags)
  await db.run(
    insertSelected(sql`insert into customer_tags (tenant_id, customer_id, tag_id)
    select ${db.tenant}, ${customer}, unnest(${[...new Set(tags)]}::uuid[])`),
  )
}

/** Replaces a locked customer's tags. */
export async function retagCustomer(db: Db, customer: string, tags: readonly string[]): Promise<void> {
  await requireTags(db, tags)
  await Promise.all([
    db.run(
      sql`delete from customer_tags
        where tenant_id = ${db.tenant} and customer_id = ${customer} and tag_id <> all(${[...tags]}::uuid[])`,
    ),
    db.run(
      insertSelected(sql`insert into customer_tags (tenant_id, customer_id, tag_id)
      select ${db.tenant}, ${customer}, unnest(${[...new Set(tags)]}::uuid[]) on conflict do nothing`),
    ),
  ])
}

/** Adds a customer's tags to another. Both rows are locked. */
export async function mergeTags(db: Db, customer: string, into: string): Promise<void> {
  await Promise.all([
    db.run(
      insertSelected(sql`insert into customer_tags (tenant_id, customer_id, tag_id)
      select tenant_id, ${into}, tag_id
      from customer_tags
      where tenant_id = ${db.tenant} and customer_id = ${customer}
      on conflict do nothing`),
    ),
    db.run(sql`delete from customer_tags where tenant_id = ${db.tenant} and customer_id = ${customer}`),
  ])
}

async function requireTags(db: Db, ids: readonly string[]): Promise<void> {
  const existingTags = await db.all<{ id: string }>(
    sql`select id from tags where tenant_id = ${db.tenant} and id = any(${[...ids]}::uuid[]) for key share`,
  )
  const existingIds = new Set(existingTags.map(({ id }) => id))
  const missing = ids.findIndex((id) => !existingIds.has(id))
  if (missing >= 0) throw invalidField(`tag_ids[${missing}]`, refusals.unknownTag())
}

/** Throws at the maximum number of tags. Locks the tenant's row, so that concurrent creates can't exceed it. */
async function requireBelowMaxTags(db: Db): Promise<void> {
  const [, { count }] = await Promise.all([
    db.one(sql`select id from tenants where id = ${db.tenant} for no key update`),
    db.one<{ count: number }>(sql`select count(*) as count from tags where tenant_id = ${db.tenant}`),
  ])
  if (count < MAX_TAGS) return
  throw conflict(refusals.tooMany({ max: MAX_TAGS }))
}
