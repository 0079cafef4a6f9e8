import { day } from '../../records/format/formats.ts'
import type { IncomingRecord, MappedRow, ReadingRules } from '../reading/incoming.ts'
import { readDocuments } from './reading.ts'
import type { Cells } from './cells.ts'
import { extraFields, parseStatus, defaultTitle, type StatusWords } from './words.ts'
import { refusals } from './refusals.ts'

const STATUSES: StatusWords = {
  draft: ['draft', 'pending', 'not sent'],
  void: ['void', 'voided', 'canceled', 'cancelled', 'deleted'],
  uncollectible: ['bad debt', 'written off', 'write off', 'uncollectible', 'uncollectable'],
  paid: ['paid', 'paid in full', 'closed', 'complete', 'completed', 'deposited', 'settled'],
  sent: [
    'sent',
    'open',
    'unpaid',
    'awaiting payment',
    'past due',
    'overdue',
    'due',
    'not due',
    'not yet due',
    'viewed',
    'partial',
    'partially paid',
    'posted',
    'exported',
    'issued',
    'outstanding',
    'emailed',
    'payment due',
    'payment pending',
    'pending payment',
  ],
}

const METHODS: StatusWords = {
  cash: ['cash'],
  check: ['check', 'cheque', 'chk'],
  card: [
    'card',
    'credit card',
    'credit',
    'debit card',
    'visa',
    'mastercard',
    'amex',
    'american express',
    'discover',
    'stripe',
  ],
  bank_transfer: [
    'ach',
    'bank transfer',
    'transfer',
    'eft',
    'wire',
    'direct deposit',
    'bank payment',
    'ach bank transfer',
  ],
}

export const readInvoices = (rows: readonly MappedRow[], rules: ReadingRules): Promise<IncomingRecord[]> =>
  readDocuments(rows, rules, {
    isTaxed: true,
    nameOf: (cells) => cells.text('subject') ?? defaultTitle(cells, 'invoice'),
    readKindFields: ({ cells, row, amounts }) => {
      const issued = cells.day('issue_date') ?? cells.day('created_date')
      if (issued === undefined && cells.first('issue_date', 'created_date') === undefined)
        cells.addProblem('issue_date', refusals.noDay())
      const { balance, total } = amounts
      const isPaid = balance !== undefined && balance <= 0 && (total ?? 0) > 0
      const status = parseStatus(cells, STATUSES, isPaid ? 'paid' : balance === undefined ? 'draft' : 'sent')
      const isPartlyPaid = balance !== undefined && total !== undefined && balance < total
      if (status === 'paid' && balance !== undefined && balance > 0)
        cells.addRemark('status', cells.text('status') ?? '', isPartlyPaid ? 'partially_paid' : 'sent')
      if (cells.text('status') === undefined && balance === undefined) cells.addRemark('status', '', 'draft')
      return {
        name: cells.text('customer_name') ?? defaultTitle(cells, 'invoice'),
        input: {
          subject: (cells.text('subject') ?? defaultTitle(cells, 'invoice')).slice(0, 200),
          issue_date: issued,
          due_date: cells.day('due_date'),
          po_number: cells.text('po_number'),
          message: cells.text('message'),
          internal_memo: cells.text('internal_memo'),
          fields: extraFields(cells, row.custom),
        },
        state: status === 'draft' && isPartlyPaid ? 'sent' : status,
        days: { paid: cells.day('paid_date') ?? issued },
        payment: paymentOf(cells),
        job: cells.text('job_number'),
        summary: [cells.first('number', 'source_id'), issued && day(issued)],
      }
    },
  })

function paymentOf(cells: Cells): { method: string; reference?: string | undefined } {
  const cell = cells
    .text('paid_method')
    ?.toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
  const method = Object.entries(METHODS).find(([, words]) => cell !== undefined && words.includes(cell))?.[0]
  return { method: method ?? 'other', reference: cells.text('paid_reference')?.slice(0, 100) }
}
