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
  description: "Lays out a day's jobs with jobs_list, today's by default.",
  input: { date: optional(date()).describe('Day such as 2027-03-31; today by default') },
  completes: { date: days },
  async write(by, { date }) {
    const { timezone } = by.caller.tenant
    const day = date ?? todayIn(timezone).toString()
    const bounds = `scheduled_from "${day}" and scheduled_to "${day}"`
    const listing = { scheduled_from: day, scheduled_to: day, limit: MAX_JOBS }
    const { rows, hasMore } = await by.call('jobs_list', listing)
    return paragraphs(
      `Lay out the jobs for ${weekdayOf(day)}, ${day}, in time order. All times below are local, in ${timezone}.`,
      DATA_ONLY,
      accountData({ date: day, jobs: rows.map((row) => toJobFacts(by, row)) }),
      steps(
        `Call the jobs_list tool with ${bounds} for the current jobs` +
          `${hasMore ? ` (the first ${MAX_JOBS} are above; get the rest from page 2)` : ''}; ` +
          `jobs_get has instructions and line items.`,
        'Give each job one line: time, title, customer, address, who goes. ' +
          'Start with the jobs where yours is true, if any; leave out cancelled ones.',
        'Point out what needs attention: overlapping jobs of one person, unassigned jobs, ' +
          'high priority, work on hold.',
        'Use only what the jobs say. If there are none, say that the day is free.',
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
