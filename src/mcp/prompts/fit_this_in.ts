import { date, id } from '../../platform/validation/fields.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { days, idsOf } from '../completions.ts'
import { DATA_ONLY, accountData, accountTexts } from './account_data.ts'
import { paragraphs, prompt, steps } from './prompt.ts'

export const fitThisIn = prompt({
  name: 'fit-this-in',
  title: 'Fit this in',
  scopes: ['read:jobs', 'read:customers', 'write:jobs'],
  tools: ['jobs_get', 'jobs_update', 'locations_get'],
  description: 'Finds the best open times for a job between booked visits, and books the one that the person picks.',
  input: { job_id: id().describe('Job id'), date: date().optional().describe('First day to search; today by default') },
  completes: { job_id: idsOf('job'), date: days },
  async write(by, { job_id, date }) {
    const { timezone } = by.caller.tenant
    const first = date ?? todayIn(timezone).toString()
    const job = await by.call('jobs_get', { id: job_id })
    const { display_number, title, status, priority, customer_name, location_id, location_address, instructions } = job
    const place = location_id === null ? '' : `/${location_id}`
    return paragraphs(
      `Fit ${display_number} into the schedule: find a time for it, starting on ${first}.`,
      DATA_ONLY,
      accountData({
        job: {
          id: job.id,
          title,
          status,
          priority,
          customer: customer_name,
          address: location_address,
          minutes: job.duration_minutes,
          instructions,
          scheduled_start: job.scheduled_start,
          assignees: job.assignments.map(({ name }) => name),
        },
      }),
      accountTexts(await by.overview(`callout://availability/${first}${place}`)),
      steps(
        `List the three best times that are long enough for its ${job.duration_minutes ?? 60} minutes: ` +
          'least added driving first, then earliest; for an urgent job, earliest first. ' +
          'Say who would go and how much driving each time adds.',
        "Use only free times. If none fits, say what is in the way and which day has room; don't move other visits.",
        "Assign only people who have every skill that the job's catalog items need: callout://team lists both.",
        'Ask which time they want.',
        `Then call jobs_update with its id, scheduled_start as local time in ${timezone}, and assignees; ` +
          'callout://team has their ids. Report all warnings in the result.',
        "Say that the customer has not been told yet: a person sends the text from the job's page.",
      ),
    )
  },
})
