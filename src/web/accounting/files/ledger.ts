import { requireOwner as requireStillOwner } from '../../../identity/permissions/rights.ts'
import {
  entriesDue,
  exportLedger,
  findLedgerBatch,
  listLedgerBatches,
  undoLedgerExport,
  type LedgerBatch,
  type LedgerFormat,
} from '../../../records/invoices/index.ts'
import { pageResponse } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { hidden, select } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import type { Refusal } from '../../../platform/errors/refusal.ts'
import { day, moment, money } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { statusOf } from '../../faults.ts'
import { frame } from '../../frame.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { catchRefusal, isOwner, requireOwner } from '../../settings/settings_page.ts'
import { sendSheet } from '../../sheet.ts'
import type { Site } from '../../site.ts'
import { ledgerFile } from './ledger_files.ts'
import { requireCashier } from '../payments/payment.ts'
import { addressOf, rangeHtml, readRange, type RequestedRange } from '../range.ts'
import { requireInvoiceReader } from '../report_page.ts'
import { refusalForPeople } from '../../../platform/i18n/refusal_for_people.ts'

const MAX_BATCHES = 100

/** Shows the entries not yet exported to the books, and every batch so far. */
export async function showLedger(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  return ledgerPage(context, readRange(new URL(request.req.url).searchParams, context.company.timezone))
}

/** Creates a batch of the new entries. Its file is downloaded from the page. */
export async function makeLedger(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireCashier(site, request)
  const { timezone, country, currency } = context.company
  const form = await readFormFields(request.req.raw)
  const range = readRange(form, timezone)
  if (range.problem !== undefined) return ledgerPage(context, range)
  const order = { ...range, format: form.get('format') ?? '', today: todayIn(timezone).toString(), country, currency }
  return catchRefusal(
    async () => {
      const number = await context.write((db) => {
        if (!context.may('write:invoices')) throw notFoundRefusal()
        return exportLedger(db, order, { user: context.user.id })
      })
      return redirectWithMessage(addressOf(context.path('reports', 'ledger'), range), {
        sentence: say`Batch ${number} is ready.`,
        next: { label: say`Download CSV`, href: context.path('reports', 'ledger', String(number), 'file') },
      })
    },
    (refusal) => ledgerPage(context, range, refusal),
  )
}

/** Sends a batch's file, which never changes. */
export async function sendLedger(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  return sendSheet(
    site,
    request,
    ledgerFile(...(await context.read((db) => findLedgerBatch(db, readBatchNumber(request))))),
  )
}

/** Asks an owner to confirm undoing a batch. */
export async function showLedgerUndo(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  return confirmationPage(context, await findBatch(context, request))
}

/** Undoes the batch. */
export async function undoLedgerBatch(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const [by, number] = [{ user: context.user.id }, readBatchNumber(request)]
  return catchRefusal(
    async () => {
      await context.write(async (db) => {
        await requireStillOwner(db, by)
        await undoLedgerExport(db, number, by)
      })
      return redirectWithMessage(context.path('reports', 'ledger'), { sentence: say`Batch ${number} was undone.` })
    },
    async (refusal) => confirmationPage(context, await findBatch(context, request), refusal),
  )
}

const readBatchNumber = (request: PageRequest): number => Number(request.req.param('number'))

const findBatch = async (context: MemberContext, request: PageRequest): Promise<LedgerBatch> =>
  (await context.read((db) => findLedgerBatch(db, readBatchNumber(request))))[0]

async function ledgerPage(context: MemberContext, range: RequestedRange, refusal?: Refusal): Promise<Response> {
  const { timezone } = context.company
  const [due, batches] = await context.read((db) =>
    Promise.all([entriesDue(db, range, todayIn(timezone).toString()), listLedgerBatches(db, MAX_BATCHES)]),
  )
  const there = context.path('reports', 'ledger')
  const problem = range.problem ?? (refusal && refusalForPeople(refusal))
  const page = frame(context, {
    title: say`Journal entries`,
    here: context.path('reports'),
    styles: ['money.css'],
    body: html`
<header class="page-head">
  <div><p class="eyebrow"><a href="${context.path('reports')}">${say`Reports`}</a></p>
  <h1>${say`Journal entries`}</h1></div>
</header>
<p class="lead">${say`Each batch has what isn’t in your books yet, and corrects what changed since.`}</p>
${rangeHtml(there, range, timezone)}${when(problem, (problem) =>
      notice({ kind: 'error', title: say`No batch was created`, body: problem }),
    )}
<div class="parts">
${part(say`For the next batch`, nextHtml(context, there, range, due))}
${part(say`Batches`, batchesHtml(context, batches))}
</div>`,
  })
  const status = range.problem !== undefined ? 422 : refusal === undefined ? 200 : statusOf(refusal)
  return pageResponse(page, { status })
}

function nextHtml(
  context: MemberContext,
  action: string,
  { from, to }: RequestedRange,
  due: readonly { is_correction: boolean }[],
): Html {
  if (due.length === 0) return html`<p>${say`Your books have everything from these days.`}</p>`
  const corrections = due.filter(({ is_correction }) => is_correction).length
  return html`<p>${sayCount(due.length, 'one entry', '{0} entries')}${when(
    corrections > 0,
    () => html`, ${sayCount(corrections, 'one of them a correction', '{0} of them corrections')}`,
  )}</p>
${when(
  context.may('write:invoices'),
  () => html`<form class="form" method="post" action="${action}">
  ${hidden('from', from)}${hidden('to', to)}
  ${select({ name: 'format', label: say`File for`, chosen: 'csv', options: formats() })}
  <p class="actions">${button({ label: say`Create batch`, kind: 'main' })}</p>
</form>
<p class="help">${say`Create the file's accounts in your books first, as ordinary accounts. Neither program accepts entries on its own receivables or tax accounts.`}</p>`,
)}`
}

const formats = (): { value: LedgerFormat; label: string }[] => [
  { value: 'csv', label: say`A spreadsheet` },
  { value: 'quickbooks', label: say`QuickBooks Online` },
  { value: 'xero', label: say`Xero` },
]

const batchesHtml = (context: MemberContext, batches: readonly LedgerBatch[]): Html =>
  table<LedgerBatch>({
    caption: say`Batches`,
    isCaptionHidden: true,
    rows: batches,
    empty: say`No batches yet`,
    columns: [
      {
        label: say`Batch`,
        cell: ({ number }) =>
          html`<a href="${context.path('reports', 'ledger', String(number), 'file')}">${say`Batch ${number}`}</a>`,
      },
      { label: say`When`, cell: ({ created_at }) => moment(created_at, context.company.timezone) },
      { label: say`By`, cell: ({ made_by }) => made_by ?? '–' },
      { label: say`File for`, cell: ({ format }) => formats().find(({ value }) => value === format)!.label },
      { label: say`Dates`, cell: ({ from, to }) => `${day(from)} – ${day(to)}` },
      { label: say`Entries`, isNumber: true, cell: ({ entries }) => String(entries) },
      { label: say`Amount`, isNumber: true, cell: ({ debit_cents, currency }) => money(debit_cents, currency) },
      { label: say`Status`, cell: (batch) => stateOf(context, batch, batches) },
    ],
  })

function stateOf(context: MemberContext, batch: LedgerBatch, batches: readonly LedgerBatch[]): Html | string {
  if (batch.taken_back_at !== null) return say`Undone`
  const isNewest = batches.find(({ taken_back_at }) => taken_back_at === null) === batch
  if (!isNewest || !isOwner(context)) return say`In the books`
  return html`<a href="${context.path('reports', 'ledger', String(batch.number), 'take-back')}">${say`Undo batch`}</a>`
}

function confirmationPage(context: MemberContext, { number }: LedgerBatch, refusal?: Refusal): Response {
  const there = context.path('reports', 'ledger')
  const page = frame(context, {
    title: say`Undo batch ${number}`,
    here: context.path('reports'),
    width: 'narrow',
    body: html`
<section class="ticket">
  <h1>${say`Undo batch ${number}?`}</h1>${when(refusal, (refusal) =>
    notice({ kind: 'error', title: say`It stays in the books`, body: refusalForPeople(refusal) }),
  )}
  <p class="lead">
    ${say`The next batch includes its entries again. Remove them from your books yourself, or they count twice.`}
  </p>
  <form method="post" action="${there}/${number}/take-back">
    <p class="actions">
      ${button({ label: say`Undo batch`, kind: 'danger' })}${linkButton(say`Cancel`, there, 'quiet')}
    </p>
  </form>
</section>`,
  })
  return pageResponse(page, { status: refusal === undefined ? 200 : statusOf(refusal) })
}
