import { listMemberVisits } from '../../scheduling/member_visits.ts'
import { rosterOf } from '../../scheduling/roster.ts'
import { listSkilledItems } from '../../scheduling/skills/skills.ts'
import { clockText, type WorkSpan } from '../../scheduling/week.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { Overview } from './overview.ts'

const [MAX_PEOPLE, MAX_ITEMS] = [30, 50]

export const team: Overview = {
  path: 'team',
  name: 'team',
  title: 'Team',
  description:
    "Members: names, ids for assignees, roles, skills, today's hours and visits; and which work needs skills",
  tools: ['jobs_list'],
  async read({ db, caller: { tenant, user, scopes } }) {
    const today = todayIn(tenant.timezone)
    const from = today.toZonedDateTime(tenant.timezone).toInstant()
    const [people, roster, items] = await Promise.all([
      listMemberVisits(db, from, today.add({ days: 1 }).toZonedDateTime(tenant.timezone).toInstant(), MAX_PEOPLE),
      rosterOf(db, today, today),
      scopes.has('read:catalog_items') ? listSkilledItems(db, MAX_ITEMS + 1) : [],
    ])
    return {
      title: 'Team',
      currency: tenant.currency,
      says: [
        `Hours are for ${today.toString()}, local time in ${tenant.timezone}. callout://availability has free times.`,
      ],
      parts: [
        {
          name: 'people',
          title: `People (${people[0]?.count ?? 0})`,
          emptyText: 'Nobody.',
          columns: [
            { name: 'name', label: 'Name' },
            { name: 'role', label: 'Role' },
            { name: 'hours', label: 'Works today' },
            { name: 'visits', label: 'Visits today' },
            { name: 'skills', label: 'Skills' },
            { name: 'user_id', label: 'Id' },
          ],
          rows: people.map(({ user_id, name, role, visits, skills }) => ({
            name: user_id === user ? `${name} (you act for them)` : name,
            role,
            hours: hoursText(roster.spansOn(user_id, today)),
            visits,
            skills: skills.join(', '),
            user_id,
          })),
          more: (people[0]?.count ?? 0) - people.length,
        },
        {
          name: 'skilled_work',
          title: 'Work that needs skills: assign a job with such a line only to someone who has all of them',
          emptyText: 'None.',
          columns: [
            { name: 'item', label: 'Catalog item' },
            { name: 'skills', label: 'Skills' },
            { name: 'catalog_item_id', label: 'Id' },
          ],
          rows: items
            .slice(0, MAX_ITEMS)
            .map(({ id, name, skills }) => ({ item: name, skills: skills.join(', '), catalog_item_id: id })),
          more: Math.max(0, items.length - MAX_ITEMS),
        },
      ],
    }
  },
}

const hoursText = (spans: readonly WorkSpan[]): string =>
  spans.length === 0 ? 'off' : spans.map(({ from, to }) => `${clockText(from)}-${clockText(to)}`).join(', ')
