import type { Company } from '../identity/companies/company.ts'
import type { Job } from '../records/jobs/index.ts'
import type { JobSignature } from '../mobile/signatures/work_order.ts'
import { say, sayFor } from '../platform/i18n/say.ts'
import { moment, phone, shortDay, span } from '../records/format/formats.ts'
import { quantity } from '../records/format/units.ts'
import { dayIn } from './days.ts'
import type { PdfDocumentData, PdfSignature } from './document.ts'
import { toAddressBlocks, type PdfRecipient, type PdfContent } from './content.ts'

/**
 * Returns a job as the work order its customer signs: the work and its parts, without prices or instructions, which are
 * for the crew (docs/spec/documents.md#work-orders).
 */
export const toWorkOrderContent = (
  job: Job,
  signature: JobSignature | undefined,
  to: PdfRecipient,
  company: Company,
): PdfContent => ({
  name: say`Work order`,
  number: job.display_number,
  at: job.updated_at,
  status: statusOf(job),
  headline: undefined,
  addressBlocks: withPhone(toAddressBlocks(say`Customer`, job, to, company), to),
  facts: [
    { label: say`Scheduled`, value: scheduleText(job, company) },
    {
      label: say`Technician`,
      value: job.assignments.length === 0 ? say`Unassigned` : job.assignments.map(({ name }) => name).join(', '),
    },
    ...(job.completed_at === null
      ? []
      : [{ label: say`Completed`, value: shortDay(dayIn(job.completed_at, company.timezone)) }]),
  ],
  title: job.title,
  message: job.description,
  table: {
    caption: say`Work and parts`,
    headers: [say`Work and parts`, say`Quantity`],
    rows: job.line_items
      .filter(({ kind }) => kind !== 'discount')
      .map(({ name, description, quantity: count, unit }) => ({ name, description, cells: [quantity(count, unit)] })),
    empty: say`No work or parts listed.`,
  },
  sums: [],
  sumsNote: undefined,
  parts: [],
  signature:
    job.status === 'cancelled'
      ? undefined
      : {
          statement: say`The work described above was completed to my satisfaction.`,
          blanks: [say`Signature`, say`Name`, say`Date`],
          ...(signature && { signed: toPdfSignature(signature, company) }),
        },
})

const toPdfSignature = ({ drawing, name, signed_at }: JobSignature, { timezone }: Company): PdfSignature => ({
  drawing,
  name,
  date: shortDay(dayIn(signed_at, timezone)),
})

function statusOf({ status }: Job): PdfDocumentData['status'] {
  if (status === 'done') return { text: sayFor('work_order')`Done`, look: 'done' }
  return status === 'cancelled' ? { text: sayFor('work_order')`Canceled`, look: 'ended' } : undefined
}

const withPhone = (
  [customer, ...rest]: PdfDocumentData['addressBlocks'],
  { contact_phone }: PdfRecipient,
): PdfDocumentData['addressBlocks'] => [
  ...(customer === undefined ? [] : [contact_phone === null ? customer : withLine(customer, phone(contact_phone))]),
  ...rest,
]

const withLine = (
  block: PdfDocumentData['addressBlocks'][number],
  line: PdfDocumentData['addressBlocks'][number]['lines'][number],
): PdfDocumentData['addressBlocks'][number] => ({ ...block, lines: [...block.lines, line] })

function scheduleText({ scheduled_start, scheduled_end, all_day }: Job, { timezone }: Company): string {
  if (scheduled_start === null) return say`Not yet scheduled`
  if (all_day) return say`${shortDay(dayIn(scheduled_start, timezone))}, any time`
  return scheduled_end === null ? moment(scheduled_start, timezone) : span(scheduled_start, scheduled_end, timezone)
}
