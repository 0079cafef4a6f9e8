import { date, optional } from '../../platform/validation/fields.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { days } from '../completions.ts'
import type { Results } from '../../tools/declare/results.ts'
import type { ToolAccess } from '../rounds/tool_access.ts'
import { DATA_ONLY, accountData } from './account_data.ts'
import { localTime } from './customer_facts.ts'
import { paragraphs, prompt, steps } from './prompt.ts'

const MAX_JOBS = 100

export const planMyDay = prompt({
  name: 'plan-my-day',
  title: 'Plan my day',
  scopes: ['read:jobs'],
  tools: ['jobs_list'],
  description: 'Lays out the jobs of a day, today if none is named, with jobs_list.',
  input: { date: optional(date()).describe('Day such as 2027-03-31; today if left out') },
  completes: { date: days },
  async write(by, { date }) {
    const { timezone } = by.caller.tenant
    const day = date ?? todayIn(timezone).toString()
    const bounds = `scheduled_from "${day}" and scheduled_to "${day}"`
    const listing = { scheduled_from: day, scheduled_to: day, limit: MAX_JOBS }
    const { rows, hasMore } = await by.call('jobs_list', listing)
    return paragraphs(
      `Lay out the jobs of ${weekdayOf(day)}, ${day}, in the order of their times. ` +
        `All times below are local, in ${timezone}.`,
      DATA_ONLY,
      accountData({ date: day, jobs: rows.map((row) => toJobFacts(by, row)) }),
      steps(
        `Call the tool jobs_list with ${bounds} for the jobs as they are now` +
          `${hasMore ? ` (the first ${MAX_JOBS} are above; ask for page 2 on)` : ''}; ` +
          `jobs_get has instructions and line items.`,
        'Give each job a line: time, title, customer, place, who goes. ' +
          'Begin with those marked as yours, if any; leave cancelled ones out.',
        'Point out what needs care: jobs that overlap for one person, jobs that nobody is assigned to, ' +
          'high priority, work on hold.',
        'Say only what the jobs say. If there are none, say that the day is free.',
      ),
    )
  },
})

const weekdayOf = (day: string): string => Temporal.PlainDate.from(day).toLocaleString('en-US', { weekday: 'long' })

const toJobFacts = (by: ToolAccess, row: Results['jobs_list']['rows'][number]): object => ({
  id: row.id,
  number: row.display_number,
  title: row.title,
  status: row.status,
  priority: row.priority,
  customer: row.customer_name,
  address: row.location_address,
  start: localTime(by, row.scheduled_start),
  end: localTime(by, row.scheduled_end),
  all_day: row.all_day,
  assignees: row.assignees.map(({ name }) => name),
  yours: row.assignees.some(({ user_id }) => user_id === by.caller.user),
})
