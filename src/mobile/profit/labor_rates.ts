import { auditChange } from '../../identity/audit.ts'
import { requireOwner } from '../../identity/permissions/rights.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/** Hourly cost of a member from a day on. */
export type LaborRate = { user_id: string; from_day: string; cost_cents: number }

/** Member with all their rates, newest first. */
export type MemberRates = { user_id: string; name: string; rates: LaborRate[] }

/** Maximum rates of a member. */
const MAX_RATES = 60

/** Returns the members of a company, and former ones with a rate, by name. For owners only. */
export const listLaborRates = (db: Db): Promise<MemberRates[]> =>
  db.all<MemberRates>(sql`select m.user_id, u.name, coalesce((
      select json_agg(json_build_object('user_id', r.user_id, 'from_day', r.from_day, 'cost_cents', r.cost_cents)
        order by r.from_day desc)
      from labor_rates r where r.tenant_id = ${db.tenant} and r.user_id = m.user_id), '[]') as rates
    from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and (m.deactivated_at is null or exists (
      select 1 from labor_rates r where r.tenant_id = ${db.tenant} and r.user_id = m.user_id))
    order by u.name, m.user_id`)

/** Sets the hourly cost of a member from a day on; replaces a rate of the same day. */
export async function setLaborRate(
  db: Db,
  by: { user: string },
  { user_id, from_day, cost_cents }: LaborRate,
): Promise<void> {
  await requireOwner(db, by)
  await db.present(
    sql`select user_id from members where tenant_id = ${db.tenant} and user_id = ${user_id} for no key update`,
    'member',
  )
  const { count } = await db.one<{ count: number }>(sql`select count(*)::integer as count from labor_rates
    where tenant_id = ${db.tenant} and user_id = ${user_id} and from_day <> ${from_day}`)
  if (count >= MAX_RATES) throw conflict(refusals.tooManyRates({ max: String(MAX_RATES) }))
  await db.run(sql`insert into labor_rates (tenant_id, user_id, from_day, cost_cents, created_by)
    values (${db.tenant}, ${user_id}, ${from_day}, ${cost_cents}, ${by.user})
    on conflict (tenant_id, user_id, from_day)
    do update set cost_cents = excluded.cost_cents, created_by = excluded.created_by,
      created_at = moment_of(excluded.tenant_id)`)
  await auditRate(db, by, user_id, [null, from_day])
}

/** Removes a rate; the previous one applies again. */
export async function removeLaborRate(
  db: Db,
  by: { user: string },
  { user_id, from_day }: Pick<LaborRate, 'user_id' | 'from_day'>,
): Promise<void> {
  await requireOwner(db, by)
  const removed = await db.run(sql`delete from labor_rates
    where tenant_id = ${db.tenant} and user_id = ${user_id} and from_day = ${from_day}`)
  if (removed > 0) await auditRate(db, by, user_id, [from_day, null])
}

/** Records the day of a change, never the rate: others can read the history. */
const auditRate = (
  db: Db,
  by: { user: string },
  member: string,
  day: readonly [string | null, string | null],
): Promise<number> => db.run(auditChange(db.tenant, by, 'members.set_rate', member, { rate_from: day }))
