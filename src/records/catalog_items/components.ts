import { valuesOf } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { conflict, invalidFields } from '../../platform/errors/refusal.ts'
import type { RefusalDetail } from '../../platform/errors/refusal_text.ts'
import type { ItemKind } from './fields.ts'
import { refusals } from './refusals.ts'

/** A component of a bundle: another item and its quantity. */
export type Component = {
  catalog_item_id: string
  quantity: number
  position: number
  name: string
  kind: ItemKind
  unit: string
  unit_price_cents: number
  cost_cents: number | null
}
export type ComponentDraft = { catalog_item_id: string; quantity?: number | undefined; position?: number | undefined }

const MAX_LISTED = 10

export const componentsOf = (db: Db, bundle: string): Promise<Component[]> =>
  db.all<Component>(sql`select c.item_id as catalog_item_id, c.quantity::float8 as quantity, c.position, i.name, i.kind,
    i.unit,
      i.unit_price_cents, i.cost_cents
    from catalog_components c join catalog_items i on i.tenant_id = c.tenant_id and i.id = c.item_id
    where c.tenant_id = ${db.tenant} and c.bundle_id = ${bundle} order by c.position`)

/** Checks a bundle's components, and locks their items against changes until the transaction ends. */
export async function requireComponents(db: Db, bundle: string, drafts: readonly ComponentDraft[] = []): Promise<void> {
  if (drafts.length === 0) return
  const ids = drafts.map(({ catalog_item_id }) => catalog_item_id)
  const live = await db.all<{ id: string; kind: ItemKind }>(sql`select id, kind from catalog_items
    where tenant_id = ${db.tenant} and id = any(${ids}::uuid[]) and archived_at is null order by id for share`)
  const kinds = new Map(live.map(({ id, kind }) => [id, kind]))
  const problems = ids.flatMap((id, i) => {
    const rule = componentProblem(id, kinds.get(id), bundle, ids.indexOf(id) < i)
    return rule === undefined ? [] : [{ path: `components[${i}].catalog_item_id`, rule }]
  })
  if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_LISTED))
}

function componentProblem(
  id: string,
  kind: ItemKind | undefined,
  bundle: string,
  isRepeated: boolean,
): RefusalDetail | undefined {
  if (id === bundle) return refusals.holdsItself()
  if (kind === undefined) return refusals.unknown()
  if (kind === 'bundle' || kind === 'discount') return refusals.notForBundles({ kind })
  return isRepeated ? refusals.repeated() : undefined
}

/** Replaces a bundle's components, in order of position; an empty list changes nothing. */
export async function replaceComponents(db: Db, bundle: string, drafts: readonly ComponentDraft[] = []): Promise<void> {
  if (drafts.length === 0) return
  const ordered = drafts
    .map((component, i) => ({ ...component, at: component.position ?? i }))
    .sort((a, b) => a.at - b.at)
  await Promise.all([
    db.run(sql`delete from catalog_components where tenant_id = ${db.tenant} and bundle_id = ${bundle}`),
    db.run(
      sql`insert into catalog_components ${valuesOf(
        ordered.map(({ catalog_item_id, quantity = 1 }, position) => ({
          tenant_id: db.tenant,
          bundle_id: bundle,
          item_id: catalog_item_id,
          quantity,
          position,
        })),
      )}`,
    ),
  ])
}

/** Refuses to archive a locked item that is in a live bundle. */
export async function requireNotBundled(db: Db, item: string): Promise<void> {
  const bundles = await db.all<{ name: string; id: string }>(sql`select b.name, b.id
    from catalog_components c join catalog_items b on b.tenant_id = c.tenant_id and b.id = c.bundle_id
    where c.tenant_id = ${db.tenant} and c.item_id = ${item} and b.archived_at is null
    order by b.name_folded, b.id limit ${MAX_LISTED}`)
  if (bundles.length === 0) return
  throw conflict(
    refusals.inBundles({
      bundles: bundles.map(({ name, id }) => `bundle ${name} (${id})`).join(', '),
      names: bundles.map(({ name }) => name).join(', '),
      count: bundles.length,
    }),
  )
}
