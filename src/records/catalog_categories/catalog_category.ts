import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments, values } from '../../platform/db/rows.ts'
import { writeReturning, sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { changeColumns, selectWithDeleted, type ChangeFilter } from '../../tools/call/by_change.ts'
import { CATEGORY, type Category, type CategoryInput, type CategoryRow } from './fields.ts'
import { treeWithPaths, type CategoryPath } from './paths.ts'
import { refusals } from './refusals.ts'

/** Refusal of a field that doesn't name a category. */
export const NOT_A_CATEGORY = refusals.unknown()

type Listing = ChangeFilter & { parent_id?: string | null | undefined; page: number; limit: number }

/** Returns categories from the root down, one row more than the page holds. */
export const listCategories = (db: Db, { page, limit, ...listing }: Listing): Promise<CategoryRow[]> =>
  db.all<CategoryRow>(sql`select ${CATEGORY.listColumns('c')}
    ${changeColumns(listing, sql`c.updated_at`, sql`c.is_deleted`)} ${fromClause(db, listing)}
    order by ${
      listing.updated_since === undefined ? sql`c.depth, c.position, c.name_folded, c.id` : sql`c.updated_at, c.id`
    }
    limit ${limit + 1} offset ${(page - 1) * limit}`)

export const countCategories = async (db: Db, listing: Listing): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count ${fromClause(db, listing)}`)).count

const fromClause = (db: Db, { parent_id, ...byChange }: Pick<Listing, 'parent_id' | keyof ChangeFilter>): Sql => sql`
  from ${selectWithDeleted(db, 'catalog_categories', byChange)} c where c.tenant_id = ${db.tenant}
  ${
    parent_id === undefined
      ? sql``
      : parent_id === null
        ? sql`and c.parent_id is null`
        : sql`and c.parent_id = ${parent_id}`
  }
  ${
    byChange.updated_since === undefined
      ? sql``
      : sql`and c.updated_at >= ${byChange.updated_since} and c.updated_at < settled()`
  }`

/** Returns each category after its parent, with the names of its ancestors, one row more than the page holds. */
export const categoryTree = (
  db: Db,
  { page, limit }: { page: number; limit: number },
): Promise<(CategoryRow & CategoryPath)[]> =>
  db.all(sql`${treeWithPaths(db)}
    select ${CATEGORY.listColumns('c')}, t.path
    from tree t join catalog_categories c on c.tenant_id = ${db.tenant} and c.id = t.id
    order by t.place limit ${limit + 1} offset ${(page - 1) * limit}`)

/** Returns the names of categories by id. */
export const categoryNames = async (db: Db, ids: readonly string[]): Promise<Map<string, string>> =>
  new Map(
    (
      await db.all<{ id: string; name: string }>(sql`select id, name from catalog_categories
    where tenant_id = ${db.tenant} and id = any(${[...ids]}::uuid[])`)
    ).map(({ id, name }) => [id, name]),
  )

export const findCategory = (db: Db, id: string): Promise<Category> =>
  db.present<Category>(
    sql`select ${CATEGORY.columns('c')} from catalog_categories c where c.tenant_id = ${db.tenant} and c.id = ${id}`,
    'catalog category',
  )

/** Returns the ancestors of a category, from the root down. */
export const ancestorsOf = (db: Db, id: string): Promise<{ id: string; name: string }[]> =>
  db.all(sql`with recursive above as (
      select id, name, parent_id, depth from catalog_categories where tenant_id = ${db.tenant} and id = ${id}
      union all
      select c.id, c.name, c.parent_id, c.depth
      from above a join catalog_categories c on c.tenant_id = ${db.tenant} and c.id = a.parent_id)
    select id, name from above where id <> ${id} order by depth`)

/** Selects the ids of a category and its descendants. */
export const branchIds = (db: Db, id: string): Sql => sql`(
  with recursive branch as (
    select c.id from catalog_categories c where c.tenant_id = ${db.tenant} and c.id = ${id}
    union all
    select c.id from branch b join catalog_categories c on c.tenant_id = ${db.tenant} and c.parent_id = b.id)
  select id from branch)`

/** Throws `invalid_input` if a record names a category that doesn't exist. */
export async function requireCategory(db: Db, id: string | null): Promise<void> {
  if (id === null) return
  const category = await db.maybe(sql`select id from catalog_categories where tenant_id = ${db.tenant} and id = ${id}`)
  if (category === undefined) throw invalidField('category_id', NOT_A_CATEGORY)
}

export const addCategory = (db: Db, { user }: Caller, category: CategoryInput, depth: number): Promise<Category> =>
  db.one<Category>(
    writeReturning(
      sql`c`,
      sql`insert into catalog_categories as c ${values({
        tenant_id: db.tenant,
        id: newId(),
        ...CATEGORY.toColumns(category),
        depth,
        created_by: user,
        updated_by: user,
      })}`,
      CATEGORY.columns('c'),
    ),
  )

/** Changes a category of a locked tree; its descendants move with it. */
export async function changeCategory(
  db: Db,
  caller: Caller,
  before: Category,
  category: CategoryInput,
  depth: number,
): Promise<Category> {
  const [, after] = await Promise.all([
    shiftDepths(db, caller, before.id, depth - before.depth),
    db.one<Category>(
      writeReturning(
        sql`c`,
        sql`update catalog_categories c
      set ${assignments({ ...CATEGORY.toColumns(category), depth, updated_by: caller.user })},
        updated_at = later_than(updated_at)
      where c.tenant_id = ${db.tenant} and c.id = ${before.id}`,
        CATEGORY.columns('c'),
      ),
    ),
  ])
  return after
}

/** Deletes a category of a locked tree that no item uses any more. Moves its children up and returns how many. */
export async function removeCategory(db: Db, caller: Caller, { id, parent_id }: Category): Promise<number> {
  const [, , moved] = await Promise.all([
    shiftDepths(db, caller, id, -1),
    db.run(sql`delete from catalog_categories where tenant_id = ${db.tenant} and id = ${id}`),
    db.run(sql`update catalog_categories
      set parent_id = ${parent_id}, updated_by = ${caller.user}, updated_at = later_than(updated_at)
      where tenant_id = ${db.tenant} and parent_id = ${id}`),
  ])
  return moved
}

const shiftDepths = async (db: Db, { user }: Caller, id: string, levels: number): Promise<number> =>
  levels === 0
    ? 0
    : db.run(sql`update catalog_categories
      set depth = depth + ${levels}, updated_by = ${user}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id <> ${id} and id in ${branchIds(db, id)}`)
