import { day } from '../../records/format/formats.ts'
import type { IncomingRecord, MappedRow, ReadingRules } from '../reading/incoming.ts'
import { readDocuments } from './reading.ts'
import { extraFields, parseStatus, defaultTitle, type StatusWords } from './words.ts'

const STATUSES: StatusWords = {
  draft: [
    'draft',
    'unsent',
    'not sent',
    'new',
    'in progress',
    'needs estimate',
    'unscheduled',
    'needs scheduling',
    'scheduled',
  ],
  sent: [
    'sent',
    'awaiting response',
    'open',
    'pending',
    'viewed',
    'changes requested',
    'estimate sent',
    'submitted',
    'complete',
    'completed',
    'complete rated',
    'complete unrated',
    'submitted for signoff',
  ],
  accepted: [
    'accepted',
    'approved',
    'won',
    'sold',
    'converted',
    'invoiced',
    'closed',
    'customer approved',
    'pro approved',
    'copied to job',
  ],
  declined: [
    'declined',
    'rejected',
    'lost',
    'dismissed',
    'canceled',
    'cancelled',
    'customer declined',
    'pro declined',
    'user canceled',
    'pro canceled',
  ],
  expired: ['expired', 'archived'],
}

export const readQuotes = (rows: readonly MappedRow[], rules: ReadingRules): Promise<IncomingRecord[]> =>
  readDocuments(rows, rules, {
    isTaxed: true,
    nameOf: (cells) => cells.text('title') ?? defaultTitle(cells, 'quote'),
    readKindFields: ({ cells, row }) => {
      const title = (cells.text('title') ?? defaultTitle(cells, 'quote')).slice(0, 200)
      const issued = cells.day('issue_date') ?? cells.day('created_date')
      const answered = cells.moment('accepted_date')
      if (cells.text('status') === undefined) cells.addRemark('status', '', 'draft')
      return {
        name: cells.text('customer_name') ?? title,
        input: {
          title,
          issue_date: issued,
          message: cells.text('message'),
          terms: cells.text('terms'),
          fields: extraFields(cells, row.custom),
        },
        state: parseStatus(cells, STATUSES, 'draft'),
        days: {
          valid_until: cells.day('valid_until'),
          answered: answered && `${answered.day}T${answered.time ?? '12:00'}`,
          reason: cells.text('decline_reason')?.slice(0, 500),
        },
        summary: [cells.first('number', 'source_id'), title, issued && day(issued)],
      }
    },
  })
