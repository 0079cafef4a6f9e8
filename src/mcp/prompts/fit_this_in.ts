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
  description:
    'Finds the best times for a job between the visits that are booked, and books the one that the person picks.',
  input: {
    job_id: id().describe('Id of the job'),
    date: date().optional().describe('First day to look at; today by default'),
  },
  completes: { job_id: idsOf('job'), date: days },
  async write(by, { job_id, date }) {
    const { timezone } = by.caller.tenant
    const first = date ?? todayIn(timezone).toString()
    const job = await by.call('jobs_get', { id: job_id })
    const { display_number, title, status, priority, customer_name, location_id, location_address, instructions } = job
    const place = location_id === null ? '' : `/${location_id}`
    return paragraphs(
      `Fit ${display_number} in: find when it can be done, from ${first} on.`,
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
        `Name the three best times that are long enough for its ${job.duration_minutes ?? 60} minutes: ` +
          'the least added ' +
          'driving first, then the earliest; an urgent job the earliest first. Say who would come, and the driving.',
        'Use free times alone. ' +
          'If none fits, say what stands in the way and on which day there is room; move no other visit.',
        'Send only somebody who has every skill that the catalog items of the job need: callout://team lists both.',
        'Ask which one it shall be.',
        `Then call jobs_update with its id, scheduled_start as local time in ${timezone}, and assignees; ` +
          'callout://team has their ids. Tell the warnings of its answer.',
        'Say that nobody has told the customer yet: a person sends the text from the page of the job.',
      ),
    )
  },
})
