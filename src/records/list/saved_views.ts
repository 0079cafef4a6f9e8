import { sql, type Db, type WritableDb } from '../../platform/db/tenant.ts'
import { conflict, invalidField, notFound } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { nonEmptyText } from '../../platform/validation/text/text.ts'
import type { Filter } from '../page/screen.ts'
import { refusals } from './refusals.ts'

/** Named filters and sort order of a list. */
export type SavedView = { id: string; name: string; query: string; is_shared: boolean; is_own: boolean }

/** Member, and the entity of their list. */
export type ListOwner = { user: string; list: string }
type ViewSettings = { name: string; is_shared: boolean }

export const MAX_NAME_LENGTH = 40

/** Maximum length of a view's filters as a query string. */
const MAX_QUERY_LENGTH = 500

/** Maximum views of one list: a member's own, and those shared within the company. */
const MAX_OWN = 12
const MAX_SHARED = 12

/** Placeholder for the day on which a view is opened, so that a view from today on stays current. */
const TODAY = 'today'

/** Lists a member's own views of a list and the shared ones, by name. */
export const listViews = (db: Db, { user, list }: ListOwner): Promise<SavedView[]> =>
  db.all<SavedView>(sql`select id, name, query, is_shared, user_id = ${user} as is_own from saved_views
    where tenant_id = ${db.tenant} and list = ${list} and (user_id = ${user} or is_shared)
    order by lower(name), id limit ${MAX_OWN + MAX_SHARED}`)

/** Adds a view. Throws `conflict` at the maximum. */
export async function addView(db: WritableDb, owner: ListOwner, settings: ViewSettings, query: string): Promise<void> {
  const { name, is_shared } = parseSettings(settings)
  if (query === '' || query.length > MAX_QUERY_LENGTH)
    throw invalidField('query', refusals.query({ max: MAX_QUERY_LENGTH }))
  const { own, shared } = await countViews(db, owner)
  if (own >= MAX_OWN) throw conflict(refusals.tooMany({ max: MAX_OWN }))
  if (is_shared && shared >= MAX_SHARED) throw conflict(refusals.tooManyShared({ max: MAX_SHARED }))
  await db.run(sql`insert into saved_views (tenant_id, id, user_id, list, name, query, is_shared)
    values (${db.tenant}, ${newId()}, ${owner.user}, ${owner.list}, ${name}, ${query}, ${is_shared})`)
}

/** Renames a member's own view, shares it or stops sharing it. */
export async function changeView(db: WritableDb, owner: ListOwner, id: string, settings: ViewSettings): Promise<void> {
  const { name, is_shared } = parseSettings(settings)
  const { shared } = await countViews(db, owner, id)
  if (is_shared && shared >= MAX_SHARED) throw conflict(refusals.tooManyShared({ max: MAX_SHARED }))
  await requireOne(
    db.all(sql`update saved_views set name = ${name}, is_shared = ${is_shared}
    where tenant_id = ${db.tenant} and id = ${id} and list = ${owner.list} and user_id = ${owner.user} returning id`),
  )
}

/** Deletes a member's own view. An owner of the company may delete shared ones, too. */
export const removeView = (db: WritableDb, { user, list }: ListOwner, id: string, isOwner: boolean): Promise<void> =>
  requireOne(
    db.all(sql`delete from saved_views where tenant_id = ${db.tenant} and id = ${id} and list = ${list}
      and (user_id = ${user} or (is_shared and ${isOwner})) returning id`),
  )

async function requireOne(rows: Promise<readonly unknown[]>): Promise<void> {
  if ((await rows).length === 0) throw notFound('view')
}

/** Counts views of a list. Locks the company's row, so that concurrent requests can't exceed a maximum. */
async function countViews(
  db: WritableDb,
  { user, list }: ListOwner,
  except: string | null = null,
): Promise<{ own: number; shared: number }> {
  await db.run(sql`select id from tenants where id = ${db.tenant} for no key update`)
  return db.one(sql`select count(*) filter (where user_id = ${user}) as own, count(*) filter (where is_shared) as shared
    from saved_views where tenant_id = ${db.tenant} and list = ${list} and id is distinct from ${except}::uuid`)
}

function parseSettings({ name, is_shared }: ViewSettings): ViewSettings {
  const parsed = nonEmptyText(MAX_NAME_LENGTH).safeParse(name)
  if (!parsed.success) throw invalidField('name', refusals.name({ max: MAX_NAME_LENGTH }))
  return { name: parsed.data, is_shared }
}

/** Returns the filters that a view saves, without search texts and single records. */
export function filtersToSave(filters: readonly Filter[], params: URLSearchParams, today: string): URLSearchParams {
  const pairs = filters.flatMap((filter): [string, string][] => {
    const value = params.get(filter.name)?.trim() ?? ''
    if (value === '' || !(filter.kind === 'choice' || filter.kind === 'day' || filter.kind === 'tick')) return []
    return [[filter.name, filter.kind === 'day' && value === today ? TODAY : value]]
  })
  return new URLSearchParams(pairs)
}

/** Returns the filters of a view on a day. */
export const filtersOf = ({ query }: Pick<SavedView, 'query'>, today: string): URLSearchParams =>
  new URLSearchParams([...new URLSearchParams(query)].map(([name, value]) => [name, value === TODAY ? today : value]))
