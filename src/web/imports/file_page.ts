import { isDocument } from '../../imports/rows/kinds.ts'
import type {
  ImportFindings,
  FileImportOutcome,
  ImportedFile,
  SkippedRow,
} from '../../imports/reading/imported_file.ts'
import type { SkippedUndoRow } from '../../imports/run/undo_import.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { radioGroup } from '../../platform/html/parts/radio_group.ts'
import { table } from '../../platform/html/parts/table.ts'
import { say, sayCount, sayFor } from '../../platform/i18n/say.ts'
import { money } from '../../records/format/formats.ts'
import { recordLink } from '../../records/page/links.ts'
import { part } from '../../records/page/parts.ts'
import { skipReasonText } from '../activity/reasons.ts'
import type { MemberContext } from '../member_context.ts'
import { pageOf } from './frame.ts'
import { remarkTexts } from './remarks.ts'
import { existingHtml, previewHtml, rejectedRowsHtml } from './row_lists.ts'
import { importStateLabel } from './states.ts'

type FilePage = {
  file: ImportedFile
  findings: ImportFindings | null
  undone: number
  skipped: number
  /** Number of rows that the import wrote and that were not undone. */
  remaining: number
  skippedRows: readonly SkippedUndoRow[]
  mayUndo: boolean
}

/** Renders the state of a file: its contents, the next step, and the result. */
export function filePage(context: MemberContext, page: FilePage): Response {
  const { file, findings } = page
  const isInProgress = ['checking', 'running', 'taking_back'].includes(file.state) && !file.is_stuck
  const body = isInProgress
    ? progressHtml(file)
    : file.state === 'taken_back'
      ? undoResultHtml(context, page)
      : file.state === 'done' && file.outcome !== null
        ? outcomeHtml(context, page, file.outcome)
        : html`${failureNotice(file)}${
            findings === null ? checkForm(context, file) : findingsHtml(context, page, findings)
          }`
  return pageOf(context, file.file_name, body, isInProgress ? { refreshes: 2 } : {})
}

const progressHtml = ({ state, done, total, is_stuck }: ImportedFile): Html => html`
<section class="part" aria-live="polite">
  <h2>${importStateLabel({ state, is_stuck })}</h2>
  <progress value="${Math.min(done, total)}" max="${total}" aria-label="${say`Rows done`}">${done} / ${total}</progress>
  <p>${state === 'checking' ? say`Nothing is saved yet.` : say`You can leave this page. The import continues.`}</p>
</section>`

const failureNotice = ({ state, problem, is_stuck }: ImportedFile): Html | '' =>
  state !== 'failed' && !is_stuck
    ? ''
    : notice({
        kind: 'error',
        title: say`Stopped in the middle`,
        body: problem ?? say`The import was interrupted. Start it again. No row is imported twice.`,
      })

const checkForm = (context: MemberContext, { id }: ImportedFile): Html => html`
<form class="actions" method="post" action="${context.path('settings', 'import', id)}">${button({
  label: say`Check the file`,
  kind: 'main',
})}${columnsLink(context, id)}</form>`

function findingsHtml(context: MemberContext, { file, ...page }: FilePage, findings: ImportFindings): Html {
  const { fresh, known, problems, existing, needs, remarks } = findings
  const importable = fresh + existing.length
  return html`
${when(known > 0, () =>
  notice({
    kind: 'info',
    title: sayCount(known, 'One came with an earlier file', '{0} came with an earlier file'),
    body: isDocument(file.kind) ? say`They don't change.` : say`They don't change unless you choose to update them.`,
  }),
)}
${when(needs.length > 0, () =>
  notice({
    kind: 'info',
    title: file.kind === 'customers' ? say`New tags` : say`New categories`,
    body: needs.join(', '),
  }),
)}
${when(remarks.length > 0, () =>
  notice({ kind: 'info', title: say`Read differently`, body: remarkTexts(remarks).join(' · ') }),
)}
${when(findings.sums !== undefined && fresh > 0, () => totalsNotice(context, file, findings.sums!))}
${when(problems.length > 0, () =>
  notice({
    kind: 'warning',
    title: sayCount(problems.length, 'One row needs fixing', '{0} rows need fixing'),
    body: say`Import the others now, and these once they are fixed.`,
  }),
)}
${
  importable + known === 0
    ? html`<p class="actions">${rejectedRowsLink(context, file, problems)}${columnsLink(context, file.id)}</p>`
    : html`
<form class="form" method="post" action="${context.path('settings', 'import', file.id)}">${when(
        existing.length + known > 0 && !isDocument(file.kind),
        () => existingChoice(file),
      )}
  <p class="actions">${button({
    label:
      file.state === 'failed' || file.is_stuck
        ? say`Continue import`
        : sayCount(importable, 'Import one record', 'Import {0} records'),
    kind: 'main',
  })}${rejectedRowsLink(context, file, problems)}${columnsLink(context, file.id)}</p>
</form>`
}
${when(page.mayUndo && page.remaining > 0, () => undoForm(context, file))}
${when(problems.length > 0, () => rejectedRowsHtml(problems))}
${when(existing.length > 0, () => existingHtml(context, file, existing))}
${previewHtml(findings)}`
}

/** Renders the totals of the new records, to compare with the other product before anything is saved. */
const totalsNotice = (
  { company }: MemberContext,
  { kind }: ImportedFile,
  { total_cents, owed_cents }: NonNullable<ImportFindings['sums']>,
): Html =>
  notice({
    kind: 'info',
    title: say`Together ${money(total_cents, company.currency)}`,
    body:
      kind === 'invoices'
        ? say`${money(owed_cents, company.currency)} of it is still owed. An import sends nothing; reminders that are on apply to what is owed from now on.`
        : say`An import sends nothing.`,
  })

const existingChoice = ({ existing }: ImportedFile): Html =>
  radioGroup({
    name: 'existing',
    label: say`Existing records`,
    help: say`An update changes only the record itself. Its people, addresses and tags stay.`,
    choices: [
      { value: 'skip', label: say`Skip` },
      { value: 'update', label: say`Update` },
      { value: 'create', label: say`Create anyway` },
    ],
    chosen: existing,
  })

function outcomeHtml(
  context: MemberContext,
  page: FilePage,
  { made, updated, skipped, known, left }: FileImportOutcome,
): Html {
  const { file } = page
  return html`
${notice({
  kind: made + updated > 0 ? 'good' : 'info',
  title: sayCount(made, 'One record imported', '{0} records imported'),
  body: [
    ...(updated > 0 ? [sayCount(updated, 'One was updated.', '{0} were updated.')] : []),
    ...(skipped + known > 0 ? [sayCount(skipped + known, 'One was here already.', '{0} were here already.')] : []),
    ...(left.length > 0 ? [sayCount(left.length, 'One row was left out.', '{0} rows were left out.')] : []),
  ].join(' '),
})}
<p class="actions">${linkButton(
    say`View records`,
    context.path(file.kind),
    'main',
  )}${rejectedRowsLink(context, file, left)}${linkButton(
    say`Import another file`,
    context.path('settings', 'import'),
    'quiet',
  )}</p>
${when(page.mayUndo && page.remaining > 0, () => undoForm(context, file))}
${when(left.length > 0, () => rejectedRowsHtml(left))}`
}

const undoForm = (context: MemberContext, { id }: ImportedFile): Html =>
  part(
    say`Undo import`,
    html`<p>${say`Removes everything this import created and restores what it changed. Records that someone changed since stay and are listed.`}</p>
<form class="actions" method="post" action="${context.path('settings', 'import', id, 'back')}">${button({
      label: say`Undo import`,
      kind: 'danger',
    })}</form>`,
  )

const undoResultHtml = (context: MemberContext, { file, undone, skipped, skippedRows }: FilePage): Html => html`
${notice({
  kind: 'good',
  title: sayCount(undone, 'One record was undone', '{0} records were undone'),
  body: skipped > 0 ? sayCount(skipped, 'One stays as it is.', '{0} stay as they are.') : '',
})}
<p class="actions">${linkButton(say`Import another file`, context.path('settings', 'import'), 'quiet')}</p>
${when(skippedRows.length > 0, () =>
  part(
    say`What isn't undone`,
    table<SkippedUndoRow>({
      caption: say`What isn't undone`,
      isCaptionHidden: true,
      rows: skippedRows,
      empty: '',
      columns: [
        { label: say`Row`, cell: ({ number }) => (number > 0 ? String(number) : ''), isNumber: true },
        {
          label: say`Record`,
          cell: ({ number, record_id }) =>
            number > 0 ? recordLink(context, file.kind, record_id, sayFor('action')`Open`) : '',
        },
        { label: say`Why`, cell: ({ stays }) => skipReasonText(stays, context.company.timezone) },
      ],
    }),
  ),
)}`

const rejectedRowsLink = (context: MemberContext, { id }: ImportedFile, { length }: readonly SkippedRow[]): Html | '' =>
  when(length > 0, () =>
    linkButton(
      sayCount(length, 'Download the one with its reason', 'Download the {0} with reasons'),
      context.path('settings', 'import', id, 'to-fix.csv'),
    ),
  )

const columnsLink = (context: MemberContext, id: string): Html =>
  linkButton(say`Change the columns`, context.path('settings', 'import', id, 'columns'), 'quiet')
