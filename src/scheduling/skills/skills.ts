import { auditChange } from '../../identity/audit.ts'
import { requireOffice } from '../../identity/permissions/rights.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { refusals } from '../refusals.ts'

/** Maximum skills of a member or catalog item, and maximum characters of one. */
const MAX_SKILLS = 20
const MAX_LENGTH = 40

/** Parses comma-separated skills, without duplicates that differ only in case or accents. */
export function readSkills(text: string): string[] {
  const names = text.split(',').flatMap((name) => name.trim().replace(/\s+/g, ' ') || [])
  const skills = [...new Map(names.map((name) => [fold(name), name])).values()]
  if (skills.length > MAX_SKILLS || skills.some(({ length }) => length > MAX_LENGTH))
    throw invalidField('skills', refusals.badSkills({ max: MAX_SKILLS, length: MAX_LENGTH }))
  return skills
}

/** Returns the needed skills that a person lacks. */
export function missingSkills(own: readonly string[], needed: readonly string[]): string[] {
  const folded = new Set(own.map(fold))
  return needed.filter((skill) => !folded.has(fold(skill)))
}

/** Selects the skills that the catalog items of some lines need, as an array; `lines` is the column with the lines. */
export const skillsOfLines = (db: Db, lines: Sql): Sql => sql`array(
  select distinct unnest(i.skills) from catalog_items i
  where i.tenant_id = ${db.tenant} and i.skills <> '{}'
    and ${lines} @> jsonb_build_array(jsonb_build_object('catalog_item_id', i.id)))`

/** Returns the skills that the catalog items of some lines need. */
export const listNeededSkills = async (
  db: Db,
  lines: readonly { catalog_item_id?: string | null | undefined }[],
): Promise<string[]> => {
  const ids = lines.flatMap(({ catalog_item_id }) => catalog_item_id ?? [])
  if (ids.length === 0) return []
  const rows = await db.all<{ skill: string }>(sql`select distinct unnest(skills) as skill from catalog_items
    where tenant_id = ${db.tenant} and id = any(${ids}::uuid[]) order by skill`)
  return rows.map(({ skill }) => skill)
}

/** Lists catalog items that need skills, by name. */
export const listSkilledItems = (db: Db, limit: number): Promise<{ id: string; name: string; skills: string[] }[]> =>
  db.all(sql`select id, name, skills from catalog_items
    where tenant_id = ${db.tenant} and skills <> '{}' and archived_at is null order by lower(name), id limit ${limit}`)

/** Checks whether any catalog item needs skills. */
export const hasSkilledWork = async (db: Db): Promise<boolean> =>
  (await db.maybe(sql`select id from catalog_items where tenant_id = ${db.tenant} and skills <> '{}' limit 1`)) !==
  undefined

/** Returns the skills of an active member. */
export const findMemberSkills = async (db: Db, user: string, lock = sql``): Promise<string[]> =>
  (
    await db.present<{ skills: string[] }>(
      sql`select skills from members
        where tenant_id = ${db.tenant} and user_id = ${user} and deactivated_at is null ${lock}`,
      'member',
    )
  ).skills

/** Saves the skills of a member, for owners and the office. */
export async function saveMemberSkills(
  db: Db,
  user: string,
  skills: readonly string[],
  by: { user: string },
): Promise<void> {
  await requireOffice(db, by)
  const before = await findMemberSkills(db, user, sql`for no key update`)
  if (before.join() === skills.join()) return
  await db.run(sql`update members set skills = ${[...skills]}::text[]
    where tenant_id = ${db.tenant} and user_id = ${user}`)
  await db.run(auditChange(db.tenant, by, 'skills.set', user, { skills: [before, skills] }))
}
