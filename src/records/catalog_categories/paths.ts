import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'

/** A category with the names of its ancestors, from the root down. */
export type CategoryPath = { id: string; name: string; path: string[] }

/** Returns the CTE `tree`: each category with the names of its ancestors, and a sort key that follows its parent's. */
export const treeWithPaths = (db: Db): Sql => sql`with recursive
    placed as (
      select id, parent_id, name, array[lpad(position::text, 4, '0'), name_folded, id::text] as place
      from catalog_categories
      where tenant_id = ${db.tenant}),
    tree as (
      select id, name, place, array[]::text[] as path from placed where parent_id is null
      union all
      select p.id, p.name, t.place || p.place, t.path || t.name from tree t join placed p on p.parent_id = t.id)`

const MAX_CHOICES = 500

/** Returns all categories, for a choice. */
export const allCategories = (db: Db): Promise<CategoryPath[]> =>
  db.all<CategoryPath>(sql`${treeWithPaths(db)} select id, name, path from tree order by place limit ${MAX_CHOICES}`)
