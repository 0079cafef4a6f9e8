import type { Caller } from '../../identity/credentials/caller.ts'
import { resolveLines } from '../line_items/resolve.ts'
import {
  choice,
  choicesWithHints,
  date,
  dateOrInstant,
  flag,
  id,
  optional,
  settableChoice,
  wholeNumber,
} from '../../platform/validation/fields.ts'
import { money } from '../format/formats.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import type { Warning } from '../../platform/errors/refusal_text.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { longText, nonEmptyText, text } from '../../platform/validation/text/text.ts'
import { entity, tool } from '../../tools/declare/define.ts'
import { edit } from '../../tools/declare/edit.ts'
import { briefInput, createInputs, idInput, withDefaults } from '../../tools/declare/inputs.ts'
import { updateOutcome, changesBetween, createOutcome, readOutcome, type Outcome } from '../../tools/call/outcome.ts'
import { pageList } from '../../tools/declare/page_list.ts'
import { numberInput, numberLookup } from '../../tools/call/numbers.ts'
import { notMailedWarnings } from '../../tools/call/not_mailed.ts'
import { GROUPS, groupInvoices } from './accounting/grouped.ts'
import { findEarlierBills, doubleBillingWarnings } from './billing/earlier_bills.ts'
import { changeInvoice, requireOpen, voidInvoice } from './change.ts'
import { STATUSES } from './status.ts'
import { insertInvoice, prepareInvoice } from './billing/add.ts'
import { stageRefusals } from './billing/stage_refusals.ts'
import { addStage } from './billing/stages.ts'
import { documentDiscount } from '../line_items/inputs.ts'
import { INVOICE, type Invoice } from './fields.ts'
import { findInvoice, lockInvoice } from './invoice.ts'
import { INVOICE_SORTS, countInvoices, listInvoices } from './listing.ts'
import { findInvoicesByNumber } from './overview/named.ts'
import { recentInvoices } from './overview/recent.ts'
import { METHODS, recordPayment, reversePayment, type RecordedPayment } from './payments/recorded_payments.ts'
import { refusals } from './payments/refusals.ts'
import { warnings } from './refusals.ts'
import { fillInvoice, readJobSource, readQuoteSource, requireOneSource } from './source.ts'
import { untaxedWarning } from './billing/untaxed.ts'

const MAX_CENTS = 1_000_000_000_000

/** Advertised statuses; `void` is accepted only to point to the tool for it. */
const SETTABLE_STATUSES = STATUSES.filter((status) => status !== 'void')

const DEFAULTS = {
  location_id: 'primary billing',
  contact_id: 'primary',
  issue_date: 'today',
  due_date: 'per terms',
} as const

export const invoices = entity({
  name: 'invoices',
  singular: 'invoice',
  subject: 'invoices',
  record: INVOICE,
  linked: true,
  recent: ({ db }, limit) => recentInvoices(db, limit),
  nameLookup: numberLookup(/^(?=.*\D).{0,20}\d+$/, findInvoicesByNumber),
  tools: [
    pageList({
      title: 'List invoices',
      description: 'Invoices, newest first; void ones only when status asks for them.',
      input: {
        status: choicesWithHints(STATUSES, { overdue: 'for unpaid ones past due_date send overdue: true' })
          .optional()
          .describe('Only these'),
        customer_id: id().optional().describe('Only this customer'),
        job_id: id().optional().describe('Billing this job'),
        overdue: flag().optional().describe('Unpaid past due_date'),
        issued_from: dateOrInstant().optional().describe('On or after'),
        issued_to: dateOrInstant().optional().describe('On or before'),
        due_from: dateOrInstant().optional().describe('On or after'),
        due_to: dateOrInstant().optional().describe('On or before'),
        number: numberInput().optional().describe('Like 1002 or INV-1002'),
        group_by: choice(...GROUPS)
          .optional()
          .describe('Group totals instead of rows'),
        ...briefInput,
        query: text(200).meta({ hidden: true }),
        sort: choice(...INVOICE_SORTS)
          .optional()
          .meta({ hidden: true }),
      },
      groups: ({ db, caller }, { group_by, ...query }) =>
        group_by === undefined ? undefined : groupInvoices(db, caller, todayOf(caller), { ...query, group_by }),
      brief: ['id', 'number', 'customer_id', 'currency', 'updated_at'],
      rows: ({ db, caller }, query) => listInvoices(db, caller, todayOf(caller), query),
      count: ({ db, caller }, query) => countInvoices(db, caller, todayOf(caller), query),
    }),
    tool({
      verb: 'get',
      title: 'Get an invoice',
      description: 'An invoice with its lines, taxes and deliveries.',
      input: idInput,
      run: async ({ db, caller }, { id }) => readOutcome(await findInvoice(db, id, todayOf(caller))),
    }),
    tool({
      verb: 'create',
      title: 'Create an invoice',
      person: true,
      counter: 'invoice',
      alsoWrites: { quote_id: 'write:quotes', from_quote_id: 'write:quotes' },
      description:
        'Creates a draft and computes totals and tax. Send line_items, or copy them with from_job_id or from_quote_id.',
      input: {
        customer_id: id().describe('Customer'),
        ...withDefaults(INVOICE.inputs, DEFAULTS),
        from_job_id: optional(id()).describe('Copy this job'),
        from_quote_id: optional(id()).describe('Copy this quote'),
      },
      check: requireOneSource,
      prepare: async (context, { line_items = [], from_job_id, from_quote_id, ...draft }) => {
        const { db } = context
        const source =
          from_quote_id != null
            ? await readQuoteSource(db, draft.customer_id, from_quote_id)
            : from_job_id != null
              ? await readJobSource(db, draft.customer_id, from_job_id)
              : { lines: resolveLines(db, line_items) }
        const filled = fillInvoice(draft, source)
        const { job_ids = [], quote_id = null } = filled
        const [earlier, prepared] = await Promise.all([
          findEarlierBills(context, { id: null, job_ids, quote_id }),
          prepareInvoice(db, filled),
        ])
        return { filled, earlier, prepared }
      },
      run: async (context, { from_job_id, from_quote_id }, { filled, earlier, prepared }) => {
        const invoice = await insertInvoice(context.db, context.caller, filled, prepared)
        const isCopied = from_job_id != null || from_quote_id != null
        return createOutcome(invoice, [
          ...doubleBillingWarnings(context, earlier),
          ...noLinesWarnings(invoice, isCopied),
        ])
      },
    }),
    edit({
      verb: 'update',
      title: 'Update an invoice',
      person: true,
      description:
        'Sets status at any time, other fields only in draft. sent only records it and mails nothing. line_items ' +
        'replaces all; null or empty text clears a field.',
      input: {
        status: settableChoice(STATUSES, SETTABLE_STATUSES, 'is set to void with invoices_void')
          .optional()
          .describe('paid settles the balance'),
        ...INVOICE.patchInputs,
        charge_cents: wholeNumber(1, MAX_CENTS, refusals.amount)
          .optional()
          .describe('Send alone; asks a person to charge the saved card'),
        customer_id: id().optional().meta({ hidden: true }),
        quote_id: optional(id()).meta({ hidden: true }),
      },
      fixed: ['customer_id', 'quote_id'],
      lock: async ({ db, caller }, { id }) => {
        const locked = await lockInvoice(db, id, todayOf(caller))
        requireOpen(locked.before)
        return locked
      },
      lookUp: (context, { id, job_ids = [] }) => findEarlierBills(context, { id, job_ids, quote_id: null }),
      run: async (context, { status, charge_cents, ...patch }, locked, earlier) => {
        const { db, caller } = context
        const { before } = locked
        if (charge_cents != null) return chargeOutcome(before, charge_cents, { status, ...patch })
        const to = status ?? before.status
        const [unmailed, untaxed, after] = await Promise.all([
          notMailedWarnings(context, 'invoices', before, to),
          untaxedWarning(context, before, to),
          changeInvoice(db, caller, locked, to, patch, todayOf(caller)),
        ])
        const newBills = earlier.filter(({ job_id }) => job_id !== null && !before.job_ids.includes(job_id))
        return updateOutcome(before, after, [...unmailed, ...untaxed, ...doubleBillingWarnings(context, newBills)])
      },
    }),
    tool({
      verb: 'void',
      title: 'Void an invoice',
      description: 'Voids the invoice for good; its number and history are kept.',
      input: { ...idInput, reason: text(500).describe('Why') },
      run: async ({ db, caller }, { id, reason = null }) => {
        const today = todayOf(caller)
        const { before } = await lockInvoice(db, id, today)
        return updateOutcome(before, await voidInvoice(db, caller, before, reason, today), paidWarnings(before))
      },
    }),
  ],
  pageActions: [
    tool({
      verb: 'bill_stage',
      title: 'Bill a stage',
      counter: 'invoice',
      description: 'Drafts a progress invoice for an accepted quote or a job, up to the amount left to bill.',
      person: true,
      input: {
        ...idInput,
        of: choice('quote', 'job').optional().describe('Type of record, default quote'),
        name: nonEmptyText(200).describe('Name of the stage'),
        share: documentDiscount().describe('Share of the total'),
      },
      run: async ({ db, caller }, { id, of, name, share }) => {
        if (share == null) throw invalidField('share.value', stageRefusals.nothing())
        const work = of === 'job' ? { job: id } : { quote: id }
        const invoice = await addStage(db, caller, { work, name, share })
        return {
          result: { id, invoice_id: invoice.id },
          written: { record: invoice.id, changes: changesBetween({}, invoice) },
        }
      },
    }),
    tool({
      verb: 'record_payment',
      title: 'Record a payment',
      description: 'Records a payment received, by default the whole balance; the status follows.',
      person: true,
      input: {
        ...idInput,
        amount_cents: optional(wholeNumber(1, MAX_CENTS, refusals.amount)).describe('Received'),
        method: choice(...METHODS).describe('How it was paid'),
        paid_on: optional(date()).describe('Default today'),
        reference: text(100).describe('Such as a check number'),
        note: longText(1000).describe('For the office'),
        ...createInputs,
      },
      run: async ({ db, caller }, { id, ...query }) => {
        const today = todayOf(caller)
        const { before } = await lockInvoice(db, id, today)
        return paymentOutcome(before, await recordPayment(db, caller, before, query, today))
      },
    }),
    tool({
      verb: 'take_back_payment',
      title: 'Reverse a payment',
      description: 'Reverses a recorded payment with a second entry; the status follows.',
      person: true,
      input: {
        ...idInput,
        payment_id: id().describe('Payment'),
        paid_on: optional(date()).describe("Default the payment's day"),
      },
      run: async ({ db, caller }, { id, ...query }) => {
        const today = todayOf(caller)
        const { before } = await lockInvoice(db, id, today)
        return paymentOutcome(before, await reversePayment(db, caller, before, query, today))
      },
    }),
  ],
})

/** Returns the outcome of a charge request. It charges nothing: the charge is made on approval. */
function chargeOutcome(before: Invoice, cents: number, otherFields: object): Outcome<Invoice> {
  if (Object.values(otherFields).some((value) => value !== undefined))
    throw invalidField('charge_cents', refusals.alone())
  return { result: before, written: { record: before.id, changes: { charge_cents: [null, cents] } } }
}

/** Returns a warning if a voided invoice has payments. */
const paidWarnings = ({ display_number, amount_paid_cents, currency }: Invoice): Warning[] =>
  amount_paid_cents > 0
    ? [warnings.paidVoided({ number: display_number, amount: money(amount_paid_cents, currency) })]
    : []

/** Returns a warning for an invoice without lines that should have those of a job or quote. */
function noLinesWarnings({ line_items, quote_id }: Invoice, isCopied: boolean): Warning[] {
  if (line_items.length > 0) return []
  if (isCopied) return [warnings.nothingCopied()]
  return quote_id === null ? [] : [warnings.quoteWithoutLines()]
}

/** Returns the outcome of a payment: the invoice after it, and the payment in its history. */
const paymentOutcome = (
  before: Invoice,
  { after, payment }: RecordedPayment,
): Outcome<Invoice & { payment_id: string }> => {
  const { payment_id, ...details } = payment
  return {
    result: { ...after, payment_id },
    written: { record: after.id, changes: { ...changesBetween(before, after), ...changesBetween({}, details) } },
  }
}

const todayOf = ({ tenant }: Caller): string => todayIn(tenant.timezone).toString()
