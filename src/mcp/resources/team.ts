import { listMemberVisits } from '../../scheduling/member_visits.ts'
import { rosterOf } from '../../scheduling/roster.ts'
import { clockText, type WorkSpan } from '../../scheduling/week.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { Overview } from './overview.ts'

const MAX_PEOPLE = 30

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
      listMemberVisits(db, from, today.add({ days: 1 }).toZonedDateTime(tenant.timezone).toInstant(), MAX_PEOPLE),
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
