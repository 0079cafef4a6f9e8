import { fieldName } from '../../platform/errors/refusal.ts'
import { choice, choices, dateOrInstant, flag, id, optional } from '../../platform/validation/fields.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { text } from '../../platform/validation/text/text.ts'
import { entity, tool } from '../../tools/declare/define.ts'
import { edit } from '../../tools/declare/edit.ts'
import { requireAlsoReads } from '../../tools/declare/also_reads.ts'
import { briefInput, idInput, pageInputs, withUtcSince, withDefaults } from '../../tools/declare/inputs.ts'
import { updateOutcome, createOutcome, pageOutcome, readOutcome } from '../../tools/call/outcome.ts'
import { numberLookup } from '../../tools/call/numbers.ts'
import { catchUpSeries } from '../job_series/index.ts'
import { JOB } from './fields.ts'
import { addLine, addLineInputs } from './form/add_line.ts'
import { bookJob, prepareJob } from './visits/book.ts'
import { bookCall, callInputs } from './visits/call.ts'
import { editJob, lockEditable } from './edit.ts'
import { cancelJob, findJob, lockJob, redactInvoices, toJobView } from './job.ts'
import { resolveWork, WORK_DEFAULTS } from './visits/work.ts'
import { memberInput } from './visits/crew.ts'
import { SORTS, listJobs } from './listing.ts'
import { recentJobs } from './visits/recent.ts'
import { BRIEF_OMITTED, ROW_PARTS, withParts } from './overview/row_parts.ts'
import { firstUnbilledInstant } from './overview/unbilled.ts'
import { findJobsByNumber } from './names.ts'
import { STATUSES } from './status.ts'
import { refusals } from './refusals.ts'

const { title, status, scheduled_start, scheduled_end, fields, ...work } = JOB.inputs
const content = { ...work, scheduled_start, scheduled_end, fields }

export const jobs = entity({
  name: 'jobs',
  singular: 'job',
  subject: 'jobs',
  linked: true,
  record: JOB,
  redact: redactInvoices,
  nameLookup: numberLookup(/^J-\d+$/i, findJobsByNumber),
  recent: ({ db, caller }, limit) => recentJobs(db, caller.tenant.timezone, limit),
  tools: [
    tool({
      verb: 'list',
      title: 'List jobs',
      description: 'Visits by status, customer, series, crew, location or date; cancelled ones too.',
      input: {
        status: choices(...STATUSES)
          .optional()
          .describe('Any of'),
        customer_id: id().optional().describe('Customer'),
        seriesId: id().optional().describe('Series'),
        series_id: id().optional().meta({ hidden: true }),
        location_id: id().optional().describe('Location'),
        assignee: memberInput().optional().describe('Id, email or name'),
        scheduled_from: dateOrInstant().optional().describe('Date or instant'),
        scheduled_to: dateOrInstant().optional().describe('Date or instant'),
        title: text(200).describe('Contains'),
        query: text(200).meta({ hidden: true }),
        unassigned: flag().optional().describe('Nobody assigned'),
        unbilled: flag().optional().describe('Done, not invoiced'),
        include: choices(...ROW_PARTS)
          .optional()
          .describe('access adds notes, phone'),
        ...briefInput,
        sort: choice(...SORTS)
          .optional()
          .describe('Default by date with dates, else newest'),
        ...pageInputs,
      },
      check: ({ seriesId, series_id, assignee, unassigned, unbilled, sort, ...query }, problem) => {
        const { updated_since, include_removed } = query
        if (seriesId !== undefined && series_id !== undefined && seriesId !== series_id)
          problem('series_id', refusals.aliasDiffers())
        if (assignee !== undefined && unassigned === true)
          problem('assignee', refusals.assigneeAndUnassigned({ unassigned: fieldName('unassigned') }))
        if (sort !== undefined && updated_since !== undefined) problem('sort', refusals.sortWithChanges())
        if (unbilled === true && include_removed === true) problem('unbilled', refusals.unbilledRemoved())
      },
      run: async ({ db, caller }, { seriesId, include_total = false, unbilled = false, ...query }) => {
        if (unbilled) requireAlsoReads(caller, 'jobs.list with unbilled', 'read:invoices')
        const unbilled_since = unbilled ? firstUnbilledInstant(caller.tenant.timezone) : undefined
        const listing = withUtcSince(caller, { ...query, series_id: seriesId ?? query.series_id, unbilled_since })
        if (listing.series_id !== undefined) await catchUpSeries(db, listing.series_id, todayIn(caller.tenant.timezone))
        const { rows, total, sums } = await listJobs(db, caller, listing, include_total)
        const rowsWithParts = await withParts(db, caller, rows, { ...query, since: listing.updated_since })
        const { result } = pageOutcome(rowsWithParts, query, total, query.brief === true ? BRIEF_OMITTED : [])
        return { result: { ...result, ...(sums && { sums }) } }
      },
    }),
    tool({
      verb: 'get',
      title: 'Get a job',
      description: 'The full record with line items, assignments and media.',
      input: idInput,
      run: async (context, { id }) => readOutcome(toJobView(context, await findJob(context.db, id))),
    }),
    tool({
      verb: 'create',
      title: 'Create a job',
      counter: 'job',
      alsoWrites: { quote_id: 'write:quotes' },
      description: 'Books work for a customer: scheduled when scheduled_start is given, else unscheduled.',
      person: true,
      input: {
        customer_id: id().describe('Customer'),
        title,
        ...withDefaults(content, WORK_DEFAULTS),
        quote_id: optional(id()).describe('From this quote'),
      },
      prepare: prepareJob,
      run: async (context, draft, prepared) => {
        const { job, warnings } = await bookJob(context, draft, prepared)
        return createOutcome(toJobView(context, job), warnings)
      },
    }),
    edit({
      verb: 'update',
      title: 'Update a job',
      person: true,
      description:
        'Changes the given fields; null or empty text clears one, lists are replaced whole. done stamps completed_at.',
      input: {
        title: title.optional(),
        status: status.optional(),
        ...content,
        customer_id: id().optional().meta({ hidden: true }),
        quote_id: optional(id()).meta({ hidden: true }),
      },
      fixed: ['customer_id', 'quote_id'],
      lock: ({ db }, { id }) => lockEditable(db, id),
      lookUp: ({ db }, patch) => resolveWork(db, patch),
      run: async (context, patch, before, work) => {
        const { after, warnings } = await editJob(context, before, patch, work)
        return updateOutcome(toJobView(context, before), toJobView(context, after), warnings)
      },
    }),
    tool({
      verb: 'cancel',
      title: 'Cancel a job',
      description: 'Cancels the job for good; its history is kept.',
      person: true,
      input: { ...idInput, reason: text(500).describe('Why') },
      run: async (context, { id, reason = null }) => {
        const before = await lockJob(context.db, id)
        const after = before.status === 'cancelled' ? before : await cancelJob(context.db, context.caller, id, reason)
        return updateOutcome(toJobView(context, before), toJobView(context, after))
      },
    }),
  ],
  pageActions: [
    tool({
      verb: 'book',
      title: 'Book a call',
      counter: 'job',
      description: 'Books work for a caller, who may be a new customer, at a time that is still free.',
      person: true,
      input: callInputs,
      run: bookCall,
    }),
    tool({
      verb: 'add_line',
      title: 'Add a line to a job',
      description: 'Adds a catalog item to the work that was done.',
      person: true,
      input: addLineInputs,
      run: addLine,
    }),
  ],
})
