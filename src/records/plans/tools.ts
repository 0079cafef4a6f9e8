import { choice, choices, date, id, settableChoice } from '../../platform/validation/fields.ts'
import { text } from '../../platform/validation/text/text.ts'
import type { Warning } from '../../platform/errors/refusal_text.ts'
import { entity, tool, type RunContext } from '../../tools/declare/define.ts'
import { day } from '../format/formats.ts'
import { edit } from '../../tools/declare/edit.ts'
import { idInput, withDefaults } from '../../tools/declare/inputs.ts'
import { changesBetween, createOutcome, readOutcome, updateOutcome, type Outcome } from '../../tools/call/outcome.ts'
import { pageList } from '../../tools/declare/page_list.ts'
import { JOB_SERIES } from '../job_series/index.ts'
import { addVisits, endAgreement, renewAgreement, RENEWAL_MONTHS, type AgreementChange } from './agreement.ts'
import { cancelPlan, changePlan, requireNotEnded } from './change.ts'
import { addPlan } from './create.ts'
import { PLAN, STATUSES, type Plan } from './fields.ts'
import { countPlans, listPlans } from './listing.ts'
import { findPlan, lockPlan } from './plan.ts'
import { warnings } from './refusals.ts'

const newStatus = () =>
  settableChoice(
    STATUSES,
    ['active', 'paused'],
    'is set to cancelled with plans_cancel, and becomes expired after end_date',
  )

const { name, cadence, line_items, ...options } = PLAN.inputs
const { name: newName, cadence: newCadence, line_items: newLines, ...newOptions } = PLAN.patchInputs

/** Inputs of visits; customer, location and last day come from the plan. */
const { title, location_id: _location, end_date: _end, ...visits } = JOB_SERIES.inputs

export const plans = entity({
  name: 'plans',
  singular: 'plan',
  subject: 'plans',
  linked: true,
  record: PLAN,
  tools: [
    pageList({
      title: 'List plans',
      description: 'Recurring plans, newest first.',
      input: {
        status: choices(...STATUSES)
          .optional()
          .describe('Only these'),
        customer_id: id().optional().describe('Only this customer'),
      },
      rows: ({ db }, query) => listPlans(db, query),
      count: ({ db }, query) => countPlans(db, query),
    }),
    tool({
      verb: 'get',
      title: 'Get a plan',
      description: 'A plan with its lines, totals and next run date.',
      input: idInput,
      run: async ({ db }, { id }) => readOutcome(await findPlan(db, id)),
    }),
    tool({
      verb: 'create',
      title: 'Create a plan',
      description: 'Drafts an invoice on each run date and charges nothing. Dates before today are skipped.',
      person: true,
      input: {
        customer_id: id().describe('Customer'),
        name,
        cadence,
        line_items,
        ...withDefaults(options, { location_id: 'primary service', auto_invoice: 'draft' }),
      },
      run: async ({ db, caller }, draft) => {
        const plan = await addPlan(db, caller, draft)
        return createOutcome(plan, warningsOf(plan))
      },
    }),
    edit({
      verb: 'update',
      title: 'Update a plan',
      description:
        'Changes the given fields; null or empty text clears one. line_items replaces all. Resuming skips the ' +
        'dates missed while paused.',
      person: true,
      input: {
        name: newName,
        cadence: newCadence,
        line_items: newLines,
        ...newOptions,
        start_date: date().optional().describe('Before the first run'),
        status: newStatus().optional().describe('Pause or resume'),
        customer_id: id().optional().meta({ hidden: true }),
      },
      fixed: ['customer_id'],
      lock: (context, { id }) => lockOngoing(context, id),
      run: async ({ db, caller }, patch, locked) => {
        const plan = await changePlan(db, caller, locked, patch)
        return updateOutcome(locked.before, plan, warningsOf(plan))
      },
    }),
    tool({
      verb: 'cancel',
      title: 'Cancel a plan',
      description: 'Ends the plan for good; its invoices are kept.',
      person: true,
      input: { ...idInput, reason: text(500).describe('Why') },
      run: async (context, { id, reason = null }) => {
        const locked = await lockOngoing(context, id)
        return updateOutcome(locked.before, await cancelPlan(context.db, context.caller, locked, reason))
      },
    }),
  ],
  pageActions: [
    tool({
      verb: 'add_visits',
      title: 'Book visits for a plan',
      counter: 'job',
      description: 'Creates a job series that forms one agreement with the plan.',
      person: true,
      input: { ...idInput, title: title.optional(), ...visits },
      run: async (context, { id, ...patch }) => {
        const locked = await lockOngoing(context, id)
        return agreementOutcome(locked.before, await addVisits(context, locked, patch))
      },
    }),
    tool({
      verb: 'renew',
      title: 'Renew a plan',
      counter: 'job',
      description: 'Moves the last day of a plan and its visits.',
      person: true,
      input: { ...idInput, months: choice(...RENEWAL_MONTHS).describe('Months to add') },
      run: async (context, { id, months }) => {
        const locked = await lockOngoing(context, id)
        return agreementOutcome(locked.before, await renewAgreement(context, locked, Number(months)))
      },
    }),
    tool({
      verb: 'end',
      title: 'End a plan and its visits',
      description: 'Cancels the plan, and ends its visits today.',
      person: true,
      input: { ...idInput, reason: text(500).describe('Why') },
      run: async (context, { id, reason = null }) => {
        const locked = await lockOngoing(context, id)
        return agreementOutcome(locked.before, await endAgreement(context, locked, reason))
      },
    }),
  ],
})

/** Locks and returns a plan that hasn't ended. */
async function lockOngoing({ db }: RunContext, id: string): ReturnType<typeof lockPlan> {
  const locked = await lockPlan(db, id)
  requireNotEnded(locked.before)
  return locked
}

/** Returns the outcome of a change to a plan, with the change to its visits. */
function agreementOutcome(before: Plan, { plan, series }: AgreementChange): Outcome<Plan> {
  const outcome = updateOutcome(before, plan)
  if (series === undefined) return outcome
  const added = series.before === undefined ? { visits: [null, series.after.title] as const } : {}
  return {
    ...outcome,
    written: { record: plan.id, changes: { ...outcome.written?.changes, ...added } },
    also: [{ record: series.after.id, type: 'job_series', changes: changesBetween(series.before ?? {}, series.after) }],
  }
}

const warningsOf = ({ status, next_run_date, end_date }: Plan): Warning[] =>
  status === 'active' && next_run_date === null
    ? [warnings.noRunLeft({ end: { forAgent: String(end_date), forPeople: () => day(end_date ?? '') } })]
    : []
