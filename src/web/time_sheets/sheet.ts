import { listEntriesBetween, type TimeSheetEntry } from '../../mobile/time/entry.ts'
import { dayBoundaries, secondsByDay, weekAround } from '../../mobile/time/week.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { isId } from '../../platform/validation/id.ts'
import { parseDay } from '../../platform/validation/formats/days.ts'
import { todayIn, utc } from '../../platform/validation/formats/instants.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import type { Site } from '../site.ts'
import { nowText, maySeeAllTime } from '../visit_records/job_context.ts'

/** Week of time: its days, member, and the entries that overlap it. */
export type TimeSheet = {
  context: MemberContext
  days: Temporal.PlainDate[]
  borders: Temporal.Instant[]
  entries: TimeSheetEntry[]
  /** Member to show; undefined for everybody. */
  member: string | undefined
  now: string
}

/** Returns the week in the query. A technician sees only their own time. */
export async function openSheet(site: Site, request: PageRequest): Promise<TimeSheet> {
  const context = await requireMemberContext(site, request)
  if (!context.may('read:jobs')) throw notFoundRefusal()
  const searchParams = new URL(request.req.url).searchParams
  const zone = context.company.timezone
  const days = weekAround(parseDay(searchParams.get('day') ?? '') ?? todayIn(zone))
  const borders = dayBoundaries(days, zone)
  const chosen = searchParams.get('member') ?? ''
  const member = maySeeAllTime(context) ? (isId(chosen) ? chosen : undefined) : context.user.id
  const now = nowText()
  const entries = await context.read((db) => listEntriesBetween(db, utc(borders[0]!), utc(borders.at(-1)!), member))
  return { context, days, borders, entries, member, now }
}

/** A member's seconds by day, and for the week. */
export type MemberWeek = { user_id: string; name: string; days: number[]; sum: number }

/** Adds up a week by member, ordered by name. */
export function sumByMember({ entries, borders, now }: Pick<TimeSheet, 'entries' | 'borders' | 'now'>): MemberWeek[] {
  const byMember = Map.groupBy(entries, ({ user_id }) => user_id)
  return [...byMember]
    .map(([user_id, memberEntries]) => {
      const days = secondsByDay(memberEntries, borders, now)
      return { user_id, name: memberEntries[0]!.user_name, days, sum: days.reduce((a, b) => a + b, 0) }
    })
    .sort((a, b) => a.name.localeCompare(b.name) || (a.user_id < b.user_id ? -1 : 1))
}
