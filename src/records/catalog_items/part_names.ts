import { sql, type Db } from '../../platform/db/tenant.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/** A catalog item without its price: anyone who may edit jobs can add it to one. */
type NamedItem = { id: string; name: string }

const [MAX_LISTED, MAX_MATCHES, MAX_NAME] = [150, 5, 200]

/** Returns the names of the sellable items, last changed first. */
export const listPartNames = (db: Db): Promise<NamedItem[]> =>
  db.all(sql`select id, name from catalog_items
    where tenant_id = ${db.tenant} and archived_at is null and kind <> 'discount'
    order by updated_at desc, id limit ${MAX_LISTED}`)

/** Returns the item that a text refers to: the one with exactly that name, or the only match. */
export async function findPartByName(db: Db, text: string): Promise<NamedItem> {
  const parts = text === '' || text.length > MAX_NAME ? [] : await findPartsByName(db, text)
  const match =
    parts.find(({ name }) => name.toLowerCase() === text.toLowerCase()) ?? (parts.length === 1 ? parts[0] : undefined)
  if (match !== undefined) return match
  throw invalidField(
    'part',
    parts.length === 0
      ? refusals.unknownPart()
      : refusals.severalParts({ names: parts.map(({ name }) => name).join(', ') }),
  )
}

/** Returns the items whose names contain a text, an exact match first. */
const findPartsByName = (db: Db, text: string): Promise<NamedItem[]> =>
  db.all(sql`select id, name from catalog_items
    where tenant_id = ${db.tenant} and archived_at is null and kind <> 'discount'
      and strpos(lower(name), lower(${text})) > 0
    order by lower(name) = lower(${text}) desc, lower(name), id limit ${MAX_MATCHES}`)
