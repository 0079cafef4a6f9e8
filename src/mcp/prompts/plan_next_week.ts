import { todayIn } from '../../platform/validation/formats/instants.ts'
import { DATA_ONLY, accountData, accountTexts } from './account_data.ts'
import { paragraphs, prompt, steps } from './prompt.ts'

const MAX_JOBS = 25

export const planNextWeek = prompt({
  name: 'plan-next-week',
  title: 'Plan next week',
  scopes: ['read:jobs', 'write:jobs'],
  tools: ['jobs_list', 'jobs_update'],
  description: "Proposes a day and a technician for each unscheduled job, from next week's free times.",
  input: {},
  completes: {},
  async write(by) {
    const { timezone } = by.caller.tenant
    const today = todayIn(timezone)
    const monday = today.add({ days: 8 - today.dayOfWeek })
    const [free, { rows, hasMore }] = await Promise.all([
      by.overview(`callout://availability/${monday.toString()}`),
      by.call('jobs_list', { status: ['unscheduled'], sort: 'created_desc', limit: MAX_JOBS }),
    ])
    const jobs = rows.map(({ id, display_number, title, priority, customer_name, location_address, assignees }) => ({
      id,
      number: display_number,
      title,
      priority,
      customer: customer_name,
      address: location_address,
      assignees: assignees.map(({ name }) => name),
    }))
    return paragraphs(
      `Plan the week of ${monday.toString()}: give each unscheduled job a day, a time and a technician.`,
      DATA_ONLY,
      accountTexts(free),
      accountData({ jobs_without_a_time: jobs }),
      steps(
        `Plan urgent and old jobs first${
          hasMore ? ` (the newest ${MAX_JOBS} are above; jobs_list has the rest)` : ''
        }, and give jobs near each other to one person on one day. jobs_get says how long each takes.`,
        'Use only free times; travel to and from other visits is already subtracted. ' +
          'Leave an hour of each day free for calls.',
        "Show the plan as a table, and say which jobs don't fit. Change nothing until the person agrees.",
        `Then call jobs_update for each with its id, ` +
          `scheduled_start as local time in ${timezone} and assignees; callout://team has their ids.`,
        'Say how many jobs you scheduled, and which were refused and why.',
      ),
    )
  },
})
