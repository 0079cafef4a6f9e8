import { listCommonTitles } from '../../records/jobs/index.ts'
import { hasSkilledWork } from '../../scheduling/skills/skills.ts'
import type { MemberContext } from '../member_context.ts'

const [MAX_COMMON, MAX_TITLE_LENGTH, MAX_SERVICES] = [5, 30, 60]

/** Kinds of work: the most frequent recent titles, filled up from the catalog, and the catalog's services by name. */
export type CallKinds = {
  common: string[]
  services: string[]
  /** True if some work requires skills, so that free times depend on the work. */
  requiresSkills: boolean
}

/** Returns the names of work, from recent jobs and the catalog. */
export async function readCallKinds(context: MemberContext): Promise<CallKinds> {
  const [common, services, requiresSkills] = await Promise.all([
    context.read((db) => listCommonTitles(db, MAX_TITLE_LENGTH, MAX_COMMON)),
    context.may('read:catalog_items')
      ? context
          .call('catalog_items_list', { kind: ['service', 'bundle'], limit: MAX_SERVICES })
          .then(({ rows }) => rows)
      : [],
    context.read(hasSkilledWork),
  ])
  const names = services.map(({ name }) => name)
  const titles = [...common, ...names.filter(({ length }) => length <= MAX_TITLE_LENGTH)]
  return { common: [...new Set(titles)].slice(0, MAX_COMMON), services: names, requiresSkills }
}

/** Returns the title of the work, as typed or selected. */
export const readTitle = (form: URLSearchParams): string =>
  (form.get('title') ?? '').trim() || (form.get('kind') ?? '').trim()

/** Returns a line for the catalog item with exactly this name, at the catalog's price. */
export async function findCatalogLine(context: MemberContext, title: string): Promise<{ catalog_item_id: string }[]> {
  if (!context.may('read:catalog_items') || title === '' || title.length > 200) return []
  const { rows } = await context.call('catalog_items_list', { query: title, kind: ['service', 'bundle'], limit: 10 })
  const item = rows.find(({ name }) => name.toLowerCase() === title.toLowerCase())
  return item === undefined ? [] : [{ catalog_item_id: item.id }]
}
