import { listCommonTitles } from '../../records/jobs/index.ts'
import { hasSkilledWork } from '../../scheduling/skills/skills.ts'
import type { MemberContext } from '../member_context.ts'

const [COMMON, SHORT, MOST] = [5, 30, 60]

/** What calls are about: the commonest titles of late, filled up from the catalog, and its services by name. */
export type CallKinds = {
  common: string[]
  services: string[]
  /** Whether some work needs skills, so that the times depend on what is to be done. */
  isSkilled: boolean
}

/** Returns what work is called: by what a company did of late, and by its catalog. */
export async function callKinds(context: MemberContext): Promise<CallKinds> {
  const [common, services, isSkilled] = await Promise.all([
    context.read((db) => listCommonTitles(db, SHORT, COMMON)),
    context.may('read:catalog_items')
      ? context.call('catalog_items_list', { kind: ['service', 'bundle'], limit: MOST }).then(({ rows }) => rows)
      : [],
    context.read(hasSkilledWork),
  ])
  const names = services.map(({ name }) => name)
  const titles = [...common, ...names.filter(({ length }) => length <= SHORT)]
  return { common: [...new Set(titles)].slice(0, COMMON), services: names, isSkilled }
}

/** Returns what is to be done, as it was written or pressed. */
export const titleIn = (form: URLSearchParams): string =>
  (form.get('title') ?? '').trim() || (form.get('kind') ?? '').trim()

/** Returns the line of a catalog item that is called exactly so, whose price is the catalog's. */
export async function findCatalogLine(context: MemberContext, title: string): Promise<{ catalog_item_id: string }[]> {
  if (!context.may('read:catalog_items') || title === '' || title.length > 200) return []
  const { rows } = await context.call('catalog_items_list', { query: title, kind: ['service', 'bundle'], limit: 10 })
  const item = rows.find(({ name }) => name.toLowerCase() === title.toLowerCase())
  return item === undefined ? [] : [{ catalog_item_id: item.id }]
}
