import { sql, type Db } from '../../platform/db/tenant.ts'
import { conflict, conflictField, invalidField } from '../../platform/errors/refusal.ts'
import { NOT_A_CATEGORY, branchIds, findCategory } from './catalog_category.ts'
import type { Category } from './fields.ts'
import { refusals } from './refusals.ts'

const MAX_DEPTH = 5
const MAX_POSITION = 9999

/** Locks the tenant's tree until the transaction ends, so that concurrent moves can't create a cycle. */
export const lockTree = (db: Db): Promise<unknown> =>
  db.one(sql`select pg_advisory_xact_lock(hashtextextended('catalog_categories ' || ${db.tenant}::text, 0))`)

/** Locks the tree and returns a category. */
export async function lockCategory(db: Db, id: string): Promise<Category> {
  const [, category] = await Promise.all([lockTree(db), findCategory(db, id)])
  return category
}

/** Returns the depth of a new category under a parent, and the position after its siblings. */
export async function findPlacementUnder(db: Db, parent: string | null): Promise<{ depth: number; position: number }> {
  const [depth, { position }] = await Promise.all([
    depthUnder(db, parent),
    db.one<{ position: number }>(sql`select coalesce(max(position) + 1, 0) as position from catalog_categories
      where tenant_id = ${db.tenant} and parent_id is not distinct from ${parent}::uuid`),
  ])
  requireMaxDepth(depth)
  return { depth, position: Math.min(position, MAX_POSITION) }
}

/** Returns the depth of a category under another parent. Throws if that is one of its descendants or too deep. */
export async function depthAfterMove(db: Db, category: Category, parent: string | null): Promise<number> {
  if (parent === category.parent_id) return category.depth
  const [depth, descendants] = await Promise.all([
    depthUnder(db, parent),
    db.all<{ id: string; depth: number }>(
      sql`select id, depth from catalog_categories
        where tenant_id = ${db.tenant} and id in ${branchIds(db, category.id)}`,
    ),
  ])
  if (descendants.some(({ id }) => id === parent)) {
    throw conflictField('parent_id', refusals.underItself({ name: category.name }))
  }
  requireMaxDepth(depth + Math.max(...descendants.map((inner) => inner.depth)) - category.depth)
  return depth
}

async function depthUnder(db: Db, parent: string | null): Promise<number> {
  if (parent === null) return 1
  const parentRow = await db.maybe<{ depth: number }>(
    sql`select depth from catalog_categories where tenant_id = ${db.tenant} and id = ${parent}`,
  )
  if (parentRow === undefined) throw invalidField('parent_id', NOT_A_CATEGORY)
  return parentRow.depth + 1
}

function requireMaxDepth(depth: number): void {
  if (depth > MAX_DEPTH)
    throw invalidField('parent_id', refusals.tooDeep({ depth: String(depth), max: String(MAX_DEPTH) }))
}

/** Refuses a deletion that would move a child next to a category of the same name. */
export async function requireUniqueNamesAbove(db: Db, { id, parent_id }: Category): Promise<void> {
  const sameName = await db.maybe<{ name: string }>(sql`
    select c.name from catalog_categories c
    join catalog_categories s on s.tenant_id = c.tenant_id and s.identity = c.identity
      and s.parent_id is not distinct from ${parent_id}::uuid
    where c.tenant_id = ${db.tenant} and c.parent_id = ${id} and s.id <> ${id} order by c.name limit 1`)
  if (sameName === undefined) return
  throw conflict(refusals.sameNameAbove({ name: sameName.name }))
}
