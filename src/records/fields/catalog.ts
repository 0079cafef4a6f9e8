import { sql } from '../../platform/db/tenant.ts'
import type { Option } from '../../platform/html/parts/field.ts'
import { isId } from '../../platform/validation/id.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import type { PageContext } from '../page/page_context.ts'

const MAX_SUGGESTIONS = 100

type ItemSearch = {
  /** Names as entered in the form. */
  names: readonly string[]
  /** Ids of the items chosen so far. */
  ids: readonly string[]
  kinds?: readonly string[]
}
type Row = { id: string; name: string }

/**
 * Returns live catalog items as choices: the first ones by name as suggestions, the chosen ones, and those with entered
 * names.
 */
export async function itemChoices(context: PageContext, { names, ids, kinds }: ItemSearch): Promise<Option[]> {
  const loadSuggestions = async (): Promise<Row[]> =>
    !context.may('read:catalog_items')
      ? []
      : (
          await context.call('catalog_items_list', {
            limit: MAX_SUGGESTIONS,
            ...(kinds === undefined ? {} : { kind: kinds }),
          })
        ).rows
  const [suggestions, chosen] = await Promise.all([loadSuggestions(), findItemsById(context, ids)])
  const listedNames = new Set([...suggestions, ...chosen].map(({ name }) => fold(name)))
  const unlistedNames =
    suggestions.length < MAX_SUGGESTIONS
      ? []
      : [...new Set(names)].filter((name) => name !== '' && name.length <= 200 && !listedNames.has(fold(name)))
  const items = new Map(
    [...suggestions, ...chosen, ...(await findItemsByName(context, unlistedNames, kinds))].map((item) => [
      item.id,
      item,
    ]),
  )
  return [...items.values()].map(({ id, name }) => ({ value: id, label: name }))
}

/** Reads the items of all names in one query. */
const findItemsByName = async (
  context: PageContext,
  names: readonly string[],
  kinds: ItemSearch['kinds'],
): Promise<Row[]> =>
  names.length === 0
    ? []
    : context.read((db) =>
        db.all<Row>(sql`select id, name from catalog_items
    where tenant_id = ${db.tenant} and name_folded = any(${names.map(fold)}::text[]) and archived_at is null
      ${kinds === undefined ? sql`` : sql`and kind = any(${kinds}::text[])`} order by name_folded, id`),
      )

const findItemsById = async (context: PageContext, ids: readonly string[]): Promise<Row[]> => {
  const validIds = [...new Set(ids)].filter(isId)
  return validIds.length === 0
    ? []
    : context.read((db) =>
        db.all<Row>(sql`select id, name from catalog_items
    where tenant_id = ${db.tenant} and id = any(${validIds}::uuid[]) and archived_at is null`),
      )
}
