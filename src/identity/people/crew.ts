import { sql, type Db } from '../../platform/db/tenant.ts'

/** Describes somebody who works at a company now. */
export type Colleague = { id: string; name: string }

/** A caller's company, who they are, and who else works there. */
type CompanyCrew = { company: string; person: string | null; others: Colleague[]; others_count: number }

/**
 * Returns the company's name, the name of a user (null for none), and up to `most` of its other present members,
 * technicians first; in the round trip of its tick.
 */
export async function findCrew(db: Db, user: string | null, most: number): Promise<CompanyCrew> {
  const [company, person, others, counted] = await Promise.all([
    db.one<{ name: string }>(sql`select name from tenants where id = ${db.tenant}`),
    user === null ? undefined : db.maybe<{ name: string }>(sql`select name from users where id = ${user}`),
    db.all<Colleague>(sql`select u.id, u.name from members m join users u on u.id = m.user_id
      where m.tenant_id = ${db.tenant} and m.deactivated_at is null and m.user_id is distinct from ${user}
      order by m.role <> 'tech', lower(u.name), u.id limit ${most}`),
    db.one<{ size: number }>(
      sql`select count(*) as size from members
        where tenant_id = ${db.tenant} and deactivated_at is null and user_id is distinct from ${user}`,
    ),
  ])
  return { company: company.name, person: person?.name ?? null, others, others_count: counted.size }
}

/** A member of a company as those who plan its work see them. */
export type CrewMember = Colleague & { isTechnician: boolean }

/** Returns the present members of a company, all or so many, technicians first, by name. */
export const listCrewMembers = (db: Db, most: number | null = null): Promise<CrewMember[]> =>
  db.all<CrewMember>(sql`
  select u.id, u.name, m.role = 'tech' as "isTechnician" from members m join users u on u.id = m.user_id
  where m.tenant_id = ${db.tenant} and m.deactivated_at is null order by m.role = 'tech' desc, lower(u.name), u.id
  limit ${most}::int`)
