import { choiceField, choicesField, dayField, textAreaField, textField } from '../fields/fields.ts'
import type { FormField } from '../fields/form_field.ts'
import { linesField } from '../fields/lines/lines_field.ts'
import { money } from '../format/formats.ts'
import { say } from '../../platform/i18n/say.ts'
import { shareField } from '../fields/discount_field.ts'
import type { PageContext } from '../page/page_context.ts'
import type { Action } from '../page/screen.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { jobInputOfQuote } from './job_of_quote.ts'
import type { LineItem } from '../line_items/line.ts'
import type { Quote, QuoteStatus } from './fields.ts'
import { listTemplates } from './options/template.ts'
import { stageAction } from '../invoices/index.ts'
import { mayChangeQuote } from './quote.ts'
import { ALLOWED_TRANSITIONS } from './transitions.ts'

/** Returns the current actions on a quote: for its owner, for account owners, and for those who continue from it. */
export const quoteActions = (context: PageContext, quote: Quote): Action[] => [
  ...(quote.status === 'accepted' ? [...nextStepActions(context, quote), stageAction(context, 'quote')] : []),
  ...(isOwn(context, quote)
    ? [
        ...statusActions(context, quote),
        ...(quote.status === 'draft' ? [depositAction(), optionalLinesAction(quote)] : []),
        ...(quote.status === 'draft' || quote.status === 'sent' ? [optionAction()] : []),
        ...templateActions(quote),
        archiveAction(),
      ]
    : [takeOverAction(context, quote)]),
]

export const isOwn = ({ caller }: Pick<PageContext, 'caller'>, quote: Pick<Quote, 'owner_id'>): boolean =>
  mayChangeQuote(quote, caller)

/** Returns the actions that create the job of a quote, or its invoice without a job. */
function nextStepActions(context: PageContext, quote: Quote): Action[] {
  const { id, customer_id, converted_job_id, converted_invoice_id } = quote
  const isDone = converted_job_id !== null || converted_invoice_id !== null
  return [
    ...(!context.may('write:jobs')
      ? []
      : [
          {
            wire: 'jobs_create' as const,
            creates: { of: 'jobs' as const, from: () => context.read((db) => jobInputOfQuote(db, quote)) },
            ...createActionLabel(converted_job_id !== null, say`Create job`, say`Create another job`),
            ...(isDone ? {} : { kind: 'main' as const }),
          },
        ]),
    ...(!context.may('write:invoices')
      ? []
      : [
          {
            wire: 'invoices_create' as const,
            creates: { of: 'invoices' as const, from: async () => ({ customer_id, from_quote_id: id }) },
            ...createActionLabel(isDone, say`Create invoice`, say`Create another invoice`),
          },
          ...(isDone || !context.may('write:jobs') || !context.may('read:customers')
            ? []
            : [finishAction(context, quote)]),
        ]),
  ]
}

/** Returns the action for work done on the spot: one click creates the job and the invoice, and opens its message. */
const finishAction = (context: PageContext, quote: Quote): Action => ({
  wire: 'invoices_create',
  creates: {
    of: 'invoices',
    nextPage: 'send',
    from: async (idempotency_key) => {
      const work = await context.read((db) => jobInputOfQuote(db, quote))
      const { id } = await context.call('jobs_create', { ...work, idempotency_key })
      await context.call('jobs_update', { id, status: 'done' })
      return { customer_id: quote.customer_id, from_job_id: id, quote_id: quote.id }
    },
  },
  label: say`Done, bill and send`,
  kind: 'quiet',
})

/** Asks for confirmation before another record is created; the first one needs none. */
const createActionLabel = (
  isDone: boolean,
  first: string,
  another: string,
): Pick<Action, 'label' | 'warning' | 'kind'> =>
  isDone
    ? { label: another, kind: 'quiet', warning: say`Work on this quote has already started. This creates one more.` }
    : { label: first }

/** Returns the status changes, forward ones first. */
const statusActions = (context: PageContext, quote: Quote): Action[] =>
  ALLOWED_TRANSITIONS[quote.status]
    .map((to) => statusAction(context, quote, to))
    .sort((a, b) => Number(b.kind === 'main') - Number(a.kind === 'main'))

function statusAction(
  { company }: PageContext,
  { status, valid_until, optional_lines }: Quote,
  to: QuoteStatus,
): Action {
  const input = { status: to }
  switch (to) {
    case 'sent':
      return valid_until >= todayIn(company.timezone).toString()
        ? { wire: 'quotes_update', input, label: say`Mark as sent`, kind: 'quiet' }
        : {
            wire: 'quotes_update',
            input,
            label: say`Mark as sent again`,
            kind: 'quiet',
            warning: say`It has expired. Choose a new date that it is valid until.`,
            startsAs: 'record',
            fields: [dayField({ name: 'valid_until', label: say`Valid until`, isRequired: true })],
          }
    case 'accepted':
      return {
        ...(optional_lines === null
          ? { wire: 'quotes_update' as const, input }
          : { wire: 'quotes_accept' as const, fields: [linesChoiceField(optional_lines, company)] }),
        label: say`Mark as accepted`,
        kind: status === 'sent' ? 'main' : 'quiet',
      }
    case 'declined':
      return {
        wire: 'quotes_update',
        input,
        label: say`Mark as declined`,
        kind: status === 'sent' ? 'plain' : 'quiet',
        warning: say`It can go back to draft later.`,
        fields: [textAreaField({ name: 'decline_reason', label: say`Reason`, rows: 2 })],
      }
    case 'expired':
      return { wire: 'quotes_update', input, label: say`Mark as expired`, kind: 'quiet' }
    default:
      return { wire: 'quotes_update', input, label: say`Back to draft`, kind: 'quiet' }
  }
}

const depositAction = (): Action => ({
  wire: 'quotes_ask_deposit',
  label: say`Ask for a deposit`,
  warning: say`What the customer pays up front. Its invoice is drafted when the quote is accepted, and the final invoice deducts it. Leave it empty for none.`,
  fields: [shareField({ name: 'deposit', label: say`Deposit`, unit: say`Deposit in` })],
})

/** Returns the field for the optional lines that the customer chose. */
const linesChoiceField = (lines: readonly LineItem[], { currency }: { currency: string }): FormField =>
  choicesField({
    name: 'optional_lines',
    label: say`Optional lines that the customer chose`,
    options: lines.map(({ id, name, line_total_cents }) => ({
      value: id,
      label: `${name} · ${money(line_total_cents, currency)}`,
    })),
  })

const optionalLinesAction = ({ optional_lines }: Quote): Action => ({
  wire: 'quotes_set_optional_lines',
  label: optional_lines === null ? say`Add optional lines` : say`Change optional lines`,
  kind: 'quiet',
  warning: say`The customer checks the ones they want, and the total updates. Only those are accepted.`,
  startsAs: 'record',
  fields: [{ ...linesField({ hasTax: true, label: say`Optional lines` }), from: 'optional_lines' }],
})

const optionAction = (): Action => ({
  wire: 'quotes_add_option',
  label: say`Add an option`,
  notice: say`This is the new option. Change what it offers; options are sent together.`,
  kind: 'quiet',
})

const templateActions = ({ status, option_set }: Quote): Action[] => [
  {
    wire: 'quotes_save_template',
    label: say`Save as template`,
    kind: 'quiet',
    warning: say`It keeps what the quote and its options offer, without the customer, and replaces one of its name.`,
    fields: [textField({ name: 'name', label: say`Name`, isRequired: true, help: say`Such as: water heater` })],
  },
  ...(status === 'draft' && option_set === null ? [useTemplateAction(), deleteTemplateAction()] : []),
]

const useTemplateAction = (): Action => ({
  wire: 'quotes_use_template',
  label: say`Use a template`,
  kind: 'quiet',
  warning: say`It replaces title, lines and terms, and adds its options. Catalog prices are those of today.`,
  fields: [templateField()],
})

const deleteTemplateAction = (): Action => ({
  wire: 'quotes_delete_template',
  label: say`Delete a template`,
  kind: 'quiet',
  warning: say`Quotes made from it are kept.`,
  fields: [templateField()],
})

const templateField = (): FormField =>
  choiceField({
    name: 'template_id',
    label: say`Template`,
    none: say`Choose a template`,
    options: async (context) => (await context.read(listTemplates)).map(({ id, name }) => ({ value: id, label: name })),
  })

const archiveAction = (): Action => ({
  wire: 'quotes_archive',
  label: say`Archive quote`,
  kind: 'danger',
  warning: say`It is hidden for everybody. Jobs and invoices created from it stay. This can't be undone.`,
})

/** Returns the action that takes over a quote, for account owners; the tool refuses everyone else. */
const takeOverAction = ({ caller }: PageContext, { owner_name }: Quote): Action => ({
  wire: 'quotes_take_over',
  label: say`Take over`,
  isHidden: caller.role !== 'owner',
  warning: say`It is ${owner_name}'s. It becomes yours to change, send and archive, and ${owner_name} can't change it anymore.`,
})
