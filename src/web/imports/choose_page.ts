import { SOURCES } from '../../imports/formats/source_format.ts'
import type { ImportedFile } from '../../imports/reading/imported_file.ts'
import type { ImportKind } from '../../imports/rows/kinds.ts'
import { MAX_ROWS } from '../../imports/reading/limits.ts'
import { button } from '../../platform/html/parts/button.ts'
import { field, select } from '../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { table } from '../../platform/html/parts/table.ts'
import { say } from '../../platform/i18n/say.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { moment } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import type { MemberContext } from '../member_context.ts'
import { pageOf } from './frame.ts'
import { kindLabel, sourceLabel } from './labels.ts'
import { importStateLabel } from './states.ts'

type ListedFile = ImportedFile & { by: string | null }

const ACCEPTED_TYPES = '.xlsx,.csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,text/csv'

/** Renders the page for choosing a file to import, with the files of the last month. */
export const choosePage = (
  context: MemberContext,
  kinds: readonly ImportKind[],
  files: readonly ListedFile[],
  { kind = '', refusal }: { kind?: string; refusal?: Refusal } = {},
): Response =>
  pageOf(
    context,
    say`Import`,
    html`
<p class="lead">${say`Import your data from Jobber, Housecall Pro, ServiceTitan, QuickBooks or a spreadsheet. You check the columns first. Nothing is saved until you start the import, and you can undo it.`}</p>
<section class="part">
<form class="form" method="post" action="${context.path('settings', 'import')}" enctype="multipart/form-data">
  ${select({
    name: 'source',
    label: say`Source`,
    none: say`Detect from the columns`,
    options: SOURCES.map((source) => ({ value: source, label: sourceLabel(source) })),
  })}
  ${select({
    name: 'kind',
    label: say`Contents`,
    none: say`Detect from the columns`,
    options: kinds.map((one) => ({ value: one, label: kindLabel(one) })),
    chosen: kind,
  })}
  ${field({
    name: 'file',
    label: say`Excel or CSV file`,
    type: 'file',
    accepts: ACCEPTED_TYPES,
    isRequired: true,
    help: say`.xlsx or .csv with a header row, up to ${MAX_ROWS} rows and 5 MB`,
  })}
  <p class="actions">${button({ label: say`Continue`, kind: 'main' })}</p>
</form>
<p class="help">${say`Example files:`} ${kinds.map(
      (kind, i) =>
        html`${when(
          i > 0,
          () => html` · `,
        )}<a href="${context.path('settings', 'import', 'examples', kind)}">${kindLabel(kind)}</a>`,
    )}</p>
</section>
${part(say`Imports of the last 30 days`, listHtml(context, files))}`,
    { refusal },
  )

const listHtml = (context: MemberContext, files: readonly ListedFile[]): Html =>
  table<ListedFile>({
    caption: say`Imports of the last 30 days`,
    isCaptionHidden: true,
    rows: files,
    empty: say`None yet.`,
    columns: [
      {
        label: say`File`,
        cell: ({ id, file_name }) => html`<a href="${context.path('settings', 'import', id)}">${file_name}</a>`,
      },
      { label: say`Contents`, cell: ({ kind, source }) => `${kindLabel(kind)} (${sourceLabel(source)})` },
      { label: say`State`, cell: (file) => importStateLabel(file) },
      { label: say`By`, cell: ({ by }) => by ?? '' },
      { label: say`When`, cell: ({ created_at }) => moment(created_at, context.company.timezone) },
    ],
  })
