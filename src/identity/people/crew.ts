import { sql, type Db } from '../../platform/db/tenant.ts'

/** Active member of a company. */
export type Colleague = { id: string; name: string }

/** Caller's company, the caller's name, and the other members. */
type CompanyCrew = { company: string; person: string | null; others: Colleague[]; others_count: number }

/**
 * Returns the company's name, a user's name (null for none), and up to `limit` other active members, technicians first.
 * Shares the round trip of its tick.
 */
export async function findCrew(db: Db, user: string | null, limit: number): Promise<CompanyCrew> {
  const [company, person, others, counted] = await Promise.all([
    db.one<{ name: string }>(sql`select name from tenants where id = ${db.tenant}`),
    user === null ? undefined : db.maybe<{ name: string }>(sql`select name from users where id = ${user}`),
    db.all<Colleague>(sql`select u.id, u.name from members m join users u on u.id = m.user_id
      where m.tenant_id = ${db.tenant} and m.deactivated_at is null and m.user_id is distinct from ${user}
      order by m.role <> 'tech', lower(u.name), u.id limit ${limit}`),
    db.one<{ size: number }>(
      sql`select count(*) as size from members
        where tenant_id = ${db.tenant} and deactivated_at is null and user_id is distinct from ${user}`,
    ),
  ])
  return { company: company.name, person: person?.name ?? null, others, others_count: counted.size }
}

/** Member of a company for schedulers. */
export type CrewMember = Colleague & { isTechnician: boolean }

/** Lists a company's active members, at most `limit` if given, technicians first, by name. */
export const listCrewMembers = (db: Db, limit: number | null = null): Promise<CrewMember[]> =>
  db.all<CrewMember>(sql`
  select u.id, u.name, m.role = 'tech' as "isTechnician" from members m join users u on u.id = m.user_id
  where m.tenant_id = ${db.tenant} and m.deactivated_at is null order by m.role = 'tech' desc, lower(u.name), u.id
  limit ${limit}::int`)
