import { sql, type Db } from '../../platform/db/tenant.ts'
import type { Role } from '../../identity/permissions/areas.ts'
import { rosterOf } from '../../scheduling/roster.ts'
import { clockText, type WorkSpan } from '../../scheduling/week.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { Overview } from './overview.ts'

const MAX_PEOPLE = 30

type Person = { user_id: string; name: string; role: Role; visits: number; count: number }

export const team: Overview = {
  path: 'team',
  name: 'team',
  title: 'Team',
  says: 'Who works here: names, ids for assignees, roles, hours and visits of today',
  tools: ['jobs_list'],
  async read({ db, caller: { tenant, user } }) {
    const today = todayIn(tenant.timezone)
    const from = today.toZonedDateTime(tenant.timezone).toInstant()
    const [people, roster] = await Promise.all([
      peopleOf(db, from, today.add({ days: 1 }).toZonedDateTime(tenant.timezone).toInstant()),
      rosterOf(db, today, today),
    ])
    return {
      title: 'Team',
      currency: tenant.currency,
      says: [
        `Hours are those of ${today.toString()}, local in ${tenant.timezone}. callout://availability has free times.`,
      ],
      parts: [
        {
          name: 'people',
          title: `People (${people[0]?.count ?? 0})`,
          none: 'Nobody.',
          columns: [
            { name: 'name', label: 'Name' },
            { name: 'role', label: 'Role' },
            { name: 'hours', label: 'Works today' },
            { name: 'visits', label: 'Visits today' },
            { name: 'user_id', label: 'Id' },
          ],
          rows: people.map(({ user_id, name, role, visits }) => ({
            name: user_id === user ? `${name} (you act for them)` : name,
            role,
            hours: hoursText(roster.spansOn(user_id, today)),
            visits,
            user_id,
          })),
          more: (people[0]?.count ?? 0) - people.length,
        },
      ],
    }
  },
}

const hoursText = (spans: readonly WorkSpan[]): string =>
  spans.length === 0 ? 'off' : spans.map(({ from, to }) => `${clockText(from)}-${clockText(to)}`).join(', ')

/** Returns the members who are there, technicians first, with their visits of a stretch of time. */
const peopleOf = (db: Db, from: Temporal.Instant, until: Temporal.Instant): Promise<Person[]> =>
  db.all<Person>(sql`
    select u.id as user_id, u.name, m.role, count(*) over ()::integer as count,
      (select count(*) from job_assignees a
        where a.tenant_id = ${db.tenant} and a.user_id = u.id and a.status <> 'cancelled'
        and a.scheduled_start >= ${from.toString()} and a.scheduled_start < ${until.toString()}) as visits
    from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and m.deactivated_at is null order by m.role = 'tech' desc, lower(u.name), u.id
    limit ${MAX_PEOPLE}`)
