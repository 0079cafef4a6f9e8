import { choice, date, flag, id, instant, optional, settableChoice } from '../../platform/validation/fields.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { entity, tool } from '../../tools/declare/define.ts'
import { edit } from '../../tools/declare/edit.ts'
import { idInput, withDefaults } from '../../tools/declare/inputs.ts'
import { changesBetween, updateOutcome, createOutcome, readOutcome } from '../../tools/call/outcome.ts'
import { pageList } from '../../tools/declare/page_list.ts'
import { resolveWork, WORK_DEFAULTS } from '../jobs/index.ts'
import { editSeries, lockEditable } from './change.ts'
import { changeVisits } from './visits/change_visits.ts'
import { endSeries } from './end.ts'
import { JOB_SERIES } from './fields.ts'
import { freshSeries, withOccurrences } from './job_series.ts'
import { countSeries, listSeries } from './listing.ts'
import { startSeries } from './start.ts'
import { timingWarnings } from './rhythm/timing.ts'

const { title, rrule, dtstart, timezone, end_date, ...work } = JOB_SERIES.inputs
const template = { timezone, end_date, ...work }
const { all_day: _, ...visitTemplate } = work

export const jobSeries = entity({
  name: 'job_series',
  singular: 'job_series',
  subject: 'job_series',
  idAliases: ['series'],
  record: JOB_SERIES,
  tools: [
    pageList({
      title: 'List job series',
      description: 'Recurring work, newest first. For its jobs, use jobs_list with seriesId.',
      input: {
        status: choice('active', 'ended').optional().describe('Status'),
        customer_id: id().optional().describe('Customer'),
      },
      rows: ({ db }, query) => listSeries(db, query, Temporal.Now.instant()),
      count: ({ db }, query) => countSeries(db, query),
    }),
    tool({
      verb: 'get',
      title: 'Get a job series',
      description: 'The template, its rule in words and the next occurrences.',
      input: idInput,
      run: async ({ db, caller }, { id }) => {
        const series = await freshSeries(db, id, todayIn(caller.tenant.timezone))
        return readOutcome(withOccurrences(series, Temporal.Now.instant()))
      },
    }),
    tool({
      verb: 'create',
      title: 'Create a job series',
      counter: 'job',
      description: 'Books recurring work by an RFC 5545 rule and creates the jobs for the next 90 days.',
      person: true,
      input: {
        customer_id: id().describe('Customer'),
        title,
        rrule,
        dtstart,
        ...withDefaults(template, WORK_DEFAULTS),
      },
      run: async (context, draft) => {
        const { series, generated, warnings } = await startSeries(context, draft)
        return createOutcome({ ...withOccurrences(series, Temporal.Now.instant()), generated }, warnings)
      },
    }),
    edit({
      verb: 'update',
      title: 'Update a job series',
      counter: 'job',
      description: 'Changes the template and regenerates its future jobs; started, done or cancelled ones stay.',
      person: true,
      input: {
        title: title.optional(),
        rrule: rrule.optional(),
        dtstart: dtstart.optional(),
        ...template,
        keep_exceptions: flag().optional().describe('Keep manually edited jobs'),
        customer_id: id().optional().meta({ hidden: true }),
        status: settableChoice(['active', 'ended'], ['active'], 'is set to ended with job_series_end')
          .optional()
          .meta({ hidden: true }),
      },
      fixed: ['customer_id'],
      lock: ({ db }, { id }) => lockEditable(db, id),
      lookUp: ({ db }, patch) => resolveWork(db, patch),
      run: async (context, patch, before, work) => {
        const now = Temporal.Now.instant()
        const { after, regeneration } = await editSeries(context, before, patch, work)
        return updateOutcome(withOccurrences(before, now), withOccurrences(after, now), timingWarnings(after), {
          regeneration,
        })
      },
    }),
    tool({
      verb: 'end',
      title: 'End a job series',
      description: 'Ends the series for good and cancels its jobs after the last day.',
      input: { ...idInput, end_date: optional(date()).describe('Last day, default today') },
      run: async (context, input) => {
        const now = Temporal.Now.instant()
        const { before, after, cancelled } = await endSeries(context, input)
        return updateOutcome(withOccurrences(before, now), withOccurrences(after, now), [], {
          cancelled_jobs: cancelled,
        })
      },
    }),
  ],
  pageActions: [
    edit({
      verb: 'change_visits',
      title: 'Change several visits',
      description: 'Changes the template from one visit on, with the visits after it or all upcoming ones.',
      person: true,
      input: {
        visit: id().describe('A job of the series'),
        scope: choice('following', 'all').describe('Which visits'),
        title: title.optional(),
        scheduled_start: optional(instant()).describe('Time of that visit'),
        ...visitTemplate,
      },
      lock: ({ db }, { id }) => lockEditable(db, id),
      lookUp: ({ db }, patch) => resolveWork(db, patch),
      run: async (context, patch, before, work) => {
        const now = Temporal.Now.instant()
        const { after, visits } = await changeVisits(context, before, patch, work)
        // Visits may change while the template stays the same.
        const changes = {
          ...changesBetween(before, after),
          ...(visits.changed > 0 ? { visits: [null, visits] as const } : {}),
        }
        return { result: { ...withOccurrences(after, now), visits }, written: { record: before.id, changes } }
      },
    }),
  ],
})
