import type { Caller } from '../../identity/credentials/caller.ts'
import { documentDiscount, lineItems } from '../line_items/inputs.ts'
import { choice, choices, dateOrInstant, id, settableChoice } from '../../platform/validation/fields.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { text } from '../../platform/validation/text/text.ts'
import { entity, tool } from '../../tools/declare/define.ts'
import { edit } from '../../tools/declare/edit.ts'
import { briefInput, idInput, withDefaults } from '../../tools/declare/inputs.ts'
import { updateOutcome, changesBetween, createOutcome, removeOutcome, readOutcome } from '../../tools/call/outcome.ts'
import { pageList } from '../../tools/declare/page_list.ts'
import { numberLookup } from '../../tools/call/numbers.ts'
import { notMailedWarnings } from '../../tools/call/not_mailed.ts'
import { archiveQuote, changeQuote, takeOverQuote } from './change.ts'
import { addQuote, prepareQuote } from './create.ts'
import { setDeposit } from './deposit/deposit.ts'
import { QUOTE_SORTS, countQuotes, listQuotes } from './listing.ts'
import { QUOTE, STATUSES } from './fields.ts'
import { addOption, withOptions } from './options/option.ts'
import { MAX_OPTIONAL_LINES, setOptionalLines } from './options/optional_lines.ts'
import { templateTools } from './options/tools.ts'
import {
  findQuote,
  lockQuote,
  findArchivedHint,
  findQuotesByNumber,
  requireAccountOwner,
  requireQuoteOwner,
} from './quote.ts'
import { recentQuotes } from './overview/recent.ts'

/** Advertised statuses; `archived` is accepted only to point to the tool for it. */
const SETTABLE_STATUSES = STATUSES.filter((status) => status !== 'archived')

const DEFAULTS = {
  location_id: 'primary billing',
  contact_id: 'primary',
  issue_date: 'today',
  valid_until: 'in 30 days',
} as const

export const quotes = entity({
  name: 'quotes',
  singular: 'quote',
  subject: 'quotes',
  record: QUOTE,
  linked: true,
  recent: ({ db }, limit) => recentQuotes(db, limit),
  nameLookup: numberLookup(/^Q-\d+$/i, findQuotesByNumber),
  explainAbsence: findArchivedHint,
  tools: [
    pageList({
      title: 'List quotes',
      description: 'Quotes, newest first; archived ones only when status asks for them.',
      input: {
        status: choices(...STATUSES)
          .optional()
          .describe('Only these'),
        customer_id: id().optional().describe('Only this customer'),
        owner_id: id().optional().describe("Only this user's"),
        created_from: dateOrInstant().optional().describe('On or after'),
        created_to: dateOrInstant().optional().describe('On or before'),
        ...briefInput,
        query: text(200).meta({ hidden: true }),
        sort: choice(...QUOTE_SORTS)
          .optional()
          .meta({ hidden: true }),
      },
      brief: ['id', 'customer_id', 'updated_at'],
      rows: ({ db, caller }, query) => listQuotes(db, caller, query),
      count: ({ db, caller }, query) => countQuotes(db, caller, query),
    }),
    tool({
      verb: 'get',
      title: 'Get a quote',
      description: 'A quote with its lines and taxes.',
      input: idInput,
      run: async ({ db }, { id }) => readOutcome(await withOptions(db, await findQuote(db, id))),
    }),
    tool({
      verb: 'create',
      title: 'Create a quote',
      counter: 'quote',
      description: 'Creates a draft that you own and computes totals and tax.',
      person: true,
      input: { customer_id: id().describe('Customer'), ...withDefaults(QUOTE.inputs, DEFAULTS) },
      prepare: ({ db, caller }, { line_items = [], ...draft }) =>
        prepareQuote(db, { ...draft, line_items }, todayOf(caller)),
      run: async ({ db, caller }, { line_items = [], ...draft }, prepared) =>
        createOutcome(await addQuote(db, caller.user!, { ...draft, line_items }, prepared)),
    }),
    edit({
      verb: 'update',
      title: 'Update a quote',
      person: true,
      description:
        'Your own quotes only. Content only in draft; valid_until, message and fields at any time. sent only records ' +
        'it and mails nothing. line_items replaces all; null or empty text clears a field.',
      input: {
        status: settableChoice(STATUSES, SETTABLE_STATUSES, 'is set to archived with quotes_archive')
          .optional()
          .describe('New status'),
        decline_reason: text(500).describe('If declined'),
        ...QUOTE.patchInputs,
        customer_id: id().optional().meta({ hidden: true }),
      },
      fixed: ['customer_id'],
      lock: async ({ db, caller }, { id, status }) => {
        const locked = await lockQuote(db, id, { withCustomer: status === 'accepted' })
        requireQuoteOwner(locked.before, caller)
        return locked
      },
      run: async (context, { status, ...patch }, locked) => {
        const { db, caller } = context
        const { before } = locked
        const to = status ?? before.status
        const [warnings, after] = await Promise.all([
          notMailedWarnings(context, 'quotes', before, to),
          changeQuote(db, caller, locked, to, patch, todayOf(caller)),
        ])
        return updateOutcome(before, after, warnings)
      },
    }),
    tool({
      verb: 'archive',
      title: 'Archive a quote',
      description: 'Hides one of your own quotes.',
      person: true,
      input: idInput,
      run: async ({ db, caller }, { id }) => {
        const { before } = await lockQuote(db, id)
        requireQuoteOwner(before, caller)
        return removeOutcome(await archiveQuote(db, caller, id), { status: before.status, archived_at: null })
      },
    }),
  ],
  pageActions: [
    tool({
      verb: 'take_over',
      title: 'Take over a quote',
      description: 'Makes an account owner the owner of the quote.',
      person: true,
      input: idInput,
      run: async ({ db, caller }, { id }) => {
        requireAccountOwner(caller)
        const { before } = await lockQuote(db, id)
        return updateOutcome(before, await takeOverQuote(db, caller, before))
      },
    }),
    tool({
      verb: 'ask_deposit',
      title: 'Ask for a deposit',
      description: 'Your own drafts only. Sets what the customer pays up front; leave it out for none.',
      person: true,
      input: { ...idInput, deposit: documentDiscount().describe('Of the total') },
      run: async ({ db, caller }, { id, deposit = null }) => {
        const { before } = await lockQuote(db, id)
        requireQuoteOwner(before, caller)
        const newDeposit = deposit === null || deposit.value === 0 ? null : deposit
        const earlier = await setDeposit(db, caller.user, before, newDeposit)
        const after = await findQuote(db, id)
        return {
          result: after,
          written: { record: id, changes: changesBetween({ deposit: earlier }, { deposit: newDeposit }) },
        }
      },
    }),
    tool({
      verb: 'add_option',
      title: 'Add an option',
      counter: 'quote',
      description: 'Your own quotes only, in draft or sent. Copies the quote as another option of its set.',
      person: true,
      input: idInput,
      run: async ({ db, caller }, { id }) => {
        const { before } = await lockQuote(db, id)
        requireQuoteOwner(before, caller)
        const option = await addOption(db, caller.user, before, todayOf(caller))
        const changes = changesBetween(before, { ...before, option_set: option.option_set })
        return { ...createOutcome(option), also: Object.keys(changes).length === 0 ? [] : [{ record: id, changes }] }
      },
    }),
    tool({
      verb: 'set_optional_lines',
      title: 'Set the optional lines',
      description: 'Your own drafts only. Sets the lines that the customer may add when accepting; none removes them.',
      person: true,
      input: { ...idInput, line_items: lineItems(MAX_OPTIONAL_LINES) },
      run: async ({ db, caller }, { id, line_items = [] }) => {
        const { before } = await lockQuote(db, id)
        requireQuoteOwner(before, caller)
        await setOptionalLines(db, caller.user, before, line_items)
        return updateOutcome(before, await findQuote(db, id))
      },
    }),
    ...templateTools,
    tool({
      verb: 'accept',
      title: 'Accept a quote with optional lines',
      description: 'Your own quotes only. Records that the customer accepted the quote with these optional lines.',
      person: true,
      input: {
        ...idInput,
        optional_lines: id().array().max(MAX_OPTIONAL_LINES).optional().describe('Ids of optional lines'),
      },
      run: async ({ db, caller }, { id, optional_lines }) => {
        const locked = await lockQuote(db, id, { withCustomer: true })
        requireQuoteOwner(locked.before, caller)
        const patch = { chosen_lines: optional_lines }
        return updateOutcome(locked.before, await changeQuote(db, caller, locked, 'accepted', patch, todayOf(caller)))
      },
    }),
  ],
})

const todayOf = ({ tenant }: Caller): string => todayIn(tenant.timezone).toString()
